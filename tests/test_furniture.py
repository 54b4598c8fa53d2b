"""Page furniture of plain text goes, whatever the era; the author's words stay."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.readers.furniture import remove_furniture

ROOT = Path(__file__).parents[1]
FOOT = "Porter & Gate                 Informational                     [Page 12]\n"
HEAD = "RFC 9999                    Paper Tokens                   February 2031\n"


def words(text: str) -> list[str]:
    return remove_furniture(text)[0].split()


def test_rfc_7519_is_cleaned_as_published() -> None:
    text, _ = remove_furniture((ROOT / "rfc7519.txt").read_text(encoding="utf-8"))
    assert len(text) == 58_365
    digest = "6e275dd82374e5ede6e709d9a50f7c909751c1de2cfe6fc3948ece596d4271a0"
    assert hashlib.sha256(text.encode("utf-8")).hexdigest() == digest
    assert text.startswith("\n\nInternet") and text.endswith("\n\n")


@pytest.mark.parametrize(
    "page_break",
    [
        pytest.param(f"\n\n\n{FOOT}\f\n{HEAD}\n\n", id="foot, form feed, head"),
        pytest.param(f"\n\n\n{FOOT}\f{HEAD}\n\n", id="form feed on the head's line"),
        pytest.param(f"\n\n\n{FOOT[:-1]}\f\n{HEAD}\n\n", id="form feed on the foot's line"),
        pytest.param(f"\n\n{FOOT}\n{HEAD}\n", id="no form feed"),
        pytest.param(
            "\n\nPorter                [Page xii]\n\nRFC 333       Paper Tokens      May 1972\n\n", id="Roman"
        ),
        pytest.param("\n\n[Page A-3]                      Porter\n\n\n", id="foot with its number first"),
        pytest.param("\n\n                                   [page 7]\n\n", id="small letters"),
        pytest.param("\n\nPorter\t\t\t[Page 9]\n\f\n\n", id="tabs"),
        pytest.param(f"\n\n{FOOT}\f\n{HEAD.replace('RFC', 'Request for Comments:')}\n\n", id="the head in words"),
    ],
)
@pytest.mark.parametrize("sentence", ["compares the number on the|list beside the gate", "an imple-|mentation"])
def test_a_page_break_leaves_no_word_behind(page_break: str, sentence: str) -> None:
    before, after = sentence.split("|")
    text, _ = remove_furniture(f"1.  Scope\n\n   The porter {before}{page_break}   {after}.\n")
    assert text == f"1.  Scope\n\n   The porter {before}\n\n   {after}.\n"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("   See the list of gates in the handbook on [Page 3]\n   and what follows.\n", id="body line"),
        pytest.param("   See the handbook.\n\n   It says so on [Page 3]\n\n   More.\n", id="a line alone"),
        pytest.param(
            "   One              [Page 1]\n   Two              [Page 2]\n   Three     [Page 3]\n", id="listing"
        ),
        pytest.param(
            "Refrain\n\nFirst verse.\n\nRefrain\n\nSecond verse.\n\nRefrain\n\nThird.\n", id="no pages at all"
        ),
        pytest.param(
            "\f\n".join(f"Dear Sir,\n\nletter {n} says so.\n" for n in "abcdef"), id="letters, no page number"
        ),
        pytest.param(
            "\f\n".join(f"Chapter {n}\n\nText {n * 7}.\n" for n in range(1, 7)), id="chapters count the pages"
        ),
        pytest.param("Porters read\f the seal.\n", id="form feed within a line"),
    ],
)
def test_the_authors_own_lines_stay(text: str) -> None:
    assert words(text) == text.split()


def test_headings_that_recur_atop_pages_stay() -> None:
    pages = [f"4.1.{n}. Registration of G72{n * 3}\n\n   Text.\n\n\nPorter    [Page {n}]\n" for n in range(1, 7)]
    text, _ = remove_furniture("\f\n".join(pages))
    assert text.count("Registration") == 6
    assert "Porter" not in text


@pytest.mark.parametrize("alternating", [False, True], ids=["alike", "odd and even"])
def test_running_lines_are_known_by_coming_back(alternating: bool) -> None:
    heads = ["Gate Manual                  Porter", "Porter                  Gate Manual"]
    pages = [f"{heads[n % 2 if alternating else 0]}\n\nbody {n * 31}.\n\n\n{'':30}- {n} -\n" for n in range(1, 9)]
    kept = words("\f\n".join(pages))
    assert kept[3:] == [w for n in range(1, 9) for w in ("body", f"{n * 31}.")] + ["-", "8", "-"]


@pytest.mark.parametrize("foot", ["第 {} 页", "第{}頁", "Страница {}", "Seite {} von 9"])
def test_page_numbers_in_any_language_are_furniture(foot: str) -> None:
    pages = [f"body {n * 31}.\n\n\n{'':30}{foot.format(n)}\n" for n in range(1, 9)]
    assert words("\f\n".join(pages))[: 2 * 7] == [w for n in range(1, 8) for w in ("body", f"{n * 31}.")]


def test_the_only_page_loses_its_foot() -> None:
    assert words("Words.\n\n\nPorter                    [Page 1]\n\f\n") == ["Words."]


def test_pages_beyond_those_compared_at_once_are_cleaned_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("helpers.readers.furniture.PAGES_AT_ONCE", 4)
    pages = [f"Gate Manual            Porter\n\nbody {n}.\n\n\nPorter        [Page {n}]\n" for n in range(1, 21)]
    assert words("\f\n".join(pages))[3:] == [w for n in range(1, 21) for w in ("body", f"{n}.")]


def test_lines_keep_their_numbers() -> None:
    source = f"\n\n\n\n\nTop\n\n   text\n\n\n\n{FOOT}\f\n{HEAD}\n\n   goes on\n   here\n"
    text, marks = remove_furniture(source)
    lines = source.split("\n")
    for word in ("Top", "text", "goes on", "here"):
        offset = text.index(word)
        start, line = max(mark for mark in marks if mark[0] <= offset)
        assert word in lines[line + text.count("\n", start, offset) - 1]


@given(st.text(alphabet="a1 .\n\f[]Page", max_size=200))
def test_marks_are_in_order_and_only_white_space_goes_from_text_without_pages(text: str) -> None:
    cleaned, marks = remove_furniture(text)
    assert marks == sorted(marks) and marks[0][0] == 0
    if "\f" not in text and "age" not in text:
        assert cleaned.split() == text.split()
