"""Where a hit may begin and end: not inside a word, not inside a number, not right behind a `non-`."""

from __future__ import annotations

import re
import unicodedata

from .folding import Folded
from .numbers import number_at
from .scripts import is_unspaced

PREFIX = re.compile(
    r"\b(?:non?|anti|un|nicht|niet|nie|não|не)-$|(?:[不未无無非没沒勿]|ไม่|ห้าม)$", re.I
)  # without these it means the opposite
LOOK = 8  # characters before a hit that can matter


def whole(folded: Folded, start: int, end: int) -> bool:
    """Tell whether `text[start:end]` begins and ends at edges of words and numbers."""
    return begins(folded, start) and ends(folded, end)


def begins(folded: Folded, start: int) -> bool:
    """Tell whether a word or number can begin at `start`."""
    text = folded.text
    before = text[max(0, start - LOOK) : start]
    if not before:
        return True
    return not (_one_word(before[-1], text[start]) or PREFIX.search(before) or number_at(folded, start))


def ends(folded: Folded, end: int) -> bool:
    """Tell whether a word or number can end before `end`."""
    last, after = folded.text[end - 1], folded.text[end : end + 2]
    if not after:
        return True
    if _one_word(last, after[0]) or (after[0] == "'" and last.isalpha() and after[1:].isalpha()):
        return False
    return number_at(folded, end) is None


def _one_word(left: str, right: str) -> bool:
    """Tell whether two neighbours belong to one word; scripts without blanks have no edges of words."""
    if not (left.isalnum() or left == "_" or _accent(left)) or not (right.isalnum() or right == "_" or _accent(right)):
        return False
    return _accent(right) or not (is_unspaced(left) or is_unspaced(right))


def _accent(char: str) -> bool:
    return char > "\x7f" and unicodedata.category(char)[0] == "M"
