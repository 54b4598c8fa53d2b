"""The search index of a document: folded once, then every quote costs a substring search."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property

from ..documents import Document, Section, Sections
from .folding import MARKS, Folded, fold, marks_of
from .notes import RAISED, RAISINGS
from .scripts import words
from .shapes import Searchable

WALL = "\x01"  # folding drops this character everywhere, so no quote reaches across it
AROUND_MARKS = 1000  # characters on each side of a mark that are read without marks too: more than a quote has
CANDIDATES = 200  # places that are looked at: only a quote of one or two words has more
CHUNK = 4096  # characters between two known places of the skeleton: small beside the text, quick to walk through
BONES = re.compile(f"[^ \\-{RAISED}]+")
COUNTED = ("p. ", "Part ")  # labels of pages, and of the parts that long plain text is cut into
PIECES = "sections"  # the format of a document made from a plain dict


class View:
    """Hold one folded reading of a document, and what a search in it needs, built when it is first needed."""

    def __init__(self, folded: Folded) -> None:
        self.folded = folded
        self.text = folded.text

    @cached_property
    def lowered(self) -> str:
        """Return the text in lower case, every character in its place (of the two that "İ" becomes, the first)."""
        return lower(self.text)

    @cached_property
    def skeleton(self) -> str:
        """Return the bones of the lower-case text: they find candidates, and decide nothing."""
        return bones(self.lowered)

    @cached_property
    def chunks(self) -> array[int]:
        """Return the skeleton's offset at every CHUNK-th character of the text."""
        offsets, size = array("I", [0]), 0
        for start in range(0, len(self.text), CHUNK):
            size += len(bones(self.text[start : start + CHUNK]))
            offsets.append(size)
        return offsets

    def fleshed(self, offset: int) -> int:
        """Return the place in the text of a place in the skeleton."""
        chunk = bisect_right(self.chunks, offset) - 1
        start, left = chunk * CHUNK, offset - self.chunks[chunk]
        for run in BONES.finditer(self.text[start : start + CHUNK]):
            if left < len(run[0]):
                return start + run.start() + left
            left -= len(run[0])
        raise IndexError(offset)

    @cached_property
    def words(self) -> dict[str, array[int]]:
        """Return the places of every word, in lower case."""
        places: dict[str, array[int]] = {}
        for word in words(self.lowered):
            known = places.get(word[0])
            if known is None:
                known = places[word[0]] = array("I")
            known.append(word.start())
        return places

    @cached_property
    def size(self) -> int:
        """Return the number of words."""
        return sum(map(len, self.words.values()))

    def after(self, offset: int) -> int:
        """Return the place in the text at which the source's `offset` is reached."""
        return bisect_left(self.folded.starts, offset)


class Index:
    """Hold a document's literal reading, and its reading without Markdown marks where it has some."""

    def __init__(self, document: Document, ranges: list[tuple[int, int]]) -> None:
        self.ranges = ranges
        self.text = document.text
        self.literal = View(_fold(document.text, ranges, marks=True))

    def views(self) -> Iterator[View]:
        """Yield the literal reading, and if that is not enough the one without marks."""
        yield self.literal
        if self.unmarked:
            yield self.unmarked

    @cached_property
    def unmarked(self) -> View | None:
        """Return the neighbourhoods of Markdown marks, read without them; None where there are none."""
        ranges: list[tuple[int, int]] = []
        for start, end in self.ranges:
            part = self.text[start:end]
            for mark, _ in sorted(span for sign in MARKS for span in marks_of(part, sign)):
                first, last = max(start, start + mark - AROUND_MARKS), min(end, start + mark + AROUND_MARKS)
                if ranges and ranges[-1][1] >= first:
                    ranges[-1] = (ranges[-1][0], last)
                else:
                    ranges.append((first, last))
        return View(_fold(self.text, ranges, marks=False)) if ranges else None


def _fold(text: str, ranges: list[tuple[int, int]], *, marks: bool) -> Folded:
    """Fold the ranges of a text one by one, a wall between them."""
    texts, starts = [], array("I")
    for start, end in ranges:
        part = fold(text[start:end], marks=marks)
        texts.append(part.text)
        starts += array("I", [start + offset for offset in part.starts]) if start else part.starts
    return Folded(WALL.join(texts), starts, text)


def occurrences(view: View, text: str) -> Iterator[int]:
    """Yield the places where this very text stands, inside words too."""
    at, seen = view.text.find(text), 0
    while at >= 0 and seen < CANDIDATES:
        yield at
        at, seen = view.text.find(text, at + 1), seen + 1


def candidates(view: View, text: str) -> Iterator[tuple[int, int]]:
    """Yield the places where the skeleton has this text's bones, each with the skeleton's place of the last one."""
    needle, lead = bones(lower(text)), len(text) - len(text.lstrip(" -"))
    at = view.skeleton.find(needle) if needle else -1
    for _ in range(CANDIDATES):
        if at < 0:
            return
        place = view.fleshed(at) - lead
        if place >= 0:
            yield place, at + len(needle) - 1
        at = view.skeleton.find(needle, at + 1)


def bones(text: str) -> str:
    """Return text without what the same words may have or lack: blanks, hyphens, raised digits."""
    text = text.replace(" ", "").replace("-", "")
    return text if text.isascii() else RAISINGS.sub("", text)


def lower(text: str) -> str:
    """Return lower case of the same length."""
    low = text.lower()
    return low if len(low) == len(text) else "".join(c.lower()[0] for c in text)


def index_of(document: Document) -> Index:
    """Return the document's index, built at the first search and kept."""
    if document.index is None:
        document.index = Index(document, _searched(document))
    index: Index = document.index
    return index


def passage_end(document: Document, offset: int) -> int:
    """Return where the text around an offset ends: at the next heading. A new page or a numbered part has none."""
    at = bisect_right(document.outline, offset, key=lambda part: part.start)
    while at < len(document.outline) and _goes_on(document, document.outline[at]):
        at += 1
    return document.outline[at].start if at < len(document.outline) else len(document.text)


def _goes_on(document: Document, part: Section) -> bool:
    """Tell whether a part is only a piece of a text: its label is counted, not read from a heading."""
    counted = part.label.startswith(COUNTED) and part.label.rsplit(" ", 1)[-1].isdigit()
    return counted and not document.text[part.start : part.end].lstrip().startswith(part.label)


def _searched(document: Document) -> list[tuple[int, int]]:
    """Return the spans of the text that are searched: all but tables of contents; pieces of a dict one by one."""
    spans: list[tuple[int, int]] = []
    for part in document.outline:
        if part.contents:
            continue
        if spans and spans[-1][1] == part.start and document.format != PIECES:
            spans[-1] = (spans[-1][0], part.end)
        else:
            spans.append((part.start, part.end))
    return spans


def documents_of(sections: Searchable) -> list[Document]:
    """Return the documents to search; a plain dict becomes one whose parts are its texts."""
    if isinstance(sections, list):
        return sections
    if isinstance(sections, Document):
        return [sections]
    if isinstance(sections, Sections):
        return [sections.document]
    outline, offset = [], 0
    for label, text in sections.items():
        numbered = label[:1].isdigit()
        outline.append(Section(label, "", offset, offset + len(text), numbered))
        offset += len(text)
    return [Document("", "".join(sections.values()), outline, format=PIECES)]
