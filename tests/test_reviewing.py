"""A human's decisions: read, merged, and turned into a threshold."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from helpers import binomial
from helpers.citations import Result
from helpers.errors import CitationCheckError, InputFileError, ReviewFileError
from helpers.reviewing import (
    answered_by,
    apply_reviews,
    load_results,
    load_reviews,
    threshold_table,
    tune_threshold,
)
from helpers.wording import count_verdicts

SCHEMA = Path(__file__).parents[1] / "helpers" / "schemas" / "reviews.schema.json"


def result(id: str, confidence: float | None = 0.9, choice: str = "supports", **more: Any) -> Result:
    verdict = {"supports": "verified", "contradicts": "contradicted", "says_nothing": "unsupported"}[choice]
    made = {
        "id": id,
        "status": "found",
        "section_ok": True,
        "answer": {"choice": choice, "confidence": confidence},
        "verdict": verdict,
        "confidence": confidence,
        "auto": bool(confidence and confidence >= 0.8),
        "fingerprint": f"print of {id}",
        "review": None,
        "error": None,
    }
    return made | more  # type: ignore[return-value]


def review(id: str, verdict: str = "verified", **more: Any) -> dict[str, Any]:
    return {
        "id": id,
        "verdict": verdict,
        "note": "",
        "at": "2026-11-29T12:00:00Z",
        "fingerprint": f"print of {id}",
    } | more


def saved(tmp_path: Path, data: object) -> Path:
    path = tmp_path / "reviews.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_reviews_are_read_as_they_were_written(tmp_path: Path) -> None:
    path = saved(tmp_path, {"schema": 1, "reviews": [review("a"), review("b", "fabricated", note=None)]})
    assert load_reviews(path, ["a", "b"]) == [review("a"), review("b", "fabricated", note=None)]


def test_a_byte_order_mark_does_not_matter(tmp_path: Path) -> None:
    assert load_reviews(saved(tmp_path, "\ufeff" + json.dumps({"schema": 1, "reviews": []}))) == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", 'is empty; write what the report downloads: {"schema": 1, "reviews": [...]}'),
        ("{", "line 1 column 2: not JSON: Expecting property name enclosed in double quotes"),
        ([], 'must be {"schema": 1, "reviews": [...]}; download it from the report'),
        ({"schema": 2, "reviews": []}, '"schema" must be 1, is a number'),
        ({"reviews": []}, '"schema" must be 1, is absent'),
        (
            {"schema": 1, "reviews": ["x", review("a", "maybe"), review("b"), review("b"), review("nobody")]},
            "review 1: must be an object with id, verdict and fingerprint, is text; "
            'review 2 ("a"): verdict: must be one of verified, contradicted, unsupported, fabricated, is "maybe"; '
            'review 4 ("b"): id: stands in review 3 too; keep one of the two; '
            'review 5 ("nobody"): id: no citation has it; remove the review or name the citations it was made for',
        ),
        (
            {
                "schema": 1,
                "reviews": [review("a", fingerprint=None), review("b", note=3) | {"id": None, "verdict": []}],
            },
            'review 1 ("a"): fingerprint: must be that of the result, is absent; take it from the JSON document; '
            "review 2: id: must be the citation's id, is absent; "
            "review 2: verdict: must be one of verified, contradicted, unsupported, fabricated, is a list; "
            "review 2: note: must be text, is a number",
        ),
        (
            '{"schema": 1, "reviews": [{"id": "a", "id": "b", "verdict": "verified", "fingerprint": "f", "at": NaN}]}',
            'review 1 ("b"): "id" stands twice; keep one; review 1 ("b"): at: NaN is not JSON; write a number or null',
        ),
    ],
    ids=["empty", "cut", "list", "version", "no-version", "entries", "fields", "strictness"],
)
def test_a_faulty_file_tells_all_its_faults_at_once(tmp_path: Path, data: object, message: str) -> None:
    path = saved(tmp_path, data)
    with pytest.raises(ReviewFileError) as caught:
        load_reviews(path, ["a", "b"])
    assert str(caught.value) == f"{path}: {message}"


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(ReviewFileError, match="cannot be read"):
        load_reviews(tmp_path / "none.json")


def test_the_shipped_schema_asks_for_what_the_reader_asks_for() -> None:
    jsonschema = pytest.importorskip("jsonschema", reason="jsonschema comes with JupyterLab")
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    good = {"schema": 1, "reviews": [review("a", fingerprint="0" * 64)]}
    jsonschema.validate(good, schema)
    for bad in (
        {"schema": 2, "reviews": []},
        {"schema": 1},
        {"schema": 1, "reviews": [review("a", "maybe", fingerprint="0" * 64)]},
        {"schema": 1, "reviews": [{"id": "a", "verdict": "verified"}]},
    ):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(bad, schema)


def test_a_humans_verdict_replaces_the_models_which_stays_in_the_answer() -> None:
    changed = review("a", "contradicted", note="the last sentence")
    (merged,), stale = apply_reviews([result("a", 0.5)], [changed])
    assert (merged["verdict"], merged["auto"], merged["review"]) == ("contradicted", False, changed)
    assert merged["answer"] == {"choice": "supports", "confidence": 0.5}
    assert stale == []


def test_a_reviewed_citation_counts_neither_as_review_nor_as_unjudged() -> None:
    rows = [result("a", 0.5), result("b", answer=None, verdict=None, confidence=None, auto=False, error="no answer")]
    merged, _ = apply_reviews(rows, [review("a"), review("b", "unsupported")])
    assert count_verdicts(rows)["review"] == 1
    assert count_verdicts(rows)["unjudged"] == 1
    assert count_verdicts(merged) == {
        "verified": 1,
        "contradicted": 0,
        "unsupported": 1,
        "fabricated": 0,
        "unjudged": 0,
        "review": 0,
    }


def test_a_decision_on_other_text_is_stale_and_never_applied() -> None:
    rows = [result("a"), result("b")]
    merged, stale = apply_reviews(rows, [review("a", "fabricated", fingerprint="of another text"), review("b")])
    assert merged[0] == rows[0]
    assert stale == ["a"]


def test_results_that_were_given_are_not_changed() -> None:
    row = result("a")
    apply_reviews([row], [review("a", "fabricated")])
    assert row == result("a")


def test_a_review_of_an_unknown_citation_is_refused() -> None:
    with pytest.raises(ReviewFileError, match='id "x": no citation has it'):
        apply_reviews([result("a")], [review("x")])


# From tables of exact limits: errors, trials, confidence -> low, high
@pytest.mark.parametrize(
    ("errors", "trials", "confidence", "low", "high"),
    [
        (0, 10, 0.95, 0.0, 0.3085),
        (10, 10, 0.95, 0.6915, 1.0),
        (1, 10, 0.95, 0.0025, 0.4450),
        (5, 10, 0.95, 0.1871, 0.8129),
        (0, 72, 0.95, 0.0, 0.0499),
        (4, 20, 0.90, 0.0714, 0.4010),
    ],
)
def test_the_exact_interval_is_that_of_the_tables(
    errors: int, trials: int, confidence: float, low: float, high: float
) -> None:
    assert binomial.interval(errors, trials, confidence) == pytest.approx((low, high), abs=6e-5)


def test_the_exact_interval_of_thousands_still_splits_the_tails_evenly() -> None:
    low, high = binomial.interval(300, 10_000, 0.95)
    assert binomial.at_most(300, 10_000, high) == pytest.approx(0.025, rel=1e-6)
    assert binomial.at_most(9_700, 10_000, 1 - low) == pytest.approx(0.025, rel=1e-6)


@pytest.mark.parametrize("rate", [0.02, 0.1, 0.4])
def test_the_interval_covers_the_true_rate_at_least_as_often_as_it_says(rate: float) -> None:
    draw = random.Random(7519)
    intervals = [binomial.interval(k, 60, 0.9) for k in range(61)]
    hits = 0
    for _ in range(4000):
        low, high = intervals[sum(draw.random() < rate for _ in range(60))]
        hits += low <= rate <= high
    assert hits / 4000 >= 0.9 - 0.015  # three standard errors of 4,000 draws


def reviewed(curve: Any, count: int, seed: int = 1) -> tuple[list[Result], list[dict[str, Any]]]:
    """Draw confidences and, by the error curve, whether a human disagrees."""
    draw = random.Random(seed)
    rows, decisions = [], []
    for n in range(count):
        confidence = draw.randrange(101) / 100
        wrong = draw.random() < curve(confidence)
        rows.append(result(str(n), confidence))
        decisions.append(review(str(n), "unsupported" if wrong else "verified"))
    return rows, decisions


def test_a_known_error_curve_gives_back_its_threshold() -> None:
    rows, decisions = reviewed(lambda c: 0.5 if c < 0.7 else 0.0, 3000)
    data = tune_threshold(rows, decisions)
    # 0.70 has no errors; 900 clean decisions above it allow for about 40 errors, that is 70 to 90 citations below it
    assert data["recommended"] is not None
    assert 0.64 <= data["recommended"] <= 0.70
    assert data["needed"] == 0
    by_threshold = {row["threshold"]: row for row in data["thresholds"]}
    assert by_threshold[0.7]["errors"] == 0
    assert by_threshold[0.5]["error_rate"] == pytest.approx(0.2, abs=0.04)


def test_the_recommended_threshold_is_the_lowest_whose_upper_limit_is_under_the_target() -> None:
    rows, decisions = reviewed(lambda c: (1 - c) / 4, 2000, seed=5)
    data = tune_threshold(rows, decisions, target=0.1, confidence=0.9)
    under = [row["threshold"] for row in data["thresholds"] if row["high"] < 0.1]
    assert data["recommended"] == under[0]
    assert [row["threshold"] for row in data["thresholds"]] == sorted(row["threshold"] for row in data["thresholds"])
    for row in data["thresholds"]:
        assert row["decided"] == sum(r["confidence"] >= row["threshold"] for r in rows)
        assert row["auto_share"] == row["decided"] / 2000


def test_fields_are_those_of_the_contract() -> None:
    data = tune_threshold([result("a", 0.9)], [review("a")])
    assert data == {
        "thresholds": [
            {
                "threshold": 0.9,
                "auto_share": 1.0,
                "decided": 1,
                "errors": 0,
                "error_rate": 0.0,
                "low": 0.0,
                "high": pytest.approx(0.975),
            }
        ],
        "recommended": None,
        "reviewed": 1,
        "target": 0.05,
        "confidence": 0.95,
        "needed": 71,
    }


@pytest.mark.parametrize(
    ("rows", "wrong", "needed"),
    [([], [], 72), ([0.9] * 10, [], 62), ([0.9] * 10, [0], 72), ([1.0] * 10, [0], 100)],
    ids=["none", "ten-clean", "an-error-but-room-above", "an-error-at-the-top"],
)
def test_needed_is_the_fewest_clean_reviews_that_would_do(rows: list[float], wrong: list[int], needed: int) -> None:
    results = [result(str(n), c) for n, c in enumerate(rows)]
    decisions = [review(str(n), "fabricated" if n in wrong else "verified") for n in range(len(rows))]
    assert tune_threshold(results, decisions)["needed"] == needed
    more = [result(f"more {n}", 1.0) for n in range(needed)]
    clean = [review(f"more {n}") for n in range(needed)]
    assert tune_threshold(results + more, decisions + clean)["recommended"] is not None
    assert tune_threshold(results + more[1:], decisions + clean[1:])["recommended"] is None


def test_only_reviews_that_fit_and_that_confidence_decides_are_counted() -> None:
    rows = [
        result("ok"),
        result("no quote", status="section-only", section_ok=None),
        result("altered", status="altered"),
        result("elsewhere", section_ok=False),
        result("missing", status="missing", answer=None, verdict="fabricated", confidence=None),
        result("stale"),
        result("not reviewed"),
    ]
    decisions = [review(r["id"]) for r in rows[:5]] + [review("stale", fingerprint="another")]
    assert tune_threshold(rows, decisions)["reviewed"] == 2


def test_a_merged_result_is_still_tuned_by_the_models_own_choice() -> None:
    decisions = [review("a", "contradicted")]
    merged, _ = apply_reviews([result("a")], decisions)
    assert tune_threshold(merged, decisions)["thresholds"][0]["errors"] == 1


@pytest.mark.parametrize("share", [0.0, 1.0, float("nan")])
def test_a_target_that_nothing_can_meet_is_refused(share: float) -> None:
    with pytest.raises(CitationCheckError, match="target: must be between 0 and 1"):
        tune_threshold([], [], target=share)


def test_several_versions_are_named() -> None:
    rows = [result("a"), result("b"), result("c")]
    rows[0]["answer"]["model"] = "jev-1.13.0"  # type: ignore[index]
    rows[1]["answer"]["model"] = "jev-1.14.0"  # type: ignore[index]
    assert answered_by(rows, [review("a"), review("b")]) == ["jev-1.13.0", "jev-1.14.0"]


def test_the_table_says_what_to_set() -> None:
    rows = [result(str(n), 0.6 if n < 2 else 0.95) for n in range(102)]
    decisions = [review(str(n), "fabricated" if n < 2 else "verified") for n in range(102)]
    assert threshold_table(tune_threshold(rows, decisions)) == (
        "threshold   auto  decided  errors    rate   0.95 interval\n"
        "     0.60   100%      102       2    2.0%    0.2% to   6.9%\n"
        "     0.95    98%      100       0    0.0%    0.0% to   3.6%  <- recommended\n"
        "\n"
        "0.95 is the lowest threshold that keeps errors under 0.05 with confidence 0.95 (102 reviews counted)."
    )


def test_the_table_says_how_many_reviews_are_wanted() -> None:
    text = threshold_table(tune_threshold([result("a")], [review("a")]))
    assert text.endswith("(1 review counted): that takes at least 71 further reviews without an error.")


@pytest.mark.parametrize(
    ("text", "message"),
    [("[]", 'no "results" list'), ('{"results": [{"id": "a"}, 3]}', "result 1 has no status, section_ok")],
)
def test_a_results_file_of_another_kind_is_told(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputFileError, match=message):
        load_results(saved(tmp_path, text))


def test_a_results_file_is_read(tmp_path: Path) -> None:
    assert load_results(saved(tmp_path, {"results": [result("a")]})) == [result("a")]
