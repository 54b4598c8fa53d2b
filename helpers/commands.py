"""One function a shell command: read, call the rooms that do the work, print; returns the exit code."""

from __future__ import annotations

import json
import sys
import time
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from .citations import Citation, Result
from .documents import Document
from .errors import CitationCheckError
from .inputs import SHIPPED_CACHE, STDIN, Inputs, choose_inputs, choose_model, read_citations_of, read_sources

if TYPE_CHECKING:
    from .reviewing import Review

UNJUDGED_SHOWN = 3
DONE, NAMED_VERDICT, UNJUDGED = 0, 1, 3  # bad input (2) and an interrupt (130) are told by exceptions


class Run(NamedTuple):
    """One finished check: everything that its outputs are made of."""

    inputs: Inputs
    documents: list[Document]
    results: list[Result]
    model: str
    auto_accept: float


def check(a: Namespace) -> int:
    """Check citations and show the results in every form that was asked for."""
    from .judging import AUTO_ACCEPT, check_citations, estimate, make_ask
    from .replay import JsonCache

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
    for name in filter(None, (a.report, a.sarif, a.junit, None if a.json == STDIN else a.json)):
        if not Path(name).parent.is_dir():
            raise CitationCheckError(f"{name}: its folder does not exist; create it first")


def _reviews(path: str | None, citations: list[Citation]) -> list[Review]:
    if not path:
        return []
    from .reviewing import load_reviews

    return load_reviews(path, [c["id"] for c in citations])


def _with_reviews(results: list[Result], reviews: list[Review], path: str) -> list[Result]:
    from .reviewing import apply_reviews

    merged, stale = apply_reviews(results, reviews)
    _tell_stale(path, stale)
    return merged


def _tell_stale(path: str, stale: list[str]) -> None:
    for name in stale:
        print(
            f"warning: {path}: the decision on {name} is stale: claim, quote or section changed since", file=sys.stderr
        )


def _write_outputs(a: Namespace, run: Run) -> None:
    from .reporting import to_json, verdict_table

    settings: dict[str, Any] = {"model": run.model, "auto_accept": run.auto_accept}
    if a.report:
        from .reporting import write_report

        write_report(a.report, run.results, run.documents, **settings)
    if a.sarif:
        from .exporting import to_sarif

        _write(a.sarif, _json(to_sarif(run.results, run.inputs.citations, a.fail_on)))
    if a.junit:
        from .exporting import to_junit

        _write(a.junit, to_junit(run.results, a.fail_on))
    document = _json(to_json(run.results, run.documents, **settings)) if a.json else ""
    if a.json and a.json != STDIN:
        _write(a.json, document)
    print(document if a.json == STDIN else verdict_table(run.results))


def _tell_unjudged(results: list[Result]) -> None:
    """Name on stderr what could not be judged; many citations often share one cause, and a few lines show it."""
    unjudged = [r for r in results if r["verdict"] is None]
    for result in unjudged[:UNJUDGED_SHOWN]:
        print(f"unjudged: {result['id']}: {result['error']}", file=sys.stderr)
    if len(unjudged) > UNJUDGED_SHOWN:
        print(f"unjudged: {len(unjudged) - UNJUDGED_SHOWN} more; --json names the cause of each", file=sys.stderr)


def _spent(spent: dict[str, int], results: list[Result], seconds: float) -> str:
    replayed = sum(bool(r["replayed"]) for r in results)
    tokens = f"{spent['input_tokens']:,} input and {spent['output_tokens']:,} output tokens"
    return f"{spent['calls']:,} calls, {tokens}, {seconds:.1f} s; {replayed:,} citations replayed"


def _command(inputs: Inputs, model: str) -> str:
    """Return the command that records what a replay lacks; the published answers' model is no longer served."""
    from shlex import join

    files = [] if inputs.shipped else [*inputs.sources, inputs.citations]
    served = "jev-latest" if inputs.shipped else model
    cache = "my.cache.json" if inputs.cache == SHIPPED_CACHE else str(inputs.cache)
    return join(["python", "-m", "helpers", "check", *files, "--cache", cache, "--model", served])


def _exit_code(results: list[Result], fail_on: tuple[str, ...]) -> int:
    from .wording import action

    if any(r["verdict"] in fail_on or (r["verdict"] and action(r) in fail_on) for r in results):
        return NAMED_VERDICT
    return UNJUDGED if any(r["verdict"] is None for r in results) else DONE


