"""The ladder: literal first, then what printers and markup do to words, and only then what somebody changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from ..documents import Document
from .edges import whole
from .folding import Folded, fold
from .index import Index, View, bones, lower, passage_end
from .markup import as_shown
from .rewording import TRAILING, described, reworded, with_mark
from .risks import gap_risk
from .scripts import is_unspaced
from .shapes import Change, Match
from .spacing import respacings
from .typesetting import follow

OUTER = {'"': '"', "'": "'", "「": "」", "『": "』"}
ELLIPSIS = re.compile(r"\s*[\[(]?(?:\.{3,}|\.(?: \.){2,})[\])]?\s*")
PIECE = 8  # letters; a shorter piece beside an ellipsis stands in too many places to locate anything
GAP = 400  # characters that an ellipsis may leave out: about a paragraph
LETTERS = 12  # a shorter quote with other blanks may be another one
CANDIDATES = 200  # places that are looked at: only a quote of one or two words has more
MEANINGFUL = re.compile(r"[^\W_]")  # a letter or digit


def search(document: Document, index: Index, quote: str) -> list[Match]:
    """Return the matches of a quote, all of one kind, one a section that has one: the best first, then in order."""
    readings = [_forms(reading) for reading in _readings(document, quote)]
    for step in (_literal, _relaid, _recased, _respaced, _abridged, reworded):
        for view in index.views():
            matches = max((step(document, view, forms) for forms in readings), key=_likeness, default=[])
            if matches:
                return sorted(matches, key=lambda m: (-m.similarity, len(m.changes), m.start))
    return []


def _readings(document: Document, quote: str) -> list[Folded]:
    """Return the folded quote as it is, then without marks where it has some; none where nothing can be searched."""
    plain, bare = fold(quote), fold(quote, marks=False)
    if not MEANINGFUL.search(plain.text):
        return []
    readings = [plain] if bare.text == plain.text else [plain, bare]
    if document.format == "markdown":  # the quote may be a copy of the file: its reader shows the text without marks
        shown = fold(as_shown(quote), marks=False)
        if shown.text not in (plain.text, bare.text) and MEANINGFUL.search(shown.text):
            readings.append(shown._replace(raw=shown.raw + "\n" + quote))  # which no passage equals exactly
    return readings


def _likeness(matches: list[Match]) -> float:
    return max((match.similarity for match in matches), default=0.0)


def _forms(quote: Folded) -> list[Folded]:
    """Return the quote, then ever less of it: no end ellipses, no trailing mark, no outer quotation marks."""
    forms, marked = [quote], False
    for _ in range(2):
        _add(forms, *_without_end_ellipses(forms[-1].text))
        if not marked and forms[-1].text[-1:] in TRAILING:
            marked = True
            _add(forms, 0, len(forms[-1].text) - 1)
        text = forms[-1].text
        if len(text) > 2 and OUTER.get(text[0]) == text[-1]:
            _add(forms, 1, len(text) - 1)
    return forms


def _add(forms: list[Folded], start: int, end: int) -> None:
    """Add the part `[start, end)` of the last form, unless nothing was dropped or nothing would be left."""
    shorter = forms[-1].part(start, end)
    if shorter.text != forms[-1].text and MEANINGFUL.search(shorter.text):
        forms.append(shorter)


def _without_end_ellipses(text: str) -> tuple[int, int]:
    spots = list(ELLIPSIS.finditer(text))
    start = spots[0].end() if spots and spots[0].start() == 0 else 0
    end = spots[-1].start() if spots and spots[-1].end() == len(text) else len(text)
    return start, max(start, end)


def _literal(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match the folded words as they are."""
    if forms[-1].text not in view.text:
        return []
    for form in forms:
        spans = [span for span in _hits(document, view, form.text) if not _asks(view, span, forms)]
        if spans:
            return [_verbatim(view, *span, forms[0].raw) for span in spans]
    return []


