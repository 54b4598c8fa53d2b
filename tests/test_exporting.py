"""SARIF points at the citation's own line; JUnit has a case a citation; unjudged is neither green nor red."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from test_reporting import made

from helpers.exporting import find_ids, to_junit, to_sarif

ENTRIES: list[dict[str, Any]] = [
    {"id": name, "claim": 'a "claim", {with} [marks]: "id": "b"', "quote": None, "section": "1"}
    for name in ("a", "b", "ü 引用", 'q"\\')
]


def write(tmp_path: Path, text: str, name: str = "citations.json") -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8"))
    return path


@pytest.mark.parametrize(
    ("text", "lines", "columns"),
    [
        (json.dumps(ENTRIES, indent=2, ensure_ascii=False), [3, 9, 15, 21], [11, 11, 11, 11]),
        (json.dumps(ENTRIES, indent=2), [3, 9, 15, 21], [11, 11, 11, 11]),
        (json.dumps(ENTRIES, indent=2).replace("\n", "\r\n"), [3, 9, 15, 21], [11, 11, 11, 11]),
        ("\ufeff" + json.dumps(ENTRIES, indent=2), [3, 9, 15, 21], [11, 11, 11, 11]),
        (json.dumps(ENTRIES, ensure_ascii=False), [1, 1, 1, 1], [9, 108, 207, 309]),
        ("\n".join(json.dumps(e) for e in ENTRIES), [1, 2, 3, 4], [8, 8, 8, 8]),
        ("\n\n" + "\n\n".join(json.dumps(e) for e in ENTRIES), [3, 5, 7, 9], [8, 8, 8, 8]),
    ],
    ids=["pretty", "escaped", "crlf", "byte-order-mark", "one-line", "json-lines", "blank-lines"],
)
def test_each_id_is_found_at_its_own_line(tmp_path: Path, text: str, lines: list[int], columns: list[int]) -> None:
    path = write(tmp_path, text)
    results = [made(e["id"], choice="contradicts") for e in ENTRIES]
    regions = [place(alert) for alert in alerts(to_sarif(results, path))]
    assert [r["startLine"] for r in regions] == lines
    assert [r["startColumn"] for r in regions] == columns
    shown = text.removeprefix("\ufeff").split("\n")
    for entry, region in zip(ENTRIES, regions, strict=True):
        there = shown[region["startLine"] - 1][region["startColumn"] - 1 : region["endColumn"] - 1]
        assert json.loads(there) == entry["id"]


def test_a_key_that_holds_no_text_or_a_text_that_looks_like_a_key_is_no_id() -> None:
    text = '[{"claim": "\\"id\\": \\"x\\"", "quote": "id", "section": ":", "id": "y"}, {"id": ["id", "z"]}]'
    assert list(find_ids(text)) == ["y"]


def test_a_saved_reply_without_ids_is_pointed_at_by_the_cited_text() -> None:
    text = (
        '{"id": "msg_1",\n"content": [{"text": "t", "citations": [\n{"cited_text": "one"},\n{"cited_text": "two"}]}]}'
    )
    places = find_ids(text)
    assert (places["cited-1"].line, places["cited-2"].line) == (3, 4)


def test_paths_are_relative_to_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in ner").mkdir()
    path = write(tmp_path / "in ner", "[]")
    monkeypatch.chdir(tmp_path)
    (alert,) = alerts(to_sarif([made("a", choice="contradicts")], path))
    assert alert["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "in%20ner/citations.json"
    monkeypatch.chdir(tmp_path / "in ner")
    (alert,) = alerts(to_sarif([made("a", choice="contradicts")], "citations.json"))
    assert alert["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "citations.json"


KINDS = {
    "verified": made("verified"),
    "contradicted": made("contradicted", choice="contradicts", confidence=0.99),
    "unsupported": made("unsupported", choice="says_nothing", confidence=0.3, reason="0.30 is under 0.8"),
    "fabricated": made("fabricated", "missing", None, None),
    "altered": made("altered", "altered", auto=False, reason="words differ"),
    "unjudged": made("unjudged", choice=None, confidence=None, verdict=None, auto=False, error="no answer"),
    "confirmed": made("confirmed", auto=False, review={"verdict": "verified", "note": None}),
    "changed": made("changed", verdict="fabricated", auto=False, review={"verdict": "fabricated", "note": "not there"}),
}


@pytest.mark.parametrize(
    ("fail_on", "levels"),
    [
        ((), ["warning", "warning", "warning", "warning", "note", "warning"]),
        (("fabricated",), ["warning", "warning", "error", "warning", "note", "error"]),
        (("review",), ["warning", "error", "warning", "error", "note", "warning"]),
        (("contradicted", "unsupported"), ["error", "error", "warning", "warning", "note", "warning"]),
    ],
    ids=["nothing", "fabricated", "review", "two"],
)
def test_only_named_verdicts_are_errors_and_unjudged_is_a_note(
    tmp_path: Path, fail_on: tuple[str, ...], levels: list[str]
) -> None:
    found = alerts(to_sarif(list(KINDS.values()), write(tmp_path, "[]"), fail_on))
    assert [a["ruleId"] for a in found] == [
        "contradicted",
        "unsupported",
        "fabricated",
        "review",
        "unjudged",
        "fabricated",
    ]
    assert [a["level"] for a in found] == levels


def test_the_log_has_what_code_scanning_asks_for(tmp_path: Path) -> None:
    log = to_sarif(list(KINDS.values()), write(tmp_path, json.dumps(ENTRIES)))
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    for alert in run["results"]:
        assert rules[alert["ruleIndex"]] == alert["ruleId"]
        assert alert["message"]["text"]
        assert alert["level"] in ("none", "note", "warning", "error")
        assert alert["partialFingerprints"] == {"citation/v1": "0" * 64}
        region = place(alert)
        assert all(isinstance(v, int) and v >= 1 for v in region.values())
    assert json.loads(json.dumps(log)) == log


@pytest.mark.parametrize(
    ("fail_on", "failed", "skipped"),
    [
        ((), [], ["unsupported", "altered", "unjudged"]),
        (("fabricated",), ["fabricated", "changed"], ["unsupported", "altered", "unjudged"]),
        (("review",), ["unsupported", "altered"], ["unjudged"]),
    ],
    ids=["nothing", "fabricated", "review"],
)
def test_named_verdicts_fail_and_what_nobody_decided_is_skipped(
    fail_on: tuple[str, ...], failed: list[str], skipped: list[str]
) -> None:
    suite = ElementTree.fromstring(to_junit(list(KINDS.values()), fail_on)).find("testsuite")
    assert suite is not None
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == list(KINDS)
    assert [c.get("name") for c in cases if c.find("failure") is not None] == failed
    assert [c.get("name") for c in cases if c.find("skipped") is not None] == skipped
    counts = [suite.get(name) for name in ("tests", "failures", "skipped", "errors")]
    assert counts == ["8", str(len(failed)), str(len(skipped)), "0"]


def test_a_skipped_case_says_why() -> None:
    suite = ElementTree.fromstring(to_junit([KINDS["unsupported"], KINDS["unjudged"]]))
    reasons = [skipped.get("message") for skipped in suite.iter("skipped")]
    assert reasons == ["unsupported, 0.30: for review, 0.30 is under 0.8", "unjudged: no answer"]


def test_text_that_xml_cannot_hold_is_replaced_and_the_rest_is_text() -> None:
    row = made('<a & "b">', choice="contradicts", claim="x\x00\x1b[2J ]]> <script>\ufffe")
    case = next(ElementTree.fromstring(to_junit([row], ["contradicted"])).iter("testcase"))
    assert case.get("name") == '<a & "b">'
    assert case.findtext("failure") == "claim: x��[2J ]]> <script>�\nquote: q"


def alerts(log: dict[str, Any]) -> list[dict[str, Any]]:
    return list(log["runs"][0]["results"])


def place(alert: dict[str, Any]) -> dict[str, int]:
    return dict(alert["locations"][0]["physicalLocation"]["region"])
