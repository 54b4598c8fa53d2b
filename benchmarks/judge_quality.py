"""Which model to trust on which documents: `python -m benchmarks.judge_quality SET`.

SET is a labelled file (HealthVer, Climate-FEVER, WiCE, or JSON lines of claim, section, label; .gz too). The model is
the one behind TYPESAFE_API_KEY and TYPESAFE_ENDPOINT; answers are kept and replayed. Beside it stand two baselines
without a model. Intervals are 95 %: exact ones for shares, a seeded bootstrap for macro-F1.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.labelled import LABELS, LabelledSet, Pair, load, sample
from helpers.asking.connecting import endpoint
from helpers.asking.estimating import DOLLARS_PER_MILLION
from helpers.binomial import interval
from helpers.checking import Question, answer_all
from helpers.citations import Answer
from helpers.errors import CitationCheckError
from helpers.judging import make_ask
from helpers.outcomes import AUTO_ACCEPT
from helpers.passages import passage_for, words
from helpers.replay import JsonCache

CONFIDENCE = 0.95
RESAMPLES = 1000
BINS = (0.0, 0.5, 0.7, 0.9, 0.97)  # lower ends; most answers of a good model are in the last ones
THRESHOLDS = (0.0, 0.5, 0.6, 0.7, AUTO_ACCEPT, 0.9, 0.95, 0.99)
MOCK = re.compile(r"mock|fake|dummy|stub|double", re.IGNORECASE)  # in the name by which a server's model answers
OVERLAP = 0.5  # of the claim's words in a section that speaks about it; fixed before any set was looked at
NEGATIONS = {"no", "not", "never", "none", "nothing", "neither", "nor", "cannot", "without", "fail", "fails", "failed"}
COMMON = set(
    "a an and are as at be been by for from has have in is it its of on or that the this to was were with".split()  # noqa: SIM905
)

Judged = tuple[Pair, Answer]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 3 where a pair could not be judged, 2 for bad input."""
    options = parse_arguments(arguments)
    if options.server:
        os.environ["TYPESAFE_ENDPOINT"] = options.server
    try:
        labelled = load(options.set)
        pairs = sample(labelled.pairs, options.sample, options.seed)
        judged, failures, spent = ask_all(pairs, options)
    except CitationCheckError as error:
        print(error, file=sys.stderr)
        return 2
    print("\n".join(report(options, labelled, pairs, judged, spent)))
    for failure, times in Counter(failures).items():
        print(f"unjudged ({times}): {failure}", file=sys.stderr)
    return 3 if failures else 0


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judge_quality", description=__doc__)
    parser.add_argument("set", type=Path, metavar="SET")
    parser.add_argument("--sample", type=int, default=300, metavar="N", help="pairs to ask, stratified by label (300)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", default=os.environ.get("TYPESAFE_MODEL") or "jev-latest")
    parser.add_argument("--server", metavar="URL", help="instead of TYPESAFE_ENDPOINT")
    parser.add_argument("--cache", metavar="FILE", help="answers (default: one for each model and server)")
    parser.add_argument(
        "--mock-name", metavar="NAME", help="the server is a mock of this name: its figures are no result"
    )
    parser.add_argument("--jobs", type=int, default=8, metavar="N")
    parser.add_argument("--rate", type=float, metavar="N", help="questions a minute")
    parser.add_argument("--timeout", type=float, default=120.0, metavar="SECONDS")
    return parser.parse_args(arguments)


def cache_of(options: argparse.Namespace) -> str:
    """Return the file that keeps the answers: no server, and no mock, must ever replay what another one said."""
    told = (options.mock_name and f"mock {options.mock_name}", options.model, endpoint())
    name = re.sub(r"[^\w.]+", "-", " ".join(filter(None, told)))
    return options.cache or f"judge_quality-{name}.cache.json"


