"""What counts as an answer: a model's reply and a recording are checked before either becomes a verdict."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any, cast

from ..citations import Answer
from ..errors import CacheError, JudgeError

RELATIONS = ("supports", "contradicts", "says_nothing")
SUM_TOLERANCE = 0.02  # three probabilities, each rounded to 2 places
MODE_TOLERANCE = 0.01  # two rounded probabilities may swap places by one step
CONFIDENCE_TOLERANCE = 0.02  # recomputing from rounded probabilities is off by up to 0.0125 for three options
EDGE = 1e-9  # a sum of binary fractions may miss its decimal value by this little


def read_reply(response: Any, question: str, seconds: float) -> Answer:
    """Return the answer to this question, checked, as it is recorded; `seconds` is the wall time of the call.

    Raises JudgeError where the reply does not count: the SDK accepts replies that no verdict may rest on.
    """
    if repeated := _repeated_key(response):
        raise JudgeError(f"the reply does not count: it gives {repeated!r} twice")
    given = (getattr(response, "answers", None) or {}).get(question)
    if given is None:
        raise JudgeError("the reply does not count: it holds no answer to the question, or one of an unknown type")
    if not hasattr(given, "choice"):
        raise JudgeError(f"the reply does not count: {getattr(given, 'type', 'another type')!r} is not a choice")
    answer: dict[str, Any] = {
        "choice": given.choice,
        "probabilities": given.probabilities,
        "confidence": given.confidence,
    }
    if fault := fault_of(answer):
        raise JudgeError(f"the reply does not count: {fault}")
    answer["probabilities"] = dict(given.probabilities)
    scaled = scaled_confidence(given.probabilities)
    differs = abs(scaled - given.confidence) > CONFIDENCE_TOLERANCE + EDGE
    answer |= {"confidence": scaled} if differs else {}
    answer |= {"seconds": round(seconds, 2), **_tokens(response)}
    answer |= {"reported_confidence": given.confidence} if differs else {}
    return cast(Answer, answer)


def check_recording(recorded: object, key: str, path: object) -> Answer:
    """Return a recorded answer as it is; raises CacheError, naming its key, where it cannot be one."""
    if not isinstance(recorded, dict):
        fault: str | None = "it is not an object"
    else:
        fault = fault_of(recorded) or next(
            (f"{name} is {recorded.get(name)!r}" for name in _FIGURES if not _is_figure(recorded.get(name))), None
        )
    if fault:
        raise CacheError(f"{path}: entry {_shortened(key)}: not a valid answer: {fault}; delete it and ask again")
    return cast(Answer, recorded)


def fault_of(answer: Mapping[str, Any]) -> str | None:
    """Return in words why a choice, its probabilities and confidence cannot be an answer; None where they can."""
    choice, shares, confidence = (answer.get(name) for name in ("choice", "probabilities", "confidence"))
    if choice not in RELATIONS:
        return f"its choice is {_shortened(repr(choice))}, none of {', '.join(RELATIONS)}"
    if not isinstance(shares, Mapping) or set(shares) != set(RELATIONS):
        return "its probabilities are not those of the three options"
    if not all(_is_share(share) for share in shares.values()):
        return "a probability is not a number from 0 to 1"
    if abs(sum(shares.values()) - 1) > SUM_TOLERANCE + EDGE:
        return f"its probabilities sum to {sum(shares.values()):.2f}"
    if shares[choice] < max(shares.values()) - MODE_TOLERANCE - EDGE:
        return f"its choice {choice} is not the most probable option"
    if not _is_share(confidence):
        return f"its confidence {_shortened(repr(confidence))} is not a number from 0 to 1"
    return None


def scaled_confidence(probabilities: Mapping[str, float]) -> float:
    """Return TypeSafe's confidence, to its 2 places: the largest probability, scaled so that chance is 0.

    >>> scaled_confidence({"supports": 0.31, "contradicts": 0.17, "says_nothing": 0.52})
    0.28
    """
    chance = 1 / len(probabilities)
    return round(min(1.0, max(0.0, (max(probabilities.values()) - chance) / (1 - chance))), 2)


_FIGURES = ("seconds", "input_tokens", "output_tokens")


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and value >= 0


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1  # False for NaN


def _tokens(response: Any) -> dict[str, int]:
    """Return the billed tokens, 0 where the server gives none, as published."""
    usage = getattr(response, "usage", None)
    counts = {name: getattr(usage, name, None) for name in ("input_tokens", "output_tokens")}
    return {name: count if isinstance(count, int) and count > 0 else 0 for name, count in counts.items()}


def _repeated_key(response: Any) -> str | None:
    """Return a key that an object of the reply holds twice: readers disagree which of the two counts."""
    try:
        content = response.raw_http_response.content
    except Exception:  # a reply that did not come over the wire has no raw form, and each client says so in its own way
        return None
    found: list[str] = []

    def pairs(items: list[tuple[str, Any]]) -> None:
        seen: set[str] = set()
        found.extend(key for key, _ in items if key in seen or seen.add(key))  # type: ignore[func-returns-value]

    json.loads(content, object_pairs_hook=pairs)
    return found[0] if found else None


def _shortened(text: str) -> str:
    return text if len(text) <= 70 else text[:69] + "…"
