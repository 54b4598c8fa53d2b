"""Locate a reworded quote: windows voted by rare words, aligned word by word; never accepted."""

from __future__ import annotations

import re
from heapq import nlargest
from itertools import groupby
from math import sqrt

from ..documents import Document
from .alignment import Aligned, Token, align, compared, rejoined, tokens
from .edges import begins, ends
from .folding import Folded, fold
from .index import WALL, View, lower, passage_end
from .numbers import number_at
from .risks import risk_of
from .scripts import is_unspaced, words_and_signs
from .shapes import Change, Match
from .stitching import size, stitched
from .typesetting import follow

EDITORIAL = re.compile(r"\[(?!\w*\d)(?![A-Z]{2,})[^\[\]]*\]")  # not [14], not [RFC5280], not [GATES]: the source's text
BRACKETS = re.compile(r"[\[\]]")
TRAILING = ".,;:。、،؛।"  # one of these may end a quote where the source goes on
MINIMUM = 4  # words that a quote needs to be located by likeness
NEAR = 0.6  # share of letters in common words: damaged sentences of RFCs lie above it, invented ones far below
CLOSEST = 0.4  # enough to show a reader what the quote may have been made from
WINDOWS = 4  # places that are aligned: a sentence may stand in several sections
LONG = 300  # words; so many have one place that wins by far, and each window takes its time
BUCKET = 64  # characters that words may have moved and still vote together
VOTES = 3000  # places looked at, rarest words first: enough to locate, and a bound on the time of an absent quote
MARGIN = 100  # characters around the voted place: about 20 words
LONGEST_WORD = 40  # characters of a word that is shown because the quote cuts it
TIE = 0.01  # places that are this close to the best one are told too


def reworded(document: Document, view: View, forms: list[Folded]) -> list[Match]:
    """Match a passage in which words differ, every difference named."""
    quote = forms[-1]
    near = [a for a in aligned(view, quote, NEAR) if not stitched(a)]
    if not near:
        return []
    best = max(a.similarity for a in near)
    matches: dict[str, Match] = {}
    for a in sorted((a for a in near if a.similarity >= best - TIE), key=lambda a: -a.similarity):
        match = _described(a, quote)
        if _undivided(document, match, quote):
            matches.setdefault(document.section_at(match.start).label, match)
    return list(matches.values())


def _undivided(document: Document, match: Match, quote: Folded) -> bool:
    """Tell whether a passage ends before the next heading, or the quote has the headings in it."""
    end = passage_end(document, match.start)
    while end < match.end:
        heading = document.text[end : match.end].lstrip().partition("\n")[0]
        if fold(heading).text not in quote.text:
            return False
        end = passage_end(document, end)
    return True


def described(view: View, span: tuple[int, int], forms: list[Folded], kind: str) -> Match:
    """Describe the differences between a span of the folded text and the quote."""
    quote = forms[-1]
    ours = tokens(view.text[span[0] : span[1]], span[0])
    pairs, similarity = align(ours, tokens(quote.text))
    return _described(Aligned(view, ours, tokens(quote.text), pairs, similarity), quote)._replace(kind=kind)


def aligned(view: View, quote: Folded, at_least: float) -> list[Aligned]:
    """Return the quote aligned in the windows that most of its rare words vote for, if it can be this like there."""
    theirs = rejoined(tokens(quote.text), quote, view.words)
    known = {lower(t.text) for t in theirs}
    words = [t for t in theirs if compared(t.text)[0].isalnum()]
    if sum(size(t) for t in words) < MINIMUM:
        return []
    result = []
    for start, end in (_window(view, place, len(quote.text)) for place in _voted(view, words)):
        # likeness 2s / (s + t) is at most that of a window whose every common word is in place
        if _common(view.lowered[start:end], theirs) >= at_least / (2 - at_least):
            ours = rejoined(tokens(view.text[start:end], start), view.folded, known)
            pairs, similarity = align(ours, theirs)
            if similarity >= at_least:
                result.append(Aligned(view, ours, theirs, pairs, similarity))
    return result


