"""PDF: the text in reading order, without running heads; labels from the outline, else the pages "p. 1", "p. 2" …"""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING

from ..documents import Document
from ..errors import SourceError
from .parts import outline_of
from .pdf_layout import (
    SENTENCE_END,
    begins_paragraph,
    part_footnotes,
    reading_order,
    rows,
    without_furniture,
)
from .pdf_lines import Line, page_lines
from .pdf_outline import Place, bookmarks, by_pages, find_headings, with_contents

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage  # type: ignore[import-untyped]

# Written without blanks between words; Korean is not.
UNSPACED = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uff9f]")
UNKNOWN = re.compile(r"[\ufffd\ue000-\uf8ff]")  # glyphs whose font does not say which character they are
UNKNOWN_SHARE = 0.01  # of the text; below, they are bullets and logos
PAGES_NAMED = 5  # in a doubt; more are counted
DRAWN = 200  # shapes on a page without text: letters drawn as outlines


def read_pdf(name: str, content: bytes, *, sha256: str = "") -> Document:
    """Return the document with the offset of each page; SourceError when it is locked, broken or only pictures."""
    import pypdfium2

    try:
        pdf = pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as fault:
        locked = "password" in str(fault).lower()
        what = "is locked by a password; save it without one" if locked else "is no PDF that can be read; save it anew"
        raise SourceError(f"{name}: {what}") from None
    try:
        return read_pages(name, pdf, sha256)
    except pypdfium2.PdfiumError as fault:
        raise SourceError(f"{name}: is a damaged PDF ({fault}); save it anew") from None
    finally:
        pdf.close()


def read_pages(name: str, pdf: PdfDocument, sha256: str) -> Document:
    """Read all pages and put them together."""
    pages: list[list[Line]] = []
    pictures: list[int] = []
    for number in range(len(pdf)):
        page = pdf[number]
        pages.append(reading_order(page_lines(page)))
        if not pages[-1] and shows_something(page):
            pictures.append(number + 1)
        page.close()
    if not any(pages):
        raise SourceError(
            f"{name}: has no text layer, only pictures of pages; run text recognition (OCR) over it first"
        )
    whole = [rows(page) for page in pages]
    size = usual_size(whole)
    text, page_marks, places = put_together(without_furniture(whole, size), size)
    headings = find_headings(bookmarks(pdf), places)
    parts = with_contents(text, outline_of(text, headings) if headings else by_pages(text, page_marks))
    doubts = doubts_about(text, pictures)
    return Document(name, text, parts, format="pdf", sha256=sha256, doubts=doubts, page_marks=page_marks)


def put_together(pages: list[list[Line]], size: float) -> tuple[str, list[int], list[list[Place]]]:
    """Return the text, the offset of each page, and the offset of each line of each page."""
    pitch = usual_pitch(pages)
    chunks: list[str] = []
    marks: list[int] = []
    places: list[list[Place]] = []
    offset = 0
    before: Line | None = None
    for page in pages:
        places.append([])
        for line in with_footnotes(*part_footnotes(page, size), pitch):
            between = separator(before, line, pitch, new_page=not places[-1])
            chunks += (between, line.text)
            offset += len(between)
            marks += [offset] * (len(places) - len(marks))
            places[-1].append((offset, line))
            offset += len(line.text)
            before = line
    marks += [offset] * (len(pages) - len(marks))
    return "".join(chunks) + "\n", [0, *marks[1:]], places


def usual_size(pages: list[list[Line]]) -> float:
    """Return the type size of the text, in points: half of all characters are at most as large."""
    sizes = sorted((line.size, len(line.text)) for page in pages for line in page)
    left = sum(count for _, count in sizes) / 2
    for size, count in sizes:
        left -= count
        if left <= 0:
            return size
    return 0.0


def usual_pitch(pages: list[list[Line]]) -> float:
    """Return the usual distance from line to line, in points."""
    steps = [a.bottom - b.bottom for page in pages for a, b in pairwise(page) if a.bottom > b.bottom]
    return median(steps) if steps else 0.0


def with_footnotes(text: list[Line], notes: list[Line], pitch: float) -> list[Line]:
    """Return text and footnotes of a page; a sentence that goes on overleaf keeps them out of its middle."""
    place = len(text)
    if notes and text and not SENTENCE_END.search(text[-1].text):
        starts = [n for n in range(1, place) if begins_paragraph(text[n - 1], text[n], pitch)]
        ends = [n + 1 for n, line in enumerate(text) if SENTENCE_END.search(line.text)]
        place = (starts or ends or [place])[-1]
    return text[:place] + notes + text[place:]


def separator(before: Line | None, line: Line, pitch: float, *, new_page: bool) -> str:
    """Return what stands between two lines: nothing in a Chinese sentence, a blank line before a paragraph."""
    if before is None:
        return ""
    ended = bool(SENTENCE_END.search(before.text))
    if ended if new_page else begins_paragraph(before, line, pitch):
        return "\n\n"
    return "" if not ended and UNSPACED.match(before.text[-1]) and UNSPACED.match(line.text) else "\n"


def shows_something(page: PdfPage) -> bool:
    """Tell whether a page without text shows a picture, or so many shapes that they may be letters."""
    import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

    kinds = [item.type for item in page.get_objects(max_depth=3)]
    return pdfium.FPDF_PAGEOBJ_IMAGE in kinds or len(kinds) > DRAWN


def doubts_about(text: str, pictures: list[int]) -> list[str]:
    """Return why the text may not be all that the pages show."""
    doubts = []
    if pictures:
        named = ", ".join(map(str, pictures[:PAGES_NAMED]))
        more = f" and {len(pictures) - PAGES_NAMED} more" if len(pictures) > PAGES_NAMED else ""
        doubts.append(f"no text layer on page {named}{more}")
    unknown = len(UNKNOWN.findall(text))
    if unknown > UNKNOWN_SHARE * len(text):
        doubts.append(f"{unknown} characters that the PDF's fonts do not identify")
    return doubts
