"""One task of an audit: some citations of one document, read, located, judged, and written as lines of the results."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from ..asking.judge import Judge
from ..checking import in_one_line, judge_citations
from ..citations import Citation
from ..errors import CitationCheckError, SourceError
from ..outcomes import Located
from .engines import Content, Engine, locate_document
from .ledger import Ledger
from .manifest import LAST, Line, error_line, result_line

CITATIONS = 50  # in one task: few enough to share the work, and to keep little in memory
AT_ONCE = 8  # questions of one task asked at once, at most


class Place(NamedTuple):
    """Say where a result belongs: the row, its source as written, and the place among the row's lines."""

    row: int
    source: str | None
    place: int


class Task(NamedTuple):
    """Be some citations of one document, errors that are known already, and how many rows end with them."""

    original: Original
    citations: list[tuple[Place, Citation]]
    errors: list[Line]
    rows: int


class Original:
    """Be a source document, whose bytes are read or fetched once for all tasks that need them."""

    def __init__(self, path: str, copies: Path | None, offline: bool) -> None:
        self.path, self.copies, self.offline = path, copies, offline
        self.lock = threading.Lock()
        self.read: Content | SourceError | None = None

    def content(self) -> Content:
        """Return the document's bytes; raises SourceError."""
        with self.lock:
            if self.read is None:
                try:
                    self.read = read_content(self.path, self.copies, self.offline)
                except SourceError as error:
                    self.read = error
        if isinstance(self.read, SourceError):
            raise self.read
        return self.read


def read_content(path: str, copies: Path | None, offline: bool) -> Content:
    """Read a file or fetch a URL; its name is without folder and query, which are nobody's business on a cluster."""
    if "://" not in path:
        from ..readers.formats import read_file

        return Content(Path(path).name, read_file(path))
    from urllib.parse import urlsplit

    from ..fetching import fetch

    fetched = fetch(path, copies, offline=offline)
    name = urlsplit(path).path.rpartition("/")[2] or "page"
    return Content(name, fetched.content, fetched.kind, fetched.charset)


def tasks_of(ledger: Ledger, original: Callable[[str], Original]) -> Iterator[Task]:
    """Yield what is to be done, document by document."""
    for document, rows in groupby(ledger.open_rows(), key=lambda row: row.document):
        task = Task(original(document), [], [], 0)
        for row in rows:
            citations, faults = ledger.remaining(row)
            task.errors.extend(error_line(row.number, row.source, place, fault) for place, fault in faults)
            for place, citation in citations:
                if len(task.citations) >= CITATIONS:
                    yield task
                    task = Task(task.original, [], [], 0)
                task.citations.append((Place(row.number, row.source, place), citation))
            task = task._replace(rows=task.rows + 1)
            if len(task.citations) + len(task.errors) >= CITATIONS:
                yield task
                task = Task(task.original, [], [], 0)
        if task.rows:
            yield task


def check(task: Task, engine: Engine, judge: Judge, *, auto_accept: float, jobs: int) -> tuple[list[Line], int]:
    """Return (the lines of one task's results, how many rows end with them)."""
    if not task.citations:
        return task.errors, task.rows
    places = [place for place, _ in task.citations]
    located = locate(task, engine)
    if isinstance(located, str):
        return task.errors + [error_line(row, source, LAST, located) for row, source in _rows(places)], task.rows
    results = judge_citations(located, judge, auto_accept=auto_accept, jobs=min(jobs, AT_ONCE))
    lines = [result_line(*place, result) for place, result in zip(places, results, strict=True)]
    return task.errors + lines, task.rows


def locate(task: Task, engine: Engine) -> list[Located] | str:
    """Return the located citations, or why the document cannot be read: no document ends the run."""
    try:
        citations = [citation for _, citation in task.citations]
        located: list[Located] = engine.run(locate_document, task.original.content(), citations)
        return located
    except SourceError as error:
        return str(error)
    except CitationCheckError:  # the cluster is gone
        raise
    except Exception as error:
        return f"{task.original.path}: cannot be read: {in_one_line(error)}"


def _rows(places: list[Place]) -> list[tuple[int, str | None]]:
    return list(dict.fromkeys((row, source) for row, source, _ in places))
