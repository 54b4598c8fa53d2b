"""What is to be done and what was done: the manifest's rows and the results file, which is the only record of progress.

A private temporary SQLite database indexes both by row, so that memory stays small whatever their length.
"""

from __future__ import annotations

import json
import os
import sqlite3
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import groupby
from pathlib import Path
from typing import IO, Any

from ..citations import Citation
from ..errors import ManifestError
from ..strictjson import parse
from .files import lines_of, locked, read_at
from .manifest import (
    ERROR,
    LAST,
    ROW_SHAPE,
    UNJUDGED,
    Line,
    Row,
    error_key,
    error_line,
    key_of,
    parse_row,
    read_row,
    result_line,
    where,
)

SCHEMA = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
CREATE TABLE rows (row INTEGER PRIMARY KEY, offset INTEGER, source TEXT, document TEXT, open INTEGER DEFAULT 1);
CREATE TABLE lines (row INTEGER, key TEXT, place INTEGER, kind TEXT, review INTEGER, offset INTEGER, length INTEGER,
                    PRIMARY KEY (row, key)) WITHOUT ROWID;
"""
BEGUN = "SELECT row, offset FROM rows WHERE row > ? AND row IN (SELECT row FROM lines) ORDER BY row LIMIT 1000"
# The rows of one document together, documents in the order of their first row.
OPEN_ROWS = """
SELECT row, offset FROM rows
JOIN (SELECT document, MIN(row) AS first FROM rows WHERE open GROUP BY document) USING (document)
WHERE open ORDER BY first, row
"""
# Where each line stands once the results are in the order of the manifest.
DUE = "SELECT row, key, offset, SUM(length) OVER (ORDER BY row, place, key) - length AS due FROM lines"
MOVE = f"UPDATE lines SET offset = due FROM ({DUE}) AS d WHERE lines.row = d.row AND lines.key = d.key"
OF_DOCUMENTS = "SELECT document, lines.offset, length FROM lines JOIN rows USING (row) ORDER BY document, row, place"

FAILED = f"""
SELECT kind || ': row ' || row, offset, length FROM lines WHERE kind IN ('{ERROR}', '{UNJUDGED}') ORDER BY row, place
"""


class Ledger:
    """Index a manifest and its results file, and record in that file what is done."""

    def __init__(self, manifest: Path, results: Path) -> None:
        self.manifest, self.results = manifest, results
        self.told: set[str] = set()

    def __enter__(self) -> Ledger:
        with ExitStack() as opened:
            opened.callback(locked(self.results).release)
            self.index = opened.enter_context(closing(sqlite3.connect("", isolation_level=None)))
            self.index.executescript(SCHEMA)
            self._scan_manifest()
            if self.results.exists():
                self._scan_results()
            self.file = self._open("ab")
            opened.callback(lambda: self.file.close())  # whichever file it is by then
            self.opened = opened.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.opened.close()

    def plan(self, retry_errors: bool = False) -> None:
        """Close the rows that need nothing more, and put the results in order; `retry_errors` opens what failed."""
        if retry_errors:
            self.index.execute("DELETE FROM lines WHERE kind = ?", (ERROR,))
        last = -1
        while begun := self.index.execute(BEGUN, (last,)).fetchall():
            for number, offset in begun:
                row = self._row(number, offset)
                self._place(row)
                if not any(self.remaining(row)):
                    self.index.execute("UPDATE rows SET open = 0 WHERE row = ?", (number,))
            last = begun[-1][0]
        self.settle()

    def open_rows(self) -> Iterator[Row]:
        """Yield the rows with something to do, those of one document together."""
        for number, offset in self.index.execute(OPEN_ROWS):
            yield self._row(number, offset)

    def remaining(self, row: Row) -> tuple[list[tuple[int, Citation]], list[tuple[int, str]]]:
        """Return ((place, citation), …) without a verdict yet, and ((place, error), …) to be recorded."""
        done = dict(self.index.execute("SELECT key, kind FROM lines WHERE row = ?", (row.number,)))
        if row.error:
            return [], [] if done else [(LAST, row.error)]
        faults = [(len(row.citations) + n, fault) for n, fault in enumerate(row.faults)]
        failed = {key for key, kind in done.items() if kind == ERROR} - {error_key(fault) for _, fault in faults}
        wanted = (UNJUDGED,) if failed else (UNJUDGED, None)
        citations = [(n, c) for n, c in enumerate(row.citations) if done.get(key_of(c)) in wanted]
        return citations, [(n, fault) for n, fault in faults if error_key(fault) not in done]

    def record(self, lines: Sequence[Line]) -> None:
        """Append lines to the results file; they are out of the process when this returns."""
        at = self.file.seek(0, os.SEEK_END)
        self.file.write(b"".join(line.text for line in lines))
        self.file.flush()
        for line in lines:
            self._note(line, at)
            at += len(line.text)

    def settle(self) -> None:
        """Replace the results file by one in the order of the manifest, without what is out of date."""
        misplaced = self.count(f"COUNT(*) FROM ({DUE}) WHERE offset <> due")
        if not misplaced and self.count("COALESCE(SUM(length), 0) FROM lines") == self.file.seek(0, os.SEEK_END):
            return
        new = Path(f"{self.results}.tmp")
        with self.results.open("rb") as old, new.open("wb") as file:
            for offset, length in self.index.execute("SELECT offset, length FROM lines ORDER BY row, place, key"):
                file.write(read_at(old, offset, length))
            file.flush()
            os.fsync(file.fileno())
        self.file.close()  # Windows replaces no open file
        new.replace(self.results)
        self.file = self._open("ab")
        self.index.execute(MOVE)

    def count(self, what: str) -> int:
        """Return a figure of the index; `what` follows SQL's SELECT."""
        return int(self.index.execute(f"SELECT {what}").fetchone()[0])

    def counts(self) -> dict[str, int]:
        """Return how many results there are of each verdict, unjudged and error."""
        return dict(self.index.execute("SELECT kind, COUNT(*) FROM lines GROUP BY kind"))

    def results_of_documents(self) -> Iterator[tuple[str, list[Any]]]:
        """Yield each document with its results, errors too, in the order of the manifest."""
        for document, pairs in groupby(self._read(OF_DOCUMENTS), key=lambda pair: pair[0]):
            yield document, [line for _, line in pairs]

    def failures(self, limit: int) -> list[str]:
        """Return the first unjudged citations and errors in words."""
        return [f"{name}: {line['error']}" for name, line in self._read(f"{FAILED} LIMIT {limit}")]

    def _read(self, query: str) -> Iterator[tuple[str, Any]]:
        with self._open("rb") as file:
            for name, offset, length in self.index.execute(query):
                yield str(name), json.loads(read_at(file, offset, length))

    def _open(self, mode: str) -> IO[bytes]:
        try:
            return self.results.open(mode)
        except OSError as error:
            fault = f"cannot be opened: {error.strerror or error}; name another file with --out"
            raise ManifestError(str(self.results), [fault]) from error

    def _scan_manifest(self) -> None:
        try:
            with self.manifest.open("rb") as file:
                for number, (at, raw) in enumerate(line for line in lines_of(file) if line[1].strip()):
                    fields = (number, at, *where(parse_row(raw)[0].get("source"), self.manifest.parent))
                    self.index.execute("INSERT INTO rows (row, offset, source, document) VALUES (?, ?, ?, ?)", fields)
        except OSError as error:
            raise ManifestError(str(self.manifest), [f"cannot be read: {error.strerror or error}"]) from error
        if not self.count("COUNT(source) FROM rows"):
            raise ManifestError(str(self.manifest), [f"holds no row; write one object a line: {ROW_SHAPE}"])

    def _scan_results(self) -> None:
        with self._open("rb") as file:
            for number, (at, raw) in enumerate(lines_of(file), 1):
                if raw.endswith(b"\n"):  # else torn by kill -9: its citation is open again
                    line = self._recorded(number, raw)
                    self._note(line._replace(place=at, text=raw), at)

    def _recorded(self, number: int, raw: bytes) -> Line:
        value, _ = parse(raw.decode("utf-8", "replace"), "")
        try:
            row, source = int(value["row"]), value["source"]
            if "id" in value:
                line = result_line(row, source, 0, value)
            else:
                line = error_line(row, source, 0, str(value["error"]))
        except (KeyError, TypeError, ValueError):
            fault = f"line {number}: is not a result of an audit; it is left as it is, name another file with --out"
            raise ManifestError(str(self.results), [fault]) from None
        if self.index.execute("SELECT source FROM rows WHERE row = ?", (row,)).fetchone() != (source,):
            fault = f"line {number}: row {row} of {self.manifest} has not the source {source}"
            raise ManifestError(str(self.results), [f"{fault}; name another file with --out"])
        return line

    def _row(self, number: int, offset: int) -> Row:
        """Read a row again; unknown keys of its citations are warned of once, not in every row."""
        with self.manifest.open("rb") as file, warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            file.seek(offset)
            row = read_row(file.readline(), number, self.manifest.parent)
        for warning in caught:
            what = str(warning.message).partition("unknown key")[2]
            if what not in self.told:
                self.told.add(what)
                warnings.warn(str(warning.message), stacklevel=2)
        return row

    def _place(self, row: Row) -> None:
        """Give recorded lines the places of what they are about, and forget those about what has changed since."""
        places = {key_of(c): n for n, c in enumerate(row.citations)}
        places |= {error_key(fault): len(row.citations) + n for n, fault in enumerate(row.faults)}
        lines = self.index.execute("SELECT key, kind FROM lines WHERE row = ?", (row.number,)).fetchall()
        for key, kind in [] if row.error else lines:
            if key not in places and kind != ERROR:
                self.index.execute("DELETE FROM lines WHERE row = ? AND key = ?", (row.number, key))
            else:
                place = places.get(key, LAST)
                self.index.execute("UPDATE lines SET place = ? WHERE row = ? AND key = ?", (place, row.number, key))

    def _note(self, line: Line, offset: int) -> None:
        fields = (*line[:5], offset, len(line.text))
        self.index.execute("INSERT OR REPLACE INTO lines VALUES (?, ?, ?, ?, ?, ?, ?)", fields)
