"""The ladder: literal first, then what printers and markup do to words, and only then what somebody changed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..documents import Document
from .abridging import ELLIPSIS, abridged
from .cutting import cut
from .edges import one_word, whole
from .folding import Folded, fold
from .index import Index, View, bones, candidates, lower, passage_end
from .markup import as_shown
from .notes import RAISINGS, without_marks
from .numbers import number_at
from .opposing import opposed
from .pointing import pointed_otherwise, repointed
from .rewording import TRAILING, described, reworded, with_mark
from .risks import negation_at, risk_of
from .shapes import Change, Match
from .spacing import respacings
from .typesetting import follow

OUTER = {'"': '"', "'": "'", "「": "」", "『": "』"}
LETTERS = 12  # a shorter quote with other blanks may be another one
SHARP_S = re.compile("ss|ß")
MEANINGFUL = re.compile(r"[^\W_]")  # a letter or digit


def search(document: Document, index: Index, quote: str) -> list[Match]:
    """Return the matches of a quote, all of one kind, one a section that has one: the best first, then in order."""
    readings = [_forms(reading) for reading in _readings(document, quote)]
    for step in STEPS:
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
        spans = [span for span in _hits(document, view, form.text) if not _says_otherwise(view, span, form, forms)]
        if spans:
            return [_verbatim(view, *span, forms[0].raw) for span in spans]
    return []


def _hits(document: Document, view: View, needle: str) -> Iterator[tuple[int, int]]:
    """Yield the first whole hit in each section."""
    at = view.text.find(needle)
    while at >= 0:
        following = at + 1
        if whole(view.folded, at, at + len(needle)):
            yield at, at + len(needle)
            part = document.section_at(view.folded.starts[at])
            following = max(following, view.after(part.end))
        elif at and not one_word(*view.text[at - 1 : at + 1]) and (number := number_at(view.folded, at)):
            following = number[1]  # no hit begins inside it, and tables have many numbers
        at = view.text.find(needle, following)


def _says_otherwise(view: View, span: tuple[int, int], form: Folded, forms: list[Folded]) -> bool:
    """Tell whether the source has other vowels, or asks, exclaims or denies where the quote ends: "may not", "may."."""
    if pointed_otherwise(view.folded, *span, form):
        return True
    ends = forms[0].text.rstrip("\"'")[-1:] in TRAILING
    return ends and (view.text[span[1] : span[1] + 1] in ("?", "!", "؟") or _denial(view, span[1], forms) != "")


def _denial(view: View, end: int, forms: list[Folded]) -> str:
    """Return the negation with which the source goes on where the quote has its full stop."""
    stops = forms[0].text.rstrip("\"'").endswith((".", "。"))
    return negation_at(view.text, end) if stops else ""


def _turned(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Locate words that stand in the source and say something else there: denied, a number cut, other vowels."""
    if forms[-1].text not in view.text:
        return []
    return _denied(document, view, forms) or cut(document, view, forms) or repointed(document, view, forms)


def _denied(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Locate words that say the opposite because the quote ends before the source's negation."""
    matches: list[Match] = []
    for form in forms:
        for start, end in [] if matches else _hits(document, view, form.text):
            if lost := _denial(view, end, forms):
                match, changes = _verbatim(view, start, end + len(lost), ""), [Change(lost.strip(), "", "negation")]
                share = 1 - len(lost) / len(match.text)
                matches.append(match._replace(kind="words", changes=changes, similarity=round(share, 3)))
    return matches


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


def _respelled(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match the words with "ss" for "ß" or the other way round, as in Switzerland and in capitals."""
    low = lower(forms[-1].text)
    if not SHARP_S.search(low) or ("ß" not in low and "ß" not in view.lowered):
        return []
    found: dict[str, Match] = {}
    for spot in re.finditer(SHARP_S.sub("(?:ss|ß)", re.escape(low)), view.lowered):
        if whole(view.folded, *spot.span()):
            first, last = view.folded.span(*spot.span())
            pairs = zip(view.text[slice(*spot.span())].split(), forms[-1].text.split(), strict=True)
            changes = [Change(ours, theirs, risk_of(ours, theirs)) for ours, theirs in pairs if ours != theirs]
            share = 1 - sum(len(change.source) for change in changes) / len(spot[0])
            match = Match("case", first, last, view.folded.raw[first:last], changes, round(share, 3))
            found.setdefault(document.section_at(first).label, match)
    return list(found.values())


def _respaced(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match the letters where blanks or hyphens join or split words: "cannot" is not "can not"."""
    core = forms[-1].text
    needle = bones(lower(core))
    if len(needle) < LETTERS or needle not in view.skeleton:
        return []
    found: dict[str, Match] = {}
    for at, last in candidates(view, core):
        end = view.fleshed(last) + 1
        if RAISINGS.findall(view.text[at:end]) != RAISINGS.findall(core):
            continue  # 10² is not 10, and what else differs is not a blank
        if whole(view.folded, at, end) and end <= view.after(passage_end(document, view.folded.starts[at])):
            first, last = view.folded.span(at, with_mark(view, end, forms[0]))
            changes = respacings(view.text[at:end], core)
            match = Match("words", first, last, view.folded.raw[first:last], changes, 1.0)
            found.setdefault(document.section_at(first).label, match)
    return list(found.values())


def _walked(document: Document, view: View, forms: list[Folded], *, fold_case: bool) -> list[tuple[int, int]]:
    if not any(bones(lower(text)) in view.skeleton for text in without_marks(forms[-1].text)):
        return []
    for form in forms:
        spans: dict[str, tuple[int, int]] = {}
        for at, _ in (place for text in without_marks(form.text) for place in candidates(view, text)):
            end = follow(view.folded, at, form, fold_case=fold_case)
            if end is not None and whole(view.folded, at, end) and not _says_otherwise(view, (at, end), form, forms):
                spans.setdefault(document.section_at(view.folded.starts[at]).label, (at, end))
        if spans:
            return list(spans.values())
    return []


STEPS = (_literal, _relaid, _recased, _turned, _respelled, _respaced, abridged, reworded, opposed)
