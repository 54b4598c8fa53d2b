"""Page furniture of plain text: running heads and feet go, every other word stays, and lines keep their numbers."""

from __future__ import annotations

import re
from collections import defaultdict

Span = tuple[int, int]  # [start, end) of a line, its line feed included

EDGE_LINES = 3  # lines looked at on either side of a page break; RFC 791 has heads of three lines
RECURRING = 3  # a line must come back on this many pages before its repetition says anything
RECURRING_SHARE = 0.3  # and on this share of all pages, or on pages that follow each other
MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
PAGE_NUMBER = r"\[[Pp](?:age|AGE):? +([A-Za-z]-?\d{1,4}|\d{1,4}|[ivxlcIVXLC]{1,8})\]"


def remove_furniture(text: str) -> tuple[str, list[tuple[int, int]]]:
    """Return the text without page furniture, and its line marks (see `Document.line_marks`).

    Three or more line feeds become two and form feeds at the start of a line go, whether there are pages or not.
    """
    kept = _without(text, _furniture(text))
    text, marks = _keep(text, kept, [(0, 1)])
    return _keep(text, _without(text, [(m.start() + 2, m.end()) for m in re.finditer("\n\n\n+", text)]), marks)


def _without(text: str, spans: list[Span]) -> list[Span]:
    """Return what is left of the text between these spans, which are in order."""
    kept, at = [], 0
    for start, end in spans:
        if start > at:
            kept.append((at, start))
        at = max(at, end)
    return [*kept, (at, len(text))]


def _keep(text: str, kept: list[Span], marks: list[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Return the kept spans joined, and the marks of `text` carried over to them."""
    carried: list[tuple[int, int]] = []
    next_mark = length = 0
    for start, end in kept:
        while next_mark + 1 < len(marks) and marks[next_mark + 1][0] <= start:
            next_mark += 1
        offset, line = marks[next_mark]
        marks[next_mark] = (start, line + text.count("\n", offset, start))  # so that nothing is counted twice
        carried.append((length, marks[next_mark][1]))
        while next_mark + 1 < len(marks) and marks[next_mark + 1][0] < end:
            next_mark += 1
            carried.append((length + marks[next_mark][0] - start, marks[next_mark][1]))
        length += end - start
    return "".join([text[start:end] for start, end in kept]), carried


def _furniture(text: str) -> list[Span]:
    """Return the spans to drop, in order: furniture lines, and form feeds at the start of a line."""
    feeds = [(m.start(), m.end()) for m in re.finditer("^\f+", text, re.MULTILINE)] if "\f" in text else []
    feet = _feet(text)
    if not feeds and not feet:
        return []
    breaks = sorted({start for start, _ in feeds} | {end for _, end in feet})
    return sorted([*feeds, *_edges(text, breaks, set(feet))])


def _feet(text: str) -> list[Span]:
    """Return the lines that are a page's foot by their form: a page number in brackets, alone between blank lines."""
    if "[Page" not in text and "[page" not in text and "[PAGE" not in text:
        return []
    feet = []
    for number in re.finditer(PAGE_NUMBER, text):
        start, end = text.rfind("\n", 0, number.start()) + 1, text.find("\n", number.end()) + 1 or len(text)
        before, after = text[start : number.start()], text[number.end() : end]
        if before.strip() and after.strip():
            continue
        wide = not before.strip() or before.endswith("   ")
        if wide and _blank_before(text, start) and _blank_after(text, end):
            feet.append((start, end))
    return feet


def _blank_before(text: str, start: int) -> bool:
    return not text[text.rfind("\n", 0, max(0, start - 1)) + 1 : start].strip()


def _blank_after(text: str, end: int) -> bool:
    stop = text.find("\n", end)
    line = text[end : len(text) if stop < 0 else stop]
    return not line.strip() or line.startswith("\f")


def _edges(text: str, breaks: list[int], feet: set[Span]) -> list[Span]:
    """Return the furniture lines around the page breaks."""
    edges: list[tuple[int, str, Span]] = []  # (page break, key, line); keys of feet and heads are kept apart
    places: defaultdict[str, list[int]] = defaultdict(list)
    for number, at in enumerate(breaks):
        last = breaks[number - 1] if number else 0
        stop = breaks[number + 1] if number + 1 < len(breaks) else len(text)
        sides = (("foot ", _lines_before(text, at, last)), ("head ", _lines_after(text, at, stop)))
        for side, lines in sides:
            for span in lines:
                key = side + _masked(text[span[0] : span[1]])
                edges.append((number, key, span))
                places[key].append(number)
    recurring = {key for key, pages in places.items() if _recurs(pages, len(breaks))}
    found: set[Span] = set(feet)
    for _, key, (start, end) in edges:
        line = text[start:end]
        if (key in recurring and not _is_heading(line)) or (key.startswith("head ") and _is_head(line)):
            found.add((start, end))
    return [span for span in sorted(found) if span in feet or _stands_alone(text, span, found)]


def _recurs(pages: list[int], breaks: int) -> bool:
    if len(pages) < RECURRING:
        return False
    runs = any(pages[i + 2] - pages[i] <= 2 * RECURRING for i in range(len(pages) - 2))  # odd and even pages differ
    return runs or len(pages) >= RECURRING_SHARE * breaks


def _lines_before(text: str, at: int, stop: int) -> list[Span]:
    """Return the last lines with text before this offset, nearest first."""
    lines: list[Span] = []
    while at > stop and len(lines) < EDGE_LINES:
        start = text.rfind("\n", stop, at - 1) + 1 or stop
        if text[start:at].strip():
            lines.append((start, at))
        at = start
    return lines


def _lines_after(text: str, at: int, stop: int) -> list[Span]:
    """Return the first lines with text after this offset, nearest first."""
    lines: list[Span] = []
    while at < stop and len(lines) < EDGE_LINES:
        end = text.find("\n", at, stop) + 1 or stop
        if text[at:end].strip():
            while text[at] == "\f":
                at += 1
            lines.append((at, end))
        at = end
    return lines


def _masked(line: str) -> str:
    """Return what stays the same of a running line when its page number changes."""
    line = re.sub(r"(?<=[Pp]age )[ivxlc]+\b", "#", line)
    return " ".join(re.sub(r"\d+", "#", line).split())


def _is_head(line: str) -> bool:
    """Tell a running head by its form: an RFC's number, a draft or wide gaps, and at the end a month and a year."""
    if re.search(rf"\b(?:{MONTHS})[a-z]*\.? +(?:19|20)\d\d\s*$", line):
        return bool(re.match(r"\s*(?:RFC|Internet[- ]Draft)\b", line)) or "     " in line.strip()
    return bool(re.match(r"\s*RFC:? *#?\d+ {3,}\S", line))


def _is_heading(line: str) -> bool:
    """Tell lines that number themselves through the pages but are the author's own: "Chapter 3" atop each page."""
    return bool(
        re.match(r"\s*(?:Chapter|Section|Part|Appendix|Annex|Kapitel|Teil|Глава|Раздел|Часть|第)\b", line, re.I)
    )


def _stands_alone(text: str, span: Span, found: set[Span]) -> bool:
    """Tell whether blank lines, or other furniture, separate this line from the text next to it."""
    start, end = span
    before, after = text.rfind("\n", 0, max(0, start - 1)) + 1, text.find("\n", end) + 1 or len(text)
    return (_blank_before(text, start) or (before, start) in found or text[start - 1 : start] == "\f") and (
        _blank_after(text, end) or (end, after) in found
    )
