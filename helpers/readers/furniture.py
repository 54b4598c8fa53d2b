"""Page furniture of plain text: running heads and feet go, every other word stays, and lines keep their numbers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from itertools import pairwise

from helpers.readers.lines import blank_before

Span = tuple[int, int]  # [start, end) of a line, its line feed included

EDGE_LINES = 3  # lines looked at on either side of a page break; RFC 791 has heads of three lines
RECURRING = 3  # a line must come back on this many pages before its repetition says anything
RECURRING_SHARE = 0.3  # and on this share of all pages, unless it is set as only running lines are
DOMINANT_SHARE = 0.6  # a line on so many pages is furniture even where text follows it at once
PAGES_AT_ONCE = 10_000  # are compared with each other; of a longer text this bounds the memory
GAP = "     "  # between the parts of a running line, as nowhere in running text
STEADY = 0.8  # of a running line's repetitions change nothing but a page number, by as much as there are pages between
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
    if feeds:
        feet = [foot for foot in feet if _ends_page(text, foot[1])]
    if not feeds and not feet:
        return []
    breaks = _merged(text, sorted({start for start, _ in feeds} | {end for _, end in feet}))
    edges, done = set(feet), 0
    for first in range(0, len(breaks), PAGES_AT_ONCE):
        some = breaks[first : first + PAGES_AT_ONCE]
        last = bisect_left(feet, (some[-1], 0))
        edges.update(_edges(text, some, set(feet[done:last])))
        done = last
    return sorted([*feeds, *edges])


def _merged(text: str, breaks: list[int]) -> list[int]:
    """Return the page breaks with text between them: a foot and the form feed after it are one."""
    return [at for at, after in zip(breaks, [*breaks[1:], len(text)], strict=True) if text[at:after].strip()]


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
        wide = not before.strip() or before.endswith(("   ", "\t"))
        if wide and blank_before(text, start) and ("\f" in after or _blank_after(text, end)):
            feet.append((start, end))
    return feet


def _ends_page(text: str, end: int) -> bool:
    """Tell whether a form feed, a running head or nothing follows, before any other text."""
    if text[end - 2] == "\f":
        return True
    lines = _block_after(text, end, len(text))
    return not lines or "\f" in text[end : lines[0][0]] or _is_head(text[slice(*lines[0])])


def _blank_after(text: str, end: int) -> bool:
    """Tell whether a blank line, a form feed or nothing follows a line that ends, its line feed included, here."""
    stop = text.find("\n", end)
    line = text[end : len(text) if stop < 0 else stop]
    return not line.strip() or line.startswith("\f")


def _edges(text: str, breaks: list[int], feet: set[Span]) -> list[Span]:
    """Return the furniture lines around the page breaks."""
    blocks: list[list[tuple[str, Span]]] = []  # the lines next to a break, each with its key
    seen: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)  # key -> (page, line)
    for page, at in enumerate(breaks):
        above, below = breaks[page - 1] if page else 0, breaks[page + 1] if page + 1 < len(breaks) else len(text)
        for side, lines in (("foot ", _block_before(text, at, above)), ("head ", _block_after(text, at, below))):
            blocks.append([(side + _masked(text[start:end]), (start, end)) for start, end in lines])
            for key, (start, end) in blocks[-1]:
                seen[key].append((page, text[start:end]))
    shares = {key: _share(places, len(breaks)) for key, places in seen.items() if len(places) >= RECURRING}
    paged = bool(feet) or any("#" in key and share >= RECURRING_SHARE for key, share in shares.items())
    running = {key for key, share in shares.items() if share and _runs(key, seen[key][0][1], share, paged)}
    found = set(feet)
    for block in blocks:
        block_runs = {span for key, span in block if key in running or (key[0] == "h" and _is_head(text[slice(*span)]))}
        found |= block_runs
        if block_runs and len(block) <= EDGE_LINES:  # a running head's third line names the chapter
            found |= {span for key, span in block if len(seen[key]) > 1}
    sure = {span for block in blocks for key, span in block if shares.get(key, 0.0) >= DOMINANT_SHARE} & found | feet
    return [span for span in sorted(found) if span in sure or _stands_alone(text, span, found)]


def _runs(key: str, line: str, share: float, paged: bool) -> bool:
    """Tell whether a line that comes back at the edge of pages is a running one, and no refrain of the author's."""
    if _is_heading(line):
        return False
    return GAP in line.strip() or "[" in line or (share >= RECURRING_SHARE and (paged or "#" in key))


def _share(places: list[tuple[int, str]], breaks: int) -> float:
    """Return on which share of the pages a line stands; 0 when more than a page number changes in it."""
    numbers = [(page, [int(n) for n in re.findall(r"\d+", line)]) for page, line in places]
    steps = [
        (after - before, [b - a for a, b in zip(first, second, strict=False) if a != b])
        for (before, first), (after, second) in pairwise(numbers)
    ]
    steady = sum(changes in ([], [pages]) for pages, changes in steps) >= STEADY * len(steps)
    return len(places) / breaks if steady else 0.0


def _block_before(text: str, at: int, stop: int) -> list[Span]:
    """Return the last lines with text before this offset up to a blank line, nearest first, one more than may be."""
    lines: list[Span] = []
    while at > stop and len(lines) <= EDGE_LINES:
        start = text.rfind("\n", stop, at - 1) + 1 or stop
        if text[start:at].strip():
            lines.append((start, at))
        elif lines:
            break
        at = start
    return lines


def _block_after(text: str, at: int, stop: int) -> list[Span]:
    """Return the first lines with text after this offset up to a blank line, nearest first, one more than may be."""
    lines: list[Span] = []
    while at < stop and len(lines) <= EDGE_LINES:
        end = text.find("\n", at, stop) + 1 or stop
        if text[at:end].strip():
            while text[at] == "\f":
                at += 1
            lines.append((at, end))
        elif lines:
            break
        at = end
    return lines


def _masked(line: str) -> str:
    """Return what stays the same of a running line when its page number changes."""
    if "age " in line:
        line = re.sub(r"(?<=[Pp]age )[ivxlc]+\b", "#", line)
    return " ".join(re.sub(r"\d+", "#", line).split())


def _is_head(line: str) -> bool:
    """Tell an RFC's or a draft's running head by its form: its number first, then a gap, or a month and year last."""
    head = re.match(r"\s*(?:(?:RFC|Request for Comments):? *#?\d+( {3,}\S)?|Internet[- ]Draft\b)", line, re.IGNORECASE)
    return head is not None and bool(head[1] or re.search(rf"\b(?:{MONTHS})[a-z]*\.? +(?:19|20)\d\d\s*$", line))


def _is_heading(line: str) -> bool:
    """Tell lines that number themselves through the pages but are the author's own: "Chapter 3" atop each page."""
    return bool(
        re.match(
            r"\s*(?:Chapter|Section|Part|Appendix|Annex|Kapitel|Teil|Глава|Раздел|Часть|第(?!\s*\d+\s*[页頁]))\b",
            line,
            re.I,
        )
    )


def _stands_alone(text: str, span: Span, found: set[Span]) -> bool:
    """Tell whether blank lines, or other furniture, separate this line from the text next to it."""
    start, end = span
    before, after = text.rfind("\n", 0, max(0, start - 1)) + 1, text.find("\n", end) + 1 or len(text)
    return (blank_before(text, start) or (before, start) in found or text[start - 1 : start] == "\f") and (
        _blank_after(text, end) or (end, after) in found
    )
