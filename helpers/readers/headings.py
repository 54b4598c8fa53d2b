"""Numbered headings of a plain text: the best chain of candidates, read twice so that the layout can speak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from helpers.readers.candidates import Candidate, find_candidates
from helpers.readers.chain import best_chain
from helpers.readers.contents import Contents, Entries, find_contents, has_leader, same_title, title_key

Setting = TypeVar("Setting", int, str)

LONG_TITLE = 66  # characters; longer lines are rather text
ENOUGH = 3  # headings at column 0 from which indented ones of the same depth are doubted


class Headings(NamedTuple):
    """Hold what was found: the main chain, the appendices, the tables of contents, each in order."""

    main: list[Candidate]
    appendices: list[Candidate]
    contents: list[Contents]


def find_headings(text: str) -> Headings:
    """Return the numbered headings, lettered appendices and tables of contents of a text."""
    candidates = find_candidates(text)
    leaders = {i for i, c in enumerate(candidates) if has_leader(text, c)}
    contents = find_contents(text, candidates, leaders)
    free = _outside(candidates, leaders, contents)
    listed: Entries = {}
    for region in contents:
        for name, keys in region.entries.items():
            listed.setdefault(name, []).extend(keys)
    digits, roman = (_chain([c for c in free if c.kind == kind], listed) for kind in ("digits", "roman"))
    main = roman if _sum(roman, listed) > _sum(digits, listed) else digits
    last = main[-1].start if main else -1
    letters = [c for c in free if c.kind == "letters" and (c.worded or c.start > last or _is_listed(c, listed))]
    return Headings(main, _chain(letters, listed), contents)


def _outside(candidates: list[Candidate], leaders: set[int], contents: list[Contents]) -> list[Candidate]:
    """Return the candidates that are no entries of a table of contents."""
    return [
        c
        for i, c in enumerate(candidates)
        if i not in leaders and not any(region.start <= c.start < region.end for region in contents)
    ]


def _sum(chain: list[Candidate], listed: Entries) -> float:
    return sum(_weight(c, listed) for c in chain)


def _chain(candidates: list[Candidate], listed: Entries) -> list[Candidate]:
    """Return the best chain; a second pass holds every candidate against the layout of the first one's chain."""
    numbers = [c.number for c in candidates]
    weights = [_weight(c, listed) for c in candidates]
    vouched = [_is_listed(c, listed) for c in candidates]
    chain = [candidates[i] for i in best_chain(numbers, weights, vouched)]
    if len(chain) < ENOUGH:
        return chain
    layout = _Layout(chain)
    weights = [w + layout.fits(c) for c, w in zip(candidates, weights, strict=True)]
    return [candidates[i] for i in best_chain(numbers, weights, vouched)]


def _weight(candidate: Candidate, listed: Entries) -> float:
    """Return how much a line looks like a heading by itself; 4.5 is a plain one between blank lines."""
    title = candidate.title
    weight = 1.0 + (2.0 if candidate.alone & 1 else -1.5) + (1.0 if candidate.alone & 2 else 0.0)
    weight -= 0.15 * min(candidate.indent, 12)
    weight += 0.5 if not title or not title[0].islower() else -0.5
    weight += 0.5 * candidate.worded - 0.8 * title.endswith((".", ",", ";")) - 0.5 * (len(title) > LONG_TITLE)
    weight -= 1.2 * ("    " in title or any(c in title for c in "{}|")) + 1.0 * (not title)
    return weight + (4.0 if _is_listed(candidate, listed) else 0.0)


def _is_listed(candidate: Candidate, listed: Entries) -> bool:
    keys = listed.get((candidate.kind, candidate.number), ())
    return any(same_title(title_key(candidate.title), key) for key in keys)


class _Layout:
    """Know how the headings of a document are set: indent and style by depth, blank lines."""

    def __init__(self, chain: list[Candidate]) -> None:
        self.indents = {d: _usual(c.indent for c in chain if len(c.number) == d) for d in range(1, 8)}
        self.styles = {d: _usual(c.style for c in chain if len(c.number) == d) for d in range(1, 8)}
        self.spaced = sum(c.alone & 1 for c in chain) > 0.8 * len(chain)
        self.flush = Counter(len(c.number) for c in chain if not c.indent)

    def fits(self, candidate: Candidate) -> float:
        """Return what to take off a candidate's weight for being set unlike the others."""
        depth = len(candidate.number)
        weight = 0.0
        if self.indents[depth] not in (None, candidate.indent):
            weight -= 4.5 if self.flush[depth] >= ENOUGH and candidate.indent else 3.5
        if self.styles[depth] not in (None, candidate.style):
            weight -= 1.2
        if self.spaced and not candidate.alone & 1:
            weight -= 1.5
        return weight


def _usual(values: Iterable[Setting]) -> Setting | None:
    """Return the value that most headings have, None when no two agree."""
    counted = Counter(values).most_common(1)
    return counted[0][0] if counted and counted[0][1] > 1 else None
