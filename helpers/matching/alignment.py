"""Align a quote with a passage word by word, at the least cost in letters."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from .folding import Folded
from .index import View, lower
from .scripts import words_and_signs

LEFT_OUT = 0.75  # of its length is what a word costs that the quote leaves out: commoner than one put in elsewhere
PUT_IN = 2.0  # more than its length is what a word costs that the quote puts in: many small changes are unlikely
PUT_FOR = 1.5  # and a word that it puts for another
SLACK = 24  # words that may be added or dropped before the alignment goes astray; keeps the work linear in the quote
FAR = float("inf")  # the cost outside this band

Row = tuple[int, list[float]]  # costs at the source tokens from an index on
Pairs = list[tuple[int | None, int | None]]  # (index in the source's tokens, index in the quote's), None: no partner


class Token(NamedTuple):
    """Hold one word or sign and its place in folded text."""

    text: str
    start: int
    end: int


class Aligned(NamedTuple):
    """Pair the tokens of a quote with the source's: (source index or None, quote index or None), in order."""

    view: View
    source: list[Token]
    quote: list[Token]
    pairs: Pairs
    similarity: float


def tokens(text: str, offset: int = 0) -> list[Token]:
    return [Token(t[0], offset + t.start(), offset + t.end()) for t in words_and_signs(text)]


def rejoined(found: list[Token], folded: Folded, known: Container[str]) -> list[Token]:
    """Return tokens with words joined that a line end split with a hyphen, where the joined word is known."""
    result: list[Token] = []
    for token in found:
        if len(result) > 1 and result[-1].text == "-" and folded.broken(result[-1].start):
            first = result[-2]
            if first.end == result[-1].start and lower(first.text + token.text) in known:
                result[-2:] = [Token(first.text + token.text, first.start, token.end)]
                continue
        result.append(token)
    return result


def align(ours: list[Token], theirs: list[Token]) -> tuple[Pairs, float]:
    """Align all of the quote with the cheapest run of the source's tokens; return the pairs and the likeness, 0..1.

    A token costs its length to change, a little more to add, and less to leave out.
    Likeness: letters in common words, of all letters of both sides.
    """
    low_ours, low_theirs = [compared(t.text) for t in ours], [compared(t.text) for t in theirs]
    pairs = _traced(_costs(low_ours, low_theirs), low_ours, low_theirs)
    same = sum(len(low_theirs[j]) for i, j in pairs if i is not None and j is not None and low_ours[i] == low_theirs[j])
    total = sum(len(low_ours[i]) for i, _ in pairs if i is not None) + sum(map(len, low_theirs))
    return pairs, 2 * same / max(1, total)


def compared(text: str) -> str:
    """Return what a token is compared as: lower case, an editor's brackets round a word or a letter left out."""
    low = lower(text)
    return low.replace("[", "").replace("]", "") if len(low) > 1 and low[0] == "[" else low


def _costs(ours: list[str], theirs: list[str]) -> list[Row]:
    """Return, for every beginning of the quote, the cost of aligning it so that it ends at each source token."""
    width = max(0, len(ours) - len(theirs)) + SLACK
    rows: list[Row] = [(0, [0.0] * (len(ours) + 1))]
    for j, word in enumerate(theirs):
        base, above, size = rows[-1][0], [*rows[-1][1], FAR, FAR], len(word)
        first = min(max(0, j - SLACK), len(ours))
        left = above[first - base] + size + PUT_IN
        row = [left]
        for i in range(first, min(len(ours), j + width)):
            other, k = ours[i], i - base
            diagonal = above[k] if word == other else above[k] + max(size, len(other)) + PUT_FOR
            left = min(diagonal, above[k + 1] + size + PUT_IN, left + LEFT_OUT * len(other))
            row.append(left)
        rows.append((first, row))
    return rows


def _traced(rows: list[Row], ours: list[str], theirs: list[str]) -> Pairs:
    """Follow the cheapest way back from the last row."""
    base, costs = rows[-1]
    i, j = base + min(range(len(costs)), key=costs.__getitem__), len(theirs)
    pairs: Pairs = []
    while j:
        here, size = _cost(rows[j], i), len(theirs[j - 1])
        change = 0.0 if i and ours[i - 1] == theirs[j - 1] else max(len(ours[i - 1]), size) + PUT_FOR
        if i and _cost(rows[j - 1], i - 1) + change == here:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif _cost(rows[j - 1], i) + size + PUT_IN == here:
            j -= 1
            pairs.append((None, j))
        else:
            i -= 1
            pairs.append((i, None))
    return pairs[::-1]


def _cost(row: Row, i: int) -> float:
    base, costs = row
    return costs[i - base] if base <= i < base + len(costs) else FAR
