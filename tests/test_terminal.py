"""What `find` and `sections` show."""

import io

import pytest

from helpers.documents import Document, Section
from helpers.locating import closest, trace
from helpers.terminal import near_view, outline_view, trace_view, use_color

TEXT = "1.  Gates\n\n   A gate MUST NOT\n   accept it.  All is well.\n\n2.  More\n\n   A gate opens.\n"
GATES = Document(
    "gates.txt",
    TEXT,
    [
        Section("Contents", "Contents", 0, 0, contents=True),
        Section("1", "Gates", 0, 59, True),
        Section("2", "More", 59, len(TEXT), True),
    ],
    line_marks=[(0, 1)],
)


def test_a_found_quote_is_shown_in_its_context() -> None:
    view = trace_view(GATES, trace(GATES, {"quote": "A gate MUST NOT accept it.", "section": None}))
    assert view == (
        "found (exact) in 1 of gates.txt, line 3\n\n"
        "  1.  Gates\n\n     »A gate MUST NOT\n     accept it.«  All is well.\n\n  2.  More\n\n     A gate opens.\n"
    )


def test_an_altered_quote_is_shown_with_its_differences() -> None:
    view = trace_view(GATES, trace(GATES, {"quote": "A gate SHOULD accept it.", "section": None}))
    assert view.startswith("altered (words) in 1 of gates.txt, line 3\n")
    assert "»A gate [-MUST NOT-]\n     accept it.«" in view
    assert "  source: MUST NOT   quote: SHOULD   (negation)" in view
    assert view.endswith("  risks: negation")


def test_other_places_are_named() -> None:
    view = trace_view(GATES, trace(GATES, {"quote": "A gate", "section": None}))
    assert "  also in 2\n  risks: short, several" in view


def test_a_missing_quote_is_one_line() -> None:
    assert trace_view(GATES, trace(GATES, {"quote": "The porter sleeps.", "section": None})) == "missing in gates.txt"


def test_what_comes_closest_to_a_missing_quote_is_shown_with_its_differences() -> None:
    text = "1.  Gates\n\n   The keeper opens the gate of the bridge at dawn.  Carts wait.\n"
    document = Document("gates.txt", text, [Section("1", "Gates", 0, len(text), True)], line_marks=[(0, 1)])
    quote = "The keeper opens the gate of the bridge at dawn. Porters sing of the moon"
    assert trace(document, {"quote": quote, "section": None}).status == "missing"
    near = closest(document, quote)
    assert near is not None
    view = near_view(document, near)
    assert view.startswith(
        f"the closest passage ({near.similarity:.0%} alike) is in 1 of gates.txt, line 3\n\n  1.  Gates"
    )
    assert "»The keeper opens the gate of the bridge at dawn." in view
    assert "quote: Porters sing of the moon" in view


def test_an_added_word_is_told_from_the_word_nothing() -> None:
    view = trace_view(GATES, trace(GATES, {"quote": "A gate MUST NOT always accept it.", "section": None}))
    assert "  source: (nothing)   quote: always" in view


@pytest.mark.parametrize(
    ("line", "first", "last"),
    [
        ("   A porter counts the carts.\n", "     A porter counts", "counts the carts.\n\n  risks: short"),
        ("words " * 100, "  words", "words words\n\n  risks: short"),
    ],
    ids=["whole lines", "a long line is cut between words"],
)
def test_the_context_begins_and_ends_with_a_whole_line(line: str, first: str, last: str) -> None:
    text = line * 20 + "   A gate opens.\n" + line * 20
    document = Document("gates.txt", text, [Section("1", "Gates", 0, len(text), True)])
    shown = trace_view(document, trace(document, {"quote": "A gate opens.", "section": None})).split("\n\n", 1)[1]
    assert shown.startswith(first) and shown.endswith(last)


def test_colour_marks_the_same_places() -> None:
    view = trace_view(GATES, trace(GATES, {"quote": "A gate SHOULD accept it.", "section": None}), color=True)
    assert "\x1b[33maltered\x1b[0m" in view
    assert "\x1b[32mA gate \x1b[0m\x1b[31mMUST NOT\x1b[0m" in view


def test_the_outline_lists_label_size_and_title() -> None:
    assert outline_view(GATES).split("\n") == [
        "Contents          0  (contents, not searched)",
        "1                57  Gates",
        "2                26  More",
    ]


@pytest.mark.parametrize(
    ("terminal", "environment", "expected"),
    [(True, {}, True), (False, {}, False), (True, {"NO_COLOR": "1"}, False), (True, {"TERM": "dumb"}, False)],
)
def test_colour_is_for_terminals_that_want_it(
    terminal: bool, environment: dict[str, str], expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    stream = io.StringIO()
    monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
    assert use_color(stream) is expected