def _hits(document: Document, view: View, needle: str) -> Iterator[tuple[int, int]]:
    """Yield the first whole hit in each section."""
    at = view.text.find(needle)
    while at >= 0:
        following = at + 1
        if whole(view.text, at, at + len(needle)):
            yield at, at + len(needle)
            part = document.section_at(view.folded.starts[at])
            following = max(following, view.after(part.end))
        at = view.text.find(needle, following)


def _asks(view: View, span: tuple[int, int], forms: list[Folded]) -> bool:
    """Tell whether the source asks or exclaims where the quote states."""
    return view.text[span[1] : span[1] + 1] in ("?", "!") and forms[0].text.rstrip("\"'")[-1:] in TRAILING


def _verbatim(view: View, start: int, end: int, quote: str) -> Match:
    first, last = view.folded.span(start, end)
    text = view.folded.raw[first:last]
    return Match("exact" if text.split() == quote.split() else "typographic", first, last, text, [], 1.0)


def _relaid(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match the words under another layout: line-end hyphens, blanks that carry no meaning."""
    spans = _walked(document, view, forms, fold_case=False)
    return [_verbatim(view, *span, forms[0].raw) for span in spans]


def _recased(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match the words in another case."""
    spans = _walked(document, view, forms, fold_case=True)
    return [described(view, span, forms, "case") for span in spans]


def _respaced(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match the letters where blanks or hyphens join or split words: "cannot" is not "can not"."""
    core = forms[-1].text
    needle = bones(lower(core))
    if len(needle) < LETTERS or needle not in view.skeleton:
        return []
    found: dict[str, Match] = {}
    for at, last in _candidates(view, core):
        end = view.fleshed(last) + 1
        if whole(view.text, at, end) and end <= view.after(passage_end(document, view.folded.starts[at])):
            first, last = view.folded.span(at, with_mark(view, end, forms[0]))
            changes = respacings(view.text[at:end], core)
            match = Match("words", first, last, view.folded.raw[first:last], changes, 1.0)
            found.setdefault(document.section_at(first).label, match)
    return list(found.values())


def _walked(document: Document, view: View, forms: list[Folded], *, fold_case: bool) -> list[tuple[int, int]]:
    if bones(lower(forms[-1].text)) not in view.skeleton:
        return []
    for form in forms:
        spans: dict[str, tuple[int, int]] = {}
        for at, _ in _candidates(view, form.text):
            end = follow(view.folded, at, form, fold_case=fold_case)
            if end is not None and whole(view.text, at, end) and not _asks(view, (at, end), forms):
                spans.setdefault(document.section_at(view.folded.starts[at]).label, (at, end))
        if spans:
            return list(spans.values())
    return []


def _candidates(view: View, text: str) -> Iterator[tuple[int, int]]:
    """Yield the places where the skeleton has this text's bones, each with the skeleton's place of the last one."""
    needle, lead = bones(lower(text)), len(text) - len(text.lstrip(" -"))
    at = view.skeleton.find(needle) if needle else -1
    for _ in range(CANDIDATES):
        if at < 0:
            return
        place = view.fleshed(at) - lead
        if place >= 0:
            yield place, at + len(needle) - 1
        at = view.skeleton.find(needle, at + 1)


def _abridged(document: Document, view: View, forms: list[Folded]) -> list[Match]:
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
    at, seen = view.text.find(piece.text), 0
    while at >= 0 and seen < CANDIDATES:
        yield at
        at, seen = view.text.find(piece.text, at + 1), seen + 1
    if not seen:
        yield from (place for place, _ in _candidates(view, piece.text))


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
            if end is not None and whole(view.text, at, end):
                return at, end
    return None


def _with_gaps(view: View, spans: list[tuple[int, int]]) -> Match:
    first, last = view.folded.span(spans[0][0], spans[-1][1])
    gaps = [view.text[a[1] : b[0]].strip() for a, b in pairwise(spans)]
    changes = [Change(gap, "...", gap_risk(gap)) for gap in gaps]
    share = sum(b - a for a, b in spans) / (spans[-1][1] - spans[0][0])
    return Match("abridged", first, last, view.folded.raw[first:last], changes, round(share, 3))
