"""Lines that may be numbered headings: decimal numbers, Roman numerals, letters of appendices, Chinese chapters."""

from __future__ import annotations

import re
from typing import NamedTuple

from helpers.readers.chain import Number
from helpers.readers.lines import blank_after, blank_before

WORDS = "Section|Chapter|Part|Kapitel|Abschnitt|Teil|Глава|Раздел|Часть"
APPENDIX_WORDS = "Appendix|Appendices|Annex|Anhang|Приложение"
LARGEST_PART = 999  # larger parts are years or RFC numbers at the start of a line
LARGEST_FIRST = 99
MOST = 100_000  # candidates; more of them are a table's rows (RFC 8881, 1.6 MB, has 1,531)
LONGEST_TITLE = 300  # characters of a line that are looked at; where text follows on the line, it may be a paragraph
LONGEST_ITEM = 800  # characters of a list item that is looked through for its end
CHINESE_DIGITS = {c: i for i, c in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}

# The start of a candidate; a cheap look at every line of the document. What follows it decides in `_read`.
START = re.compile(
    rf"^[ \t]{{0,45}}(?:(?P<word>{WORDS})[ \t]+|(?P<appendix>(?:{APPENDIX_WORDS})[ \t:]+|附[录錄][ \t]*))?"
    r"(?:(?P<digits>\d{1,3}(?:\.\d{1,3}){0,8})(?![\d%,])"
    r"|(?P<letters>[A-ZА-Я](?:\.\d{1,3}){0,8})(?=[.:) \t\n-]+)"
    r"|(?P<roman>[IVXLC]{2,7})(?=[.:) \t\n-])"
    r"|第[ \t]*(?P<chinese>[零〇一二三四五六七八九十百两]{1,6}|\d{1,3})[ \t]*(?P<unit>[章篇节節]|部分)"
    r"|(?P<listed>[一二三四五六七八九十]{1,3})、)",
    re.MULTILINE | re.IGNORECASE,
)


class Candidate(NamedTuple):
    """Be one line that may be a heading; `text[start:end]` is the line without its line feed."""

    start: int
    end: int
    kind: str  # "digits", "roman", "letters" or "annexes" (appendices with a number)
    number: Number
    label: str
    title: str
    indent: int
    gap: int  # columns between numeral and title
    style: str  # what stands between number and title, blanks counted as one: ".", " ", ":"
    worded: bool  # "Section 1", "Appendix A"
    alone: int  # 1: a blank line before; 2: one after; 3: both
    introduced: float  # 1: the text before ends in a colon, as before a list; half of it for the item after, and so on
    neighbours: float = 0.0  # how many of the numbers before and after stand right there, as in a list


def find_candidates(text: str) -> list[Candidate]:
    """Return every line of the text that may be a numbered heading, in order; none where they are too many to be."""
    found: list[Candidate] = []
    chapter = 0
    for match in START.finditer(text):
        candidate = _read(text, match, chapter)
        if candidate:
            if found and (near := _follows(text, found[-1], candidate)):
                before = found[-1] = found[-1]._replace(neighbours=found[-1].neighbours + near)
                introduced = max(candidate.introduced, before.introduced / 2)
                candidate = candidate._replace(neighbours=near, introduced=introduced)
            found.append(candidate)
            if match["unit"] and len(candidate.number) == 1:
                chapter = candidate.number[0]
            if len(found) > MOST:
                return []
            if candidate.label in ROMAN and not match["appendix"]:  # "I." and "V." are either
                found.append(candidate._replace(kind="roman", number=(ROMAN[candidate.label],)))
    return found


