"""Words that blanks or hyphens join or split where the letters are the same: "can not" is not "cannot"."""

from __future__ import annotations

from .index import bones
from .risks import risk_of
from .shapes import Change


def respacings(source: str, quote: str) -> list[Change]:
    """Name the words that are joined or split, given two texts with the same letters in the same order."""
    changes = []
    ours, theirs = source.split()[::-1], quote.split()[::-1]
    while ours or theirs:  # one side may end in a hyphen of its own
        left, right = (side.pop() if side else "" for side in (ours, theirs))
        while len(bones(left)) != len(bones(right)) and (ours or theirs):
            if theirs and (len(bones(left)) > len(bones(right)) or not ours):
                right += " " + theirs.pop()
            else:
                left += " " + ours.pop()
        if left != right:
            changes.append(Change(left, right, risk_of(left, right)))
    return changes
