"""Say in words, and in numbers, how citations came out."""

from __future__ import annotations

from collections.abc import Iterable

from .citations import Result
from .judging import RELATION_TO_VERDICT
from .reviewing import VERDICTS


def action(result: Result) -> str:
    """Say who stands for the verdict: `auto`, `review` (a human is to confirm it) or `human` (one has)."""
    if result["review"]:
        return "human"
    return "auto" if result["auto"] else "review"


def waits_for_human(result: Result) -> bool:
    """Say whether a human is still to confirm this verdict; an unjudged citation has none to confirm."""
    return bool(result["verdict"]) and action(result) == "review"


def in_words(result: Result) -> str:
    """Say verdict, confidence and action in a sentence: "contradicted, 0.99: stands by itself"."""
    if not result["verdict"]:
        return f"unjudged: {result['error'] or 'no answer'}"
    if result["review"]:
        note = result["review"].get("note")
        return f"{result['verdict']}: {decided_by_human(result)}{f' ({note})' if note else ''}"
    confidence = "" if result["confidence"] is None else f", {result['confidence']:.2f}"
    reason = result["reason"] or "the confidence is under the threshold"
    return f"{result['verdict']}{confidence}: {'stands by itself' if result['auto'] else f'for review, {reason}'}"


def proposed(result: Result) -> str | None:
    """Return the verdict before any human's; None for an unjudged citation."""
    if result["answer"]:
        return RELATION_TO_VERDICT[result["answer"]["choice"]]
    return "fabricated" if result["status"] == "missing" else None


def decided_by_human(result: Result) -> str:
    """Say of a reviewed result whether the human confirmed the verdict or changed it."""
    before = proposed(result)
    if before is None:
        return "judged by a human"
    return "confirmed by a human" if before == result["verdict"] else f"changed by a human from {before}"


def count_verdicts(results: Iterable[Result]) -> dict[str, int]:
    """Count results by verdict, and those that wait for a human; an unjudged one counts as `unjudged` alone."""
    counts = dict.fromkeys((*VERDICTS, "unjudged", "review"), 0)
    for result in results:
        counts[result["verdict"] or "unjudged"] += 1
        counts["review"] += waits_for_human(result)
    return counts
