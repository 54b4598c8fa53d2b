"""Take a human's verdicts into account: read them, merge them into results, and derive the threshold they support."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, TypedDict

from . import binomial
from .citations import Result
from .errors import CitationCheckError, InputFileError, ReviewFileError
from .judging import RELATION_TO_VERDICT
from .strictjson import encodable, kind, object_faults, parse, read_text, shown

REVIEWS_SCHEMA = 1
VERDICTS = (*RELATION_TO_VERDICT.values(), "fabricated")

# A citation whose action is decided by confidence alone; all others go to a human (or need no answer) at any threshold.
DECIDED_BY_CONFIDENCE = ("found", "section-only")

NEEDED_TO_TUNE = ("id", "status", "section_ok", "answer", "confidence", "fingerprint")
UNKNOWN = "no citation has it; remove the review or name the citations it was made for"

Review = dict[str, Any]  # id, verdict, note, at, fingerprint


class Threshold(TypedDict):
    """What would have happened at one threshold to the citations that a human has judged."""

    threshold: float
    auto_share: float  # decided / reviewed
    decided: int  # confidence at or over the threshold
    errors: int  # of these, where the human disagrees
    error_rate: float
    low: float  # exact two-sided limits of the error rate
    high: float


class ThresholdTable(TypedDict):
    """Every threshold that occurs, ascending, and the lowest one whose error rate is under the target."""

    thresholds: list[Threshold]
    recommended: float | None
    reviewed: int
    target: float
    confidence: float
    needed: int  # the fewest further reviews without an error that would allow a recommendation


def load_reviews(path: str | Path, ids: Collection[str] | None = None) -> list[Review]:
    """Return the reviews of a file; all its faults are told in one ReviewFileError.

    With `ids`, the ids of the citations at hand, a review of another one is a fault.
    """
    data, fault = _read(path)
    faults = [fault] if fault else []
    if not fault and (not isinstance(data, dict) or not isinstance(data.get("reviews"), list)):
        faults = ['must be {"schema": 1, "reviews": [...]}; download it from the report']
    if faults:
        raise ReviewFileError(str(path), faults)
    if data.get("schema") != REVIEWS_SCHEMA:
        faults.append(f'"schema" must be {REVIEWS_SCHEMA}, is {_told(data.get("schema"))}')
    seen: dict[str, int] = {}
    for number, entry in enumerate(data["reviews"], 1):
        place, wrong = _faults_of(entry, number, seen, ids)
        faults += [f"{place}: {fault}" for fault in wrong]
    if faults:
        raise ReviewFileError(str(path), faults)
    return [dict(entry) for entry in data["reviews"]]


def load_results(path: str | Path) -> list[Result]:
    """Return the results of a file that `check --json` wrote; InputFileError tells what is wrong with it."""
    data, fault = _read(path)
    results = data.get("results") if isinstance(data, dict) else None
    if not fault and not isinstance(results, list):
        fault = 'has no "results" list; give a file that check --json wrote'
    faults = [fault] if fault else []
    for number, result in enumerate(results or [], 1):
        missing = [f for f in NEEDED_TO_TUNE if f not in result] if isinstance(result, dict) else ["fields"]
        if missing:
            faults.append(f"result {number} has no {', '.join(missing)}; write the file again with check --json")
    if faults:
        raise InputFileError(str(path), faults)
    return list(results or [])


def _read(path: str | Path) -> tuple[Any, str | None]:
    text, fault = read_text(path)
    return (None, fault) if fault else parse(text, 'what the report downloads: {"schema": 1, "reviews": [...]}')


def _faults_of(entry: object, number: int, seen: dict[str, int], ids: Collection[str] | None) -> tuple[str, list[str]]:
    """Return (which review this is, what is wrong with it); `seen` holds the ids of the reviews before."""
    place = f"review {number}"
    if not isinstance(entry, dict):
        return place, [f"must be an object with id, verdict and fingerprint, is {kind(entry)}"]
    faults, id = object_faults(entry), entry.get("id")
    if not isinstance(id, str) or not id:
        faults.append(f"id: must be the citation's id, is {_told(id)}")
    else:
        place += f" ({shown(id)})"
        if id in seen:
            faults.append(f"id: stands in review {seen[id]} too; keep one of the two")
        elif ids is not None and id not in ids:
            faults.append(f"id: {UNKNOWN}")
        seen.setdefault(id, number)
    if entry.get("verdict") not in VERDICTS:
        faults.append(f"verdict: must be one of {', '.join(VERDICTS)}, is {_told(entry.get('verdict'))}")
    if not isinstance(entry.get("fingerprint"), str) or not entry["fingerprint"]:
        told = _told(entry.get("fingerprint"))
        faults.append(f"fingerprint: must be that of the result, is {told}; take it from the JSON document")
    for field in ("note", "at"):
        text = entry.get(field)
        if text is not None and not (isinstance(text, str) and encodable(text)):
            faults.append(f"{field}: must be text, is {_told(text)}")
    return place, faults


def _told(value: object) -> str:
    return "absent" if value is None else shown(value) if isinstance(value, str) else kind(value)


def apply_reviews(results: Sequence[Result], reviews: Sequence[Review]) -> tuple[list[Result], list[str]]:
    """Return the results with the human's verdicts in them, and the ids of stale reviews, which are not applied."""
    by_id = _by_id(results, reviews)
    merged: list[Result] = []
    for result in results:
        review = by_id.get(result["id"])
        if review and review["fingerprint"] == result["fingerprint"]:
            result = {**result, "verdict": review["verdict"], "auto": False, "review": review}
        merged.append(result)
    fingerprints = {r["id"]: r["fingerprint"] for r in results}
    return merged, [r["id"] for r in reviews if r["fingerprint"] != fingerprints[r["id"]]]


