"""Place what a report draws: every citation on the confidence axis, and what reviews say about risk and reliability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, TypedDict

from .. import binomial
from ..citations import Result
from ..judging import RELATION_TO_VERDICT
from ..reviewing import ThresholdTable

LANE = 30  # pixels, as in the style sheet
STACK = 26  # pixels that the dots of one place may take
WIDTH, HEIGHT = 280, 200  # of a curve's plot, in units of its drawing
LEAST, BINS = 0.3, 7  # the largest of three probabilities is at least 1/3


class Curve(TypedDict):
    """Be one drawn curve; points are "x,y x,y …" or tuples, in units of its drawing, y downwards."""

    label: str
    caption: str
    x_title: str
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]
    line: str
    band: str
    guides: list[tuple[float, float, float, float]]
    whiskers: list[tuple[float, float, float]]
    points: list[tuple[float, float, float]]


def strip(results: Sequence[Result], auto_accept: float) -> dict[str, Any]:
    """Return a dot for each citation that has a confidence, in the lane of the model's verdict."""
    lanes = {name: LANE // 2 + LANE * n for n, name in enumerate(RELATION_TO_VERDICT.values())}
    judged = [(n, r, r["answer"]) for n, r in enumerate(results) if r["answer"] and r["confidence"] is not None]
    places = [(RELATION_TO_VERDICT[a["choice"]], round(r["confidence"] or 0, 2)) for _, r, a in judged]
    highest = max(Counter(places).values(), default=1)
    step = min(7.0, STACK / highest)
    stacked: Counter[tuple[str, float]] = Counter()
    dots = []
    for (n, result, _), place in zip(judged, places, strict=True):
        level, verdict = stacked[place], place[0]
        stacked[place] += 1
        y = lanes[verdict] + step * ((level + 1) // 2) * (1 if level % 2 else -1)
        title = f"{result['id']}: {verdict}, {result['confidence']:.2f}"
        settled = bool(result["auto"] or result["review"])
        dots.append(
            {"n": n, "verdict": verdict, "x": _short(place[1] * 100), "y": _short(y), "auto": settled, "title": title}
        )
    bottom = LANE * len(lanes)
    return {
        "lanes": [{"verdict": name, "y": y} for name, y in lanes.items()],
        "dots": dots,
        "radius": 4 if highest < 5 else 3 if highest < 15 else 2,
        "threshold": _short(auto_accept * 100),
        "ticks": _ticks(auto_accept),
        "bottom": bottom,
        "height": bottom + 22,
        "summary": _summary(judged, auto_accept),
        "absent": _absent(results),
    }


def _short(number: float) -> float:
    return round(number, 2)


def _ticks(auto_accept: float) -> list[dict[str, Any]]:
    fixed = [x for x in (0, 0.25, 0.5, 0.75, 1) if abs(x - auto_accept) > 0.09]
    marks = [(x, False) for x in fixed] + [(auto_accept, True)]
    return [{"x": _short(x * 100), "text": f"{x:.2f}", "at": at, "anchor": "middle"} for x, at in marks]


def _summary(judged: Iterable[tuple[int, Result, Any]], auto_accept: float) -> str:
    rows = [(RELATION_TO_VERDICT[a["choice"]], (r["confidence"] or 0) >= auto_accept) for _, r, a in judged]
    by_verdict = ", ".join(f"{n} {name}" for name, n in Counter(name for name, _ in rows).items()) or "none"
    over = sum(reached for _, reached in rows)
    return f"The model's verdicts by confidence: {by_verdict}; {over} of {len(rows)} at or over {auto_accept:.2f}."


def _absent(results: Sequence[Result]) -> str:
    missing = sum(r["status"] == "missing" for r in results)
    unjudged = sum(r["answer"] is None for r in results) - missing
    told = [f"{missing} not in the source: no model was asked."] if missing else []
    return " ".join(told + ([f"{unjudged} without an answer."] if unjudged else []))


def risk_curve(data: ThresholdTable) -> Curve:
    """Return the error rate over the share that is decided automatically, with the exact interval as a band."""
    rows = data["thresholds"]
    highest = max(data["target"], *(r["error_rate"] for r in rows)) * 1.5
    top = next((t for t in (0.1, 0.2, 0.5) if t > highest), 1.0)

    def place(share: float, rate: float) -> str:
        return f"{_short(share * WIDTH)},{_short(HEIGHT * (1 - min(rate, top) / top))}"

    band = [place(r["auto_share"], r["high"]) for r in rows] + [
        place(r["auto_share"], r["low"]) for r in reversed(rows)
    ]
    target = HEIGHT * (1 - data["target"] / top)
    return {
        "label": f"Error rate by share decided automatically; {len(rows)} thresholds, target {data['target']:g}.",
        "caption": "Risk and coverage: errors among what needs no human, their interval, and the target (dotted).",
        "x_title": "share decided automatically",
        "x_ticks": [(WIDTH * x, f"{x:.0%}") for x in (0, 0.25, 0.5, 0.75, 1)],
        "y_ticks": [(HEIGHT * (1 - x), f"{x * top:.3g}") for x in (0, 0.5, 1)],
        "line": " ".join(place(r["auto_share"], r["error_rate"]) for r in rows),
        "band": " ".join(band),
        "guides": [(0, target, WIDTH, target)],
        "whiskers": [],
        "points": [],
    }


def reliability_curve(pairs: Sequence[tuple[Result, bool]], confidence: float) -> Curve:
    """Return how often humans agree, by the probability that the model gave its choice, with exact intervals."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for result, wrong in pairs:
        if answer := result["answer"]:
            share = max(answer["probabilities"].values(), default=0.0)
            bins.setdefault(min(BINS - 1, max(0, int((share - LEAST) * 10 + 1e-9))), []).append((share, not wrong))
    points, whiskers = [], []
    for members in (bins[n] for n in sorted(bins)):
        agreed = sum(right for _, right in members)
        x = _short(WIDTH * (sum(share for share, _ in members) / len(members) - LEAST) / (1 - LEAST))
        low, high = binomial.interval(agreed, len(members), confidence)
        points.append((x, _short(HEIGHT * (1 - agreed / len(members))), 3 + min(5.0, len(members) ** 0.5 / 3)))
        whiskers.append((x, _short(HEIGHT * (1 - low)), _short(HEIGHT * (1 - high))))
    return {
        "label": f"Share of answers a human agrees with, by the model's probability; {len(pairs)} reviews.",
        "caption": "Reliability: on the dotted line the model is right as often as its probability says.",
        "x_title": "probability of the model's choice",
        "x_ticks": [(WIDTH * (x - LEAST) / (1 - LEAST), f"{x:g}") for x in (0.4, 0.6, 0.8, 1)],
        "y_ticks": [(HEIGHT * (1 - x), f"{x:.0%}") for x in (0, 0.5, 1)],
        "line": " ".join(f"{x},{y}" for x, y, _ in points) if len(points) > 1 else "",
        "band": "",
        "guides": [(0, HEIGHT * (1 - LEAST), WIDTH, 0)],
        "whiskers": whiskers,
        "points": [(x, y, _short(r)) for x, y, r in points],
    }
