"""Strict JSON for every file that a user writes: repeated keys, NaN, depth and half characters are seen and told."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

TRAILING_COMMA = re.compile(r"\s*(,)\s*([\]}])")


class Entry(dict[str, Any]):
    """Be one JSON object, and remember which of its keys stand twice: a dict alone would keep the last one silently."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        keys = [key for key, _ in pairs]
        self.repeated = sorted({key for key in keys if keys.count(key) > 1}) if len(self) < len(keys) else []


class NotJson(str):
    """Stand for NaN or an infinity, which Python reads although JSON does not have them."""

    __slots__ = ()


def read_text(path: str | Path) -> tuple[str, str | None]:
    """Return (text of a UTF-8 file with or without byte order mark, fault)."""
    try:
        return Path(path).read_bytes().decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        return "", f"byte {error.start} is not UTF-8; save the file as UTF-8"
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL
        return "", f"cannot be read: {getattr(error, 'strerror', None) or error}"


def parse(text: str, expected: str) -> tuple[Any, str | None]:
    """Return (value, fault); a fault names line and column where known, and what to write: `expected`."""
    try:
        return json.loads(text, object_pairs_hook=Entry, parse_constant=NotJson), None
    except json.JSONDecodeError as error:
        if not text.strip():
            return None, f"is empty; write {expected}"
        if text.lstrip().startswith("```"):
            return None, f"line {error.lineno}: begins with a code fence; leave out the lines with ```"
        if trailing := _trailing_comma(text, error.pos):
            return None, f"line {trailing.lineno} column {trailing.colno}: {trailing.msg}"
        return None, f"line {error.lineno} column {error.colno}: not JSON: {error.msg}"
    except RecursionError:
        return None, f"is nested too deeply; write {expected}"
    except ValueError as error:  # a number of more digits than Python converts
        return None, f"not JSON: {error}"


def _trailing_comma(text: str, at: int) -> json.JSONDecodeError | None:
    """Return the fault at the comma where one stands before a bracket; Pythons name the comma, or what follows it."""
    before = text[:at].rstrip()
    found = TRAILING_COMMA.match(text, len(before) - before.endswith(","))
    return json.JSONDecodeError(f"a comma before {found[2]}; remove it", text, found.start(1)) if found else None


def parse_lines(text: str, expected: str) -> tuple[list[tuple[int, Any]], list[str]]:
    """Return ([(1-based line, value)], faults) of JSON lines; blank lines are passed over."""
    values, faults = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            value, fault = parse(line, expected)
            if fault:
                faults.append(f"line {number}: {fault.removeprefix('line 1 ')}")
            else:
                values.append((number, value))
    return values, faults


def object_faults(entry: dict[str, Any]) -> list[str]:
    """Return what JSON itself forbids in an object: repeated keys, NaN and infinities at any depth."""
    faults = [f"{shown(key)} stands twice; keep one" for key in getattr(entry, "repeated", [])]
    return faults + [
        f"{key}: {bad} is not JSON; write a number or null" for key, v in entry.items() if (bad := not_json(v))
    ]


def not_json(value: Any) -> str | None:
    """Return the first NaN or infinity in a value, at any depth."""
    if isinstance(value, NotJson):
        return str(value)
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return next((bad for one in inner if (bad := not_json(one))), None)


def encodable(text: str) -> bool:
    """Say whether text can be sent and hashed: half of a surrogate pair cannot."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def shown(text: str) -> str:
    """Return text as it can be printed on any terminal line: quoted, escaped where it must be, shortened."""
    quoted = json.dumps(text, ensure_ascii=not encodable(text))
    return quoted if len(quoted) <= 60 else quoted[:57] + '…"'


def kind(value: Any) -> str:
    """Return in words what a JSON value is."""
    if value is None:
        return "null"
    if isinstance(value, NotJson):
        return str(value)
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", int: "a number", float: "a number"}
    return next((name for kind, name in names.items() if isinstance(value, kind)), "unreadable")
