"""Damage sentences of the user's own document on purpose, and count what step 1 gets wrong on them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from textwrap import fill
from typing import Any, NamedTuple

from .documents import Document
from .locating import trace
from .matching.scripts import words

SHORTEST, LONGEST = 50, 320  # characters of a sentence that is damaged: enough words to change one of them
SHOWN = 5  # wrong answers of a kind, in the table
SENTENCE = re.compile(
    r"(?<=[.!?]\s)\s*[^\W\d_a-z][^.!?]{20,}(?:[.!?](?![\s])[^.!?]*)*[.!?](?=\s)|(?<=[。！？\n])[^。！？\n]{8,}[。！？]"
)
SWAPS = {
    "MUST": "SHOULD",
    "SHOULD": "MAY",
    "MAY": "MUST",
    "SHALL": "MAY",
    "must": "may",
    "should": "must",
    "may": "must",
}
SWAPS |= {"can": "must", "will": "may", "muss": "kann", "kann": "muss", "soll": "darf"}
SWAPS |= {"должен": "может", "может": "должен"}
SWAPS |= {"必须": "可以", "可以": "必须", "应": "可", "应当": "可以"}
NEGATED = {"not", "NOT", "nicht", "не", "不"}


class Sample(NamedTuple):
    """Hold a sentence to damage, another one to damage it with, and the document's words."""

    text: str
    other: str
    words: list[str]
    rng: random.Random


class Kind(NamedTuple):
    """Name one way to damage a sentence; a harmless one leaves the source's own words."""

    name: str
    harmless: bool
    damage: Callable[[Sample], str | None]  # None: this sentence cannot be damaged so


def selftest(document: Document, seed: int = 0, quotes: int = 100) -> dict[str, Any]:
    """Return, for each kind of damage, how many altered quotes were accepted and how many honest ones accused.

    `wrong` holds these quotes. The same seed damages the same sentences in the same way.
    """
    rng = random.Random(seed)
    plain = " ".join(document.text.split())
    sentences = sentences_of(document)
    rng.shuffle(sentences)
    vocabulary = sorted({word[0] for text in sentences for word in words(text)})
    samples = [Sample(text, rng.choice(sentences), vocabulary, rng) for text in sentences[:quotes]]
    return {"source": document.name, "kinds": [_count(document, kind, samples, plain) for kind in KINDS]}


def selftest_table(data: dict[str, Any]) -> str:
    """Return the counts as a table, with what they mean, and some of the quotes that went wrong."""
    rows = [
        f"{data['source']}: quotes damaged on purpose",
        "",
        f"{'kind of quote':34}{'quotes':>7}{'wrong':>7}  what went wrong",
    ]
    for harmless, title in ((True, "honest quotes, to be found"), (False, "altered quotes, never to be found")):
        rows.append(f"{title}")
        for kind in (k for k in data["kinds"] if k["harmless"] is harmless):
            wrong = kind["accused"] if harmless else kind["accepted"]
            words = ("honest, but not found" if harmless else "altered, but found") if wrong else ""
            rows.append(f"  {kind['kind']:32}{kind['quotes']:>7}{wrong:>7}  {words}".rstrip())
    accused, accepted = (sum(kind[key] for kind in data["kinds"]) for key in ("accused", "accepted"))
    if not any(kind["quotes"] for kind in data["kinds"]):
        rows[2:] = [f"no sentence of running text has {SHORTEST} to {LONGEST} characters: nothing was damaged"]
    for kind in (k for k in data["kinds"] if k["wrong"]):
        rows += ["", f"{kind['kind']}:", *(f"  {quote!r}" for quote in kind["wrong"][:SHOWN])]
        if (more := len(kind["wrong"]) - SHOWN) > 0:
            rows.append(f"  {more} more; --json names all")
    return "\n".join([*rows, "", f"{accused} honest quotes accused, {accepted} altered quotes accepted"])


def sentences_of(document: Document) -> list[str]:
    """Return sentences of running text, blanks evened out; tables, lists and code have wide gaps inside."""
    found: dict[str, None] = {}
    for part in document.outline:
        if part.contents:
            continue
        for spot in SENTENCE.finditer(document.text[part.start : part.end]):
            raw = spot[0].strip()
            text = re.sub(r"(?<=\w-)\s*\n\s*(?=\w)", "", raw)
            running = not re.search(r"\S {3,}\S|\n\s*\n", raw) and sum(map(str.isalnum, raw)) > 0.6 * len(raw)
            text = " ".join(text.split())
            if running and (SHORTEST <= len(text) <= LONGEST or (ord(max(text)) > 0x2E7F and len(text) < LONGEST)):
                found[text] = None
    return list(found)


def _count(document: Document, kind: Kind, samples: list[Sample], plain: str) -> dict[str, Any]:
    quotes = [quote for sample in samples if (quote := kind.damage(sample))]
    if not kind.harmless:
        quotes = [quote for quote in quotes if " ".join(quote.split()) not in plain]
    found = [trace(document, {"quote": quote, "section": None}).status == "found" for quote in quotes]
    wrong = [quote for quote, is_found in zip(quotes, found, strict=True) if is_found is not kind.harmless]
    return {
        "kind": kind.name,
        "harmless": kind.harmless,
        "quotes": len(quotes),
        "accepted": 0 if kind.harmless else len(wrong),
        "accused": len(wrong) if kind.harmless else 0,
        "wrong": wrong,
    }


