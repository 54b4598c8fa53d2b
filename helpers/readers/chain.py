"""The heaviest chain of headings in which every number may follow the one before it."""

from __future__ import annotations

from collections.abc import Sequence

Number = tuple[int, ...]
Best = tuple[float, int]  # (weight of a chain, the candidate it ends with; -1: none)

GAP_COST = 2.5  # the first missing number; over half a good heading's weight
NEXT_GAP_COST = 1.0  # each further one: sources that leave out one number may leave out its neighbours
LARGEST_GAP = 9  # numbers that may be missing at one place
START_COST = 6.0  # the most that beginning with another number than 0 or 1 costs: an extract may begin anywhere
AGAIN_COST = 4.2  # the same number twice in a row: just under a good heading's weight, over a list item's
BACK_COST = 7.0  # any other order: only for headings that the table of contents vouches for
NOTHING: Best = (float("-inf"), -1)


def best_chain(numbers: Sequence[Number], weights: Sequence[float], listed: Sequence[bool]) -> list[int]:
    """Return the heaviest chain as indices into `numbers`, in order.

    `listed` says which candidates the table of contents vouches for: only they may go back. Costs time linear in the
    candidates: what a number may follow is looked up, never searched.
    """
    chains = _Chains()
    before: list[int] = []
    best: Best = (0.0, -1)
    for i, number in enumerate(numbers):
        weight, last = chains.before(number, listed[i])
        before.append(last)
        chains.add(number, (weight + weights[i], i))
        best = max(best, (weight + weights[i], i))
    chain, at = [], best[1]
    while at >= 0:
        chain.append(at)
        at = before[at]
    return chain[::-1]


class _Chains:
    """Know the heaviest chain that ends with a number, or anywhere under it."""

    def __init__(self) -> None:
        self.exactly: dict[Number, Best] = {}
        self.under: dict[Number, Best] = {}
        self.any = NOTHING
        self.seen: dict[Number, int] = {}  # the last candidate with this number, chosen or not

    def add(self, number: Number, best: Best) -> None:
        self.seen[number] = best[1]
        self.exactly[number] = max(best, self.exactly.get(number, NOTHING))
        for depth in range(1, len(number) + 1):
            prefix = number[:depth]
            if best > self.under.get(prefix, NOTHING):
                self.under[prefix] = best
        self.any = max(best, self.any)

    def before(self, number: Number, listed: bool) -> Best:
        """Return the best chain that this number may end, the costs of doing so taken off."""
        best = max((-_start_cost(number), -1), self.reach(number))
        weight, at = self.exactly.get(number, NOTHING)
        sibling = self.seen.get((*number[:-1], number[-1] - 1), -1)
        if listed or sibling < at:  # else the same number comes again because a list is counted
            best = max(best, (weight - AGAIN_COST, at))
        return max(best, (self.any[0] - BACK_COST, self.any[1])) if listed else best

    def reach(self, number: Number) -> Best:
        """Return the best chain that may go on with this number: as next sibling, first child, or with a gap."""
        parent, last = number[:-1], number[-1]
        best = NOTHING
        for gap in range(min(last, LARGEST_GAP + 1)):
            weight, at = self.under.get((*parent, last - 1 - gap), NOTHING)
            best = max(best, (weight - _gap_cost(gap), at))
        if parent and last <= LARGEST_GAP:
            cost = _gap_cost(max(0, last - 1))
            weight, at = self.exactly.get(parent, NOTHING)
            best = max(best, (weight - cost, at))
            weight, at = self.reach(parent)  # the parent is missing; "2.0" stands for "2" itself
            best = max(best, (weight - cost - (GAP_COST if last else 0.0), at))
        return best


def _gap_cost(missing: int) -> float:
    return GAP_COST + NEXT_GAP_COST * (missing - 1) if missing else 0.0


def _start_cost(number: Number) -> float:
    return min(START_COST, GAP_COST * (max(0, number[0] - 1) + sum(number[1:])))
