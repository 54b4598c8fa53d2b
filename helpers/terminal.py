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
        lines += ["", _passage(document.text, trace.match, color), ""]
        lines += [_difference(change.source, change.quote, change.risk, color) for change in trace.match.changes]
    if trace.also_in:
        lines.append(f"  also in {', '.join(trace.also_in)}")
    if trace.risks:
        lines.append(f"  risks: {', '.join(trace.risks)}")
    if trace.hint:
        lines.append(f"  {trace.hint}")
    return "\n".join(lines)


def _headline(document: Document, trace: Trace, color: bool) -> str:
    words = [_paint(trace.status, STATUS_COLOUR[trace.status], color)]
    if trace.match:
        start = trace.match.start
        words += [f"({trace.match.kind})", f"in {trace.found_in}"]
        page, line = document.page_at(start), document.line_at(start)
        place = f"page {page}" if page else f"line {line}" if line else f"characters {start:,} to {trace.match.end:,}"
        words.append(f"of {document.name}, {place}")
    else:
        words.append(f"in {document.name}")
    return " ".join(words)


def _passage(text: str, match: Match, color: bool) -> str:
    """Return the passage with the words around it, each line indented and changed words marked."""
    start, end = max(0, match.start - CONTEXT), match.end + CONTEXT
    before = text[start : match.start] if start == 0 else re.sub(r"^\S*\s", "", text[start : match.start])
    after = text[match.end :] if end >= len(text) else re.sub(r"\s\S*$", "", text[match.end : end])
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
    ours = _paint(source or "nothing", RED, color)
    theirs = _paint(quote or "nothing", YELLOW, color)
    return f"  source: {ours}   quote: {theirs}{f'   ({risk})' if risk else ''}"


def _paint(text: str, code: str, color: bool) -> str:
    return (
        "\n".join(f"\x1b[{code}m{line}\x1b[0m" if line.strip() else line for line in text.split("\n"))
        if color
        else text
    )
