"""Pieces around an ellipsis: a quote that leaves words out and says so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..documents import Document
from .edges import whole
from .folding import Folded
from .index import View, candidates, occurrences, passage_end
from .risks import gap_risk
from .scripts import is_unspaced
from .shapes import Change, Match
from .typesetting import follow

ELLIPSIS = re.compile(r"\s*[\[(]?(?:\.{3,}|\.(?: \.){2,})[\])]?\s*")
PIECE = 8  # letters; a shorter piece beside an ellipsis stands in too many places to locate anything
GAP = 400  # characters that an ellipsis may leave out: about a paragraph


def abridged(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match pieces around an ellipsis: in order, in one section, with little left out."""
    core = forms[-1]
    edges = [0, *(edge for spot in ELLIPSIS.finditer(core.text) for edge in spot.span()), len(core.text)]
    pieces = [core.part(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    if len(pieces) < 2 or any(_weight(piece.text) < PIECE for piece in pieces):
        return []
    found: dict[str, Match] = {}
    for start in _starts(view, pieces[0]):
        origin = view.folded.starts[start]
        part = document.section_at(origin)
        spans = _chain(view, pieces, start, view.after(passage_end(document, origin)))
        if spans:
            match = _with_gaps(view, spans)
            if part.label not in found or match.similarity > found[part.label].similarity:
                found[part.label] = match  # the one that leaves out least
    return list(found.values())


def _weight(text: str) -> int:
    """Count characters, and those of scripts without blanks twice."""
    return len(text) + sum(map(is_unspaced, text))


def _starts(view: View, piece: Folded) -> Iterator[int]:
    literal = list(occurrences(view, piece.text))
    yield from literal or (place for place, _ in candidates(view, piece.text))


def _chain(view: View, pieces: list[Folded], start: int, limit: int) -> list[tuple[int, int]]:
    """Return the spans of all pieces, the first at `start`, each at most GAP after the one before; or nothing."""
    spans: list[tuple[int, int]] = []
    for piece in pieces:
        until = min(limit, spans[-1][1] + GAP) if spans else start + 1
        span = _next(view, piece, spans[-1][1] if spans else start, until)
        if span is None:
            return []
        spans.append(span)
    return spans if spans[-1][1] <= limit else []


def _next(view: View, piece: Folded, start: int, until: int) -> tuple[int, int] | None:
    """Return the first whole span of a piece that begins in `[start, until)`."""
    first = piece.text[0]
    for at in range(start, min(until, len(view.text))):
        if view.text[at] == first:
            end = follow(view.folded, at, piece, fold_case=False)
            if end is not None and whole(view.folded, at, end):
                return at, end
    return None


def _with_gaps(view: View, spans: list[tuple[int, int]]) -> Match:
    first, last = view.folded.span(spans[0][0], spans[-1][1])
    gaps = [view.text[a[1] : b[0]].strip() for a, b in pairwise(spans)]
    changes = [Change(gap, "...", gap_risk(gap)) for gap in gaps]
    share = sum(b - a for a, b in spans) / (spans[-1][1] - spans[0][0])
    return Match("abridged", first, last, view.folded.raw[first:last], changes, round(share, 3))
