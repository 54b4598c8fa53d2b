"""Show where a quote stands: the section's text around the passage, in pieces that a page can fold and wrap anew."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..citations import Result
from ..documents import Document, Section

AROUND = 500  # characters shown on each side of a passage before the rest is folded; about seven lines
LONGEST_MARK = 4_000  # characters of a passage shown in full; of a longer one its head and tail
FULL_LINE = 50  # a text whose longest line is shorter was not wrapped to a width, so its line ends are its own


class Piece(NamedTuple):
    """Be a run of text: `text`, `wrap` or `join` (a line end that wrapping made), `fold` (closed), `gap`, `changed`."""

    kind: str
    text: str


class Excerpt(NamedTuple):
    """Be a section's text as shown, in front of, in and after the passage, with where that stands."""

    place: str
    before: list[Piece]
    passage: list[Piece]
    after: list[Piece]


def section_of(document: Document, label: str | None) -> Section | None:
    """Return the part with this label; `find_quote` and its kin give labels as the outline has them."""
    return next((s for s in document.outline if s.label == label), None)


def excerpt(document: Document, start: int, end: int, *, marked: tuple[int, int] | None, room: int) -> Excerpt:
    """Return `text[start:end]` around the marked passage; on each side a fold keeps at most `room` characters."""
    text = document.text
    start, end = _stripped(text, start, end)
    a, b = marked or (start, start)
    start, end = min(start, a), max(end, b)
    first, last = _line_start(text, start, a), _line_end(text, b, end)
    wraps = list(_wraps(text[first:last], first, max(map(len, text[start:end].split("\n")))))
    head, tail = (b, b) if b - a <= LONGEST_MARK else (a + LONGEST_MARK // 2, b - LONGEST_MARK // 2)
    left_out = [Piece("gap", f"{tail - head:,} characters of the passage are left out")] if tail > head else []
    return Excerpt(
        place_of(document, a),
        [*_folded(text[start:first], room, keep_tail=True), *_pieces(text, first, a, wraps)],
        [*_pieces(text, a, head, wraps), *left_out, *_pieces(text, tail, b, wraps)],
        [*_pieces(text, b, last, wraps), *_folded(text[last:end], room, keep_tail=False)],
    )


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), start + max(len(part.rstrip()), len(part) - len(part.lstrip()))


def _line_start(text: str, start: int, at: int) -> int:
    """Return where to begin showing before `at`: at a line, unless the whole of it is short enough."""
    if at - start <= AROUND * 1.5:
        return start
    return max(text.rfind("\n", start, at - AROUND) + 1, at - 2 * AROUND)


def _line_end(text: str, at: int, end: int) -> int:
    if end - at <= AROUND * 1.5:
        return end
    line = text.find("\n", at + AROUND, at + 2 * AROUND)
    return at + AROUND if line < 0 else line + 1


def _folded(text: str, room: int, *, keep_tail: bool) -> list[Piece]:
    if not text:
        return []
    left_out = max(0, len(text) - room)
    gap = [Piece("gap", f"{left_out:,} characters are left out")] if left_out else []
    kept = text[left_out:] if keep_tail else text[: len(text) - left_out]
    fold = [Piece("fold", kept)] if kept else []
    return gap + fold if keep_tail else fold + gap


def _wraps(text: str, offset: int, width: int) -> Iterator[tuple[int, int]]:
    """Return where wrapping made line ends (with the next line's indent), so that a narrow page can set them anew.

    It made one where the next line's first word would not have fitted on the line.
    """
    if width < FULL_LINE:
        return
    for wrap in re.finditer(r"(?<=\S)\n *(?=(\S+))", text):
        line = wrap.start() - text.rfind("\n", 0, wrap.start()) - 1
        if line + 1 + len(wrap[1]) > width and line > width // 2:
            yield offset + wrap.start(), offset + wrap.end()


def _pieces(text: str, start: int, end: int, wraps: Iterable[tuple[int, int]]) -> Iterator[Piece]:
    for a, b in wraps:
        if start <= a and b <= end:
            yield Piece("text", text[start:a])
            yield Piece("join" if text[a - 1] == "-" else "wrap", text[a:b])
            start = b
    if start < end:
        yield Piece("text", text[start:end])


def place_of(document: Document, offset: int) -> str:
    """Say where an offset of the text lies in the file: its page, else its line."""
    page, line = document.page_at(offset), document.line_at(offset)
    return f"page {page}" if page else f"line {line}" if line else ""


def named(label: str | None) -> str:
    """Return a label as a sentence names it: a number is a section's, a title speaks for itself."""
    return f"section {label}" if label and label[0].isdigit() else label or "the text"


def base_name(document: Document) -> str:
    """Return a document's name without its folders."""
    return document.name.replace("\\", "/").rstrip("/").rpartition("/")[2] or document.name


def document_of(result: Result, documents: Sequence[Document]) -> Document:
    """Return the document a citation was found in or checked against; the first where only one is at hand."""
    return next((d for d in documents if d.name == result.get("source")), documents[0])


def surroundings(result: Result, document: Document, *, room: int, search: bool = True) -> Excerpt | None:
    """Return the section around the passage; for a missing quote, if `search`, around what comes closest."""
    match, near = result["match"], ""
    if result["status"] == "missing":
        from ..locating import closest

        found = closest(document, result["quote"]) if search and result["quote"] else None
        if not found:
            return None
        match, near = found._asdict(), f"The closest passage ({found.similarity:.0%} alike), in "
    section = section_judged(result, document, match)
    if not section:
        return None
    judged = result.get("judged") or {"start": section.start, "end": section.end}
    marked = (match["start"], match["end"]) if match else None
    shown = excerpt(document, judged["start"], judged["end"], marked=marked, room=room)
    title = "" if section.label.endswith(section.title) else f" {section.title}"
    where = f"{near}{named(section.label)}{title}, {base_name(document)}"
    return shown._replace(place=", ".join(filter(None, [where[0].upper() + where[1:], shown.place])))


def section_judged(result: Result, document: Document, match: Mapping[str, Any] | None = None) -> Section | None:
    """Return the part of the outline that a citation is about."""
    if place := match or result["match"]:
        return document.section_at(place["start"])
    return section_of(document, result["found_in"]) or section_of(document, result["section"])
