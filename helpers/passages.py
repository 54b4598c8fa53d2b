"""What is sent of a section: all of it, or, where a model could not read that much, the passage around the quote."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING, NamedTuple

from .asking.tokens import FIRST_WIDE, TOKENS_PER_WIDE, tokens_of

if TYPE_CHECKING:
    from .locating import Trace

LONGEST = 30_000  # tokens of one section: 32k may be sent, and claim and question need room; about 120,000 characters
PIECE = 8_000  # characters of a paragraph that is kept whole; one without even lines is cut at this length

_PARAGRAPH, _LINE = r"\n[^\S\n]*\n\s*", "\n"


class Passage(NamedTuple):
    """Be the text that is judged; `start` and `end` are its offsets in the document if it is only part of a section."""

    text: str
    start: int | None = None
    end: int | None = None


def choose_passage(found: Trace, claim: str) -> Passage:
    """Return the located section; of one that is too long, what is around the quote, else around the claim's words."""
    section = found.section or ""
    if fits(section):
        return Passage(section)
    base = _offset_of(found, section)
    span = (found.match.start - base, found.match.end - base) if found.match else None
    first, last = _cut(section, claim, span)
    return Passage(section[first:last].strip(), base + first, base + last)


def passage_for(claim: str, section: str) -> str:
    """Return a section, or of one that is too long the part that shares the claim's rare words."""
    if fits(section):
        return section
    first, last = _cut(section, claim, None)
    return section[first:last].strip()


def fits(section: str) -> bool:
    """Say whether a model can read the whole section."""
    return len(section) * TOKENS_PER_WIDE <= LONGEST or tokens_of(section) <= LONGEST


def _cut(section: str, claim: str, span: tuple[int, int] | None) -> tuple[int, int]:
    borders = _borders(section)
    if span is None:
        pieces = [section[start:end] for start, end in pairwise(borders)]
        start = borders[rank(claim, pieces)[0]]
        span = start, start + 1
    return _grow(section, borders, max(0, span[0]), min(len(section), span[1]))


def _offset_of(found: Trace, section: str) -> int:
    """Return where the section's text begins in its document; 0 for a plain dict, whose offsets count from there."""
    if found.document is None:
        return 0
    text, at = found.document.text, found.match.start if found.match else None
    for part in found.document.outline:
        if (at is None or part.start <= at < part.end) and found.document.section_text(part) == section:
            return text.index(section, part.start)
    return max(0, text.find(section))


def _borders(text: str) -> list[int]:
    """Return the offsets at which text may be cut: between paragraphs, in long ones between lines, else anywhere."""
    paragraphs = _split(text, 0, len(text), _PARAGRAPH)
    lines = [cut for start, end in pairwise(paragraphs) for cut in _split(text, start, end, _LINE)[:-1]]
    pieces = [cut for start, end in pairwise([*lines, len(text)]) for cut in range(start, end, _step(end - start))]
    return [*pieces, len(text)]


def _split(text: str, start: int, end: int, ending: str) -> list[int]:
    """Return the borders of the parts of `text[start:end]`; of a short one that is to be kept whole its two ends."""
    if end - start <= PIECE:
        return [start, end]
    ends = [m.end() for m in re.compile(ending).finditer(text, start, end)]
    return [start, *(cut for cut in ends if cut < end), end]


def _step(length: int) -> int:
    return PIECE if length > PIECE else max(1, length)


def _grow(text: str, borders: list[int], start: int, end: int) -> tuple[int, int]:
    """Widen `[start, end)` by whole pieces, before and after in turn, while a model can read it."""
    first = bisect_right(borders, start) - 1
    last = next((i for i, border in enumerate(borders) if border >= end), len(borders) - 1)
    room = LONGEST - tokens_of(text[borders[first] : borders[last]])
    grown = True
    while grown:
        grown = False
        if first > 0 and (cost := tokens_of(text[borders[first - 1] : borders[first]])) <= room:
            first, room, grown = first - 1, room - cost, True
        if last < len(borders) - 1 and (cost := tokens_of(text[borders[last] : borders[last + 1]])) <= room:
            last, room, grown = last + 1, room - cost, True
    return borders[first], borders[last]


def rank(claim: str, texts: Sequence[str]) -> list[int]:
    """Return the indexes of the texts, those first that share the claim's rare words and are not just long.

    Okapi BM25 with its usual constants (k1 1.2, b 0.75), each word counted once a text.
    """
    wanted = set(words(claim))
    counted = [_counted(text) for text in texts]
    held = [wanted & found for found, _ in counted]
    spread = Counter(word for shared in held for word in shared)
    usual = sum(length for _, length in counted) / max(1, len(texts)) or 1
    scores = [
        sum(log(len(texts) / spread[word]) for word in shared) / (1 + 1.2 * (0.25 + 0.75 * length / usual))
        for shared, (_, length) in zip(held, counted, strict=True)
    ]
    return sorted(range(len(texts)), key=lambda i: -scores[i])


@lru_cache(maxsize=4096)  # sections: each claim that a section says nothing about ranks all of them
def _counted(text: str) -> tuple[frozenset[str], int]:
    found = words(text)
    return frozenset(found), len(found)


def words(text: str) -> list[str]:
    """Return the words of a text, folded; of scripts without blanks each pair of neighbouring characters.

    >>> words("The JWT 令牌必须")
    ['the', 'jwt', '令牌', '牌必', '必须']
    """
    found = re.findall(r"[^\W\u2e80-\U0010ffff]+|[\u2e80-\U0010ffff]+", text.casefold())
    return [part for word in found for part in (pairs(word) if word[0] >= FIRST_WIDE else [word])]


def pairs(word: str) -> list[str]:
    """Return each two neighbouring characters of a word; a single character as it is."""
    return [a + b for a, b in pairwise(word)] or [word]
