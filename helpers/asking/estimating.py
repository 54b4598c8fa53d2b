"""What a run would cost, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from .tokens import QUESTION_TOKENS, tokens_of

DOLLARS_PER_MILLION = 0.042  # TypeSafe's price of input tokens (2026-11); output tokens are free


class Estimate(NamedTuple):
    """What asking would take: calls, input tokens, dollars at TypeSafe's price; `replayed` questions cost nothing."""

    calls: int
    tokens: int
    dollars: float
    replayed: int
    extra: int = 0  # calls at most for other sections, not in the figures before: they depend on the answers

    def __str__(self) -> str:
        more = f"; up to {self.extra:,} calls more for other sections" if self.extra else ""
        return (
            f"{self.calls:,} calls, about {self.tokens:,} input tokens, ${self.dollars:.5f} at TypeSafe's price; "
            f"{self.replayed:,} replayed{more}"
        )


def estimate_questions(asked: Iterable[str], replayed: int, extra: int) -> Estimate:
    """Return what asking about these sections costs: a fixed part for question and claim, and the section's tokens."""
    tokens = [QUESTION_TOKENS + tokens_of(section) for section in asked]
    return Estimate(len(tokens), round(sum(tokens)), sum(tokens) * DOLLARS_PER_MILLION / 1e6, replayed, extra)
