"""The published table, the source shown in the notebook, the JSON document and the report."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from helpers.citations import Result
from helpers.documents import Document, Section
from helpers.errors import CitationCheckError
from helpers.reporting import replace_file, show_source, to_json, verdict_table
from helpers.wording import count_verdicts
from tests.published import TABLE


def made(
    id: str, status: str = "found", choice: str | None = "supports", confidence: float | None = 0.93, **more: Any
) -> Result:
    verdicts = {"supports": "verified", "contradicts": "contradicted", "says_nothing": "unsupported"}
    answer = None
    if choice:
        rest = dict.fromkeys(verdicts, 0.0)
        answer = {"choice": choice, "probabilities": {**rest, choice: 1.0}, "confidence": confidence, "seconds": 0.1}
        answer |= {"input_tokens": 10, "output_tokens": 2}
    result = {
        "id": id,
        "claim": "c",
        "quote": "q",
        "section": "1",
        "status": status,
        "found_in": "1",
        "also_in": [],
        "section_ok": True,
        "match": None,
        "risks": [],
        "answer": answer,
        "verdict": verdicts[choice] if choice else "fabricated",
        "confidence": confidence,
        "auto": confidence is None or confidence >= 0.8,
        "reason": None,
        "error": None,
        "replayed": True,
        "fingerprint": "0" * 64,
        "review": None,
    }
    return result | more  # type: ignore[return-value]


EIGHT = [
    made("epoch_seconds"),
    made("aud_reject", confidence=0.95),
    made("sig_reporting", "missing", None, None),
    made("clock_skew", confidence=0.99),
    made("exp_required", choice="contradicts", confidence=0.99),
    made("pii_encryption", choice="says_nothing", confidence=0.27),
    made("iat_future", "section-only", "says_nothing", 0.56),
    made("duplicate_names", confidence=0.99),
]


def test_the_published_table_comes_out_to_the_byte() -> None:
    assert verdict_table(EIGHT) == TABLE.rstrip("\n")


def test_an_unjudged_row_shows_dashes_and_goes_to_review() -> None:
    row = made("x", choice=None, confidence=None, verdict=None, auto=False, error="no answer")
    assert (
        verdict_table([row]).split("\n")[1]
        == "x                 found         -                  -  unjudged      review"
    )


@pytest.mark.parametrize(
    ("id", "line"),
    [
        ("i" * 30, "i" * 30 + "  found         supports        0.93  verified        auto"),
        ("a" * 70, "a" * 70 + "  found         supports        0.93  verified        auto"),
        (
            "引用一二三四五六七八九十",
            "引用一二三四五六七八九十  found         supports        0.93  verified        auto",
        ),
        ("two\nlines\x1b[2J", "two�lines�[2J     found         supports        0.93  verified        auto"),
    ],
    ids=["long", "over-long", "wide", "control-characters"],
)
def test_columns_stay_apart_whatever_the_id(id: str, line: str) -> None:
    assert verdict_table([made(id)]).split("\n")[1] == line


def test_the_document_has_a_column_only_where_there_are_several() -> None:
    one, two = made("a", source="x.txt"), made("b", source="y.txt")
    assert "source" not in verdict_table(EIGHT)
    header, first, second = verdict_table([one, two]).split("\n")
    assert header == "citation          source            quote         relation        conf  verdict       action"
    assert first == "a                 x.txt             found         supports        0.93  verified        auto"
    assert second == "b                 y.txt             found         supports        0.93  verified        auto"


def test_a_reviewed_verdict_is_the_humans_in_the_table_and_in_the_counts() -> None:
    row = made("x", confidence=0.3, verdict="unsupported", review={"verdict": "unsupported"})
    assert verdict_table([row]).split("\n")[1].endswith("unsupported    human")
    assert count_verdicts([row])["review"] == 0


def test_unjudged_is_its_own_count_and_not_a_review() -> None:
    row = made("x", choice=None, confidence=None, verdict=None, auto=False, error="no answer")
    assert count_verdicts([row, *EIGHT]) == {
        "verified": 4,
        "contradicted": 1,
        "unsupported": 2,
        "fabricated": 1,
        "unjudged": 1,
        "review": 2,
    }


def test_the_json_document_has_the_contracts_keys() -> None:
    outline = [Section("Front matter", "", 0, 2), Section("1", "One", 2, 4, numbered=True)]
    document = Document("a.txt", "abcd", outline, sha256="f" * 64)
    data = to_json(EIGHT, document, model="jev-1.12", auto_accept=0.8)
    assert list(data) == ["schema", "source", "model", "auto_accept", "counts", "results"]
    assert data["source"] == {
        "name": "a.txt",
        "sha256": "f" * 64,
        "characters": 4,
        "sections": ["Front matter", "1"],
        "numbered": 1,
    }
    assert [s["name"] for s in to_json([], [document, document], model="m", auto_accept=0.8)["source"]] == ["a.txt"] * 2


def test_the_source_of_a_function_is_shown_as_a_fence() -> None:
    text = show_source(verdict_table, to_json).data
    assert text.startswith("```python\ndef verdict_table(")
    assert "\n\n\ndef to_json(" in text
    assert text.endswith("\n```")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no /dev/fd, and links take a privilege")
def test_a_link_is_followed_and_what_is_no_file_is_written_to_and_stays(tmp_path):
    (tmp_path / "real.txt").write_text("old", encoding="utf-8")
    (tmp_path / "link.txt").symlink_to("real.txt")
    replace_file(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink() and (tmp_path / "real.txt").read_text(encoding="utf-8") == "new"
    read, write = os.pipe()
    replace_file(f"/dev/fd/{write}", "half \ud83d", errors="backslashreplace")
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as pipe:
        assert pipe.read() == "half \\ud83d"


def test_a_folder_that_cannot_be_written_is_told_with_the_name_that_was_given(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    for name in ("write_bytes", "unlink"):
        monkeypatch.setattr(Path, name, refuse)
    with pytest.raises(CitationCheckError, match=r"report\.html: cannot be written: Read-only file system; name a"):
        replace_file(tmp_path / "report.html", "x")
