"""The exact (Clopper-Pearson) interval of a proportion, in plain Python."""

from math import exp, lgamma, log, log1p

HALVINGS = 60  # a bisection this long is exact to a float's precision in 0..1


def interval(errors: int, trials: int, confidence: float) -> tuple[float, float]:
    """Return the two-sided limits of an error rate: each tail beyond them holds half of `1 - confidence`."""
    tail = (1 - confidence) / 2
    return 1 - _upper(trials - errors, trials, tail), _upper(errors, trials, tail)


def at_most(errors: int, trials: int, rate: float) -> float:
    """Return the probability of so few errors at this error rate, for `errors` up to the expected number."""
    choices = lgamma(trials + 1) - lgamma(errors + 1) - lgamma(trials - errors + 1)
    term = exp(choices + errors * log(rate) + (trials - errors) * log1p(-rate))
    total, odds = 0.0, (1 - rate) / rate
    for k in range(errors, -1, -1):  # downwards from the largest term, each from the one before
        total += term
        term *= k / (trials - k + 1) * odds
        if term < total * 1e-17:
            break
    return total


def _upper(errors: int, trials: int, tail: float) -> float:
    if errors == trials:
        return 1.0
    low, high = errors / trials, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if at_most(errors, trials, middle) > tail else (low, middle)
    return high
