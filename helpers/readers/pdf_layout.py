"""The layout of PDF pages: reading order, running heads and feet, footnotes, paragraphs."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise
from math import inf
from statistics import median

from .pdf_lines import Line, joined

NUMBER = re.compile(r"\d+|\b[ivxlcdm]+\b", re.IGNORECASE)
FOOTNOTE = re.compile(r"[¹²³⁰-⁹*†‡§]|\[?\d{1,3}\]?[\s.)]*\D")
SENTENCE_END = re.compile(r"[.!?:。！？：…][\"'”’»)\]¹²³⁰-⁹]*$")

EDGE_LINES = 4  # at the top and at the bottom of a page: as many lines as heads and feet have
SAME_HEIGHT = 3.0  # points: heads and feet stand at one height throughout
RECURS_ON = 3  # pages at least, or all of a shorter document
LEVEL_SHARE = 0.3  # of the pages have a recurring line at this height: whatever stands there is a head or foot
OFTEN_SHARE = 0.1  # of the pages: what recurs on as many is one, wherever it stands at the edge
HEADLINE_SIZE = 1.15  # times the type size of the text: chapter openings look alike too
SAME_LINE = 0.5  # two pieces stand in one line when this part of the lower one's height is shared
TIGHT = 0.12  # times the type size: a narrower gap is none, and what follows belongs to the word
CELL_GAP = 1.5  # times the type size: a wider gap in a line is one between table cells
COLUMN_WIDTH = 0.15  # of the text's width: narrower columns are table cells, line numbers or a contents list's pages
PROSE = 18  # characters in a line of a text column; table cells hold fewer
ALIGNED = 0.4  # of the lines have a piece that begins at one place: that is the edge of a column or of a table's cells
FILLED = 0.7  # of the wide lines: half of the lines of a text column are as wide, those of a table's are not
COLUMN_LINES = 5  # fewer lines side by side are a caption or a table
CROSSING = 0.25  # of the lines, at most, run across the space between two columns
FOOTNOTE_SIZE = 0.93  # times the type size of the text


def rows(lines: list[Line]) -> list[Line]:
    """Return lines put together again that a raised mark or a wide gap cut apart."""
    whole: list[Line] = []
    for line in lines:
        before = whole[-1] if whole else None
        if before and in_one_line(before, line) and before.right - before.size <= line.left:
            gap = (line.left - before.right) / max(before.size, line.size, 1)
            whole[-1] = joined(before, line, "" if gap < TIGHT else " " if gap < CELL_GAP else "\t")
        else:
            whole.append(line)
    return whole


def in_one_line(one: Line, other: Line) -> bool:
    """Tell whether two pieces stand side by side."""
    shared = min(one.top, other.top) - max(one.bottom, other.bottom)
    return shared > SAME_LINE * min(one.size, other.size)


def reading_order(lines: list[Line]) -> list[Line]:
    """Return the lines in the order in which they are read.

    The order in which they were drawn is right nearly always. Where lines of two columns were drawn in turn, or up and
    down the page, their places decide.
    """
    turns = sum(in_one_line(a, b) and b.left > a.right for a, b in pairwise(lines))
    climbs = sum(b.bottom > a.top + a.size for a, b in pairwise(lines))
    if turns >= COLUMN_LINES and (gutter := find_gutter(lines)):
        return by_columns(lines, gutter)
    if climbs > max(3, len(lines) / 5):
        return by_height(lines)
    return lines


def by_height(lines: list[Line]) -> list[Line]:
    """Return the lines from top to bottom, those side by side from left to right."""
    ordered: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: -line.top):
        if ordered and in_one_line(ordered[-1][0], line):
            ordered[-1].append(line)
        else:
            ordered.append([line])
    return [line for row in ordered for line in sorted(row, key=lambda line: line.left)]


def find_gutter(lines: list[Line]) -> float | None:
    """Return the left edge of the right one of two columns of text, None when there are none."""
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    best: tuple[int, float] | None = None
    for place in sorted({int(line.left) for line in lines if left + 1 < line.left}):
        before = [line for line in lines if line.right < place]
        after = [line for line in lines if line.left >= place]
        across = len(lines) - len(before) - len(after)
        if across <= CROSSING * len(lines) and (best is None or across < best[0]):
            narrow = COLUMN_WIDTH * (right - left)
            if usual_width(before) >= narrow and usual_width(after) >= narrow:
                best = across, place
    return best[1] if best else None


def usual_width(lines: list[Line]) -> float:
    """Return how wide the lines of a column are, which may be cut in pieces; 0 for too few or too uneven ones."""
    whole: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.bottom):
        if whole and line.bottom - whole[-1][0].bottom < SAME_LINE * line.size:
            whole[-1].append(line)
        else:
            whole.append([line])
    if len(whole) < COLUMN_LINES or not is_prose(whole):
        return 0.0
    widths = sorted(max(line.right for line in row) - min(line.left for line in row) for row in whole)
    usual, wide = median(widths), widths[len(widths) * 4 // 5]
    return usual if usual >= FILLED * wide else 0.0


def is_prose(whole: list[list[Line]]) -> bool:
    """Tell whether what begins at one place in line after line is text, and not the short entries of a table."""
    lefts = groups(sorted(line.left for row in whole for line in row))
    edges = [group[0] for group in lefts if len(group) >= ALIGNED * len(whole)] or [lefts[0][0]]
    for edge, following in pairwise([*edges, inf]):
        sizes = [sum(len(line.text) for line in row if edge <= line.left < following) for row in whole]
        if median(size for size in sizes if size) < PROSE:
            return False
    return True


def by_columns(lines: list[Line], gutter: float) -> list[Line]:
    """Return left column before right column, between any two lines that run across both."""
    ordered: list[Line] = []
    sides: tuple[list[Line], list[Line]] = ([], [])
    for line in [*by_height(lines), None]:
        if line and (line.right < gutter or line.left >= gutter):
            sides[line.left >= gutter].append(line)
            continue
        for side in sides:
            inner = find_gutter(side) if len(side) > 2 * COLUMN_LINES else None
            ordered += by_columns(side, inner) if inner else side
            side.clear()
        if line:
            ordered.append(line)
    return ordered


def without_furniture(pages: list[list[Line]], size: float) -> list[list[Line]]:
    """Return the pages without running heads, feet and page numbers; `size` is the text's type size."""
    furniture: list[set[Line]] = [set() for _ in pages]
    for top in (True, False):
        edges = [edge_lines(page, top=top) for page in pages]
        levels = recurring_levels(edges)
        totals = groups(sorted(height for heights in levels.values() for height in heights))
        steady = [median(group) for group in totals if len(group) >= LEVEL_SHARE * len(pages)]
        often = max(RECURS_ON, OFTEN_SHARE * len(pages))
        for number, edge in enumerate(edges):
            for line in edge:
                again = sum(abs(height - line.bottom) <= SAME_HEIGHT for height in levels.get(mask(line), ()))
                at_level = any(abs(height - line.bottom) <= SAME_HEIGHT / 2 for height in steady)
                headline = line.size > HEADLINE_SIZE * size and again < len(pages) / 2
                if headline or not (at_level or again >= often):
                    break  # heads and feet are the outermost lines
                furniture[number].add(line)
    return [[line for line in page if line not in out] for page, out in zip(pages, furniture, strict=True)]


