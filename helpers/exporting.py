"""Give results to other tools: SARIF for code scanning, JUnit XML for test reports."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .citations import Result
from .strictjson import read_text
from .wording import in_words, waits_for_human

SARIF_SCHEMA = (
    "https://json.schemastore.org/sarif-2.1.0.json"  # the address code scanning documents; never fetched here
)

RULES = {
    "contradicted": "The cited section says the opposite of the claim.",
    "unsupported": "The cited section does not address the claim.",
    "fabricated": "The quote's words are nowhere in the source.",
    "review": "A human has to confirm this citation.",
    "unjudged": "This citation could not be judged.",
}

TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]', re.DOTALL)
NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Place(NamedTuple):
    """Where a citation's id stands in its file: 1-based lines, 1-based columns in code points, the end exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


def named(result: Result, fail_on: Collection[str]) -> bool:
    """Say whether --fail-on names this citation's verdict, or its waiting for a human."""
    return result["verdict"] in fail_on or ("review" in fail_on and waits_for_human(result))


def to_sarif(results: Sequence[Result], citations_path: str | Path, fail_on: Collection[str] = ()) -> dict[str, Any]:
    """Return a SARIF 2.1.0 log with one result for each citation that is not simply verified.

    Places are in the citations file, its path relative to the current folder.
    """
    text, _ = read_text(citations_path)
    places = find_ids(text)
    location = {"uri": _uri(Path(citations_path))}
    rules = [{"id": name, "shortDescription": {"text": told}} for name, told in RULES.items()]
    return {
        "$schema": SARIF_SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "citation_check", "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": [_alert(r, location, places.get(r["id"]), fail_on) for r in results if _rule(r)],
            }
        ],
    }


def _rule(result: Result) -> str | None:
    if result["verdict"] in RULES:
        return result["verdict"]
    return "review" if waits_for_human(result) else None if result["verdict"] else "unjudged"


def _alert(result: Result, location: dict[str, str], place: Place | None, fail_on: Collection[str]) -> dict[str, Any]:
    rule = _rule(result)
    region = {"startLine": 1}
    if place:
        region = {"startLine": place.line, "startColumn": place.column}
        region |= {"endLine": place.end_line, "endColumn": place.end_column}
    return {
        "ruleId": rule,
        "ruleIndex": list(RULES).index(str(rule)),
        "level": "note" if rule == "unjudged" else "error" if named(result, fail_on) else "warning",
        "message": {"text": f"{result['id']} is {in_words(result)}. {RULES[str(rule)]} Claim: {result['claim']}"},
        "locations": [{"physicalLocation": {"artifactLocation": location, "region": region}}],
        "partialFingerprints": {"citation/v1": result["fingerprint"]},
    }


def _uri(path: Path) -> str:
    from os.path import relpath
    from urllib.parse import quote

    try:
        return quote(Path(relpath(path)).as_posix())
    except ValueError:  # another drive of Windows has no relative path
        return path.resolve().as_uri()


def find_ids(text: str) -> dict[str, Place]:
    """Return where each citation's id stands in JSON or JSON lines; of a saved reply without ids, each cited text."""
    from json import loads

    places: dict[str, Place] = {}
    cited = 0
    for key, value in _strings_by_key(text):
        if key in ("id", "cited_text"):
            cited += key == "cited_text"
            name = loads(value[0], strict=False) if key == "id" else f"cited-{cited}"
            places.setdefault(name, _place(text, value[1], value[2]))
    return places


def _strings_by_key(text: str) -> list[tuple[str, tuple[str, int, int]]]:
    """Return (key, (string with its quotation marks, start, end)) of every member whose value is a string."""
    members: list[tuple[str, tuple[str, int, int]]] = []
    last, key = "", None
    for token in TOKEN.finditer(text):
        kind = token[0]
        if kind == ":":
            key = last
        elif kind[0] == '"':
            if key is not None:
                members.append((key[1:-1], (kind, token.start(), token.end())))
            last, key = kind, None
        else:
            key = None
    return members


def _place(text: str, start: int, end: int) -> Place:
    line, last_line = text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1
    return Place(line, start - text.rfind("\n", 0, start), last_line, end - text.rfind("\n", 0, end))


def to_junit(results: Sequence[Result], fail_on: Collection[str] = ()) -> str:
    """Return JUnit XML, a test case a citation: named verdicts fail, review and unjudged are skipped."""
    from xml.etree import ElementTree as Xml

    suite = Xml.Element("testsuite", name="citation_check", tests=str(len(results)), errors="0")
    counts = {"failure": 0, "skipped": 0}
    for result in results:
        answer = result["answer"]
        seconds = f"{answer.get('seconds') or 0:.2f}" if answer else "0.00"
        case = Xml.SubElement(suite, "testcase", name=_xml(result["id"]), time=seconds)
        outcome = "failure" if named(result, fail_on) else None
        if not outcome and (waits_for_human(result) or not result["verdict"]):
            outcome = "skipped"
        if outcome:
            counts[outcome] += 1
            child = Xml.SubElement(case, outcome, message=_xml(in_words(result)))
            if outcome == "failure":
                child.set("type", _rule(result) or "review")
                child.text = _xml(f"claim: {result['claim']}\nquote: {result['quote'] or '-'}")
    suite.set("failures", str(counts["failure"]))
    suite.set("skipped", str(counts["skipped"]))
    suites = Xml.Element("testsuites")
    suites.append(suite)
    Xml.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Xml.tostring(suites, encoding="unicode") + "\n"


def _xml(text: str) -> str:
    """Replace what XML 1.0 cannot hold, even escaped."""
    return NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)
