"""Headings without a number: the titles every RFC has, and lines that stand alone where the text is indented."""

from __future__ import annotations

import re
from typing import NamedTuple

from helpers.readers.candidates import MOST
from helpers.readers.lines import blank_before
from helpers.readers.parts import Heading

# Titles that end the section before them wherever they stand.
STRONG = (
    r"abstract|status of this (?:memo|document|draft)|(?:full )?copyright (?:notice|statement)|"
    r"acknowledge?ments?(?: and [^\n]{1,40})?|"
    r"(?:authors?|editors?|chairs?)['’]?s?['’]? address(?:es)?(?: [^\n]{1,30})?|"
    r"contact information|contributors|references|bibliography|index|zusammenfassung|danksagung(?:en)?|"
    r"literatur(?:verzeichnis)?|аннотация|благодарности|(?:список )?литератур[аы]|摘要|致[谢謝]|参考文献|參考文獻"
)
# Titles that are headings only before the first or after the last numbered one.
WEAK = (
    r"(?:normative|informative) references|security considerations|iana considerations|disclaimer[^\n]{0,30}|"
    r"intellectual property[^\n]{0,30}|(?:iesg|rfc editor'?s?|editor'?s?) note|foreword|preface|glossary|introduction|"
    r"overview|summary|conclusions?|appendix|appendices|annex|vorwort|einleitung|anhang|введение|"
    r"предисловие|заключение|приложение|引言|前言|附录|结论"
)
STRONG_LINE = re.compile(rf"^[ \t]{{0,60}}(?:{STRONG})[ \t.:]{{0,60}}$", re.MULTILINE | re.IGNORECASE)
WEAK_LINE = re.compile(rf"^[ \t]{{0,60}}(?:{WEAK})[ \t.]{{0,60}}$", re.MULTILINE | re.IGNORECASE)
# A short line between blank lines, not indented.
ALONE = re.compile(r"\n[ \t]*\n(\w[^\n]{1,64})(?=\n[ \t]*\n)")
# A title and a line of one sign under it, as in reStructuredText and Setext Markdown.
UNDERLINED = re.compile(r"^(\S[^\n]{0,98})\n([=~^*#+\"-])\2{2,99}[ \t]*$", re.MULTILINE)
SENTENCE_ENDS = (".", ",", ";", ":")
UNEVEN = 4  # columns by which a title and the line under it may differ; wide characters take two
INDENTED_SHARE = 0.6  # of the lines with text, from which a line at column 0 is no text


class Title(NamedTuple):
    """Be one heading without a number; `start` is the offset of its line."""

    start: int
    title: str


def find_titles(text: str, first: int, last: int) -> list[Title]:
    """Return the headings without a number, in order; `first` and `last` are the offsets of the numbered ones."""
    found = {m.start(): m[0] for m in STRONG_LINE.finditer(text) if blank_before(text, m.start())}
    weak = {m.start(): m[0] for m in WEAK_LINE.finditer(text) if blank_before(text, m.start())}
    if _is_indented(text):
        weak |= {m.start(1): m[1] for m in ALONE.finditer(text) if _is_title(m[1])}
    found |= {at: title for at, title in weak.items() if at < first or at > last}
    return [Title(at, " ".join(title.split()).rstrip(".:")) for at, title in sorted(found.items())]


def find_underlined(text: str) -> list[Heading]:
    """Return the underlined headings of a text, the kinds of line in the order in which they first come as levels."""
    levels: dict[str, int] = {}
    found = []
    for match in UNDERLINED.finditer(text):
        title, line = match[1].rstrip(), match[0].rstrip().rpartition("\n")[2]
        if not any(c.isalnum() for c in title) or "   " in title:
            continue
        if abs(len(line) - len(title)) <= max(UNEVEN, len(title) // 4) and blank_before(text, match.start()):
            found.append(Heading(match.start(), levels.setdefault(match[2], len(levels) + 1), title))
            if len(found) > MOST:
                return []
    return found


def _is_title(line: str) -> bool:
    return line[0].isupper() and not line.rstrip().endswith(SENTENCE_ENDS) and "   " not in line


def _is_indented(text: str) -> bool:
    """Tell whether the text is set in from its headings, as in RFCs from about 2000 on."""
    lines = [line for line in text[:200_000].split("\n") if line.strip()]
    return sum(line.startswith(" ") for line in lines) > INDENTED_SHARE * len(lines)
