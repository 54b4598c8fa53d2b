"""What the shell shows of a document and of a located quote, in colour where a terminal takes it."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, TextIO

from .documents import Document

if TYPE_CHECKING:
    from .matching.shapes import Match, Trace

GREEN, RED, YELLOW, DIM, BOLD = "32", "31", "33", "2", "1"
STATUS_COLOUR = {"found": GREEN, "section-only": GREEN, "altered": YELLOW, "missing": RED}
CONTEXT = 240  # characters shown on each side of a passage: about three lines
LINE = 80  # characters; half a line as long as this is left out whole, of a longer one only the half word


def use_color(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal that wants colour: NO_COLOR and TERM=dumb say no."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def outline_view(document: Document, color: bool = False) -> str:
    """Return one line a part: label, characters, title; a part that is never searched is marked."""
    rows = []
    width = max((len(part.label) for part in document.outline), default=0)
    for part in document.outline:
        size = f"{len(document.section_text(part)):>9,}"
        title = "(contents, not searched)" if part.contents else part.title if part.title != part.label else ""
        rows.append(f"{_paint(part.label.ljust(width), BOLD, color)}  {_paint(size, DIM, color)}  {title}".rstrip())
    return "\n".join(rows)


def trace_view(document: Document, trace: Trace, color: bool = False) -> str:
    """Return where a quote stands, the passage in its context, and every difference.

    Without colour the passage stands between » and «, and source words that the quote has not as they are in [- -].
    """
    lines = [_headline(document, trace, color)]
    if trace.match:
        lines += _comparison(document, trace.match, color)
    if trace.also_in:
        lines.append(f"  also in {', '.join(trace.also_in)}")
    if trace.risks:
        lines.append(f"  risks: {', '.join(trace.risks)}")
    if trace.hint:
        lines.append(f"  {trace.hint}")
    return "\n".join(lines)


def near_view(document: Document, match: Match, color: bool = False) -> str:
    """Return the passage that comes closest to a missing quote, as `trace_view` shows one that was found."""
    where = f"{document.section_at(match.start).label} of {document.name}, {_place(document, match)}"
    lines = [f"the closest passage ({match.similarity:.0%} alike) is in {where}"]
    return "\n".join(lines + _comparison(document, match, color))


def _headline(document: Document, trace: Trace, color: bool) -> str:
    words = [_paint(trace.status, STATUS_COLOUR[trace.status], color)]
    if trace.match:
        words += [f"({trace.match.kind})", f"in {trace.found_in}"]
        words.append(f"of {document.name}, {_place(document, trace.match)}")
    else:
        words.append(f"in {document.name}")
    return " ".join(words)


def _place(document: Document, match: Match) -> str:
    page, line = document.page_at(match.start), document.line_at(match.start)
    return f"page {page}" if page else f"line {line}" if line else f"characters {match.start:,} to {match.end:,}"


def _comparison(document: Document, match: Match, color: bool) -> list[str]:
    changes = [_difference(change.source, change.quote, change.risk, color) for change in match.changes]
    return ["", _passage(document.text, match, color), "", *changes]


def _passage(text: str, match: Match, color: bool) -> str:
    """Return the passage with the words around it, each line indented and changed words marked."""
    start, end = max(0, match.start - CONTEXT), match.end + CONTEXT
    before, after = text[start : match.start], text[match.end : end]
    if start:
        before = re.sub(f"^(.{{,{LINE}}}\n|\\S*\\s)", "", before)
    if end < len(text):
        after = re.sub(f"(\n.{{,{LINE}}}|\\s\\S*)\\Z", "", after)
    marked = _marked(match, color)
    shown = _paint(before, DIM, color) + marked + _paint(after, DIM, color)
    return re.sub(r"(?m)^(?=.)", "  ", re.sub(r"\n\s*\n+", "\n\n", shown.strip("\n")))


def _marked(match: Match, color: bool) -> str:
    parts, done = [], 0
    for change in match.changes:
        spot = re.compile(r"\s*".join(map(re.escape, change.source.split()))).search(match.text, done)
        if spot and change.source:
            words = _paint(spot[0], RED, True) if color else f"[-{spot[0]}-]"
            parts += [_paint(match.text[done : spot.start()], GREEN, color), words]
            done = spot.end()
    parts.append(_paint(match.text[done:], GREEN, color))
    return "".join(parts) if color else f"»{''.join(parts)}«"


def _difference(source: str, quote: str, risk: str | None, color: bool) -> str:
    ours = _paint(source or "(nothing)", RED, color)
    theirs = _paint(quote or "(nothing)", YELLOW, color)
    return f"  source: {ours}   quote: {theirs}{f'   ({risk})' if risk else ''}"


def _paint(text: str, code: str, color: bool) -> str:
    return (
        "\n".join(f"\x1b[{code}m{line}\x1b[0m" if line.strip() else line for line in text.split("\n"))
        if color
        else text
    )