def ask_all(pairs: Sequence[Pair], options: argparse.Namespace) -> tuple[list[Judged], list[str], dict[str, int]]:
    """Return the judged pairs, why others have no answer, and what live calls spent."""
    with JsonCache(cache_of(options)) as cache:
        command = f"python -m benchmarks.judge_quality {options.set}"
        ask = make_ask(cache, model=options.model, timeout=options.timeout, rate=options.rate, command=command)
        questions = [Question(ask, pair.claim, passage_for(pair.claim, pair.section)) for pair in pairs]
        answers = answer_all(questions, options.jobs, True)
        judged, failures = [], []
        for pair, question in zip(pairs, questions, strict=True):
            outcome = answers[question]
            if isinstance(outcome, Exception):
                failures.append(str(outcome))
            else:
                judged.append((pair, outcome))
        return judged, failures, ask.spent


def mock_of(options: argparse.Namespace, judged: Sequence[Judged]) -> str | None:
    """Return the name of the mock that answered, None where a model did."""
    named = {answer.get("model", "") for _, answer in judged}
    return options.mock_name or next((name for name in sorted(named) if MOCK.search(name)), None)


def report(
    options: argparse.Namespace,
    labelled: LabelledSet,
    pairs: Sequence[Pair],
    judged: Sequence[Judged],
    spent: dict[str, int],
) -> list[str]:
    """Return all lines of the report."""
    mock = mock_of(options, judged)
    name = (
        f"mock {mock}"
        if mock
        else " ".join(sorted({a.get("model", options.model) for _, a in judged})) or options.model
    )
    shares = ", ".join(f"{sum(p.label == label for p in pairs):,} {label}" for label in LABELS)
    left_out = "".join(f"; {n:,} {label} left out" for label, n in labelled.left_out.items())
    lines = [
        f"{options.set.name}: {len(pairs):,} of {len(labelled.pairs):,} pairs (seed {options.seed}): {shares}{left_out}"
    ]
    if mock:
        lines.append(f"MOCK: {mock} is no model. What follows tests the wire and the arithmetic; it is no result.")
    if len(judged) < len(pairs):
        lines.append(f"{len(pairs) - len(judged):,} pairs have no answer; the model's figures are about the others.")
    truth, told = [pair.label for pair, _ in judged], [answer["choice"] for _, answer in judged]
    gold = [pair.label for pair in pairs]
    most = Counter(gold).most_common(1)[0][0]
    lines += ["", f"{'':<28} {'pairs':>6} {'accuracy':>24} {'macro-F1':>24}"]
    if judged:
        lines.append(quality(name, truth, told))
    lines.append(quality("overlap and negation words", gold, [by_words(pair) for pair in pairs]))
    lines.append(quality(f"always {most}", gold, [most] * len(gold)))
    if judged:
        lines += ["", *confusion(name, truth, told), "", *reliability(judged), "", *risk_coverage(judged)]
        lines += ["", cost(judged, spent)]
    return lines


def quality(name: str, truth: Sequence[str], told: Sequence[str]) -> str:
    """Return the line of one judge."""
    right = sum(map(str.__eq__, truth, told))
    accuracy = share(right, len(truth))
    low, high = bootstrap(truth, told)
    return f"{name:<28} {len(truth):>6,} {accuracy:>24} {f'{macro_f1(truth, told):.3f} ({low:.3f} - {high:.3f})':>24}"


def share(part: int, whole: int) -> str:
    """Return a share with its exact interval."""
    if not whole:
        return "-"
    low, high = interval(part, whole, CONFIDENCE)
    return f"{part / whole:.3f} ({low:.3f} - {high:.3f})"


def macro_f1(truth: Sequence[str], told: Sequence[str]) -> float:
    """Return the mean F1 of the labels that occur in the truth."""
    pairs, of_truth, of_told = Counter(zip(truth, told, strict=True)), Counter(truth), Counter(told)
    scores = [2 * pairs[label, label] / (of_truth[label] + of_told[label]) for label in LABELS if of_truth[label]]
    return sum(scores) / len(scores)


