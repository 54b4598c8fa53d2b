"""Locate a quote whose words stand in the source, but cut a number: at "10" of "10 000", at "5" of "5%"."""

from __future__ import annotations

from ..documents import Document
from .edges import whole
from .folding import Folded
from .index import CANDIDATES, View
from .numbers import number_at
from .shapes import Change, Match


def cut(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match the words with the whole number, which is the difference."""
    matches: dict[str, Match] = {}
    for form in forms:
        if matches or not any(map(str.isalpha, form.text)):  # "10" alone may be cut from anywhere
            continue
        at, looked = view.text.find(form.text), 0
        while at >= 0 and looked < CANDIDATES:
            match = _with_numbers(view.folded, at, at + len(form.text))
            if match:
                matches.setdefault(document.section_at(match.start).label, match)
            at, looked = view.text.find(form.text, at + 1), looked + 1
    return list(matches.values())


def _with_numbers(folded: Folded, start: int, end: int) -> Match | None:
    """Return the match of a span with the numbers that it cuts; None where it cuts none, or a word or digits too."""
    text = folded.text
    cuts = [at for at in (start, end) if 0 < at < len(text)]
    numbers = [number for at in cuts if (number := number_at(folded, at))]
    if not numbers or any(text[at - 1 : at + 1].isdecimal() for at in cuts):
        return None
    first, last = min(start, numbers[0][0]), max(end, numbers[-1][1])
    if not whole(folded, first, last):
        return None
    changes = [Change(text[a:b], text[max(a, start) : min(b, end)], "number") for a, b in dict.fromkeys(numbers)]
    origin, stop = folded.span(first, last)
    share = round((end - start) / (last - first), 3)
    return Match("words", origin, stop, folded.raw[origin:stop], changes, share)
