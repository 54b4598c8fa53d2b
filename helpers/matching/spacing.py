"""Words that blanks or hyphens join or split where the letters are the same: "can not" is not "cannot"."""

from __future__ import annotations

from .index import bones
from .risks import risk_of
from .shapes import Change


def respacings(source: str, quote: str) -> list[Change]:
    """Name the words that are joined or split, given two texts with the same letters in the same order."""
    changes = []
    ours, theirs = source.split()[::-1], quote.split()[::-1]
    while ours and theirs:
        left, right = ours.pop(), theirs.pop()
        while len(bones(left)) != len(bones(right)) and (ours or theirs):
            if theirs and (len(bones(left)) > len(bones(right)) or not ours):
                right += " " + theirs.pop()
            else:
                left += " " + ours.pop()
        if left != right:
            changes.append(Change(left, right, risk_of(left, right)))
    return changes
