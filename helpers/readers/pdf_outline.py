"""The parts of a PDF: where the entries of its outline stand in the text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ..documents import FRONT_MATTER, Section
from .parts import CONTENTS_TITLES, Heading, bare
from .pdf_lines import Line

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument  # type: ignore[import-untyped]

Place = tuple[int, Line]  # a line, and the offset at which it begins in the text

NUMBERED = re.compile(
    r"\A(?:chapter|section|appendix|kapitel|anhang|глава|第)?\W*(?:\d+|[A-Z](?=\W))(?:\.\d+)*\W*", re.IGNORECASE
)
LONE_NUMBER = re.compile(
    r"(?:chapter|kapitel|appendix|anhang|глава|приложение|第)?\s*(?:\d+|[A-Z])\s*[章.]?", re.IGNORECASE
)
TITLE_BEGIN = 12  # letters are enough to pass over the lines that cannot be a title
TITLE_LINES = 3  # a title may be printed over this many
CONTENTS_LINE = re.compile(r"(?:\.[ .]*\.|\s)\s*(?:\d+|[ivxlc]+)$")
LEADERS = re.compile(r"\.[ .]{4,}\s*(?:\d+|[ivxlc]+)$")
CONTENTS_SHARE = 0.6  # of a contents list's lines end in a page number
CONTENTS_LINES = 5


class Bookmark(NamedTuple):
    """Be an entry of the outline: depth from 1, the page it points to (from 0), how high on it (points), if told."""

    level: int
    title: str
    page: int
    height: float | None


def bookmarks(pdf: PdfDocument) -> list[Bookmark]:
    """Return the outline's entries that point to a page."""
    import pypdfium2.raw as pdfium  # type: ignore[import-untyped]

    found = []
    for entry in pdf.get_toc():
        target = entry.get_dest()
        page = target.get_index() if target else None
        title = " ".join((entry.get_title() or "").split())
        if target is None or page is None or not title or not 0 <= page < len(pdf):
            continue
        mode, position = target.get_view()
        where = {pdfium.PDFDEST_VIEW_XYZ: 1, pdfium.PDFDEST_VIEW_FITH: 0}.get(mode, len(position))
        found.append(Bookmark(entry.level + 1, title, page, position[where] if where < len(position) else None))
    return found


def find_headings(entries: list[Bookmark], pages: list[list[Place]]) -> list[Heading]:
    """Return where the outline's entries stand, as printed: often only the page has the number."""
    headings: list[Heading] = []
    reached = 0
    for entry in entries:
        start, title = find_title(entry, pages)
        reached = max(reached, start)
        headings.append(Heading(reached, entry.level, title))
    if headings:
        before = [place for page in pages for place in page if place[0] < headings[0].start]
        contents = (offset for offset, line in before if bare(line.text) in CONTENTS_TITLES)
        headings[:0] = [Heading(offset, 1, "Contents") for offset in list(contents)[:1]]
    return headings


def find_title(entry: Bookmark, pages: list[list[Place]]) -> tuple[int, str]:
    """Return offset and printed text of one title; failing that, the line at its height."""
    page = pages[entry.page]
    begin = bare(NUMBERED.sub("", entry.title))[:TITLE_BEGIN]
    candidates: list[tuple[float, int, str]] = []
    for number, (offset, line) in enumerate(page):
        text = printed_title(page, number, entry.title) if begin[: len(line.text)] in bare(line.text) else None
        if text:
            distance = abs(entry.height - line.top) if entry.height is not None else number
            candidates.append((distance, offset, text))
            if number and LONE_NUMBER.fullmatch(page[number - 1][1].text):  # "Chapter 2" above its title
                candidates[-1] = distance, page[number - 1][0], f"{page[number - 1][1].text} {text}"
    if candidates:
        _, offset, text = min(candidates)
        return offset, " ".join(text.split())
    below = [offset for offset, line in page if entry.height is None or line.bottom < entry.height]
    after = [offset for later in pages[entry.page :] for offset, _ in later]
    return (below or after or [0])[0], entry.title


def printed_title(page: list[Place], number: int, title: str) -> str | None:
    """Return this line, with the next ones if need be, when it is the title, each with or without its number."""
    text = page[number][1].text
    wanted = {bare(title), bare(NUMBERED.sub("", title))} - {""}
    for more in range(1, TITLE_LINES + 1):
        if wanted & {bare(text), bare(NUMBERED.sub("", text))}:
            return text
        text += " " + page[number + more][1].text if number + more < len(page) else ""
    return None


def by_pages(text: str, page_marks: list[int]) -> list[Section]:
    """Return a part for each page of a document without an outline."""
    ends = [*page_marks[1:], len(text)]
    spans = [(number, start, end) for number, (start, end) in enumerate(zip(page_marks, ends, strict=True), 1)]
    return [Section(f"p. {number}", f"Page {number}", start, end) for number, start, end in spans]


def with_contents(text: str, parts: list[Section]) -> list[Section]:
    """Return the parts, tables of contents marked as such, text that follows one without a heading apart from it."""
    marked: list[Section] = []
    for part in parts:
        end = contents_end(text[part.start : part.end], bare(part.title) in CONTENTS_TITLES)
        if not end:
            marked.append(part)
        elif not text[part.start + end : part.end].strip() or part.title.startswith("Page "):
            marked.append(part._replace(contents=True))
        else:
            label = f"{FRONT_MATTER} (2)" if any(p.label == FRONT_MATTER for p in marked) else FRONT_MATTER
            after = Section(label, FRONT_MATTER, part.start + end, part.end)
            marked += [part._replace(end=after.start, contents=True), after]
    return marked


def contents_end(text: str, titled: bool) -> int:
    """Return where the table of contents ends that this text begins with, 0 when it is none.

    Most of its lines lead to a page number; with dots, unless the title says that it is the contents.
    """
    form = CONTENTS_LINE if titled else LEADERS
    lines = hits = end = hits_at_end = lines_at_end = position = 0
    for line in text.split("\n"):
        position += len(line) + 1
        lines += bool(line.strip())
        if form.search(line):
            hits += 1
            end, hits_at_end, lines_at_end = min(position, len(text)), hits, lines
        elif lines - lines_at_end > CONTENTS_LINES and hits >= CONTENTS_LINES:
            break
    return end if hits_at_end >= CONTENTS_LINES and hits_at_end >= CONTENTS_SHARE * lines_at_end else 0
