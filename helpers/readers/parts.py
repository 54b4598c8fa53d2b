"""What the readers of marked-up formats share: text written block by block, and headings made into labelled parts."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from ..documents import FRONT_MATTER, Section


def words(text: str) -> frozenset[str]:
    """Return the blank-separated words of a list of names."""
    return frozenset(text.split())


LAYOUT_SPACE = re.compile(r"[ \t\r\f\v]+")  # a no-break space is a character, not layout
CHAPTER = r"(?:chapter|section|part|kapitel|abschnitt|teil|chapitre|глава|раздел|часть)"
NUMBERED_TITLE = re.compile(
    rf"(?:{CHAPTER}\s+|§\s*|第\s*)?(\d{{1,3}}(?:\.\d{{1,3}})*)(?:\s*[章节節部])?(?:[.:)]|\s*[-–—:](?=\s))?(?:\s+|(?<=章)|$)(.*)",
    re.IGNORECASE | re.DOTALL,
)
APPENDIX_TITLE = re.compile(
    r"(?:(?:appendix|annex|anhang|annexe|приложение|附录|附錄)\s*)([A-Z](?:\.\d{1,3})*)[.:]?(?:\s+|$)(.*)|([A-Z](?:\.\d{1,3})+)\.?\s+(.*)",
    re.IGNORECASE | re.DOTALL,
)
TITLE_LIMIT = 300  # characters
CONTENTS_TITLES = words(
    "contents tableofcontents inhaltsverzeichnis inhalt sommaire содержание оглавление 目录 目錄 目次"
)
LISTED_SHARE = 0.6  # of the lines under such a title are titles of the document
LIST_MARK = re.compile(
    r"^\s*(?:[-*+•]|\d+[.)])\s+|[\s.]*\t[\s.]*\d+$"
)  # before an entry, and the page number behind it
NO_LETTERS = re.compile(r"[\W_]+")
ORDERLY = 0.9  # share of numbered headings that must go up, so that neither versions nor "1. … 2. …" in each part count


class Heading(NamedTuple):
    """Say where a heading stands: offset of its first character, depth (1 = top), text in one line."""

    start: int
    level: int
    title: str


class Writer:
    """Collect a document's text, with the offsets at which headings and lines of the file stand in it."""

    def __init__(self) -> None:
        self.chunks: list[str] = []
        self.size = 0
        self.headings: list[Heading] = []
        self.line_marks: list[tuple[int, int]] = []
        self.anchors: list[tuple[str, int]] = []  # what a link may point at, and the offset before what it names
        self.line = 0  # of the file, at the end of what was written so far
        self.breaks = 0  # line feeds owed before the next text
        self.open_heading = 0, 0  # where it begins: offset, number of chunks before
        self.gap = ""  # a blank or tab owed before it, when no line feed is

    def end_block(self, breaks: int = 2) -> None:
        """Begin the next text on a new line, after a blank line for `breaks` 2."""
        self.breaks = max(self.breaks, breaks)

    def settle(self) -> None:
        """Write what is owed."""
        owed = "\n" * self.breaks or self.gap
        if self.size and owed:
            self.chunks.append(owed)
            self.size += len(owed)
            self.line += self.breaks
        self.breaks, self.gap = 0, ""

    def write(self, text: str, line: int) -> None:
        """Add text as it is; `line` is where it begins in the file, 1-based."""
        if not text:
            return
        self.settle()
        if line != self.line:
            self.line_marks.append((self.size, line))
        self.chunks.append(text)
        self.size += len(text)
        self.line = line + text.count("\n")

    def flow(self, text: str, line: int) -> None:
        """Add running text: white space is only layout, as in HTML."""
        for number, part in enumerate(text.split("\n")):
            words = LAYOUT_SPACE.sub(" ", part)
            if number or words.startswith(" "):
                self.gap = self.gap or " "
            self.write(words.strip(" "), line + number)
            if words.endswith(" "):
                self.gap = self.gap or " "

    def begin_heading(self) -> None:
        """Make what is written next a heading, up to `end_heading`."""
        self.settle()
        self.open_heading = self.size, len(self.chunks)

    def end_heading(self, level: int) -> None:
        """Note the heading that was begun, unless it is empty or so long that its end tag must be missing."""
        start, chunk = self.open_heading
        title = " ".join("".join(self.chunks[chunk:]).split())
        if 0 < len(title) <= TITLE_LIMIT:
            self.headings.append(Heading(start, level, title))

    def absorb(self, other: Writer) -> None:
        """Add what another writer has collected as a block of its own."""
        self.end_block()
        self.settle()
        self.headings += [heading._replace(start=heading.start + self.size) for heading in other.headings]
        self.line_marks += [(self.size + offset, line) for offset, line in other.line_marks]
        self.anchors += [(name, self.size + offset) for name, offset in other.anchors]
        self.chunks += other.chunks
        self.size, self.line = self.size + other.size, other.line
        self.end_block()

    def text(self) -> str:
        """Return everything written, ending in a line feed."""
        text = "".join(self.chunks)
        return text if text.endswith("\n") else text + "\n"


