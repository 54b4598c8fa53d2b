"""Plain text without numbers: underlined headings, or parts small enough for the model; nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.readers.text import PART_SIZE, read_text

PARAGRAPH = "The porter reads the seal of every ticket before the gate opens.\n" * 5 + "\n"


def test_underlined_headings_are_labels_with_their_path() -> None:
    text = "Gates\n=====\n\nRead.\n\nNight\n-----\n\n1. Look\n2. Nod\n\nDay\n---\n\nGo.\n"
    document = read_text("gates.txt", text)
    assert [s.label for s in document.outline] == ["Gates", "Gates > Night", "Gates > Day"]
    assert document.format == "text"


@pytest.mark.parametrize(
    "text", ["Name    Value\n-------------\n", "+----+\n| a  |\n+----+\n", "a\n\n----------\n\nb\n"]
)
def test_a_line_under_a_table_or_between_paragraphs_makes_no_heading(text: str) -> None:
    assert [s.label for s in read_text("t.txt", text).outline] == ["Front matter"]


def test_a_short_text_without_headings_is_one_part() -> None:
    document = read_text("note.txt", "Porters read the seal.\n\nThen they go home.\n")
    assert [(s.label, s.start, s.end) for s in document.outline] == [("Front matter", 0, 43)]


def test_a_long_text_without_headings_is_cut_at_paragraphs() -> None:
    document = read_text("long.txt", PARAGRAPH * 200)
    assert [s.label for s in document.outline[:2]] == ["Part 1", "Part 2"]
    assert document.outline[0].title == "The porter reads the seal of every ticket"
    assert all(s.end - s.start <= PART_SIZE for s in document.outline)
    assert all(document.text[s.start : s.start + 10] == "The porter" for s in document.outline)


@pytest.mark.parametrize(
    "text",
    [
        "word " * 30_000,
        "字" * 50_000,
        PARAGRAPH.replace("\n", " ") * 100,
        "a\n" * 40_000,
        PARAGRAPH * 99 + " \n" * 30_000,
        "Gates\n\n" + " " * 60_000 + "open at nine.",
        "Gates\n\n" + "\t\n \t" * 20_000 + "open at nine.",
    ],
    ids=[
        "no line feed",
        "no blank",
        "paragraphs of one line",
        "short lines",
        "blank at the end",
        "blanks",
        "blank lines",
    ],
)
def test_every_part_has_text_and_they_tile_the_document(text: str) -> None:
    document = read_text("x.txt", text)
    assert "".join(document.text[s.start : s.end] for s in document.outline) == document.text
    assert all(document.section_text(s) and len(document.section_text(s)) <= PART_SIZE for s in document.outline)


def test_more_numbered_lines_than_a_document_has_headings_are_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f"{n}. Row\n\n   Words.\n\n" for n in range(1, 30))
    assert read_text("rows.txt", rows).format == "rfc"
    monkeypatch.setattr("helpers.readers.candidates.MOST", 20)
    assert read_text("rows.txt", rows).format == "text"


@pytest.mark.parametrize(
    "text", ["", "\n", " \n\f\n", "1.", "1. \n", "Contents\n", "Contents\n\n1. A\n", "A\n==\n", "\f1. A"]
)
def test_odd_little_texts_have_an_outline(text: str) -> None:
    document = read_text("odd.txt", text)
    assert document.outline[0].start == 0 and document.outline[-1].end == len(document.text)


def test_what_is_known_of_the_file_is_handed_on() -> None:
    document = read_text("a.txt", "1. A\n\n   Words.\n", sha256="ab", doubts=["guessed"])
    assert (document.name, document.sha256, document.doubts) == ("a.txt", "ab", ["guessed"])


PIECES = [
    "1. ",
    "2.1 ",
    "A. ",
    "Appendix B",
    "Contents",
    "....",
    " 7",
    "Scope",
    "\n",
    "\n\n",
    "\f",
    "   ",
    "=====",
    "第二章 ",
    ":",
    "IV. ",
]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_any_mixture_of_headings_tiles_the_text(text: str) -> None:
    document = read_text("mixed.txt", text)
    assert "".join(document.text[s.start : s.end] for s in document.outline) == document.text
    labels = [s.label for s in document.outline]
    assert len(set(labels)) == len(labels)
