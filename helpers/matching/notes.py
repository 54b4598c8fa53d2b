"""Marks of footnotes, raised digits behind a word: a quote may leave them out, or have them as plain digits.

10² is not 102 and m² is not m, so only what cannot be a power is a mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

RAISED = "⁰¹²³⁴-⁹⁽⁾"
RAISINGS = re.compile(f"[{RAISED}]+")
PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", "⁽⁾")
# ⁽¹⁾ is how readers write a raised link. Other raised digits are a mark behind a sentence or its part, and behind a
# word of four letters, for variables and most units are shorter; but a lone ² or ³ there may belong to "metre".
MARK = re.compile(
    r"⁽[⁰¹²³⁴-⁹]{1,3}⁾"
    r"|(?:(?<=[.,;:!?\"])|(?<=[^\W\d_⁰¹²³⁴-⁹]{4})(?![²³](?![⁰¹²³⁴-⁹])))[⁰¹²³⁴-⁹]{1,3}(?![\w/^])"
)
PLAIN_MARK = re.compile(r"(?:(?<=[.,;:!?\"])|(?<=[^\W\d_]))(?:\d{1,3}| ?\[\d{1,3}\])(?!\w)")


def mark_at(text: str, at: int) -> str:
    """Return the mark of a footnote that begins at `text[at]`; empty where none does."""
    found = MARK.match(text, at)
    return found[0] if found else ""


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
