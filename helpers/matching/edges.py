"""Where a hit may begin and end: not inside a word, not inside a number, not right behind a `non-`."""

from __future__ import annotations

import re
import unicodedata

from .scripts import is_unspaced

NUMBER_GOES_ON = re.compile(r"[-.,/:^]\d|[%‰°]")
NUMBER_BEGAN = re.compile(r"\d[-.,/:^]$|(?<![^\s([])[-+±]$")
PREFIX = re.compile(r"\b(?:non|anti|un|nicht|не)-$|[不未无無非没沒勿]$", re.I)  # without these it means the opposite
LOOK = 8  # characters before a hit that can matter


def whole(text: str, start: int, end: int) -> bool:
    """Tell whether `text[start:end]` begins and ends at edges of words and numbers."""
    return begins(text, start) and ends(text, end)


def begins(text: str, start: int) -> bool:
    """Tell whether a word or number can begin at `start`."""
    before, first = text[max(0, start - LOOK) : start], text[start]
    if not before:
        return True
    if _one_word(before[-1], first) or PREFIX.search(before) or (first.isdigit() and NUMBER_BEGAN.search(before)):
        return False
    return not (first in ".," and before[-1].isdigit() and text[start + 1 : start + 2].isdigit())


def ends(text: str, end: int) -> bool:
    """Tell whether a word or number can end before `end`."""
    last, after = text[end - 1], text[end : end + 2]
    if not after:
        return True
    if _one_word(last, after[0]) or (after[0] == "'" and last.isalpha() and after[1:].isalpha()):
        return False
    if last.isdigit() and NUMBER_GOES_ON.match(after):
        return False
    return not (last in ".," and text[end - 2 : end - 1].isdigit() and after[0].isdigit())


def _one_word(left: str, right: str) -> bool:
    """Tell whether two neighbours belong to one word; scripts without blanks have no edges of words."""
    if not (left.isalnum() or left == "_" or _accent(left)) or not (right.isalnum() or right == "_" or _accent(right)):
        return False
    return not (is_unspaced(left) or is_unspaced(right))


def _accent(char: str) -> bool:
    return char > "\x7f" and unicodedata.category(char)[0] == "M"
