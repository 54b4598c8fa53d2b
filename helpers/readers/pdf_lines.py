"""The lines of a PDF page: their text and where they stand, raised digits marked as such."""

from __future__ import annotations

import ctypes
import re
from typing import Any, NamedTuple

WORD = re.compile(r"\S+")
# PDFium joins a word that was split at a line end, and leaves U+FFFE for the hyphen; here the line ends there.
TEXT_LINE = re.compile(r"[^\n\ufffe]+\ufffe?")
ENDS_RAISED = re.compile(r"\d{1,3}(?=[.,;:!?)\]”’»]*$)")
SUPERSCRIPT = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
NOTE = re.compile(r"\[([⁰¹²³⁴-⁹]{1,3})\]")
# The soft hyphen too is drawn like any other in a PDF.
LINE_END_HYPHEN = re.compile(r"[\u00ad\u0002\ufffe]$")
UNREADABLE = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\ufffe\uffff]")
SEGMENT_GAP = 1.0  # times the type size: wider gaps stand between columns and cells; justified lines stay below
RAISED_SIZE = 0.85  # a raised digit is smaller than this part of the letters before it …
RAISED_BY = 0.15  # … and stands this part of their size above the line


class Line(NamedTuple):
    """Say what a line, or the part of it in one column, reads, and where: points from the lower left corner."""

    text: str
    left: float
    right: float
    bottom: float
    top: float

    @property
    def size(self) -> float:
        """Return the height of its letters with room for ascenders and descenders."""
        return self.top - self.bottom


Box = tuple[float, float, float, float]  # left, right, bottom, top


class Letters:
    """Be the characters of a page: the text as PDFium gives it, and the box of any character, upright."""

    def __init__(self, page: Any) -> None:
        import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

        self.pdfium = pdfium
        self.textpage = page.get_textpage()
        self.turn = page.get_rotation()
        self.width, self.height = page.get_width(), page.get_height()
        self.rectangle = pdfium.FS_RECTF()
        count = self.textpage.count_chars()
        buffer = ctypes.create_string_buffer(2 * count + 2)
        written = pdfium.FPDFText_GetText(self.textpage, 0, count, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)))
        self.text = buffer.raw[: 2 * max(0, written - 1)].decode("utf-16-le", errors="replace")
        if len(self.text) != count:  # characters beyond 16 bits or without meaning: ask for each
            codes = (pdfium.FPDFText_GetUnicode(self.textpage, i) for i in range(count))
            text = "".join(chr(c) if c < 0x110000 else "\ufffd" for c in codes)  # halves of pairs too, see `readable`
            self.text = text.replace("\x02", "\ufffe")  # asked so, PDFium names the hyphen at a line end otherwise

    def box(self, index: int) -> Box:
        """Return where a character stands on the page as it is shown."""
        self.pdfium.FPDFText_GetLooseCharBox(self.textpage, index, self.rectangle)
        r = self.rectangle
        if not self.turn:
            return r.left, r.right, r.bottom, r.top
        if self.turn == 90:
            return r.bottom, r.top, self.height - r.right, self.height - r.left
        if self.turn == 180:
            return self.width - r.right, self.width - r.left, self.height - r.top, self.height - r.bottom
        return self.width - r.top, self.width - r.bottom, r.left, r.right


def page_lines(page: Any) -> list[Line]:
    """Return the lines of a page in the order in which they were drawn, cut at wide gaps."""
    letters = Letters(page)
    lines: list[Line] = []
    for text in TEXT_LINE.finditer(letters.text):
        lines += segments(letters, *text.span())
    letters.textpage.close()
    return lines


def segments(letters: Letters, start: int, end: int) -> list[Line]:
    """Return the parts of one of PDFium's lines; writing that runs up or down the margin is left out."""
    parts: list[Line] = []
    for word in WORD.finditer(letters.text, start, end):
        first, last = letters.box(word.start()), letters.box(word.end() - 1)
        size = first[3] - first[2]
        if len(word[0]) > 2 and abs(last[2] - first[2]) > 2 * max(size, 1):
            continue
        here = Line(readable(raised(letters, word, first, last)), first[0], last[1], first[2], first[3])
        if parts and parts[-1].left <= here.left <= parts[-1].right + SEGMENT_GAP * max(size, parts[-1].size):
            parts[-1] = joined(parts[-1], here, " ")
        else:
            parts.append(here)
    return [part for part in parts if part.text]


def raised(letters: Letters, word: re.Match[str], first: Box, last: Box) -> str:
    """Return the word, digits at its end as superscripts where they are small and above the line: 10² is not 102."""
    digits = ENDS_RAISED.search(word[0])
    size = first[3] - first[2]
    for index in range(max(1, digits.start()), digits.end()) if digits else ():
        _, _, bottom, top = last if index == len(word[0]) - 1 else letters.box(word.start() + index)
        if top - bottom < RAISED_SIZE * size and bottom > first[2] + RAISED_BY * size:
            return NOTE.sub(r"⁽\1⁾", word[0][:index] + word[0][index:].translate(SUPERSCRIPT))
    return word[0]


def readable(word: str) -> str:
    """Return the word with an ordinary hyphen at its end, pairs of halves joined, and no control characters."""
    if max(word) >= "\ud800":
        word = word.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return UNREADABLE.sub("\ufffd", LINE_END_HYPHEN.sub("-", word))


def joined(line: Line, more: Line, blank: str) -> Line:
    """Return two parts of a line as one; the larger letters say where it stands."""
    larger = max(line, more, key=lambda part: part.size)
    right = max(line.right, more.right)
    return Line(line.text + blank + more.text, min(line.left, more.left), right, larger.bottom, larger.top)