def outline_of(text: str, headings: list[Heading]) -> list[Section]:
    """Cut a text at its headings: numbers are labels where the document is numbered, else the path of titles."""
    if not headings:
        return [Section(FRONT_MATTER, FRONT_MATTER, 0, len(text))]
    numbers = numbers_of(headings)
    starts = [heading.start for heading in headings]
    parts: list[Section] = []
    if text[: starts[0]].strip():
        parts.append(Section(FRONT_MATTER, FRONT_MATTER, 0, starts[0]))
    else:
        starts[0] = 0
    path: list[Heading] = []
    for heading, start, end in zip(headings, starts, [*starts[1:], len(text)], strict=True):
        path = [above for above in path if above.level < heading.level] + [heading]
        number, title = numbers.get(heading, ("", heading.title))
        label = number or " > ".join(numbers.get(above, ("", above.title))[1] for above in path)
        parts.append(Section(label, title, start, end, numbered=number[:1].isdigit()))
    return tell_apart(mark_contents(text, parts, {bare(heading.title) for heading in headings}))


def mark_contents(text: str, parts: list[Section], titles: set[str]) -> list[Section]:
    """Mark a part called "Contents" whose lines are mostly titles of the document."""
    titles |= {bare(part.title) for part in parts}
    marked = []
    for part in parts:
        if bare(part.title) in CONTENTS_TITLES:
            lines = [bare(LIST_MARK.sub("", line)) for line in text[part.start : part.end].split("\n") if line.strip()][
                1:
            ]
            listed = sum(line in titles for line in lines)
            part = part._replace(contents=listed > 1 and listed >= LISTED_SHARE * len(lines))
        marked.append(part)
    return marked


def bare(text: str) -> str:
    """Return the letters and digits only, small, to compare titles."""
    return NO_LETTERS.sub("", text).casefold()


def numbers_of(headings: list[Heading]) -> dict[Heading, tuple[str, str]]:
    """Return number and title of each numbered heading; nothing when the numbers do not run through the document."""
    found = {heading: pair for heading in headings if (pair := split_number(heading.title))}
    main = [[int(n) for n in number.split(".")] for number, _ in found.values() if number[0].isdigit()]
    rising = sum(a < b for a, b in pairwise(main))
    if (len(main) == 1 and len(main[0]) == 1) or rising < ORDERLY * (len(main) - 1):
        return {}
    return found


def split_number(title: str) -> tuple[str, str] | None:
    """Return number and rest of "2.1 Setup", "Chapter 2. Setup" or "Appendix A. Setup", None for other titles."""
    match = NUMBERED_TITLE.fullmatch(title)
    if match:
        return match[1], match[2] or title
    match = APPENDIX_TITLE.fullmatch(title)
    return ((match[1] or match[3]).upper(), match[2] or match[4] or title) if match else None


def tell_apart(parts: list[Section]) -> list[Section]:
    """Add " (2)", " (3)" … to labels that occur again."""
    counts: dict[str, int] = {}
    used: set[str] = set()
    apart = []
    for part in parts:
        label = part.label
        while label in used:
            counts[part.label] = counts.get(part.label, 1) + 1
            label = f"{part.label} ({counts[part.label]})"
        used.add(label)
        apart.append(part._replace(label=label))
    return apart
