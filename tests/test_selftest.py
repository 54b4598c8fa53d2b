"""The self-test damages a document's own sentences, and tells what step 1 gets wrong on them."""

import json
from pathlib import Path

import pytest

from helpers import selftest as under_test
from helpers.documents import Document, Section
from helpers.readers.text import read_text
from helpers.selftest import selftest, selftest_table

SOURCE = Path(__file__).parent.parent / "rfc7519.txt"
NAMES = {
    "as it stands": True,
    "typographic characters": True,
    "wrapped otherwise": True,
    "hyphenated at a line end": True,
    "soft hyphens": True,
    "a word in bold": True,
    "in quotation marks": True,
    "full stop replaced by a comma": True,
    "cut short": True,
    "a word in another case": False,
    "a word changed": False,
    "a word dropped": False,
    "MUST, SHOULD, MAY exchanged": False,
    "a not added or dropped": False,
    "a digit changed": False,
    "an ellipsis inside": False,
    "an editor's bracket": False,
    "halves of two sentences": False,
    "the words in another order": False,
}


@pytest.fixture(scope="module")
def rfc() -> Document:
    return read_text("rfc7519.txt", SOURCE.read_text(encoding="utf-8"))


def test_on_the_shipped_source_nothing_is_accused_and_nothing_accepted(rfc: Document) -> None:
    data = selftest(rfc, quotes=30)
    assert data["source"] == "rfc7519.txt"
    assert {kind["kind"]: kind["harmless"] for kind in data["kinds"]} == NAMES
    assert all(kind["quotes"] >= 5 for kind in data["kinds"])
    assert [kind for kind in data["kinds"] if kind["accepted"] or kind["accused"]] == []


def test_the_same_seed_damages_the_same_sentences(rfc: Document) -> None:
    assert json.dumps(selftest(rfc, seed=3, quotes=5)) == json.dumps(selftest(rfc, seed=3, quotes=5))


def test_a_matcher_that_accepts_everything_is_caught(rfc: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    found = under_test.trace(rfc, {"quote": "JSON Web Token", "section": None})
    monkeypatch.setattr(under_test, "trace", lambda *_: found)
    kinds = selftest(rfc, quotes=10)["kinds"]
    assert all(kind["accepted"] == kind["quotes"] for kind in kinds if not kind["harmless"])
    table = selftest_table({"source": "x", "kinds": kinds})
    assert "altered, but found" in table
    dropped = next(kind for kind in kinds if kind["kind"] == "a word dropped")
    assert len(dropped["wrong"]) == dropped["accepted"] > 5
    named = table.partition("\na word dropped:\n")[2].split("\n")
    assert [line.strip() for line in named[:5]] == [repr(quote) for quote in dropped["wrong"][:5]]
    assert named[5] == f"  {dropped['accepted'] - 5} more; --json names all"


def test_a_matcher_that_finds_nothing_is_caught(rfc: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = under_test.trace(rfc, {"quote": "Nowhere to be found in here at all", "section": None})
    monkeypatch.setattr(under_test, "trace", lambda *_: missing)
    kinds = selftest(rfc, quotes=10)["kinds"]
    assert all(kind["accused"] == kind["quotes"] == len(kind["wrong"]) for kind in kinds if kind["harmless"])


def test_a_chinese_document_can_be_tested_too() -> None:
    text = "1.  范围\n\n" + "\n".join(
        f"第{n}道门必须拒绝过期的令牌，并且不得放行第{n}个持有人。" for n in "一二三四五六七八九"
    )
    kinds = selftest(Document("gates.txt", text, [Section("1", "", 0, len(text), True)]))["kinds"]
    assert {k["kind"]: k["quotes"] for k in kinds}["a word changed"] > 0
    assert [kind for kind in kinds if kind["accepted"] or kind["accused"]] == []


def test_a_document_without_sentences_gives_empty_counts() -> None:
    data = selftest(Document("empty.txt", "1.  A\n", [Section("1", "", 0, 6, True)]))
    assert all(kind["quotes"] == 0 for kind in data["kinds"])
    assert "no sentence of running text has 50 to 320 characters: nothing was damaged" in selftest_table(data)
    assert "as it stands" not in selftest_table(data)
