"""Read the ways in which people write a section, and find the parts of a document that they mean."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from ..documents import FRONT_MATTER, Document, Section
from .folding import fold

SECTION = (
    r"(?:sub)?sections?|sect?s?\.?|§+|paragraphs?|paras?\.?|clauses?|abschnitte?s?|abs\.|ziffern?|nr\.|punkte?|"
    r"(?:под)?раздел\w{0,2}|разд\.|(?:под)?пункт\w{0,2}|п\.|параграф\w{0,2}"
)
APPENDIX = r"appendix|appendices|app\.|annex(?:es)?|anhangs?|приложени[еяию]|прил\.|附录|附錄"
CHAPTER = r"chapters?|chap\.|ch\.|articles?|art\.|parts?|artikels?|teile?s?"
# In German, Russian and Chinese texts these words also translate "section": they count where the number fits.
LOOSE_CHAPTER = r"kapitels?|kap\.|глав\w{0,2}|гл\."
PAGE = r"pages?|pgs?\.?|pp?\.?|seiten?|S\.|страниц\w{0,2}|стр\.|с\."
NUMBER = r"(?:[A-Z]\.)?\d+(?:\.\d+)*[a-z]?|[A-Z](?:\.\d+)*|[IVXLC]+"
# Kept as text: each takes about a millisecond to compile, and most citations name a label as it is.
NUMBERED = (
    rf"(?:(?P<section>{SECTION})|(?P<appendix>{APPENDIX})|(?P<chapter>{CHAPTER})|(?P<loose>{LOOSE_CHAPTER}))?"
    rf"\s*(?P<number>{NUMBER})(?![\w])"
)
PAGES = rf"(?:{PAGE})\s*(\d{{1,6}})(?:\s*[-,]\s*(\d{{1,6}}))?|第?\s*(\d{{1,6}})\s*[页頁]"
CJK_NUMBERED = (
    r"第\s*([\d.]+|[一二三四五六七八九十]{1,3})\s*(?:[节節]|小[节節]|(?P<loose>[章部篇])|(?P<article>[条條款项項]))"
    r"|(?P<last>[\d.]*\d)\s*[节節]"
)
CJK_DIGITS = {char: n for n, char in enumerate("一二三四五六七八九", 1)}
DOCUMENT_NAME = r"(?:\b(?:of|in|from|aus|von|des|der|из|в)\s+)?(?:\bthe\s+)?\[?\bRFC[ -]?\d+\b\]?|《[^》]*》"
NEXT = rf"\s*(,|;|/|and|und|и|&|-|to|bis|до|、|和|至)\s*(?:{SECTION})?\s*(\d+(?:\.\d+)*)(?![\w])"
STEPS = re.compile(r"\s*(?:->|[>→/]|: )\s*")  # between the headings of a path
AROUND_NAME = rf"^(?:(?:the +)?(?:{SECTION}) +|the +)|^[\"'(]+|[\"')]+$| +(?:section|abschnitt)$"
ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
COPY = re.compile(r" \(\d+\)$")  # the second section of one number is labelled "4.2 (2)"


class Cited(NamedTuple):
    """Say what a cited section means in one document."""

    parts: list[Section]
    pages: tuple[int, int] | None
    otherwise: bool | None  # what a place outside these parts is: False wrong, None not to be told


def look_up(document: Document, cited: str | None) -> Cited:
    """Find the parts of the document that a written section means."""
    if document.anchors and "#" in (cited or ""):
        from urllib.parse import unquote

        if (anchor := unquote((cited or "").partition("#")[2]).strip()) in document.anchors:
            return Cited([document.section_at(document.anchors[anchor])], None, False)
    text = fold(cited or "").text.lstrip("# ")
    if not text:
        return Cited([], None, None)
    parts = _by_name(document, text) or _by_name(document, re.sub(AROUND_NAME, "", text, flags=re.I))
    if parts:
        return Cited(parts, None, False)
    text = re.sub(DOCUMENT_NAME, "", text, flags=re.I).strip(" ,;:")
    text = text[1:-1] if text[:1] == "(" and text[-1:] == ")" else text
    page = re.fullmatch(PAGES, text, re.I)
    if page:
        numbers = [int(n) for n in page.groups() if n]
        named = [p for p in document.outline if p.label == f"p. {numbers[0]}"]
        return Cited(named, (numbers[0], numbers[-1]), False if named or document.page_marks else None)
    return _by_number(document, text) or _by_words(document, text)


def holds(document: Document, cited: Cited, start: int, end: int) -> bool | None:
    """Tell whether the passage `[start, end)` lies in the cited section or one of its subsections."""
    if cited.pages and document.page_marks:
        first, last = document.page_at(start) or 0, document.page_at(max(start, end - 1)) or 0
        return first <= cited.pages[1] and cited.pages[0] <= last
    here = document.section_at(start)
    return True if any(_within(here, part) for part in cited.parts) else cited.otherwise


def _by_name(document: Document, text: str) -> list[Section]:
    """Find a part by its label, the end of its heading path, or its title."""
    wanted = [part.strip() for part in STEPS.split(text.casefold())]
    exact, ending, titled = [], [], []
    for part in document.outline:
        label = _name(part.label)
        path = STEPS.split(COPY.sub("", label))
        if part.contents:
            continue
        if label == text.casefold() or path == wanted:
            exact.append(part)
        elif path[-len(wanted) :] == wanted:
            ending.append(part)
        elif part.title and _name(part.title) == text.casefold():
            titled.append(part)
    return exact or ending or titled


@lru_cache(maxsize=8192)  # a document of 1 MB has some 600 labels, and every citation looks through them
def _name(label: str) -> str:
    return fold(label).text.casefold()


def _by_words(document: Document, text: str) -> Cited:
    """Say that words which name no part are wrong where parts have names, if these words look like a name."""
    named = any(
        not _number(p.label) and p.label != FRONT_MATTER and not p.label.startswith("p. ") for p in document.outline
    )
    kind_and_number = re.fullmatch(r"\D{1,20}\s*\d[\d.]*\D?", text)
    return Cited([], None, False if named and not kind_and_number else None)


def _by_number(document: Document, text: str) -> Cited | None:
    """Find parts by their numbers; None when the text is not a number with or without its title."""
    spot = re.match(NUMBERED, text, re.I)
    far_east = re.match(CJK_NUMBERED, text)
    if far_east:
        numbers = [_far_east_number(far_east[1] or far_east["last"])]
        kind = "loose" if far_east["loose"] else "article" if far_east["article"] else "section"
    elif spot and _is_number(text, spot):
        numbers = _listed(document, text, spot)
        kind = next(name for name, words in spot.groupdict().items() if words)
    else:
        return None
    known = [part for part in document.outline if _number(part.label)]
    words = {"chapter": rf"(?:{CHAPTER})\s", "article": "第[^\n第]{1,6}[条條款项項]"}.get(kind)
    if words and not any(_says(document, part, words) for part in known):
        return Cited([], None, None)  # a count of its own, which this document's labels do not follow
    parts = [part for number in numbers for part in _numbered(known, number)]
    return Cited(parts, None, None if kind == "loose" or not known else False)


def _is_number(text: str, spot: re.Match[str]) -> bool:
    """Tell a section number from a word: "A" and "I" alone, "A. Title", but not "A gate"."""
    if spot["section"] or spot["appendix"] or spot["chapter"] or spot["loose"]:
        return True
    number, rest = spot["number"], text[spot.end() :]
    return number[0].isdigit() or (number.isupper() and rest[:1] in ("", ".", ":", ","))


def _listed(document: Document, text: str, spot: re.Match[str]) -> list[str]:
    """Read "4.1, 4.2" and "4.1 to 4.3"."""
    numbers, at = [spot["number"].rstrip(".")], spot.end()
    while (more := re.match(NEXT, text[at:], re.I)) is not None:
        if more[1].casefold() in ("-", "to", "bis", "до", "至"):
            order = [_number(part.label) for part in document.outline]
            if numbers[-1] in order and more[2] in order:
                numbers += [n for n in order[order.index(numbers[-1]) : order.index(more[2])] if n]
        numbers.append(more[2])
        at += more.end()
    return numbers


def _numbered(known: list[Section], number: str) -> list[Section]:
    """Find the parts with this number; 2 also means 2.0 and II."""
    for form in (
        number,
        number.upper(),
        f"{number}.0",
        number.removesuffix(".0"),
        _roman_of(number),
        _arabic_of(number),
    ):
        parts = [part for part in known if form and _number(part.label) == form]
        if parts:
            return parts
    return []


@lru_cache(maxsize=8192)
def _number(label: str) -> str | None:
    """Return the number that a label is, or begins with in the last part of a heading path."""
    last = COPY.sub("", label).split(" > ")[-1]
    spot = re.match(r"(\d+(?:\.\d+)*|[A-Z](?:\.\d+)+)\.?(?:\s|$)|([A-Z]|[IVXLC]+)\.?$", last)
    return (spot[1] or spot[2]) if spot else None


def _within(part: Section, cited: Section) -> bool:
    """Tell whether a part is the cited one or one of its subsections."""
    if part == cited or part.label.startswith(COPY.sub("", cited.label) + " > "):
        return True
    here, there = _number(part.label), _number(cited.label)
    return bool(here and there and here.startswith(there.removesuffix(".0") + "."))


def _says(document: Document, part: Section, words: str) -> bool:
    """Tell whether the heading of a part has one of these words before its number."""
    return bool(re.match(rf"\s*{words}", document.text[part.start : part.start + 40], re.I))


def _far_east_number(text: str) -> str:
    if text[0] not in "一二三四五六七八九十":
        return text.strip(".")
    tens, ten, ones = text.rpartition("十")
    return str((CJK_DIGITS.get(tens, 1) * 10 if ten else 0) + CJK_DIGITS.get(ones, 0))


def _arabic_of(text: str) -> str | None:
    if not text or not all(char in ROMAN for char in text):
        return None
    values = [ROMAN[char] for char in text] + [0]
    return str(sum(-a if a < b else a for a, b in pairwise(values)))


def _roman_of(text: str) -> str | None:
    if not text.isdigit() or len(text) > 2 or not 0 < int(text) < 90:
        return None
    tens = ("", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX")
    ones = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")
    return tens[int(text) // 10] + ones[int(text) % 10]