def _read(text: str, match: re.Match[str], chapter: int) -> Candidate | None:
    """Return the candidate that begins with this match, or None when its form is not a heading's."""
    start = match.start()
    end = text.find("\n", match.end())
    end = len(text) if end < 0 else end
    read = _number(match, chapter)
    if read is None:
        return None
    kind, number, label = read
    rest = text[match.end() : min(end, match.end() + LONGEST_TITLE)]
    title = rest.lstrip(".:)-–—．：、 \t　")
    style = rest[: len(rest) - len(title)].strip()[:1] or " "
    worded = bool(match["word"] or match["appendix"] or match["unit"])
    plain = worded or len(number) > 1  # "A.1 Title" needs no full stop, "A title" is a sentence
    if not _title_fits(rest, title, kind=kind, style=style, worded=plain if kind == "letters" else worded):
        return None
    gap = len(rest) - len(title)
    indent = len(match[0]) - len(match[0].lstrip())
    alone = blank_before(text, start) + 2 * blank_after(text, end)
    return Candidate(
        start, end, kind, number, label, title.rstrip(), indent, gap, style, worded, alone, _introduced(text, start)
    )


def _follows(text: str, one: Candidate, other: Candidate) -> float:
    """Return how near `other` follows if it is the next number: 1 without text between, 0.5 with hanging lines only."""
    if other.number != (*one.number[:-1], one.number[-1] + 1) or other.indent != one.indent:
        return 0.0
    if other.start - one.end > LONGEST_ITEM:
        return 0.0
    between = text[one.end : other.start].rstrip().split("\n")
    if len(between) == 1:
        return 1.0
    return (
        0.5
        if all(len(line) - len(line.lstrip()) > one.indent for line in between[1:]) and "" not in between[1:]
        else 0.0
    )


def _introduced(text: str, start: int) -> float:
    """Tell whether the last character before this offset that is not blank is a colon."""
    at = start - 1
    while at >= 0 and text[at].isspace():
        at -= 1
    return float(at >= 0 and text[at] in ":：")


def _number(match: re.Match[str], chapter: int) -> tuple[str, Number, str] | None:
    """Return (kind, number, label) of the numeral in the match."""
    if match["chinese"] or match["listed"]:
        part = _chinese(match["chinese"] or match["listed"])
        number: Number = (chapter, part) if match["unit"] in ("节", "節") and chapter else (part,)
        return "digits", number, ".".join(map(str, number))
    if match["digits"]:
        number = tuple(map(int, match["digits"].split(".")))
        if number[0] > LARGEST_FIRST or max(number) > LARGEST_PART:
            return None
        label = ".".join(str(int(part)) for part in match["digits"].split("."))
        return ("annexes", number, f"Appendix {label}") if match["appendix"] else ("digits", number, label)
    numeral = match["roman"] or match["letters"]
    if numeral != numeral.upper():
        return None
    if match["roman"]:
        value = _roman(numeral)
        if match["appendix"]:
            return ("annexes", (value,), f"Appendix {numeral}") if value else None
        return ("roman", (value,), numeral) if value else None
    letter, *parts = numeral.split(".")
    return "letters", (ord(letter) - ord("A" if letter < "А" else "А") + 1, *map(int, parts)), numeral


def _title_fits(rest: str, title: str, *, kind: str, style: str, worded: bool) -> bool:
    if not title:
        return kind == "digits" or worded
    if not any(c.isalpha() for c in title):  # "10.1.  200" is a heading, a row of figures is not
        return style == "." and title.isalnum() and kind == "digits"
    if rest[:1] not in ".:)-–—．：、 \t　" and not worded:
        return not title[0].isascii()  # "1概述"
    if rest == title and not worded:
        return not title[0].isascii()
    if style == "." and rest[1:] == title and not title[0].isupper():  # "1.Introduction" is one, "1.5V" is not
        return not title[0].isascii()
    return kind == "digits" or style != " " or worded


def _chinese(numeral: str) -> int:
    """Return the value of a Chinese numeral below 1000, or of digits."""
    if numeral.isascii():
        return int(numeral)
    total = digit = 0
    for c in numeral:
        if c in "十百":
            total += (digit or 1) * (10 if c == "十" else 100)
            digit = 0
        else:
            digit = CHINESE_DIGITS[c]
    return total + digit


def _roman(numeral: str) -> int:
    """Return the value of a well-formed Roman numeral, else 0."""
    if not re.fullmatch("C{0,3}(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})", numeral):
        return 0
    values = [ROMAN[c] for c in numeral]
    return sum(-v if v < max(values[i:]) else v for i, v in enumerate(values))
