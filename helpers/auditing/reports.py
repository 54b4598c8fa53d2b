"""An index page of an audit, and a report for each of its documents."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from ..checking import in_one_line
from ..citations import Result
from ..errors import CitationCheckError
from ..reporting import write_index, write_report
from ..wording import count_verdicts
from .engines import Content, Engine, parse
from .ledger import Ledger
from .tasks import Original
from .threads import flow

if TYPE_CHECKING:
    from ..report.pages import Row

SHOWN_NAME = 60  # characters of a document's name in that of its report


def make_folder(folder: Path) -> None:
    """Make the folder of the reports, before hours of work whose result would have no place."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CitationCheckError(f"{folder}: cannot be created: {error.strerror or error}") from error


def write_reports(
    ledger: Ledger, folder: Path, engine: Engine, original: Callable[[str], Original], settings: dict[str, Any]
) -> None:
    """Write index.html and a page for each document, which is read again; `settings` are those of `write_report`."""

    def one(document: tuple[str, list[Any]]) -> Row:
        path, lines = document
        return _write_one(original(path), lines, folder, engine, settings)

    write_index(folder / "index.html", list(flow(ledger.results_of_documents(), one, engine.tasks)))


def _write_one(original: Original, lines: list[Any], folder: Path, engine: Engine, settings: dict[str, Any]) -> Row:
    rows = {line["row"] for line in lines}
    results = [_own(line, len(rows) > 1) for line in lines if "id" in line]
    errors = "; ".join(line["error"] for line in lines if "id" not in line)
    row: Row = {"source": lines[0]["source"] or "?", "counts": count_verdicts(results), "error": errors or None}
    if results:
        slug = re.sub(r"[^\w.-]+", "-", Path(original.path).name)[-SHOWN_NAME:]
        page = f"{lines[0]['row']}-{slug}.html"
        try:
            engine.run(report_document, original.content(), results, folder / page, settings)
            row["report"] = page
        except Exception as error:  # a document that is gone by now, say; the others have their page
            row["error"] = in_one_line(error)
    return row


def _own(line: dict[str, Any], several: bool) -> Result:
    """Return a result as one of a single document; where `several` rows are about it, its id tells which one."""
    result = {name: value for name, value in line.items() if name not in ("row", "source")}
    return cast(Result, result | ({"id": f"{line['row']}/{line['id']}"} if several else {}))


def report_document(content: Content, results: list[Result], path: Path, settings: dict[str, Any]) -> None:
    """Write the report of one document."""
    write_report(path, results, parse(content), **settings)
