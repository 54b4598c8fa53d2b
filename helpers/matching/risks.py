"""What a difference may do to the meaning, and what a verbatim quote may leave out."""

from __future__ import annotations

import re

from . import vocabulary
from .scripts import MARKS, is_unspaced, words
from .vocabulary import BCP14, EXCEPTIONS, INSIDE, NEGATIONS, WORDS

SIGNS = re.compile(r"\d|[<>=≤≥≠±+×÷%‰°!]|-(?=\d)|(?<=\d)[ .,:/'’](?=\d)")
# An exception counts directly behind the quote, and a strong one anywhere in the rest of the sentence; a negation up
# to seven words, or twelve Chinese characters, before it.
AFTER = re.compile(
    r"\W*(?:(?:and|or|but|und|oder|et|ou|y|o|e|и|или) )?"
    rf"(?:(?:{vocabulary.TURNS})(?!\w)|{vocabulary.TURNS_INSIDE})|\s*(?:{vocabulary.DENIED})"
    rf"|.*?(?:\b(?:{vocabulary.STRONG})(?!\w)|{vocabulary.STRONG_INSIDE})",
    re.I,
)
BEFORE = re.compile(
    rf"\b(?:{vocabulary.DENIES})(?![\w‑-])(?:\W+\w+){{0,7}}\W*$"  # a "non-" turns its own word only
    rf"|(?:{vocabulary.HAN_NOT}|禁止).{{0,12}}$"
    rf"|\b(?:{vocabulary.ONLY})\W*$",
    re.I,
)
NO = re.compile(r"\bno\b", re.I)
TELLING = 3  # everyday words of a language near a quote: one or two of them stand in other languages too
SENTENCE_END = re.compile(r"[.!?؟।](?=\s|$)|[。！？]|\n[^\S\n]*\n(?=\s*(?:[*o•+-]|\d+[.)]|\S+$))")
SENTENCE = 400  # characters: longer stretches without a full stop are tables and code, not sentences
WORD = rf"(?:[^\W_][{MARKS}]*)+(?:['’]\w+)*"
FEW_WORDS = 3  # so many words could stand anywhere; a Chinese or Japanese word is about two characters
FEW_CHARACTERS = 4
LONGEST = 12  # characters: enough for a negation


def words_of(text: str) -> list[str]:
    return re.findall(WORD, text)


def risk_of(source: str, quote: str) -> str | None:
    """Name the gravest way in which this change of words may change what is said."""
    ours, theirs = words_of(source), words_of(quote)
    if source.casefold() == quote.casefold():
        return "modality" if _odd(ours, theirs) & BCP14 else None
    changed = {part for word in _odd(ours, theirs) for part in _parts(word.casefold().replace("’", "'"))}
    if any(word.endswith("n't") for word in changed):
        return "negation"
    for risk, known in WORDS.items():
        inside = re.findall(INSIDE[risk], source) != re.findall(INSIDE[risk], quote)
        if (
            changed & known
            or inside
            or (risk == "number" and (SIGNS.findall(source) != SIGNS.findall(quote) or _digits(changed)))
        ):
            return risk
    return None


def _odd(ours: list[str], theirs: list[str]) -> set[str]:
    """Return the words that one side has more often than the other, or elsewhere."""
    return set(ours) ^ set(theirs) if sorted(ours) != sorted(theirs) else set()


def _parts(word: str) -> set[str]:
    """Return a word and, where it is elided, its parts: "n'est" is "n'" and "est"."""
    head, mark, tail = word.partition("'")
    return {word, head + mark, tail} if mark else {word}


def _digits(words: set[str]) -> bool:
    return any(char.isdigit() or char.isnumeric() for word in words for char in word)


def gap_risk(gap: str) -> str | None:
    """Name the risk in words that an ellipsis leaves out: only what turns the sentence."""
    risk = risk_of(gap, "")
    if risk == "negation" or re.search(INSIDE["negation"], gap):
        return "negation"
    return (
        "exception"
        if {w.casefold() for w in words_of(gap)} & EXCEPTIONS or re.search(INSIDE["exception"], gap)
        else None
    )


def truncated(text: str, start: int, end: int) -> bool:
    """Tell whether the sentence around `text[start:end]` goes on with an exception, or began with a negation."""
    before, after = text[max(0, start - SENTENCE) : start], text[end : end + SENTENCE]
    ends = [spot.end() for spot in SENTENCE_END.finditer(before)]
    before = " ".join(before[ends[-1] if ends else 0 :].split())
    closed = SENTENCE_END.match(after) or SENTENCE_END.search(text[max(start, end - 1) : end])
    stop = SENTENCE_END.search(after)
    rest = "" if closed else " ".join(after[: stop.start() if stop else SENTENCE].split())
    around = text[max(0, start - SENTENCE) : end + SENTENCE]
    if NO.search(before) and _portuguese(around):
        before = NO.sub("", before)
    return bool(AFTER.match(rest) or BEFORE.search(before) or _condition(rest, around))


def _condition(rest: str, around: str) -> bool:
    """Tell whether the rest of a sentence begins with an "if" that only its language tells from another word."""
    si, se = vocabulary.SI.match(rest), vocabulary.SE.match(rest)
    if not si and not se:
        return False
    italian, others = (len(_words_in(around) & known) for known in (vocabulary.ITALIAN, vocabulary.NOT_ITALIAN))
    return others > italian if si else italian > others


def _portuguese(text: str) -> bool:
    """Tell whether the "no" of this text is Portuguese for "in the"."""
    return len(_words_in(text) & vocabulary.PORTUGUESE) >= TELLING


def _words_in(text: str) -> set[str]:
    return {word.casefold() for word in words_of(text)}


def negation_at(text: str, at: int) -> str:
    """Return the negation with which a text goes on at a place, and the blank before it; nothing if there is none."""
    around, text = text[max(0, at - SENTENCE) : at + SENTENCE], text[at : at + LONGEST]
    first = next(words(text), None)
    if first and NO.fullmatch(first[0]) and _portuguese(around):
        return ""
    if first and not text[: first.start()].strip() and first[0].casefold() in NEGATIONS:
        return text[: first.end()]
    inside = re.match(rf"\s*(?:{INSIDE['negation']})", text)
    return inside[0] if inside else ""


def short(quote: str) -> bool:
    """Tell whether the quote is so short that it could stand anywhere."""
    found = [word[0] for word in words(quote)]
    unspaced = sum(map(is_unspaced, (word[0] for word in found)))
    return unspaced < FEW_CHARACTERS if unspaced else len(found) <= FEW_WORDS


# Cyrillic and Greek letters that a reader takes for Latin ones.
LOOK_ALIKES = str.maketrans(
    "авеіјкмнорсѕтухАВЕІЈКМНОРСЅТУХΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαν", "abeijkmhopcstyxABEIJKMHOPCSTYXABEZHIKMNOPTYXoav"
)


def look_alike(source: str, quote: str) -> bool:
    """Tell whether two words differ only in letters of another alphabet that look the same."""
    seen = [text.translate(LOOK_ALIKES).casefold() for text in (source, quote)]
    return seen[0] == seen[1] and source.casefold() != quote.casefold()
