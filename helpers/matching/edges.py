"""Where a hit may begin and end: not inside a word, not inside a number, not right behind a `non-`."""

from __future__ import annotations

import re
import unicodedata

from .folding import Folded
from .numbers import number_at
from .scripts import is_hangul, is_unspaced

# Without these it means the opposite; but "UN-" is the United Nations.
PREFIX = re.compile(r"\b(?:non?|anti|(?-i:[Uu]n)|nicht|niet|nie|não|не)-$|(?:[不未无無非没沒勿]|ไม่|ห้าม)$", re.I)
LOOK = 8  # characters before a hit that can matter


def whole(folded: Folded, start: int, end: int) -> bool:
    """Tell whether `text[start:end]` begins and ends at edges of words and numbers."""
    return begins(folded, start) and ends(folded, end)


def begins(folded: Folded, start: int) -> bool:
    """Tell whether a word or number can begin at `start`."""
    if not start:
        return True
    text = folded.text
    return not (one_word(text[start - 1], text[start]) or prefix_at(text, start) or number_at(folded, start))


def ends(folded: Folded, end: int) -> bool:
    """Tell whether a word or number can end before `end`."""
    text = folded.text
    if end >= len(text):
        return True
    return not (one_word(text[end - 1], text[end]) or elided(text, end) or number_at(folded, end))


def prefix_at(text: str, at: int) -> str:
    """Return what is set right before `text[at]` and turns its meaning around: the "non-" of "non-empty"."""
    found = PREFIX.search(text[max(0, at - LOOK) : at])
    return found[0] if found else ""


def elided(text: str, at: int) -> bool:
    """Tell whether there is an apostrophe inside a word right before or behind the border: "don't".

    In scripts where words have no edges, and in Korean, where endings follow quotation marks, it is a quotation mark.
    """
    if "'" not in text[at - 1 : at + 1]:
        return False
    around = text[at - 2 : at + 1] if text[at - 1] == "'" else text[at - 1 : at + 2]
    return len(around) == 3 and all(
        char.isalpha() and not is_unspaced(char) and not is_hangul(char) for char in (around[0], around[2])
    )


def one_word(left: str, right: str) -> bool:
    """Tell whether two neighbours belong to one word; scripts without blanks have no edges of words."""
    if not (left.isalnum() or left == "_" or _accent(left)) or not (right.isalnum() or right == "_" or _accent(right)):
        return False
    return _accent(right) or not (is_unspaced(left) or is_unspaced(right))


def _accent(char: str) -> bool:
    return char > "\x7f" and unicodedata.category(char)[0] == "M"
