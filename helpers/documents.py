"""The shapes that every reader returns and every later step takes: Section, Document, Source, Sections."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, NamedTuple

FRONT_MATTER = "Front matter"  # the label of text before the first heading, and of a document without any


class Section(NamedTuple):
    """Name one part of a document: `text[start:end]`, code points, half open; all parts together tile the text.

    `numbered` says that the label is a number or Roman numeral of the main chain ("4.1.3", "II"), not an appendix or a
    title. `contents` marks a table of contents: shown in outlines, never searched.
    """

    label: str
    title: str
    start: int
    end: int
    numbered: bool = False
    contents: bool = False


class Document:
    """Hold one source as it is read and searched.

    `text` is decoded, page furniture and markup removed. `outline` tiles it. `doubts` says in words why the text may
    not be what the author wrote. `sha256` is of the bytes as they came. `line_marks` holds (offset in `text`, 1-based
    line of the file as it came) wherever counting line feeds from the mark before would go wrong; `page_marks` the
    offset at which each page begins (PDF), page 1 first; `anchors` the offset of each `id` (HTML).
    """

    def __init__(
        self,
        name: str,
        text: str,
        outline: list[Section],
        *,
        format: str = "text",
        sha256: str = "",
        doubts: list[str] | None = None,
        line_marks: list[tuple[int, int]] | None = None,
        page_marks: list[int] | None = None,
        anchors: dict[str, int] | None = None,
    ) -> None:
        self.name = name
        self.text = text
        self.outline = outline
        self.format = format
        self.sha256 = sha256
        self.doubts = doubts or []
        self.line_marks = line_marks
        self.page_marks = page_marks
        self.anchors = anchors or {}
        self.index: Any = None  # the search index, built by `matching` at the first search and kept

    @property
    def sections(self) -> Sections:
        """Return label -> text of every part in document order, surrounding white space removed."""
        return Sections({s.label: self.section_text(s) for s in self.outline}, self)

    def section_text(self, section: Section) -> str:
        """Return the text of one part without the white space around it, as the published splitter gives it."""
        return self.text[section.start : section.end].strip()

    def section_at(self, offset: int) -> Section:
        """Return the part in which this offset of `text` lies."""
        return self.outline[max(0, bisect_right(self.outline, offset, key=lambda s: s.start) - 1)]

    def line_at(self, offset: int) -> int | None:
        """Return the 1-based line of the file as it came; None for formats without lines (PDF, DOCX)."""
        if not self.line_marks:
            return None
        start, line = self.line_marks[max(0, bisect_right(self.line_marks, offset, key=lambda m: m[0]) - 1)]
        return line + self.text.count("\n", start, offset)

    def page_at(self, offset: int) -> int | None:
        """Return the 1-based page of the file; None for formats without pages."""
        return max(1, bisect_right(self.page_marks, offset)) if self.page_marks else None


class Source(str):
    """Be the text of a document, and remember the document it is the text of."""

    document: Document

    def __new__(cls, document: Document) -> Source:
        text = super().__new__(cls, document.text)
        text.document = document
        return text


class Sections(dict[str, str]):
    """Be a plain dict label -> text, and remember its document (offsets, search index, the parts without a number)."""

    def __init__(self, texts: dict[str, str], document: Document) -> None:
        super().__init__(texts)
        self.document = document
