"""What a run would cost, before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

# The published calls fit 357 + 0.247 x characters of RFC text, off by at most 15 tokens.
QUESTION_TOKENS = 357
TOKENS_PER_CHARACTER = 0.247
TOKENS_PER_LETTER = 0.5  # Cyrillic, Greek, Arabic and others that are not Latin: a cautious guess
TOKENS_PER_WIDE = 1.0  # Chinese, Japanese, Korean, emoji
FIRST_LETTER, FIRST_WIDE = "\u0370", "\u2e80"
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


def tokens_of(text: str) -> float:
    """Estimate how many tokens a model counts in a text."""
    if text.isascii():
        return TOKENS_PER_CHARACTER * len(text)
    wide = sum(character >= FIRST_WIDE for character in text)
    letters = sum(character >= FIRST_LETTER for character in text) - wide
    return TOKENS_PER_WIDE * wide + TOKENS_PER_LETTER * letters + TOKENS_PER_CHARACTER * (len(text) - letters - wide)