def sections(a: Namespace) -> int:
    """Show how a document was split."""
    document = _read_one(a.source)
    if a.json:
        rows = [
            {"label": s.label, "title": s.title, "start": s.start, "end": s.end}
            | {"characters": len(document.section_text(s)), "numbered": s.numbered}
            for s in document.outline
        ]
        print(_json(rows))
        return DONE
    from .terminal import outline_view, use_color

    print(outline_view(document, color=use_color(sys.stdout)))
    return DONE


def find(a: Namespace) -> int:
    """Do step 1 for one quote."""
    from .locating import trace
    from .terminal import trace_view, use_color

    document = _read_one(a.source)
    if not any(map(str.isalnum, a.quote)):
        raise CitationCheckError("QUOTE: has no letter or digit, so it stands everywhere; give the quoted words")
    found = trace(document, Citation(id="quote", claim="", quote=a.quote, section=None))
    if a.json:
        fields = ("status", "found_in", "also_in", "match", "risks")
        values = {name: getattr(found, name) for name in fields}
        print(_json(values))
    else:
        print(trace_view(document, found, color=use_color(sys.stdout)))
    return DONE


def link(a: Namespace) -> int:
    """Print the playground link of one citation."""
    from .judging import QUESTIONS
    from .locating import locate
    from .playground import make_playground_link

    *files, name = a.inputs
    inputs = choose_inputs(files, None)
    documents = read_sources(inputs.sources, inputs.cache.parent, False)
    citations = {c["id"]: c for c in read_citations_of(inputs.citations, documents)}
    if name not in citations:
        raise CitationCheckError(f"{inputs.citations}: has no citation {name}; it has {', '.join(citations)}")
    status, section = locate(documents if len(documents) > 1 else documents[0], citations[name])
    if section is None:
        raise CitationCheckError(f"{name}: is {status}, so there is no section to ask about and no link")
    models = [choose_model(a.model, inputs.shipped)]
    print(make_playground_link({"claim": citations[name]["claim"], "section": section}, QUESTIONS, models=models))
    return DONE


def tune(a: Namespace) -> int:
    """Print the threshold table that a human's decisions support."""
    from .reviewing import answered_by, apply_reviews, load_results, load_reviews, threshold_table, tune_threshold

    results = load_results(a.results)
    reviews = load_reviews(a.reviews, [r["id"] for r in results])
    table = tune_threshold(results, reviews, target=a.target, confidence=a.confidence)
    _tell_stale(a.reviews, apply_reviews(results, reviews)[1])
    if len(versions := answered_by(results, reviews)) > 1:
        print(f"warning: answers come from {', '.join(versions)}; a threshold belongs to one version", file=sys.stderr)
    print(_json(table) if a.json else threshold_table(table))
    return DONE


def selftest(a: Namespace) -> int:
    """Print how often step 1 is wrong on purposely damaged quotes of this document."""
    from .selftest import selftest as damage
    from .selftest import selftest_table

    counts = damage(_read_one(a.source))
    print(_json(counts) if a.json else selftest_table(counts))
    return DONE


def audit(a: Namespace) -> int:
    """Check the citations of many documents, and go on where an earlier run stopped."""
    from .auditing import audit as check_documents
    from .auditing import told
    from .judging import AUTO_ACCEPT, make_ask
    from .replay import JsonCache

    settings: dict[str, Any] = {"auto_accept": AUTO_ACCEPT if a.auto_accept is None else a.auto_accept, "jobs": a.jobs}
    settings |= {"dask": a.dask, "offline": a.offline, "retry_errors": a.retry_errors, "report": a.report}
    command = f"python -m helpers audit {a.manifest} --out {a.out}"
    cache_file, copies = a.cache or Path(a.out).with_suffix(".cache.json"), Path(a.out).with_suffix(".sources")
    with JsonCache(cache_file, "replay" if a.offline else "auto") as cache:
        ask = make_ask(cache, model=choose_model(a.model, False), timeout=a.timeout, rate=a.rate, command=command)
        summary = check_documents(a.manifest, a.out, ask, copies=copies, progress=True, **settings)
    print(told(summary), file=sys.stderr)
    return UNJUDGED if summary["failed"] else DONE


def _read_one(name: str) -> Document:
    return read_sources([name], None, False)[0]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)


def _write(name: str, text: str) -> None:
    try:
        Path(name).write_text(text.rstrip("\n") + "\n", encoding="utf-8", newline="\n")
    except OSError as error:
        raise CitationCheckError(f"{name}: cannot be written: {error.strerror or error}") from error
