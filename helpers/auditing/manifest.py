"""One row of an audit's manifest, and one line of its results, as they stand in the files."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from ..citations import Citation, sift_citations, sift_entries
from ..strictjson import encodable, kind, object_faults, parse, read_text
from ..wording import waits_for_human

ERROR, UNJUDGED = "error", "unjudged"
ROW_SHAPE = '{"source": "rfc7519.txt", "citations": [...] or "citations.json"}'
LAST = 1 << 60  # the place of a row's own error: after all of its citations and broken entries


class Row(NamedTuple):
    """Name one row: its source as written, where that is, its good citations, and what is wrong."""

    number: int
    source: str | None
    document: str
    citations: Sequence[Citation] = ()
    faults: Sequence[str] = ()  # one a broken entry
    error: str | None = None  # why the row holds nothing to do


class Line(NamedTuple):
    """Be one line of the results; `kind` is a verdict, "unjudged" or "error"; `place` orders the lines of a row."""

    row: int
    key: str
    place: int
    kind: str
    review: bool
    text: bytes


def parse_row(raw: bytes) -> tuple[Mapping[str, Any], str | None]:
    """Return (what a line of the manifest holds, what is wrong with it)."""
    try:
        value, fault = parse(raw.decode("utf-8-sig").rstrip(), ROW_SHAPE)
    except UnicodeDecodeError as error:
        return {}, f"byte {error.start} is not UTF-8; save the manifest as UTF-8"
    if fault:
        return {}, fault.removeprefix("line 1 ")
    if not isinstance(value, dict):
        return {}, f"must be an object like {ROW_SHAPE}, is {kind(value)}"
    source, citations = value.get("source"), value.get("citations")
    faults = object_faults(value)
    if not isinstance(source, str) or not source.strip() or not encodable(source):
        found = "empty" if source == "" else _kind(value, "source")
        faults.append(f"source: must be the path or URL of a document, is {found}")
    if not isinstance(citations, list) and (not isinstance(citations, str) or not citations.strip()):
        faults.append(f"citations: must be a list, or the path of a citations file, is {_kind(value, 'citations')}")
    return value, "; ".join(faults) or None


def _kind(row: Mapping[str, Any], key: str) -> str:
    return kind(row[key]) if key in row else "absent"


def where(source: Any, folder: Path) -> tuple[str | None, str]:
    """Return (a row's source as results name it, the URL or path that is read; paths are relative to the folder)."""
    if not isinstance(source, str) or not encodable(source):
        return None, ""
    return source, source if "://" in source else os.path.normpath(folder / source)


def read_row(raw: bytes, number: int, folder: Path) -> Row:
    """Read one line of the manifest and its citations file, if it names one; `folder` is the manifest's."""
    value, fault = parse_row(raw)
    source, document = where(value.get("source"), folder)
    if fault:
        return Row(number, source, document, error=fault)
    if isinstance(value["citations"], list):
        citations, faults = sift_entries(value["citations"], f"row {number}")
        return Row(number, source, document, citations, one_an_entry(faults))
    name = value["citations"]
    text, fault = read_text(folder / name)
    citations, faults = ([], [fault]) if fault else sift_citations(text, name)
    if faults and not citations and not faults[0].startswith("entry "):
        return Row(number, source, document, error=f"{name}: {'; '.join(faults)}")
    return Row(number, source, document, citations, one_an_entry(faults))


def one_an_entry(faults: Sequence[str]) -> list[str]:
    """Join the faults that are about the same entry."""
    entries = groupby(faults, key=lambda fault: re.match(r"(?:entry|line) \d+|", fault)[0])  # type: ignore[index]
    return ["; ".join(of_one) for _, of_one in entries]


def error_line(row: int, source: str | None, place: int, error: str) -> Line:
    """Return the line that says why a row, or one broken entry of it, has no results."""
    return Line(row, error_key(error), place, ERROR, False, _json({"row": row, "source": source, "error": error}))


def result_line(row: int, source: str | None, place: int, result: Mapping[str, Any]) -> Line:
    """Return the line of one citation's result."""
    text = _json({"row": row, "source": source, **{k: v for k, v in result.items() if k not in ("row", "source")}})
    return Line(row, key_of(result), place, result["verdict"] or UNJUDGED, waits_for_human(result), text)  # type: ignore[arg-type]


def key_of(citation: Mapping[str, Any]) -> str:
    """Return what tells one citation from all others of its row, in the manifest and in the results."""
    return _digest([citation["id"], citation["claim"], citation["quote"], citation["section"]])


def error_key(error: str) -> str:
    """Return what tells one error from all other lines of its row."""
    return _digest(error)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode("ascii")).hexdigest()[:32]


def _json(value: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:  # half a surrogate pair from a document
        return json.dumps(value, allow_nan=False).encode("ascii") + b"\n"