def _typography(s: Sample) -> str:
    text = re.sub(r'"([^"]*)"', "“\\1”", s.text.replace("'", "’"))
    return text.replace("fi", "ﬁ").replace("fl", "ﬂ").replace("...", "…").replace(" ", "\u00a0", 1).replace("-", "‑")


def _rewrapped(s: Sample) -> str:
    return fill(s.text, s.rng.randint(28, 60), subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)


def _hyphenated(s: Sample) -> str | None:
    long = [w for w in words(s.text) if len(w[0]) > 6 and w[0].isalpha()]
    if not long:
        return None
    word = s.rng.choice(long)
    cut = word.start() + s.rng.randint(3, len(word[0]) - 3)
    return f"{s.text[:cut]}-\n   {s.text[cut:]}"


def _soft_hyphens(s: Sample) -> str:
    return re.sub(r"([^\W\d_]{4})([^\W\d_]{3})", "\\1\u00ad\\2", s.text)


def _marked_up(s: Sample) -> str | None:
    spot = _inner_word(s)
    return f"{s.text[: spot.start()]}**{spot[0]}**{s.text[spot.end() :]}" if spot else None


def _cut_short(s: Sample) -> str | None:
    spots = [w for w in words(s.text) if s.text[w.end() : w.end() + 1] == " "]
    return s.text[: spots[len(spots) * 2 // 3].end()] if len(spots) > 8 else None


def _inner_word(s: Sample) -> re.Match[str] | None:
    """Choose a word that is neither the first nor the last one, nor part of a compound, and not in marks already."""
    spots = [w for w in list(words(s.text))[1:-1] if (w[0].isalpha() and len(w[0]) > 1) or ord(w[0][0]) > 0x2E7F]
    free = [
        w
        for w in spots
        if not re.match(r"[-'’.*`_]\w", s.text[w.end() :]) and not re.search(r"\w?[-'’.*`_]$", s.text[: w.start()])
    ]
    return s.rng.choice(free) if free else None


def _put(s: Sample, spot: re.Match[str], word: str) -> str:
    return s.text[: spot.start()] + word + s.text[spot.end() :]


def _word_changed(s: Sample) -> str | None:
    spot = _inner_word(s)
    return _put(s, spot, s.rng.choice([w for w in s.words if w != spot[0]])) if spot and len(s.words) > 1 else None


def _word_dropped(s: Sample) -> str | None:
    spot = _inner_word(s)
    return re.sub(r"  +", " ", _put(s, spot, "")) if spot else None


def _case(s: Sample) -> str | None:
    spot = _inner_word(s)
    return _put(s, spot, spot[0].swapcase()) if spot and spot[0].swapcase() != spot[0] else None


def _modality(s: Sample) -> str | None:
    words = [w for w in SWAPS if re.search(_alone(w), s.text)]
    return re.sub(_alone(words[0]), SWAPS[words[0]], s.text, count=1) if words else None


def _negation(s: Sample) -> str | None:
    present = [w for w in NEGATED if re.search(_alone(w), s.text)]
    if present:
        return " ".join(re.sub(_alone(present[0]), "", s.text, count=1).split())
    verb = re.search(r"\b(?:MUST|SHOULD|MAY|must|should|may|is|are|can|will|ist|sind|kann|muss|может|должен)\b", s.text)
    return f"{s.text[: verb.end()]} not{s.text[verb.end() :]}" if verb else None


def _alone(word: str) -> str:
    return word if ord(word[0]) > 0x2E7F else rf"\b{word}\b"


def _number(s: Sample) -> str | None:
    spot = re.search(r"\d", s.text)
    return _put(s, spot, str((int(spot[0]) + s.rng.randint(1, 9)) % 10)) if spot and spot[0].isdecimal() else None


def _ellipsis(s: Sample) -> str | None:
    words = s.text.split(" ")
    return " ".join([*words[: len(words) // 3], "…", *words[-(len(words) // 3) :]]) if len(words) > 11 else None


def _bracket(s: Sample) -> str | None:
    spot = _inner_word(s)
    return _put(s, spot, f"{spot[0]} [sic]") if spot else None


def _stitched(s: Sample) -> str | None:
    if s.text == s.other:
        return None
    first, second = s.text.split(" "), s.other.split(" ")
    return " ".join(first[: len(first) // 2] + second[len(second) // 2 :])


def _shuffled(s: Sample) -> str:
    words = s.text.split(" ")
    s.rng.shuffle(words)
    return " ".join(words)


KINDS = [
    Kind("as it stands", True, lambda s: s.text),
    Kind("typographic characters", True, _typography),
    Kind("wrapped otherwise", True, _rewrapped),
    Kind("hyphenated at a line end", True, _hyphenated),
    Kind("soft hyphens", True, _soft_hyphens),
    Kind("a word in bold", True, _marked_up),
    Kind("in quotation marks", True, lambda s: f"“{s.text}”"),
    Kind("full stop replaced by a comma", True, lambda s: s.text[:-1] + "," if s.text.endswith(".") else None),
    Kind("cut short", True, _cut_short),
    Kind("a word in another case", False, _case),
    Kind("a word changed", False, _word_changed),
    Kind("a word dropped", False, _word_dropped),
    Kind("MUST, SHOULD, MAY exchanged", False, _modality),
    Kind("a not added or dropped", False, _negation),
    Kind("a digit changed", False, _number),
    Kind("an ellipsis inside", False, _ellipsis),
    Kind("an editor's bracket", False, _bracket),
    Kind("halves of two sentences", False, _stitched),
    Kind("the words in another order", False, _shuffled),
]
