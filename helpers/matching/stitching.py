"""Tell a quote that was put together from pieces of different sentences from one in which words were changed."""

from __future__ import annotations

from itertools import groupby

from .alignment import Aligned, Token
from .index import lower
from .scripts import is_unspaced

FOREIGN = 4  # words in a row that stand elsewhere, or that the quote passes over: a misquote changes fewer
SENTENCE_ENDS = ".!?。！？؟।"


def size(token: Token) -> float:
    """Count a word as 1, and a character of a script without blanks as half a word."""
    return 0.5 if is_unspaced(token.text[0]) else 1.0


def stitched(a: Aligned) -> bool:
    """Tell whether the quote joins what does not stand together."""
    return _foreign_end(a) or _jumps(a)


def _foreign_end(a: Aligned) -> bool:
    """Tell whether an end of the quote is foreign: it stands elsewhere, or nowhere."""
    words = [
        (size(a.quote[j]), i is not None and lower(a.source[i].text) == lower(a.quote[j].text))
        for i, j in a.pairs
        if j is not None and a.quote[j].text[0].isalnum()
    ]
    for run in (words, words[::-1]):
        total = same = 0.0
        for weight, equal in run:
            total += weight
            same += weight * equal
            if total >= FOREIGN and same <= total / 4:
                return True
    return False


def _jumps(a: Aligned) -> bool:
    """Tell whether the quote goes over from one sentence into another: whole sentences left out are no jump."""
    before = ""
    for left_out, run in groupby(a.pairs, key=lambda pair: pair[1] is None):
        passed = [a.source[i] for i, _ in run if i is not None]
        long = left_out and before not in SENTENCE_ENDS and sum(map(size, passed)) >= FOREIGN
        if long and any(token.text in SENTENCE_ENDS for token in passed[1:]):
            return True
        before = passed[-1].text if passed else before
    return False
