"""Numbered headings of a plain text: the best chain of candidates, read twice so that the layout can speak."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from typing import NamedTuple, TypeVar

from helpers.readers.candidates import Candidate, find_candidates
from helpers.readers.chain import best_chain
from helpers.readers.contents import Contents, Entries, find_contents, has_leader, name_of, same_title, title_key

Setting = TypeVar("Setting", int, str)

LONG_TITLE = 66  # characters; longer lines are rather text
ENOUGH = 3  # headings from which their layout, or the contents that list them, say something about the others
PASSES = 3  # the second knows the layout, the third a layout without the lists that the first one took in
WIDE_GAP = 8  # columns between number and title; wider ones stand in tables
LEAST = 4.0  # the weight of a chain that is one: a plain heading's, or one for each of many
LONG_TEXT = 20_000  # characters; a longer text with a single number is not a numbered one
PLAIN = 4.5  # the weight of a heading that leaves nothing to wish for
SKIPPED = 0.25  # of the top numbers may be absent before the numbering is doubted
SPACED = 0.8  # of the headings follow a blank line: then all should
DEEPEST = 9  # parts of a number; RFCs go down to 8
CENTRED = 10  # columns from which an indent is centring, so that it says nothing about depth


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
            known = listed.setdefault(name, [])
            known.extend(key for key in dict.fromkeys(keys) if key not in known)
    weight, main = max(_chain([c for c in free if c.kind == kind], listed) for kind in ("digits", "roman"))
    if weight < max(LEAST, len(main)) or (len(main) == 1 and len(text) > LONG_TEXT):
        main = []
    last = main[-1].start if main else -1
    letters = [
        c for c in free if c.kind == "letters" and (c.worded or c.start > last or ("letters", c.number) in listed)
    ]
    annexes = [c for c in free if c.kind == "annexes"]
    return Headings(main, max(_chain(letters, listed), _chain(annexes, listed))[1], contents)


def doubt_of(headings: Headings) -> str | None:
    """Say in words that the numbers do not add up, None when they do, or nearly."""
    numbers = {c.number for c in headings.main}
    tops = sorted({number[0] for number in numbers})
    skipped = [n for n in range(tops[0], tops[-1]) if n not in tops] if tops else []
    if len(skipped) >= ENOUGH and len(skipped) > SKIPPED * len(tops):
        names = ", ".join(map(str, skipped[:5]))
        return f"the section numbers do not add up ({names} not found): the text may be split in the wrong places"
    return None


def _outside(candidates: list[Candidate], leaders: set[int], contents: list[Contents]) -> list[Candidate]:
    """Return the candidates that are no entries of a table of contents."""
    listed: set[int] = set()
    for region in contents:
        first, last = (bisect_left(candidates, at, key=lambda c: c.start) for at in (region.start, region.end))
        listed.update(range(first, last))
    return [c for i, c in enumerate(candidates) if i not in leaders and i not in listed]


def _chain(candidates: list[Candidate], promised: Entries) -> tuple[float, list[Candidate]]:
    """Return the best chain and its weight; later passes hold each candidate against the layout of the chain before."""
    listed = _Listed(candidates, promised)
    numbers = [c.number for c in candidates]
    plain = weights = [_weight(c) + more for c, more in zip(candidates, listed.weights(), strict=True)]
    vouched = listed.vouched
    chain = best_chain(numbers, weights, vouched)
    for _ in range(PASSES - 1):
        if len(chain) < ENOUGH:
            break
        layout = _Layout([candidates[i] for i in chain], [candidates[i] for i in chain if vouched[i]])
        weights = [w + layout.weight(c) for c, w in zip(candidates, plain, strict=True)]
        before, chain = chain, best_chain(numbers, weights, vouched)
        if chain == before:
            break
    chain = sorted([*chain, *_strays(candidates, chain, weights, vouched)])
    return sum(weights[i] for i in chain), [candidates[i] for i in chain]


def _strays(candidates: list[Candidate], chain: list[int], weights: list[float], vouched: list[bool]) -> list[int]:
    """Return headings out of order: perfect ones, or listed in the contents, whose number stands nowhere else."""
    chosen = {candidates[i].number for i in chain}
    last = max(chosen, default=(0,))[0]
    strays = [
        i
        for i, c in enumerate(candidates)
        if c.number not in chosen
        and ((vouched[i] and c.alone & 1) or (len(chain) >= ENOUGH and weights[i] >= PLAIN and c.number[0] <= last))
    ]
    counted = Counter(candidates[i].number for i in strays)
    return [i for i in strays if counted[candidates[i].number] == 1]


def _weight(candidate: Candidate) -> float:
    """Return how much a line looks like a heading by itself; 4.5 is a plain one between blank lines."""
    title = candidate.title
    weight = 1.0 + (2.0 if candidate.alone & 1 else -1.5) + (1.0 if candidate.alone & 2 else 0.0)
    weight -= 0.15 * min(candidate.indent, 12)
    weight += 0.5 if not title or not title[0].islower() else -0.5
    weight += 0.5 * candidate.worded - 0.8 * title.endswith((".", ",", ";")) - 0.5 * (len(title) > LONG_TITLE)
    weight -= 3.0 * candidate.introduced + 2.0 * candidate.neighbours
    weight -= 1.2 * (candidate.gap > WIDE_GAP)
    return weight - 1.2 * ("    " in title or any(c in title for c in "{}|")) - 1.0 * (not title)


class _Listed:
    """Know what the tables of contents promise, and which candidates keep a promise."""

    def __init__(self, candidates: list[Candidate], promised: Entries) -> None:
        self.names = [name_of(c) for c in candidates]
        self.vouched = [
            name in promised and _is_among(title_key(c.title), promised[name])
            for c, name in zip(candidates, self.names, strict=True)
        ]
        self.kept = {name for name, vouched in zip(self.names, self.vouched, strict=True) if vouched}
        self.depth = max((len(number) for _, number in self.kept), default=0) if len(self.kept) >= ENOUGH else 0

    def weights(self) -> list[float]:
        """Return for each candidate what being in the contents adds, and not being there takes off."""
        return [self._weight(*pair) for pair in zip(self.names, self.vouched, strict=True)]

    def _weight(self, name: tuple[str, tuple[int, ...]], vouched: bool) -> float:
        if vouched:
            return 4.0
        if name in self.kept:
            return -6.0  # the number with the title that was promised stands elsewhere
        return -2.0 if len(name[1]) <= self.depth else 0.0


def _is_among(key: str, keys: list[str]) -> bool:
    return any(same_title(key, other) for other in keys)


class _Layout:
    """Know how the headings of a document are set: indent and style by depth, blank lines."""

    def __init__(self, chain: list[Candidate], listed: list[Candidate]) -> None:
        sure = listed if len(listed) >= ENOUGH else chain
        self.indents = {d: _usual([c.indent for c in sure if len(c.number) == d]) for d in range(1, DEEPEST + 1)}
        self.styles = {d: _usual([c.style for c in sure if len(c.number) == d]) for d in range(1, DEEPEST + 1)}
        self.spaced = sum(c.alone & 1 for c in sure) > SPACED * len(sure)
        self.airy = sum(c.alone & 2 for c in sure) > 2 * SPACED * len(sure)
        outer, inner = self.indents[1], self.indents[2]
        if outer is not None and inner is not None and inner < outer < CENTRED:
            self.indents[1] = inner  # a list was longer than the headings were many

    def weight(self, candidate: Candidate) -> float:
        """Return what to take off a candidate's weight for being set unlike the others."""
        depth = len(candidate.number)
        weight = 0.0
        if self.indents[depth] not in (None, candidate.indent):
            weight -= 4.5
        if self.styles[depth] not in (None, candidate.style):
            weight -= 2.0
        weight -= 1.5 * (self.spaced and not candidate.alone & 1)
        return weight - 1.5 * (self.airy and not candidate.alone & 2)


def _usual(values: list[Setting]) -> Setting | None:
    """Return the value that most headings have, None when there is none."""
    counted = Counter(values).most_common(1)
    return counted[0][0] if counted and counted[0][1] > max(1, len(values) // 2) else None
