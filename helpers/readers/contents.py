"""Tables of contents: where they stand, and which headings they announce."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice
from typing import NamedTuple

from helpers.readers.candidates import Candidate
from helpers.readers.lines import blank_before

TITLE = re.compile(
    r"^[ \t]{0,60}(?:\d{1,2}\.?[ \t]+|[IVX]{1,4}\.[ \t]+)?"
    r"(?P<title>tables? of contents?|contents|inhalt|inhaltsverzeichnis|содержание|оглавление"
    r"|目[ \t　]*[录錄次])[ \t:]*$",
    re.MULTILINE | re.IGNORECASE,
)
# Dots, or a wide gap, and a page number at the end of a line; or dots alone.
LEADER = re.compile(
    r"(?:[ \t]*(?:\.[ \t]?){3,}|…+|[ \t]{3,}|_{3,}|-{4,}|\t)[ \t]*"
    r"(?:\[?page[ \t]*)?(?:[A-Z]-)?(?:\d{1,4}|[ivxlc]{1,6})\]?[ \t]*$"
    r"|(?:\.[ \t]?){4,}$",
    re.IGNORECASE,
)
MOST_TITLES = 50  # lines that say "Contents" are looked at; each may cost a walk through the document
ENTRY_LINES = 4  # an entry follows the title after fewer blank lines
WRAPPED_LINES = 3  # an entry's title wraps into this many further lines at most
FAR = 3000  # characters between two entries; from there on it is text, an abstract at most
KEPT = 2  # listed headings that must come again before lines without leaders are believed to be contents
WIDEST = 150  # characters of a title that are looked at
MATCHING = 4  # letters by which a heading is known again; shorter titles must be the same

Entries = dict[tuple[str, tuple[int, ...]], list[str]]  # (kind, number) -> keys of the titles listed for it


class Contents(NamedTuple):
    """Be one table of contents: `text[start:end]`, where its last entry ends, and the headings that it lists."""

    start: int
    end: int
    last_entry: int
    entries: Entries


def has_leader(text: str, candidate: Candidate) -> bool:
    """Tell whether this line, or the lines it wraps into, ends as an entry of a table of contents does."""
    if LEADER.search(candidate.title[:WIDEST]):
        return True
    at = candidate.end
    for _ in range(WRAPPED_LINES):
        end = text.find("\n", at + 1)
        line = text[at + 1 : end if end >= 0 else len(text)]
        if not line.strip() or len(line) - len(line.lstrip()) <= candidate.indent:
            return False
        if re.search(r"(?:\. ?){4,}[ \t]*\d{1,4}[ \t]*$", line):
            return True
        at = end
    return False


def title_key(title: str) -> str:
    """Return the letters and digits of a title, without a page number, to know it again by."""
    return re.sub(r"[\W_]+", "", LEADER.sub("", title[:WIDEST])).casefold()


def same_title(one: str, other: str) -> bool:
    """Tell whether two title keys are the same, or one is the other cut short by the end of its line."""
    if len(one) < MATCHING or len(other) < MATCHING:
        return one == other
    return one.startswith(other) or other.startswith(one)


def find_contents(text: str, candidates: list[Candidate], leaders: set[int]) -> list[Contents]:
    """Return the tables of contents, in order; `leaders` are indices of candidates that look like entries."""
    found: list[Contents] = []
    for match in islice(TITLE.finditer(text), MOST_TITLES):
        if found and match.start() < found[-1].end:
            continue
        if match["title"][0].islower() or not blank_before(text, match.start()):
            continue  # the end of a sentence
        first = bisect_left(candidates, match.end(), key=lambda c: c.start)
        if first == len(candidates):
            break
        if text.count("\n\n", match.end(), candidates[first].start) >= ENTRY_LINES:
            continue
        contents = _measure(candidates, first, leaders, match.start())
        if contents:
            found.append(contents)
    return found


def _measure(candidates: list[Candidate], first: int, leaders: set[int], start: int) -> Contents | None:
    """Return the contents that begin at `start`: they end where a listed heading comes again, without a leader."""
    entries: Entries = {}
    last = -1
    for i in range(first, len(candidates)):
        candidate = candidates[i]
        before = candidates[i - 1].end if i > first else candidate.start
        if candidate.start - before > FAR:
            break
        name, key = name_of(candidate), title_key(candidate.title)
        if i in leaders:
            last = i
        elif name in entries and candidate.alone & 1:
            listed = any(same_title(key, other) for other in entries[name])
            if listed or (last >= 0 and name == name_of(candidates[first])):
                return Contents(start, candidate.start, candidates[last].end if last >= 0 else before, entries)
        entries.setdefault(name, []).append(key)
    if last >= 0:
        return _entries(candidates[first : last + 1], start)
    later = (c for c in candidates[first + sum(map(len, entries.values())) :] if name_of(c) in entries)
    kept = sum(any(same_title(title_key(c.title), key) for key in entries[name_of(c)]) for c in later)
    return _entries(candidates[first : first + sum(map(len, entries.values()))], start) if kept >= KEPT else None


def _entries(listed: list[Candidate], start: int) -> Contents:
    """Return the contents that are just these entries."""
    return Contents(start, listed[-1].end, listed[-1].end, {name_of(c): [title_key(c.title)] for c in listed})


def name_of(candidate: Candidate) -> tuple[str, tuple[int, ...]]:
    """Return kind and number, by which a heading and its entry find each other: "2.0" is 2."""
    number = candidate.number
    return candidate.kind, number[:-1] if len(number) > 1 and not number[-1] else number
