"""Locate a short quote that says the opposite: one "not" more or less, too few words for a likeness to tell."""

from __future__ import annotations

import re
from itertools import pairwise

from ..documents import Document
from .edges import whole
from .folding import Folded
from .index import View, lower, passage_end
from .rewording import described
from .scripts import is_unspaced, words
from .shapes import Match
from .vocabulary import INSIDE, NEGATIONS

LONGEST = 60  # characters; in a longer quote the likeness tells
FEWEST = 2  # words besides the negation, or so many pairs of characters: one alone could stand anywhere


def opposed(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match the words that are the same but for negations, if they stand in one place only."""
    text = lower(forms[-1].text)
    if len(text) > LONGEST:
        return []
    kept = [word[0] for word in words(text) if not _denies(word[0])]
    if sum(0.5 if is_unspaced(word[0]) else 1 for word in kept) < FEWEST or any(w not in view.words for w in kept):
        return []
    found = list(re.finditer(_pattern(kept), view.lowered))
    if len(found) != 1 or not all(word is None or _denies(word) for word in found[0].groups()):
        return []
    start, end = found[0].span()
    if not whole(view.folded, start, end) or end > view.after(passage_end(document, view.folded.starts[start])):
        return []
    match = described(view, (start, end), forms, "words")
    return [match] if "negation" in {change.risk for change in match.changes} else []


def _denies(word: str) -> bool:
    return word in NEGATIONS or re.fullmatch(INSIDE["negation"], word) is not None


def _pattern(kept: list[str]) -> str:
    """Return a pattern of these words with at most one other word between two of them."""
    parts = [re.escape(kept[0])]
    for left, right in pairwise(kept):
        between = r"\W?(\w)??\W?" if is_unspaced(left) and is_unspaced(right) else r"(?:[^\w.!?;:]+(\w+))??[^\w.!?;:]+"
        parts += between, re.escape(right)
    return "".join(parts)