def _by_id(results: Sequence[Result], reviews: Sequence[Review]) -> dict[str, Review]:
    known = {r["id"] for r in results}
    if unknown := [r["id"] for r in reviews if r["id"] not in known]:
        raise ReviewFileError("reviews", [f"id {shown(id)}: {UNKNOWN}" for id in unknown])
    return {r["id"]: r for r in reviews}


def counted(results: Sequence[Result], reviews: Sequence[Review]) -> list[tuple[Result, bool]]:
    """Return the reviewed results that confidence decides, each with whether the human disagrees with the model."""
    by_id = _by_id(results, reviews)
    pairs = []
    for result in results:
        review, answer = by_id.get(result["id"]), result["answer"]
        if not review or review["fingerprint"] != result["fingerprint"]:
            continue
        if answer and result["status"] in DECIDED_BY_CONFIDENCE and result["section_ok"] is not False:
            pairs.append((result, RELATION_TO_VERDICT[answer["choice"]] != review["verdict"]))
    return pairs


def tune_threshold(
    results: Sequence[Result], reviews: Sequence[Review], *, target: float = 0.05, confidence: float = 0.95
) -> ThresholdTable:
    """Return, for each threshold, the share decided without a human and the error rate among those with its interval.

    Thresholds are the confidences that occur, cut to two decimals (a finer one means nothing: TypeSafe rounds to two).
    """
    for name, share in (("target", target), ("confidence", confidence)):
        if not 0 < share < 1:
            raise CitationCheckError(f"{name}: must be between 0 and 1, both excluded, is {share}")
    pairs = [(float(r["confidence"] or 0), wrong) for r, wrong in counted(results, reviews)]
    rows: list[Threshold] = []
    for threshold in sorted({int(round(c * 100, 6)) / 100 for c, _ in pairs}):
        over = [wrong for c, wrong in pairs if c >= threshold]
        low, high = binomial.interval(sum(over), len(over), confidence)
        rows.append(
            {
                "threshold": threshold,
                "auto_share": len(over) / len(pairs),
                "decided": len(over),
                "errors": sum(over),
                "error_rate": sum(over) / len(over),
                "low": low,
                "high": high,
            }
        )
    recommended = next((row["threshold"] for row in rows if row["high"] < target), None)
    return {
        "thresholds": rows,
        "recommended": recommended,
        "reviewed": len(pairs),
        "target": target,
        "confidence": confidence,
        "needed": _needed(rows, target, confidence) if recommended is None else 0,
    }


def _needed(rows: Sequence[Threshold], target: float, confidence: float) -> int:
    """Return the fewest further reviews, none of them an error, that would bring some threshold under the target."""
    tallies = [(row["errors"], row["decided"]) for row in rows]
    if not rows or rows[-1]["threshold"] < 1:
        tallies.append((0, 0))  # a threshold above every confidence seen so far is open too
    return min(_further(errors, decided, target, confidence) for errors, decided in tallies)


def _further(errors: int, decided: int, target: float, confidence: float) -> int:
    def enough(more: int) -> bool:
        trials = decided + more
        return errors < target * trials and binomial.at_most(errors, trials, target) < (1 - confidence) / 2

    low, high = 0, 1
    while not enough(high):
        low, high = high, high * 2
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def answered_by(results: Sequence[Result], reviews: Sequence[Review]) -> list[str]:
    """Return the versions that gave the counted answers; a threshold belongs to one, so several are worth a warning."""
    answers = [r["answer"] for r, _ in counted(results, reviews) if r["answer"]]
    return sorted({a.get("model") or "an unnamed version" for a in answers})


def threshold_table(data: ThresholdTable) -> str:
    """Return the thresholds as fixed-width text, and under it what to set and how many reviews are still wanted."""
    lines = [f"threshold   auto  decided  errors    rate   {data['confidence']:.3g} interval"]
    for row in data["thresholds"]:
        mark = "  <- recommended" if row["threshold"] == data["recommended"] else ""
        lines.append(
            f"{row['threshold']:>9.2f}  {row['auto_share']:>5.0%}  {row['decided']:>7}  {row['errors']:>6}"
            f"  {row['error_rate']:>6.1%}   {row['low']:>5.1%} to {row['high']:>6.1%}{mark}"
        )
    return "\n".join([*lines, "", tuning_advice(data)])


def tuning_advice(data: ThresholdTable) -> str:
    """Say in a sentence which threshold the reviews support, or how many more it would take."""
    goal = f"errors under {data['target']:.3g} with confidence {data['confidence']:.3g}"
    reviewed, needed = (f"review{'s' * (data[key] != 1)}" for key in ("reviewed", "needed"))
    counted = f"({data['reviewed']} {reviewed} counted)"
    if data["recommended"] is not None:
        return f"{data['recommended']:.2f} is the lowest threshold that keeps {goal} {counted}."
    return (
        f"No threshold keeps {goal} yet {counted}: "
        f"that takes at least {data['needed']} further {needed} without an error."
    )