def _window(view: View, place: int, length: int) -> tuple[int, int]:
    """Return the span around a voted place: whole words, no wall inside."""
    start, end = max(0, place - MARGIN), min(len(view.text), place + length + MARGIN)
    middle = min(max(start, place + length // 2), end)
    start = view.text.rfind(WALL, start, middle) + 1 or start
    wall = view.text.find(WALL, middle, end)
    end = wall if wall >= 0 else end
    while 0 < start < end and view.text[start - 1 : start + 1].isalnum() and not is_unspaced(view.text[start]):
        start -= 1
    return start, end


def _voted(view: View, words: list[Token]) -> list[int]:
    """Return the likeliest places of the quote's start, best first."""
    known = [(places, word.start) for word in words if (places := view.words.get(compared(word.text)))]
    known.sort(key=lambda k: len(k[0]))
    common = max(40, view.size // 60)
    scores: dict[int, float] = {}
    looked = 0
    for places, at in known:
        looked += len(places)
        if len(places) > common or looked > VOTES:
            break
        weight = 1 / sqrt(1 + len(places))
        for place in places:
            bucket = (place - at) // BUCKET
            scores[bucket] = scores.get(bucket, 0) + weight
            scores[bucket - 1] = scores.get(bucket - 1, 0) + weight  # words on both sides of a border vote together
    best: list[int] = []
    for bucket in nlargest(3 * WINDOWS, scores, key=lambda b: (scores[b], -b)):
        if all(abs(bucket - other) > 1 for other in best):
            best.append(bucket)
    return [(bucket + 1) * BUCKET for bucket in best[: WINDOWS if len(words) < LONG else 1]]


def _common(window: str, theirs: list[Token]) -> float:
    """Return the share of the quote's letters in words that a lower-case window has too."""
    present = {word[0] for word in words_and_signs(window)}
    return sum(len(t.text) for t in theirs if lower(t.text) in present) / sum(len(t.text) for t in theirs)


def _described(a: Aligned, quote: Folded) -> Match:
    """Turn an alignment into a match: its place, its kind and its changes."""
    placed = [i for i, _ in a.pairs if i is not None] or [0, len(a.source) - 1]
    end = with_mark(a.view, a.source[placed[-1]].end, quote)
    first, last = a.view.folded.span(a.source[placed[0]].start, end)
    changes = _changes(a, quote)
    if changes and all(c.source.casefold() == c.quote.casefold() for c in changes):
        kind = "case"
    else:
        kind = "edited" if changes and all(_editorial(c) for c in changes) else "words"
    return Match(kind, first, last, a.view.folded.raw[first:last], changes, round(a.similarity, 3))


def with_mark(view: View, end: int, quote: Folded) -> int:
    """Return the end of a passage with the mark that ends the quote too: it is left out of the comparison."""
    mark = quote.raw.rstrip("\"'”’“ ")[-1:]
    return end + 1 if mark and mark in TRAILING and view.text[end : end + 1] == mark else end


def _changes(a: Aligned, quote: Folded) -> list[Change]:
    """Join neighbouring differences, and leave out those of the typesetting."""
    changes = []
    for same, run in groupby(_with_spacing(a, quote), key=lambda p: p[2]):
        if same:
            continue
        group = list(run)
        ours = [a.source[i] for i, _, _ in group if i is not None]
        theirs = [a.quote[j] for _, j, _ in group if j is not None]
        source = a.view.text[ours[0].start : ours[-1].end] if ours else ""
        words = quote.text[theirs[0].start : theirs[-1].end] if theirs else ""
        part = quote.part(theirs[0].start, theirs[-1].end) if theirs else None
        if part is None or not ours or follow(a.view.folded, ours[0].start, part, fold_case=False) != ours[-1].end:
            number = _number_after(a, group[-1])  # a sign belongs to the number behind it
            changes.append(Change(source, words, risk_of(source + number, BRACKETS.sub("", words) + number)))
    return _cut_at_start(a) + changes + _cut_at_end(a)


def _cut_at_start(a: Aligned) -> list[Change]:
    """Name the first word if the quote begins inside it: "critical" for "non-critical"."""
    i, j = a.pairs[0]
    if i is None or j is None or begins(a.view.folded, a.source[i].start):
        return []
    start, end = a.source[i].start, a.source[i].end
    number = number_at(a.view.folded, start)
    word = re.split(r"\s", a.view.text[max(0, start - LONGEST_WORD) : start])[-1]
    source = a.view.text[min(start - len(word), number[0] if number else start) : end]
    return [Change(source, a.quote[j].text, risk_of(source, a.quote[j].text))]


def _cut_at_end(a: Aligned) -> list[Change]:
    """Name the last word if the quote ends inside it: "5" for "5%"."""
    i, j = a.pairs[-1]
    if i is None or j is None or ends(a.view.folded, a.source[i].end):
        return []
    start, end = a.source[i].start, a.source[i].end
    number = number_at(a.view.folded, end)
    word = re.split(r"\s", a.view.text[end : end + LONGEST_WORD])[0].rstrip(".,;:")
    source = a.view.text[start : max(end + len(word), number[1] if number else end)]
    return [Change(source, a.quote[j].text, risk_of(source, a.quote[j].text))]


def _number_after(a: Aligned, last: tuple[int | None, int | None, bool]) -> str:
    """Return the token behind a difference, with a blank where the quote has one, if it is a number."""
    at = a.pairs.index(last[:2]) + 1
    j = a.pairs[at][1] if at < len(a.pairs) else None
    return a.quote[j].text if j is not None and a.quote[j].text[0].isdigit() else ""


def _with_spacing(a: Aligned, quote: Folded) -> list[tuple[int | None, int | None, bool]]:
    """Return the pairs, each with whether it is the same on both sides, blanks before it included."""
    result: list[tuple[int | None, int | None, bool]] = []
    for i, j in a.pairs:
        same = i is not None and j is not None and a.source[i].text == a.quote[j].text
        if same and result and result[-1][2] and i is not None and j is not None:
            gap_ours = a.source[i].start - a.source[i - 1].end
            gap_theirs = a.quote[j].start - a.quote[j - 1].end
            if gap_ours != gap_theirs:
                part = quote.part(a.quote[j - 1].start, a.quote[j].end)
                same = follow(a.view.folded, a.source[i - 1].start, part, fold_case=False) == a.source[i].end
                if not same:
                    result[-1] = (*result[-1][:2], False)
        result.append((i, j, same))
    return result


def _editorial(change: Change) -> bool:
    """Tell whether a change is an editor's: `[sic]`, `[t]he`, a gloss in brackets for words of the source."""
    inside = EDITORIAL.sub("", change.quote).strip()
    same_words = BRACKETS.sub("", change.quote).casefold() == change.source.casefold()
    return BRACKETS.search(change.quote) is not None and (not inside or same_words)


def nearest(view: View, quote: Folded) -> Match | None:
    """Return the passage most like a quote that was not located, or None."""
    best = max(aligned(view, quote, CLOSEST), key=lambda a: a.similarity, default=None)
    return _described(best, quote) if best else None
