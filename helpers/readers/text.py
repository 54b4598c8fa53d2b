"""Plain text of any kind, RFCs of every era among them: furniture off, headings found, the rest in parts."""

from __future__ import annotations

from collections import Counter

from helpers.documents import FRONT_MATTER, Document, Section
from helpers.readers.furniture import remove_furniture
from helpers.readers.headings import Headings, find_headings
from helpers.readers.titles import find_titles

PART_SIZE = 20_000  # characters; about 5,000 tokens of English, and well under the model's limit in any script


def read_text(name: str, text: str, *, sha256: str = "", doubts: list[str] | None = None) -> Document:
    """Return the document that a plain text is; its lines end in LF."""
    text, line_marks = remove_furniture(text)
    headings = find_headings(text)
    return Document(
        name,
        text,
        _outline(text, headings),
        format="rfc" if headings.main else "text",
        sha256=sha256,
        doubts=doubts,
        line_marks=line_marks,
    )


def _outline(text: str, headings: Headings) -> list[Section]:
    """Return the parts that begin at these headings, and what stands before, tiling the text."""
    starts: dict[int, tuple[str, str, bool, bool]] = {}
    main = headings.main
    for heading in find_titles(text, main[0].start if main else len(text), main[-1].start if main else len(text)):
        starts[heading.start] = (heading.title, heading.title, False, False)
    for candidate in headings.appendices:
        starts[candidate.start] = (candidate.label, candidate.title, False, False)
    for candidate in main:
        starts[candidate.start] = (candidate.label, candidate.title, True, False)
    for region in headings.contents:
        starts = {at: what for at, what in starts.items() if not region.start <= at < region.end}
        title = text[region.start : text.find("\n", region.start)].strip()
        starts[region.start] = (title, title, False, True)
    return _tile(text, starts)


def _tile(text: str, starts: dict[int, tuple[str, str, bool, bool]]) -> list[Section]:
    places = sorted(starts)
    if not places or text[: places[0]].strip():
        starts[-1] = (FRONT_MATTER, FRONT_MATTER, False, False)
        places.insert(0, -1)
    sections, seen = [], Counter[str]()
    for i, at in enumerate(places):
        label, title, numbered, contents = starts[at]
        seen[label] += 1
        if seen[label] > 1:
            label = f"{label} ({seen[label]})"
        end = places[i + 1] if i + 1 < len(places) else len(text)
        sections.append(Section(label, title, 0 if i == 0 else at, end, numbered, contents))
    return sections