def edge_lines(page: list[Line], *, top: bool) -> list[Line]:
    """Return the outermost lines of a page, outermost first."""
    return sorted(page, key=lambda line: -line.top if top else line.bottom)[:EDGE_LINES]


def mask(line: Line) -> str:
    """Return the text with numbers made alike."""
    return NUMBER.sub("#", line.text)


def recurring_levels(edges: list[list[Line]]) -> dict[str, list[float]]:
    """Return, for each text that recurs at one height, the heights of all its occurrences there."""
    heights: dict[str, list[float]] = defaultdict(list)
    for edge in edges:
        for line in edge:
            heights[mask(line)].append(line.bottom)
    needed = min(RECURS_ON, max(2, len(edges)))
    found = {text: [g for g in groups(sorted(at)) if len(g) >= needed] for text, at in heights.items()}
    return {text: [height for group in kept for height in group] for text, kept in found.items() if kept}


def groups(heights: list[float]) -> list[list[float]]:
    """Return sorted heights in groups of neighbours."""
    parted: list[list[float]] = []
    for height in heights:
        if parted and height - parted[-1][-1] <= SAME_HEIGHT:
            parted[-1].append(height)
        else:
            parted.append([height])
    return parted


def part_footnotes(page: list[Line], size: float) -> tuple[list[Line], list[Line]]:
    """Return text and footnotes of a page: small print from a mark on, with no text of full size below it."""
    text: list[Line] = []
    notes: list[Line] = []
    for number, line in enumerate(page):
        small = line.size < FOOTNOTE_SIZE * size
        marked = bool(FOOTNOTE.match(line.text)) or bool(notes and page[number - 1] is notes[-1])
        below = (other for other in page if other.top < line.bottom and overlap(other, line))
        if small and marked and all(other.size < FOOTNOTE_SIZE * size for other in below):
            notes.append(line)
        else:
            text.append(line)
    return text, notes


def overlap(one: Line, other: Line) -> bool:
    """Tell whether two lines stand in one column."""
    return min(one.right, other.right) > max(one.left, other.left)


def begins_paragraph(before: Line, line: Line, pitch: float) -> bool:
    """Tell whether a paragraph begins: by space above, other type size, or an indent after a full stop."""
    step = before.bottom - line.bottom
    if abs(line.size - before.size) > 0.15 * before.size or step > 1.35 * pitch:
        return True
    ended = bool(SENTENCE_END.search(before.text))
    return ended and (step < 0 or line.left > before.left + 0.7 * line.size)
