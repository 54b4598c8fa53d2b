"""Show results: the published table, the JSON document, and one self-contained HTML report to review them in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from helpers.citations import Result
from helpers.documents import Document
from helpers.reviewing import VERDICTS

if TYPE_CHECKING:
    from IPython.display import Markdown

JSON_SCHEMA = 1  # raised when a reader of the JSON document would have to change

# The published widths; a longer name widens its column for all rows up to WIDEST, beyond it only its own row shifts.
ID_WIDTH = 18
WIDEST = 60


def action(result: Result) -> str:
    """Say who stands for the verdict: `auto`, `review` (a human is to confirm it) or `human` (one has)."""
    if result["review"]:
        return "human"
    return "auto" if result["auto"] else "review"


def waits_for_human(result: Result) -> bool:
    """Say whether a human is still to confirm this verdict; an unjudged citation has none to confirm."""
    return bool(result["verdict"]) and action(result) == "review"


def in_words(result: Result) -> str:
    """Say verdict, confidence and action in a sentence: "contradicted, 0.99: stands by itself"."""
    if not result["verdict"]:
        return f"unjudged: {result['error'] or 'no answer'}"
    if result["review"]:
        note = result["review"].get("note")
        return f"{result['verdict']}: decided by a human{f' ({note})' if note else ''}"
    confidence = "" if result["confidence"] is None else f", {result['confidence']:.2f}"
    reason = result["reason"] or "the confidence is under the threshold"
    return f"{result['verdict']}{confidence}: {'stands by itself' if result['auto'] else f'for review, {reason}'}"


def verdict_table(results: Sequence[Result]) -> str:
    """Return the fixed-width table of all results; a column for the document comes only with several sources."""
    names = [["citation"], *([_one_line(r["id"])] for r in results)]
    if any("source" in r for r in results):
        sources = ["source", *(_one_line(r.get("source", "-")) for r in results)]
        names = [[*name, source] for name, source in zip(names, sources, strict=True)]
    widths = [max(ID_WIDTH, *(min(_columns(n[i]), WIDEST) + 2 for n in names)) for i in range(len(names[0]))]
    header = ("quote", "relation", "conf", "verdict", "action")
    lines = []
    for name, cells in zip(names, [header, *map(_cells, results)], strict=True):
        quote, relation, confidence, verdict, last = cells
        lead = "".join(_pad(text, width) for text, width in zip(name, widths, strict=True))
        lines.append(f"{lead}{quote:<14}{relation:<14}{confidence:>6}  {verdict:<13}{last:>7}")
    return "\n".join(lines)


def _cells(result: Result) -> tuple[str, str, str, str, str]:
    answer, confidence = result["answer"], result["confidence"]
    return (
        result["status"],
        answer["choice"] if answer else "-",
        "-" if confidence is None else f"{confidence:.2f}",
        result["verdict"] or "unjudged",
        action(result),
    )


def _one_line(name: str) -> str:
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name)


def _columns(text: str) -> int:
    """Return how many columns a terminal gives this text: East Asian wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int) -> str:
    return text + " " * max(2, width - _columns(text))


def show_source(*functions: Callable[..., object]) -> Markdown:
    """Return the source of these functions as a Markdown code fence, for a notebook to show what it calls."""
    from inspect import getsource, unwrap

    from IPython.display import Markdown

    code = "\n\n".join(getsource(unwrap(f)) for f in functions).strip("\n")
    fence = "```"
    while fence in code:
        fence += "`"
    return Markdown(f"{fence}python\n{code}\n{fence}")  # type: ignore[no-untyped-call]


def count_verdicts(results: Iterable[Result]) -> dict[str, int]:
    """Count results by verdict, and those that wait for a human; an unjudged one counts as `unjudged` alone."""
    counts = dict.fromkeys((*VERDICTS, "unjudged", "review"), 0)
    for result in results:
        counts[result["verdict"] or "unjudged"] += 1
        counts["review"] += waits_for_human(result)
    return counts


def to_json(
    results: Sequence[Result], documents: Document | Sequence[Document], *, model: str, auto_accept: float
) -> dict[str, Any]:
    """Return the JSON document of a run; `source` is a list where there are several documents."""
    sources = [_source(d) for d in ([documents] if isinstance(documents, Document) else documents)]
    return {
        "schema": JSON_SCHEMA,
        "source": sources[0] if len(sources) == 1 else sources,
        "model": model,
        "auto_accept": auto_accept,
        "counts": count_verdicts(results),
        "results": list(results),
    }


def _source(document: Document) -> Mapping[str, object]:
    return {
        "name": document.name,
        "sha256": document.sha256,
        "characters": len(document.text),
        "sections": [s.label for s in document.outline],
        "numbered": sum(s.numbered for s in document.outline),
    }