def bootstrap(truth: Sequence[str], told: Sequence[str]) -> tuple[float, float]:
    """Return the percentile interval of macro-F1."""
    draw = random.Random(0)
    both = list(zip(truth, told, strict=True))
    scores = sorted(macro_f1(*zip(*draw.choices(both, k=len(both)), strict=True)) for _ in range(RESAMPLES))
    cut = round(RESAMPLES * (1 - CONFIDENCE) / 2)
    return scores[cut], scores[-cut - 1]


def confusion(name: str, truth: Sequence[str], told: Sequence[str]) -> list[str]:
    """Return the table of labels against choices."""
    pairs = Counter(zip(truth, told, strict=True))
    head = f"{'label / ' + name:<28}" + "".join(f"{choice:>14}" for choice in LABELS)
    return [head, *(f"{label:<28}" + "".join(f"{pairs[label, c]:>14,}" for c in LABELS) for label in LABELS)]


def reliability(judged: Sequence[Judged]) -> list[str]:
    """Return how often answers are right beside how probable the model held them, by confidence."""
    lines = [f"{'confidence':<28} {'pairs':>6} {'said probable':>14} {'right':>24}"]
    gap = 0.0
    for low, high in zip(BINS, (*BINS[1:], 1.01), strict=True):
        inside = [(pair, answer) for pair, answer in judged if low <= answer["confidence"] < high]
        if inside:
            said = sum(max(answer["probabilities"].values()) for _, answer in inside) / len(inside)
            right = sum(pair.label == answer["choice"] for pair, answer in inside)
            gap += abs(said * len(inside) - right)
            name = f"{low:.2f} - {min(high, 1):.2f}"
            lines.append(f"{name:<28} {len(inside):>6,} {said:>14.3f} {share(right, len(inside)):>24}")
    return [*lines, f"expected calibration error {gap / len(judged):.3f}"]


def risk_coverage(judged: Sequence[Judged]) -> list[str]:
    """Return, for each threshold, the share that stands by itself and how much of that is wrong."""
    lines = [f"{'auto-accepted from':<28} {'pairs':>6} {'coverage':>14} {'wrong':>24}"]
    for threshold in THRESHOLDS:
        kept = [(pair, answer) for pair, answer in judged if answer["confidence"] >= threshold]
        wrong = sum(pair.label != answer["choice"] for pair, answer in kept)
        note = "  <- AUTO_ACCEPT" if threshold == AUTO_ACCEPT else ""
        coverage = len(kept) / len(judged)
        lines.append(f"{threshold:<28.2f} {len(kept):>6,} {coverage:>14.3f} {share(wrong, len(kept)):>24}{note}")
    return lines


def cost(judged: Sequence[Judged], spent: dict[str, int]) -> str:
    """Return what the answers cost, and this run's calls."""
    tokens = sum(answer["input_tokens"] for _, answer in judged)
    seconds = sorted(answer["seconds"] for _, answer in judged)
    dollars = tokens * DOLLARS_PER_MILLION / 1e6
    return (
        f"{tokens:,} input tokens, ${dollars:.5f} at TypeSafe's price; "
        f"median {seconds[len(seconds) // 2]:.2f} s an answer; {spent['calls']:,} calls now, the rest replayed"
    )


def by_words(pair: Pair) -> str:
    """Return the baseline's choice: enough shared words say that the section speaks of it, negations which way."""
    claim = set(words(pair.claim)) - COMMON - NEGATIONS
    sentences = re.split(r"(?<=[.!?])\s+", pair.section)
    nearest = max(sentences, key=lambda sentence: len(claim & set(words(sentence))))
    if not claim or len(claim & set(words(pair.section))) / len(claim) < OVERLAP:
        return "says_nothing"
    return "supports" if negated(pair.claim) == negated(nearest) else "contradicts"


def negated(text: str) -> bool:
    """Say whether a sentence holds an odd number of negation words."""
    split: Any = re.sub(r"n['\u2019]t\b", " not", text)
    return sum(word in NEGATIONS for word in words(split)) % 2 == 1


if __name__ == "__main__":
    raise SystemExit(main())
