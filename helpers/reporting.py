"""Show results: the published table, the JSON document, and one self-contained HTML report to review them in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .citations import Result
from .documents import Document
from .errors import CitationCheckError
from .wording import action, count_verdicts

if TYPE_CHECKING:
    from IPython.display import HTML, Markdown

    from .report.pages import Row

JSON_SCHEMA = 1  # raised when a reader of the JSON document would have to change

# The published widths; a longer name widens its column for all rows up to WIDEST, beyond it only its own row shifts.
ID_WIDTH = 18
WIDEST = 60


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


def report_excerpt(results: Sequence[Result], documents: Document | Sequence[Document], ids: Sequence[str]) -> HTML:
    """Return the citations with these ids as a notebook shows them: plain tables and `<mark>`, styled inline.

    A fresh clone is not trusted, and JupyterLab then drops style sheets, scripts and drawings.
    """
    from IPython.display import HTML

    from .report.inline import inline_html

    sources = [documents] if isinstance(documents, Document) else documents
    by_id = {r["id"]: r for r in results}
    return HTML(inline_html([by_id[id] for id in ids], sources))  # type: ignore[no-untyped-call]


def write_report(
    path: str | Path,
    results: Sequence[Result],
    documents: Document | Sequence[Document],
    *,
    model: str,
    auto_accept: float,
) -> None:
    """Write one HTML file to read and review the results in; it needs no network and loads nothing.

    Where results carry reviews, what these say about the threshold is drawn too.
    """
    from .report.pages import report_html

    sources = [documents] if isinstance(documents, Document) else documents
    replace_file(path, report_html(results, sources, model=model, auto_accept=auto_accept))


def write_index(path: str | Path, rows: Sequence[Row]) -> None:
    """Write the page that lists many documents, those with most wrong citations first, each linked to its report."""
    from .report.pages import index_html

    replace_file(path, index_html(rows))


def replace_file(path: str | Path, text: str, errors: str = "xmlcharrefreplace") -> None:
    """Write a text file so that nobody ever reads half of it; `errors` says what becomes of half a surrogate pair.

    A link is followed, and what is no file (a device, a pipe) is written to, never replaced. Raises CitationCheckError.
    """
    import os

    target, content = Path(os.path.realpath(path)), text.encode("utf-8", errors)
    half = Path(f"{target}.{os.getpid()}.part")
    try:
        if Path(path).exists() and not Path(path).is_file():
            Path(path).write_bytes(content)
            return
        half.write_bytes(content)
        half.replace(target)
    except OSError as error:
        with suppress(OSError):  # a read-only file system refuses this too
            half.unlink(missing_ok=True)
        raise CitationCheckError(
            f"{path}: cannot be written: {error.strerror}; name a file in a folder that can"
        ) from error
