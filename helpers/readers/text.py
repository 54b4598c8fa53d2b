"""Plain text of any kind, RFCs of every era among them: furniture off, headings found, what has none cut into parts."""

from __future__ import annotations

from helpers.documents import FRONT_MATTER, Document, Section
from helpers.readers.candidates import Candidate
from helpers.readers.contents import LEADER, Contents
from helpers.readers.furniture import remove_furniture
from helpers.readers.headings import LONG_TITLE, Headings, doubt_of, find_headings
from helpers.readers.parts import outline_of, tell_apart
from helpers.readers.titles import SENTENCE_ENDS, Title, find_titles, find_underlined

PART_SIZE = 20_000  # characters; about 5,000 tokens of English, and well under the model's limit in any script
TITLE_WORDS = 8  # of a part without a heading are its title
ENTRY_WIDTH = 50  # characters; what is longer and has no page number is no entry of a table of contents


def read_text(name: str, text: str, *, sha256: str = "", doubts: list[str] | None = None) -> Document:
    """Return the document that a plain text is; its lines end in LF."""
    text, line_marks = remove_furniture(text)
    headings = find_headings(text)
    underlined = find_underlined(text)
    if len(underlined) > len(headings.main) and not headings.contents:  # then the numbers are a list's
        headings = Headings([], [], [])
        outline = outline_of(text, underlined)
    else:
        outline = _outline(text, headings)
    doubt = doubt_of(headings)
    return Document(
        name,
        text,
        outline if headings.main else _small(text, outline),
        format="rfc" if headings.main else "text",
        sha256=sha256,
        doubts=[*(doubts or []), *([doubt] if doubt else [])],
        line_marks=line_marks,
    )


def _outline(text: str, headings: Headings) -> list[Section]:
    """Return the parts that begin at these headings, and what stands before, tiling the text."""
    main = headings.main
    first, last = (main[0].start, main[-1].start) if main else (len(text), len(text))
    titles = find_titles(text, first, last)
    parts = {t.start: Section(t.title, t.title, t.start, 0) for t in titles}
    for c in [*headings.appendices, *main]:
        parts[c.start] = Section(c.label, _title(text, c), c.start, 0, c.kind in ("digits", "roman"))
    for region in headings.contents:
        end = _end_of_entries(text, region, titles)
        parts = {at: part for at, part in parts.items() if not region.start <= at < end}
        title = text[region.start : text.find("\n", region.start)].strip()
        parts[region.start] = Section(title, title, region.start, 0, contents=True)
        following = min((at for at in parts if at > region.start), default=len(text))
        if len(text[end:following].strip()) > ENTRY_WIDTH:
            parts[end] = Section(FRONT_MATTER, FRONT_MATTER, end, 0)
    return _tile(text, [parts[at] for at in sorted(parts)])


def _end_of_entries(text: str, region: Contents, titles: list[Title]) -> int:
    """Return where a table of contents ends: an abstract or a preface may stand between it and the first section."""
    end = region.end
    for title in titles:
        if region.last_entry < title.start < end and len(text[title.start : end]) > ENTRY_WIDTH:
            end = title.start
    at = text.find("\n\n", region.last_entry, end)
    while at >= 0:
        after = text.find("\n\n", at + 2, end)
        lines = text[at : after if after >= 0 else end].split("\n")
        if any(len(line.strip()) > ENTRY_WIDTH and not LEADER.search(line) for line in lines):
            return at
        at = after
    return end


def _title(text: str, heading: Candidate) -> str:
    """Return the title of a numbered heading; for a number alone the next line, if that can be one, else the number."""
    if heading.title:
        return " ".join(heading.title.split())
    line = text[heading.end : heading.end + 200].strip().split("\n")[0].strip()
    return heading.label if not line or line.endswith(SENTENCE_ENDS) or len(line) > LONG_TITLE else line


def _tile(text: str, parts: list[Section]) -> list[Section]:
    """Return the parts with their ends, and "Front matter" before the first one, if there is text."""
    if not parts or text[: parts[0].start].strip():
        parts.insert(0, Section(FRONT_MATTER, FRONT_MATTER, 0, 0))
    parts[0] = parts[0]._replace(start=0)
    ends = [*(part.start for part in parts[1:]), len(text)]
    return tell_apart([part._replace(end=end) for part, end in zip(parts, ends, strict=True)])


def _small(text: str, outline: list[Section]) -> list[Section]:
    """Cut a part without a heading into "Part 1", "Part 2" …, at paragraphs, so that the model can read each."""
    small: list[Section] = []
    for part in outline:
        starts = _cuts(text, part.start, part.end) if part.label == FRONT_MATTER else [part.start]
        if len(starts) == 1:
            small.append(part)
            continue
        for number, (start, end) in enumerate(zip(starts, [*starts[1:], part.end], strict=True), 1):
            title = " ".join(text[start : start + 200].split()[:TITLE_WORDS])
            small.append(Section(f"Part {number}", title, start, end))
    return small


def _cuts(text: str, start: int, end: int) -> list[int]:
    """Return where parts of at most PART_SIZE begin: after a blank line, else after a line, a blank, or anywhere."""
    while end > start and text[end - 1].isspace():
        end -= 1  # a part must have text
    starts = [start]
    while end - start > PART_SIZE:
        first, stop = start, start + PART_SIZE  # `first` is past `starts[-1]` where nothing but blanks stands between
        start = stop
        for border in ("\n\n", "\n", " "):
            cut = text.rfind(border, first, stop) + len(border)
            if cut >= len(border) and text[starts[-1] : cut].strip():
                start = cut
                break
        if text[start : start + PART_SIZE].strip():
            starts.append(start)
    return starts
