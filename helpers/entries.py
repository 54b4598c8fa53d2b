"""The entries of a replay cache, kept out of memory: in a private temporary SQLite database that nobody else sees.

A million answers take no more memory than a few thousand; while they are few, the database has no file either.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import IO, NamedTuple

from .errors import CacheError

Json = dict[str, "Json"] | list["Json"] | str | int | float | bool | None

# Nothing outlives the database, so all is one transaction without an end: each COMMIT would walk through all pages that
# are only in memory yet. 4 MB of pages: with more it is not faster, for the system keeps the rest in its own memory.
SCHEMA = """
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -4000;
CREATE TABLE entries (key BLOB PRIMARY KEY, claim BLOB, value TEXT);
BEGIN;
"""
BY_CLAIM = "CREATE INDEX IF NOT EXISTS claims ON entries (claim) WHERE claim IS NOT NULL"  # few runs ask for it
CHUNK = 1 << 20  # characters read at once
BLANK = " \t\n\r"  # JSON's own
OPENING = re.compile(rf"[{BLANK}]*{{[{BLANK}]*(}}?)")
COLON = re.compile(rf"[{BLANK}]*:[{BLANK}]*")
CLOSING = re.compile(rf"[{BLANK}]*([,}}])[{BLANK}]*")


class Entry(NamedTuple):
    """Be one entry: its key, its value, and that value as it is written."""

    key: str
    value: Json
    text: str


class Entries:
    """Map keys to JSON values; iterating yields (key, value) in the order of the keys. Raises CacheError."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._index = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._index.executescript(SCHEMA)
        self.update(entries)

    def __del__(self) -> None:
        self._index.close()  # from Python 3.13 on it would warn otherwise

    def __len__(self) -> int:
        with _told():
            return int(self._index.execute("SELECT COUNT(*) FROM entries").fetchone()[0])

    def __iter__(self) -> Iterator[tuple[str, Json]]:
        with _told():
            for key, value in self._index.execute("SELECT key, value FROM entries ORDER BY key"):
                yield key.decode("utf-8", "surrogatepass"), json.loads(value)

    def get(self, key: str) -> Json:
        """Return a value of its own to each caller, or None."""
        with _told():
            row = self._index.execute("SELECT value FROM entries WHERE key = ?", (_bytes(key),)).fetchone()
        return json.loads(row[0]) if row else None

    def of_claim(self, claim: str) -> list[Json]:
        """Return the values that tell that this claim was asked about, in the order in which they came."""
        query = "SELECT value FROM entries WHERE claim = ? ORDER BY rowid"
        with _told():
            self._index.execute(BY_CLAIM)
            return [json.loads(value) for (value,) in self._index.execute(query, (_bytes(claim),))]

    def update(self, entries: Iterable[Entry]) -> None:
        """Take in entries; of several with one key the last one counts."""
        rows = ((_bytes(key), _claim(value), text) for key, value, text in entries)
        with _told():
            self._index.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", rows)


def entries_in(file: IO[str]) -> Iterator[Entry]:
    """Yield the entries of the JSON object that a file holds, with no more of it in memory than needed.

    Raises ValueError or RecursionError when it is none; json.loads then tells where and why.
    """
    decode = json.JSONDecoder().raw_decode
    text, chunk = file.read(CHUNK), CHUNK
    while not text.strip(f"{BLANK}{{") and (more := file.read(CHUNK)):
        text += more
    if not (opening := OPENING.match(text)):
        raise ValueError("no object")
    at, ended = opening.end(), bool(opening[1])
    while not ended:
        closing = None
        with suppress(json.JSONDecodeError):  # the end of the chunk may cut it
            key, end = decode(text, at)
            if isinstance(key, str) and (colon := COLON.match(text, end)):
                value, end = decode(text, begin := colon.end())
                closing = CLOSING.match(text, end)
        if closing and (closing[1] == "}" or closing.end() < len(text)):
            yield Entry(key, value, text[begin:end])
            at, chunk, ended = closing.end(), CHUNK, closing[1] == "}"
        elif more := file.read(chunk):
            text, at, chunk = text[at:] + more, 0, 2 * chunk  # doubled, or one long value would be read quadratically
        else:
            raise ValueError("no object")
    if text[at:].strip(BLANK) or file.read().strip(BLANK):
        raise ValueError("more than an object")


def fault_of(content: bytes) -> tuple[str, str]:
    """Return (place, fault) of what is not a JSON object; a place is a line, or line:column."""
    try:
        json.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        return str(content.count(b"\n", 0, error.start) + 1), "not UTF-8 text"
    except json.JSONDecodeError as error:
        return f"{error.lineno}:{error.colno}", error.msg
    except (ValueError, RecursionError) as error:
        return "1", str(error)
    return "1:1", "not a JSON object"


def pieces(entries: Entries, indent: int | None) -> Iterator[bytes]:
    """Yield the JSON object as it is written, entry by entry; results keep the order that their keys came in."""
    edge, newline = (1, b"") if indent is None else (2, b"\n")
    yield b"{" + newline
    for number, (key, value) in enumerate(entries):
        text = json.dumps({key: value}, ensure_ascii=False, indent=indent)
        # Half a surrogate pair, which others may have recorded as \ud83d, goes back into the same six characters.
        yield (b"," + (newline or b" ") if number else b"") + text.encode("utf-8", "backslashreplace")[edge:-edge]
    yield newline + b"}\n"


def _claim(value: Json) -> bytes | None:
    asked = value.get("asked") if isinstance(value, dict) else None
    claim = asked.get("claim") if isinstance(asked, dict) else None
    return _bytes(claim) if isinstance(claim, str) else None


def _bytes(text: str) -> bytes:
    """Return bytes that sort as text does and may hold half a surrogate pair, which SQLite's text may not."""
    return text.encode("utf-8", "surrogatepass")


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        where = "make room in the system's folder for temporary files, or name another one in SQLITE_TMPDIR"
        raise CacheError(f"the cache's index cannot be kept ({error}); {where}") from error
