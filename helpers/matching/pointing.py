"""Vowel points of Arabic and Hebrew: most texts leave them out, so they may be missing, but they may not be others."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from ..documents import Document
from .edges import whole
from .folding import Folded
from .index import View, occurrences
from .scripts import POINTS
from .shapes import Change, Match

POINT = re.compile(f"[{POINTS}]")


def pointed_otherwise(source: Folded, start: int, end: int, quote: Folded) -> bool:
    """Tell whether a letter of the quote has other points than the source's, which has the same letters from `start`.

    A letter that has no points on one side is the same letter.
    """
    if quote.raw.isascii() or not POINT.search(unicodedata.normalize("NFD", quote.raw)):
        return False
    ours, theirs = _points(source, start, end), _points(quote, 0, len(quote.text))
    return any(a and b and a != b for a, b in zip(ours, theirs, strict=False))


def _points(folded: Folded, start: int, end: int) -> Iterator[list[str]]:
    """Yield the points of each letter, in one order."""
    for i in range(start, end):
        if folded.text[i].isalpha():
            written = unicodedata.normalize("NFD", folded.raw[folded.starts[i] : folded.starts[i + 1]])
            yield sorted(POINT.findall(written))


def repointed(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match the same letters with other points: other words."""
    matches: dict[str, Match] = {}
    for form in forms:
        for at in occurrences(view, form.text):
            end = at + len(form.text)
            changes = _changes(view.folded, at, form) if whole(view.folded, at, end) else []
            if changes:
                first, last = view.folded.span(at, end)
                match = Match("words", first, last, view.folded.raw[first:last], changes, 1.0)
                matches.setdefault(document.section_at(first).label, match)
        if matches:
            break
    return list(matches.values())


def _changes(source: Folded, at: int, quote: Folded) -> list[Change]:
    changes = []
    for word in re.finditer(r"\w+", quote.text):
        start, end = word.span()
        if pointed_otherwise(source, at + start, at + end, quote.part(start, end)):
            ours, theirs = (
                f.raw[slice(*f.span(k, k + end - start))] for f, k in ((source, at + start), (quote, start))
            )
            changes.append(Change(ours, theirs, None))
    return changes
