"""Marks of footnotes, raised digits behind a word: a quote may leave them out, or have them as plain digits.

10² is not 102 and m² is not m, so only what cannot be a power is a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

RAISED = "⁰¹²³⁴-⁹⁽⁾"
RAISINGS = re.compile(f"[{RAISED}]+")
PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", "⁽⁾")
# ⁽¹⁾ is how readers write a raised link. Other raised digits are a mark behind a sentence or its part, and behind a
# word of four letters: variables and most units are shorter.
BEHIND = r"(?:(?<=[.,;:!?\"])|(?<=[^\W\d_⁰¹²³⁴-⁹]{4}))"
MARK = re.compile(rf"⁽[⁰¹²³⁴-⁹]{{1,3}}⁾|{BEHIND}[⁰¹²³⁴-⁹]{{1,3}}(?![\w/^])")
FIRST = re.compile(rf"{BEHIND}¹(?!\w)")
POWERS = ("²", "³")
MEASURED = re.compile(
    r"(?:(?:\d|\b(?:per|square|cubic|je|pro|par|на))\s?[^\W\d_]+"
    r"|(?:met(?:er|re)|inche?|yard|mile|second|sekunde|seconde|метр|секунд)\w{0,2}|f[eo][eo]t)$",
    re.I,
)
LOOK = 24  # characters before a mark: enough for a number and its unit
PLAIN_MARK = re.compile(r"(?:(?<=[.,;:!?\"])|(?<=[^\W\d_]))(?:\d{1,3}| ?\[\d{1,3}\])(?!\w)")


def mark_at(text: str, at: int) -> str:
    """Return the mark of a footnote that begins at `text[at]`; empty where none does."""
    found = MARK.match(text, at)
    if not found:
        return ""
    power = found[0] in POWERS and text[at - 1].isalpha()
    if power and (MEASURED.search(text[max(0, at - LOOK) : at]) or not _has_first(text)):
        return ""  # a text with notes has a first one
    return found[0]


@lru_cache(maxsize=1)  # each of many places in a text may ask
def _has_first(text: str) -> bool:
    return FIRST.search(text) is not None


def same_mark(mark: str, quote: str, at: int) -> int:
    """Return how many characters of the quote, from `quote[at]` on, are this mark: 0 where it is left out."""
    digits, raised = mark.translate(PLAIN), mark.strip("⁽⁾")
    forms = (f"[{digits}]", f" [{digits}]", digits, raised)
    return next((len(form) for form in forms if quote.startswith(form, at)), 0)


def without_marks(quote: str) -> Iterator[str]:
    """Yield the quote, and where it has plain digits that may be marks, the quote without them: places to look at."""
    yield quote
    bare = PLAIN_MARK.sub("", quote)
    if bare != quote:
        yield bare
