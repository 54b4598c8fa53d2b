"""`check`: read, locate, ask, and show the results in every form that was asked for."""

from __future__ import annotations

import sys
import time
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..asking.judge import SERVED_ALIAS
from ..citations import Citation, Result
from ..documents import Document
from ..errors import CitationCheckError
from ..judging import SHIPPED_CACHE
from .inputs import (
    STDIN,
    Inputs,
    as_file,
    cache_beside,
    choose_inputs,
    choose_model,
    read_citations_of,
    read_sources,
)
from .outputs import DONE, NAMED_VERDICT, UNJUDGED, as_json, tell_stale, write_text

if TYPE_CHECKING:
    from ..reviewing import Review

UNJUDGED_SHOWN = 3  # causes, and citations of one: a whole file may fail for the same one


class Run(NamedTuple):
    """One finished check: everything that its outputs are made of."""

    inputs: Inputs
    documents: list[Document]
    results: list[Result]
    model: str
    auto_accept: float


def check(a: Namespace) -> int:
    """Check citations and show the results in every form that was asked for."""
    from ..judging import AUTO_ACCEPT, check_citations, estimate, make_ask
    from ..replay import JsonCache

    inputs = choose_inputs(a.inputs, a.cache)
    _refuse(a, inputs)
    documents = read_sources(inputs.sources, inputs.cache.parent, a.offline)
    citations = read_citations_of(inputs.citations, documents)
    reviews = _reviews(a.reviews, citations)  # a faulty file is told before anything is paid for
    searched = documents if len(documents) > 1 or any("source" in c for c in citations) else documents[0]
    model, auto_accept = choose_model(a.model, inputs.shipped), AUTO_ACCEPT if a.auto_accept is None else a.auto_accept
    mode = "replay" if a.offline else "refresh" if a.refresh else "auto"
    looks = {"twice": a.twice, "elsewhere": a.elsewhere}
    with JsonCache(inputs.cache, mode) as cache:
        ask = make_ask(cache, model=model, timeout=a.timeout, rate=a.rate, command=_command(inputs, model))
        if a.estimate:
            print(estimate(searched, citations, ask, **looks))
            return DONE
        started = time.monotonic()
        results = check_citations(
            searched, citations, ask, auto_accept=auto_accept, jobs=a.jobs, progress=True, **looks
        )
        if ask.spent["calls"]:
            print(_spent(ask.spent, results, time.monotonic() - started), file=sys.stderr)
    if reviews:
        results = _with_reviews(results, reviews, a.reviews)
    run = Run(inputs, documents, results, model, auto_accept)
    _write_outputs(a, run)
    _tell_unjudged(results)
    return _exit_code(results, a.fail_on)


def _refuse(a: Namespace, inputs: Inputs) -> None:
    """Refuse combinations that would lose or mix up something, before anything is read."""
    if a.refresh and not a.cache and inputs.cache == SHIPPED_CACHE:
        raise CitationCheckError(
            "--refresh would replace the shipped recording; name a cache of your own with --cache FILE"
        )
    if a.sarif and inputs.citations == STDIN:
        raise CitationCheckError("--sarif points at lines of the citations file, and - has none; give it as a file")
    outputs = list(filter(None, (a.report, a.sarif, a.junit, None if a.json == STDIN else a.json)))
    for number, name in enumerate(outputs):
        if not Path(name).parent.is_dir():
            raise CitationCheckError(f"{name}: its folder does not exist; create it first")
        if any(_same(name, read) for read in (*inputs.sources, inputs.citations, inputs.cache, a.reviews)):
            raise CitationCheckError(f"{name}: is read by this check and would be overwritten; name another file")
        if any(_same(name, other) for other in outputs[:number]):
            raise CitationCheckError(f"{name}: is named for two outputs; name a file for each")


def _same(name: str, other: str | Path | None) -> bool:
    return bool(other) and Path(name).resolve() == Path(str(other)).resolve()


def _reviews(path: str | None, citations: list[Citation]) -> list[Review]:
    if not path:
        return []
    from ..reviewing import load_reviews

    return load_reviews(path, [c["id"] for c in citations])


def _with_reviews(results: list[Result], reviews: list[Review], path: str) -> list[Result]:
    from ..reviewing import apply_reviews

    merged, stale = apply_reviews(results, reviews)
    tell_stale(path, stale)
    return merged


def _write_outputs(a: Namespace, run: Run) -> None:
    from ..reporting import to_json, verdict_table

    settings: dict[str, Any] = {"model": run.model, "auto_accept": run.auto_accept}
    if a.report:
        from ..reporting import write_report

        write_report(a.report, run.results, run.documents, **settings)
    if a.sarif:
        from ..exporting import to_sarif

        write_text(a.sarif, as_json(to_sarif(run.results, run.inputs.citations, a.fail_on)))
    if a.junit:
        from ..exporting import to_junit

        write_text(a.junit, to_junit(run.results, a.fail_on))
    document = as_json(to_json(run.results, run.documents, **settings)) if a.json else ""
    if a.json and a.json != STDIN:
        write_text(a.json, document)
    print(document if a.json == STDIN else verdict_table(run.results))


def _tell_unjudged(results: list[Result]) -> None:
    """Name on stderr what could not be judged: each cause once, and once what to do where it is the same for all."""
    causes: dict[str, list[str]] = {}
    for result in results:
        if result["verdict"] is None:
            causes.setdefault(result["error"] or "", []).append(result["id"])
    shown = list(causes.items())[:UNJUDGED_SHOWN]
    advice = {error.rpartition("; ")[2] for error, _ in shown}
    common = advice.pop() if len(advice) == 1 < len(shown) else ""
    for error, ids in shown:
        more = f" and {len(ids) - UNJUDGED_SHOWN} more" if len(ids) > UNJUDGED_SHOWN else ""
        cause = error.removesuffix(f"; {common}")
        print(f"unjudged: {', '.join(ids[:UNJUDGED_SHOWN])}{more}: {cause}", file=sys.stderr)
    if len(causes) > UNJUDGED_SHOWN:
        rest = sum(map(len, list(causes.values())[UNJUDGED_SHOWN:]))
        print(f"unjudged: {rest} more; --json names the cause of each", file=sys.stderr)
    if common:
        print(common, file=sys.stderr)


def _spent(spent: dict[str, int], results: list[Result], seconds: float) -> str:
    replayed = sum(bool(r["replayed"]) for r in results)
    tokens = f"{spent['input_tokens']:,} input and {spent['output_tokens']:,} output tokens"
    return f"{spent['calls']:,} calls, {tokens}, {seconds:.1f} s; {replayed:,} citations replayed"


def _command(inputs: Inputs, model: str) -> str:
    """Return the command that records what a replay lacks; the published answers' model is no longer served."""
    from shlex import join

    files = [] if inputs.shipped else [*map(as_file, inputs.sources), as_file(inputs.citations)]
    served = SERVED_ALIAS if inputs.shipped else model
    cache = ["--cache", "my.cache.json" if inputs.cache == SHIPPED_CACHE else as_file(str(inputs.cache))]
    if not inputs.shipped and inputs.cache == cache_beside(inputs.citations, shipped=False):
        cache = []
    return join(["python", "-m", "helpers", "check", *files, *cache, "--model", served])


def _exit_code(results: list[Result], fail_on: tuple[str, ...]) -> int:
    from ..wording import action

    if any(r["verdict"] in fail_on or (r["verdict"] and action(r) in fail_on) for r in results):
        return NAMED_VERDICT
    return UNJUDGED if any(r["verdict"] is None for r in results) else DONE
