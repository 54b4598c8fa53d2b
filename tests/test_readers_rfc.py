"""Sections of RFC-like texts: every style of numbering is found, and what only looks like it is not."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from helpers.documents import Document
from helpers.readers.chain import best_chain
from helpers.readers.text import read_text

ROOT = Path(__file__).parents[1]


def read(text: str) -> Document:
    return read_text("source.txt", text)


def numbered(text: str) -> list[str]:
    return [section.label for section in read(text).outline if section.numbered]


def labels(text: str) -> list[str]:
    return [section.label for section in read(text).outline]


def body(*titles: str) -> str:
    """Return a document with these heading lines, each followed by an indented paragraph of its own."""
    return "".join(f"{title}\n\n   Words under {number}.\n\n" for number, title in enumerate(titles))


def test_rfc_7519_has_its_45_sections_as_published() -> None:
    document = read((ROOT / "rfc7519.txt").read_text(encoding="utf-8"))
    sections = {s.label: document.section_text(s) for s in document.outline if s.numbered}
    data = json.dumps(sections, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert len(sections) == 45
    digest = "e782f26bd64505f322229c0a9454f114c4c9e7d616087f9a0ccad96d18d9c5cc"
    assert hashlib.sha256(data.encode("utf-8")).hexdigest() == digest
    assert document.format == "rfc" and document.doubts == []


def test_rfc_7519_has_its_other_parts_where_they_begin() -> None:
    document = read((ROOT / "rfc7519.txt").read_text(encoding="utf-8"))
    others = {s.label: s.start for s in document.outline if not s.numbered}
    assert list(others) == [
        "Front matter",
        "Abstract",
        "Status of This Memo",
        "Copyright Notice",
        "Table of Contents",
        "A",
        "A.1",
        "A.2",
        "B",
        "C",
        "Acknowledgements",
        "Authors' Addresses",
    ]
    assert others["Abstract"] == 562 and others["Table of Contents"] == 2_289 and others["A"] == 49_636
    assert others["Acknowledgements"] == 56_686 and others["Authors' Addresses"] == 58_033
    assert [s.label for s in document.outline if s.contents] == ["Table of Contents"]


def test_a_line_of_rfc_7519_is_the_line_of_the_file() -> None:
    source = (ROOT / "rfc7519.txt").read_text(encoding="utf-8")
    document = read(source)
    lines = source.split("\n")
    for section in document.outline:
        if section.numbered:
            line = document.line_at(section.start)
            assert line is not None and lines[line - 1].startswith(section.label + ".  ")


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        pytest.param(["1.  Scope", "2.  Rules", "2.1.  Night"], ["1", "2", "2.1"], id="dots"),
        pytest.param(["1 Scope", "2 Rules", "2.1 Night"], ["1", "2", "2.1"], id="no dots"),
        pytest.param(["1. Scope", "2. Rules", "2.1 Night"], ["1", "2", "2.1"], id="mixed"),
        pytest.param(["1.Scope", "2.Rules", "2.1.Night"], ["1", "2", "2.1"], id="no blank"),
        pytest.param(["1 - Scope", "2 - Rules", "2.1 - Night"], ["1", "2", "2.1"], id="dash"),
        pytest.param(["1) Scope", "2) Rules"], ["1", "2"], id="parenthesis"),
        pytest.param(["Section 1: Scope", "Section 2: Rules"], ["1", "2"], id="the word Section"),
        pytest.param(["CHAPTER 1. SCOPE", "CHAPTER 2. RULES"], ["1", "2"], id="the word Chapter"),
        pytest.param(["I.  Scope", "II.  Rules", "III.  End"], ["I", "II", "III"], id="Roman"),
        pytest.param(["1.0  Scope", "2.0  Rules", "2.1  Night"], ["1.0", "2.0", "2.1"], id="N.0"),
        pytest.param(["0. Preface", "1. Scope", "2. Rules"], ["0", "1", "2"], id="from 0"),
        pytest.param(["3. Scope", "3.1. Day", "4. Rules"], ["3", "3.1", "4"], id="an extract"),
        pytest.param(["1. Scope", "4. Rules"], ["1", "4"], id="a gap"),
        pytest.param([f"{'':28}1.  SCOPE", "1.1.  Day", f"{'':28}2.  RULES"], ["1", "1.1", "2"], id="centred"),
        pytest.param(["1. A", "  1.1. B", "    1.1.1. C", "2. D"], ["1", "1.1", "1.1.1", "2"], id="indented by depth"),
        pytest.param(["1. A", "1.1. B", "1.1.1. C", "1.1.1.1. D"], ["1", "1.1", "1.1.1", "1.1.1.1"], id="deep"),
        pytest.param(
            [f"1{'.1' * depth}.  Part" for depth in range(8)], [f"1{'.1' * depth}" for depth in range(8)], id="8 deep"
        ),
        pytest.param(
            ["1. MUST   This word means\n   no choice.", "2. MAY   This is free."], ["1", "2"], id="text on it"
        ),
        pytest.param(["10.1.  200", "10.2.  400", "10.3.  506"], ["10.1", "10.2", "10.3"], id="titles of digits"),
        pytest.param(["Kapitel 1 Ziel", "Kapitel 2 Regeln"], ["1", "2"], id="German"),
        pytest.param(["1. Введение", "1.1. Цель", "2. Правила"], ["1", "1.1", "2"], id="Russian"),
        pytest.param(["1 概述", "1.1 目的", "2 规则"], ["1", "1.1", "2"], id="Chinese"),
        pytest.param(
            ["第一章 概述", "第一节 目的", "第二章 规则", "第一节 夜"], ["1", "1.1", "2", "2.1"], id="章 and 节"
        ),
        pytest.param(["一、概述", "二、规则", "三、尾"], ["1", "2", "3"], id="Chinese list numerals"),
    ],
)
def test_headings_of_every_style_are_found(titles: list[str], expected: list[str]) -> None:
    text = body(*titles)
    assert numbered(text) == expected
    assert read(text).format == "rfc"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            body("1.  Scope") + "The porter does this:\n\n1.  Looks.\n\n2.  Nods.\n\n" + body("2.  Rules"),
            ["1", "2"],
            id="a list at column 0",
        ),
        pytest.param(
            body("1.  Scope", "2.  Rules")
            + "   He does this:\n\n   1.  Looks\n\n   2.  Nods\n\n   3.  Goes\n\n"
            + body("3.  End"),
            ["1", "2", "3"],
            id="a list as long as the chain",
        ),
        pytest.param(
            body("1.  Scope", "2.  Rules") + "   He does this:\n\n   3.  Looks\n\n   4.  Nods\n",
            ["1", "2"],
            id="a list that goes on counting",
        ),
        pytest.param(
            body("1.  Scope")
            + "   see Section\n   2 for it.  In the year\n2031 he wrote, says section\n2.  So.\n\n"
            + body("2.  Rules"),
            ["1", "2"],
            id="numbers at the start of a wrapped line",
        ),
        pytest.param(
            body("1.  Scope") + " 0                   1\n 0 1 2 3 4 5 6 7 8 9 0 1\n+-+-+-+\n\n" + body("2.  Rules"),
            ["1", "2"],
            id="a diagram",
        ),
        pytest.param(
            body("1.  Scope")
            + "2               BAD_ID\n\n3               NO_RECORD\n\n"
            + body("2.  Rules", "3.  End"),
            ["1", "2", "3"],
            id="a wide table",
        ),
        pytest.param(
            body("1.  Scope") + "7.  of the gates are open at night.\n\n" + body("2.  Rules", "3.  End"),
            ["1", "2", "3"],
            id="a number far from the one before",
        ),
        pytest.param(
            body("1.  Scope", "2.  Rules") + "   He does this:\n\n   3.  Looks and reads\n\n   Again.\n",
            ["1", "2"],
            id="what a colon introduces",
        ),
    ],
)
def test_what_only_begins_with_a_number_is_no_heading(text: str, expected: list[str]) -> None:
    assert numbered(text) == expected


@pytest.mark.parametrize(
    ("titles", "expected"),
    [
        pytest.param(
            ["1. S", "Appendix A.  Lists", "A.1.  More", "Appendix B: End"], ["1", "A", "A.1", "B"], id="words"
        ),
        pytest.param(["1. S", "APPENDIX A - LISTS", "APPENDIX B - END"], ["1", "A", "B"], id="capitals"),
        pytest.param(["1. S", "Annex A (informative)", "A.1 More"], ["1", "A", "A.1"], id="Annex"),
        pytest.param(["1. S", "A. Lists", "B. Tables"], ["1", "A", "B"], id="letters alone"),
        pytest.param(["1. S", "Appendix 1. Lists", "Appendix 2. End"], ["1", "Appendix 1", "Appendix 2"], id="digits"),
        pytest.param(["1. S", "Anhang A Listen", "Literatur"], ["1", "A", "Literatur"], id="German"),
        pytest.param(["1. S", "Приложение А. Списки"], ["1", "А"], id="Russian"),
        pytest.param(["1. S", "附录A 表"], ["1", "A"], id="Chinese"),
    ],
)
def test_appendices_end_the_section_before_them(titles: list[str], expected: list[str]) -> None:
    assert labels(body(*titles)) == expected


def test_a_number_that_comes_twice_keeps_both_texts() -> None:
    document = read(body("1.  Thanks", "2.  Sources", "2.  Addresses", "3.  End"))
    assert list(document.sections) == ["1", "2", "2 (2)", "3"]
    assert document.sections["2 (2)"] == "2.  Addresses\n\n   Words under 2."


CONTENTS = "Table of Contents\n\n"


@pytest.mark.parametrize(
    "contents",
    [
        pytest.param("   1.  Scope ........ 1\n   2.  Rules ........ 3\n   Acknowledgments .. 9\n\n", id="dots"),
        pytest.param("1.  Scope . . . . . . 1\n2.  Rules . . . . . . 3\n\n", id="spaced dots at column 0"),
        pytest.param("   1.  Scope             1\n\n   2.  Rules             3\n\n", id="wide gaps"),
        pytest.param("1. Scope\t1\n2. Rules\t3\n\n", id="tabs"),
        pytest.param("   1.  Scope\n   2.  Rules\n   Acknowledgments\n\n", id="no page numbers"),
        pytest.param(
            "1.  Scope of the Document that is\n    long ................. 1\n2.  Rules ... 3\n\n", id="wrapped"
        ),
        pytest.param("1.0  Scope ...... 1\n2.0  Rules ...... 3\n\n", id="N.0 there only"),
    ],
)
def test_a_table_of_contents_is_a_part_of_its_own(contents: str) -> None:
    text = CONTENTS + contents + body("1.  Scope", "2.  Rules", "Acknowledgments")
    document = read(text)
    assert [(s.label, s.contents) for s in document.outline] == [
        ("Table of Contents", True),
        ("1", False),
        ("2", False),
        ("Acknowledgments", False),
    ]


def test_an_abstract_after_the_contents_is_not_swallowed_by_them() -> None:
    contents = CONTENTS + "   1.  Scope ..... 1\n   2.  Rules ..... 3\n\n"
    for abstract in ("Abstract\n\n", ""):
        text = contents + abstract + "   Porters read the seal of every ticket, day and night, and keep the list.\n\n"
        document = read(text + body("1.  Scope", "2.  Rules"))
        part = document.section_at(document.text.index("Porters read the seal"))
        assert (part.label, part.contents) == ("Abstract" if abstract else "Front matter", False)


def test_the_contents_tell_a_heading_from_a_list_item() -> None:
    contents = (
        CONTENTS + "".join(f"   {n}.  {t} ..... {n}\n" for n, t in enumerate(["Scope", "Rules", "End"], 1)) + "\n"
    )
    steps = "3.  Step one of it\n\nSome words.\n\n4.  Step two of it\n\nMore words.\n\n"
    assert numbered(contents + body("1.  Scope", "2.  Rules") + steps + body("3.  End")) == ["1", "2", "3"]


def test_underlined_lines_in_a_listed_document_are_no_headings() -> None:
    contents = CONTENTS + "   1.  Scope ..... 1\n   2.  Rules ..... 3\n\n"
    traces = "".join(f"{name} -> MS\n-------\n\n   INVITE\n\n" for name in ("AS", "UA", "PX", "GW"))
    assert numbered(contents + body("1.  Scope") + traces + body("2.  Rules")) == ["1", "2"]


@pytest.mark.parametrize("title", ["Acknowledgements", "ACKNOWLEDGMENTS", "Authors' Addresses", "References", "Index"])
def test_headings_without_a_number_end_the_section_before_them(title: str) -> None:
    document = read(body("Abstract", "1.  Scope", title))
    assert list(document.sections) == ["Abstract", "1", title]


@pytest.mark.parametrize(
    ("numbers", "weights", "chain"),
    [
        pytest.param([(1,), (2,), (4,)], [4.5, 4.5, 4.5], [0, 1, 2], id="a good heading after a gap"),
        pytest.param([(1,), (2,), (4,)], [4.5, 4.5, 2.0], [0, 1], id="a poor one is not worth the gap"),
        pytest.param([(1,), (1, 1), (1, 1, 1), (2,)], [4.5] * 4, [0, 1, 2, 3], id="down and up again"),
        pytest.param([(1,), (5,), (2,), (3,)], [4.5] * 4, [0, 2, 3], id="one that fits nowhere"),
        pytest.param([(1,), (2,), (2,), (3,)], [4.5] * 4, [0, 1, 2, 3], id="a number twice"),
        pytest.param([(1,), (2,), (1,), (2,), (3,)], [4.5, 4.5, 2.0, 2.0, 4.5], [0, 1, 4], id="a list counts anew"),
    ],
)
def test_the_heaviest_chain_of_successors_wins(
    numbers: list[tuple[int, ...]], weights: list[float], chain: list[int]
) -> None:
    assert best_chain(numbers, weights, [False] * len(numbers)) == chain


def test_the_outline_is_the_whole_text() -> None:
    document = read((ROOT / "rfc7519.txt").read_text(encoding="utf-8"))
    assert "".join(document.text[s.start : s.end] for s in document.outline) == document.text


def test_numbers_that_do_not_add_up_are_doubted_and_one_gap_is_not() -> None:
    assert read(body("1. A", "2. B", "4. D")).doubts == []
    doubts = read(body("1. A", "2. B", "6. F", "7. G", "11. K")).doubts
    assert len(doubts) == 1 and "3, 4, 5" in doubts[0]
