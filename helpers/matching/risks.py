"""What a difference may do to the meaning, and what a verbatim quote may leave out."""

from __future__ import annotations

import re

from .scripts import is_unspaced, words


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# English, German and Russian words, lower case. BCP 14 words are compared with their case first.
NEGATIONS = _words(
    "not no never none nor neither without cannot nothing nobody nowhere non "
    "nicht kein keine keinen keiner keinem keines nie niemals nichts weder ohne "
    "не нет ни никогда нельзя без никто ничто ничего никакой"
)
MODALS = _words(
    "must shall should may can will would could might ought required recommended optional need needs "
    "muss muß müssen soll sollen sollte sollten darf dürfen kann können könnte wird mag erforderlich empfohlen "
    "должен должна должно должны может могут можно следует обязан обязана обязаны необходимо рекомендуется "
    "обязательно"
)
BCP14 = _words("MUST SHALL SHOULD MAY REQUIRED RECOMMENDED OPTIONAL NOT")
QUANTIFIERS = _words(
    "all any each every only some many most few least most both either several always sometimes often usually rarely "
    "alle allen aller jede jeder jedes jeden nur einige manche mindestens höchstens immer manchmal oft "
    "все всех каждый каждая каждое только лишь некоторые любой любая любые всегда иногда часто"
)
EXCEPTIONS = _words(
    "unless except excepting if when until provided otherwise but "
    "außer wenn falls sofern bis ausgenommen "
    "если кроме пока когда исключением"
)
NUMBERS = _words(
    "zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty sixty seventy "
    "eighty ninety hundred thousand million first second third half twice once percent "
    "seconds minute minutes hour hours day days week weeks month months year years ms "
    "kb mb gb bit bits byte bytes octet octets "
    "ein zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig hundert tausend "
    "один два три четыре пять шесть семь восемь девять десять двадцать сто тысяча"
)
# Chinese and Japanese words are not set apart by blanks, so they are looked for inside the change.
INSIDE = {
    "negation": "[不未无無非没沒勿莫]|禁止|ない|ません",
    "modality": ("必须|必須|必需|应当|應當|应该|應該|应|應|可以|可能|可|须|須|能|需要|需|得|推荐|推薦|可选|べき"),
    "number": "[一二两兩三四五六七八九十百千万萬亿億零]",
    "exception": "除非|除了|除外|如果|若|直到|否则|否則",
    "quantifier": "所有|全部|每|任何|任意|只|仅|僅|至少|至多|某些|一些|都",
}
WORDS = {
    "negation": NEGATIONS,
    "modality": MODALS,
    "number": NUMBERS,
    "exception": EXCEPTIONS,
    "quantifier": QUANTIFIERS,
}
SIGNS = re.compile(r"\d|[<>=≤≥≠±+×÷%‰°!]|-(?=\d)")
TURNS = (
    "unless|except|only|if|when|until|provided|otherwise|but|not|never|außer|wenn|falls|sofern|bis|nicht|nie"
    "|кроме|если|пока|за исключением|не|除非|除了|但"
)
DENIES = (
    r"not|never|no|nor|neither|without|cannot|non|\w+n['’]t|nicht|kein\w*|nie|niemals|weder|ohne|не|нет|ни|нельзя|без"
)
# An exception counts directly behind the quote, and a strong one anywhere in the rest of the sentence; a negation up
# to seven words, or twelve Chinese characters, before it.
AFTER = re.compile(
    rf"\W*(?:and |or |but )?(?:{TURNS})(?!\w*[a-zа-я])"
    r"|.*?\b(?:unless|except|provided that|es sei denn|за исключением)\b",
    re.I,
)
BEFORE = re.compile(
    rf"\b(?:{DENIES})\b(?:\W+\w+){{0,7}}\W*$"
    r"|(?:[不未无無非没沒勿]|禁止).{0,12}$"
    r"|\b(?:only|nur|только|лишь)\W*$",
    re.I,
)
SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？]|\n\s*\n(?=\s*(?:[*o•+-]|\d+[.)]|\S+$))")
SENTENCE = 400  # characters: longer stretches without a full stop are tables and code, not sentences
FEW_WORDS = 3  # so many words could stand anywhere; a Chinese or Japanese word is about two characters
FEW_CHARACTERS = 4


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['’]\w+)*", text)


def risk_of(source: str, quote: str) -> str | None:
    """Name the gravest way in which this change of words may change what is said."""
    ours, theirs = words_of(source), words_of(quote)
    if source.casefold() == quote.casefold():
        return "modality" if _odd(ours, theirs) & BCP14 else None
    changed = {word.casefold().replace("’", "'") for word in _odd(ours, theirs)}
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
    return bool(AFTER.match(rest) or BEFORE.search(before))


def negation_at(text: str) -> str:
    """Return the negation with which a text begins, and the blank before it; nothing if it begins otherwise."""
    first = next(words(text), None)
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
