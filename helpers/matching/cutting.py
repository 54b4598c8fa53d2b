"""Locate a quote whose words stand there, but cut a number or a word: "10" of "10 000", "empty" of "non-empty"."""

from __future__ import annotations

import re

from ..documents import Document
from .edges import elided, prefix_at, whole
from .folding import Folded
from .index import View, occurrences
from .numbers import number_at
from .risks import risk_of
from .shapes import Change, Match

ELIDED = re.compile(r"\w+(?:'\w+)+")
LONGEST = 40  # characters of a word that are looked at


def cut(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match the words with the whole of what they cut, which is the difference."""
    matches: dict[str, Match] = {}
    for form in forms:
        if matches:
            break
        for at in occurrences(view, form.text):
            match = _uncut(view.folded, at, at + len(form.text))
            if match:
                matches.setdefault(document.section_at(match.start).label, match)
    return list(matches.values())


def _uncut(folded: Folded, start: int, end: int) -> Match | None:
    """Return the match of a span with what it cuts; None where it cuts nothing, or letters or digits too."""
    text = folded.text
    if any(text[at - 1 : at + 1].isdecimal() for at in (start, end) if 0 < at < len(text)):
        return None
    pieces = _cut_at_start(folded, start) + _cut_at_end(folded, end)
    first, last = min([start, *(a for a, _, _ in pieces)]), max([end, *(b for _, b, _ in pieces)])
    if not pieces or not whole(folded, first, last):
        return None
    changes = [Change(text[a:b], text[max(a, start) : min(b, end)], risk) for a, b, risk in dict.fromkeys(pieces)]
    origin, stop = folded.span(first, last)
    share = round((end - start) / (last - first), 3)
    return Match("words", origin, stop, folded.raw[origin:stop], changes, share)


def _cut_at_start(folded: Folded, start: int) -> list[tuple[int, int, str | None]]:
    """Return the span that is cut where the quote begins, with its risk."""
    if not start:
        return []
    if number := number_at(folded, start):
        return [(*number, "number")]
    prefix = prefix_at(folded.text, start)
    return [(start - len(prefix), start, "negation")] if prefix else []


def _cut_at_end(folded: Folded, end: int) -> list[tuple[int, int, str | None]]:
    """Return the span that is cut where the quote ends, with its risk."""
    text = folded.text
    if end >= len(text):
        return []
    if number := number_at(folded, end):
        return [(*number, "number")]
    if not elided(text, end):
        return []
    word = next(word for word in ELIDED.finditer(text, max(0, end - LONGEST)) if word.end() > end)
    return [(*word.span(), risk_of(word[0], text[word.start() : end]))]
