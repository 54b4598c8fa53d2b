"""What a page shows of a result: the section in pieces, sentences, charts, and pages that allow no other code."""

from __future__ import annotations

import base64
import hashlib
import re
from pathlib import Path
from typing import Any

import pytest
from test_reporting import EIGHT, made

from helpers.documents import Document, Section
from helpers.errors import CitationCheckError
from helpers.report.cards import bars, changed_words, make_card, notes, standing
from helpers.report.charts import reliability_curve, risk_curve, strip
from helpers.report.excerpts import AROUND, LONGEST_MARK, Piece, excerpt, surroundings
from helpers.reporting import report_excerpt, write_index, write_report
from helpers.reviewing import counted, tune_threshold

WRAPPED = """\
4.  Claims

   The set of claims that a token has to carry in order to be well-
   formed depends on where it is used, and so nothing more is said
   here.

   o  a point
   o  another
"""


def document(text: str = WRAPPED, **more: Any) -> Document:
    return Document("folder/a.txt", text, [Section("4", "Claims", 0, len(text), numbered=True)], **more)


def whole(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def match_of(text: str, words: str, **more: Any) -> dict[str, Any]:
    at = text.index(words)
    return {
        "kind": "exact",
        "start": at,
        "end": at + len(words),
        "text": words,
        "changes": [],
        "similarity": 1.0,
    } | more


def test_a_short_section_is_shown_whole_with_the_passage_marked() -> None:
    match = match_of(WRAPPED, "depends on where it is used")
    shown = excerpt(document(), 0, len(WRAPPED), marked=(match["start"], match["end"]), room=100)
    assert whole(shown.passage) == "depends on where it is used"
    assert whole(shown.before) + whole(shown.passage) + whole(shown.after) == WRAPPED.strip()
    assert {piece.kind for piece in shown.before + shown.after} == {"text", "wrap", "join"}


def test_only_line_ends_that_wrapping_made_may_be_set_anew() -> None:
    shown = excerpt(document(), 0, len(WRAPPED), marked=None, room=100)
    assert [piece for piece in shown.after if piece.kind != "text"] == [Piece("join", "\n   "), Piece("wrap", "\n   ")]


def test_a_text_that_was_never_wrapped_keeps_its_line_ends() -> None:
    short = "one two three\nfour five six\nseven eight nine\n"
    shown = excerpt(document(short), 0, len(short), marked=None, room=100)
    assert [piece.kind for piece in shown.after] == ["text"]


@pytest.mark.parametrize(("room", "kinds"), [(10_000, ["fold"]), (300, ["gap", "fold"]), (0, ["gap"])])
def test_a_long_section_is_folded_around_the_passage(room: int, kinds: list[str]) -> None:
    lines = "".join(f"line {n}\n" for n in range(1000))
    match = match_of(lines, "line 500")
    shown = excerpt(document(lines), 0, len(lines), marked=(match["start"], match["end"]), room=room)
    assert [piece.kind for piece in shown.before] == [*kinds, "text"]
    assert [piece.kind for piece in shown.after] == ["text", *reversed(kinds)]
    assert AROUND <= len(shown.before[-1].text) <= AROUND + 20
    assert shown.before[-1].text.startswith("line ")
    if kinds == ["fold"]:
        assert whole(shown.before) + whole(shown.passage) + whole(shown.after) == lines.strip()
    else:
        assert sum(len(piece.text) for piece in shown.before if piece.kind == "fold") == room
        assert re.fullmatch(r"\d(,\d+)? characters are left out", re.sub(r"^\d+ ", "1 ", shown.before[0].text))


def test_a_huge_passage_is_shown_by_its_head_and_tail() -> None:
    text = "a" * 10_000 + "b" * 10_000
    shown = excerpt(document(text), 0, len(text), marked=(0, len(text)), room=100)
    assert [len(piece.text) for piece in shown.passage if piece.kind == "text"] == [LONGEST_MARK // 2] * 2
    assert shown.passage[1] == Piece("gap", "16,000 characters of the passage are left out")


def test_a_passage_that_runs_over_the_sections_end_is_shown_to_its_end() -> None:
    text = "One two. Three four."
    outline = [Section("1", "", 0, 9, numbered=True), Section("2", "", 9, 20, numbered=True)]
    row = made("a", match=match_of(text, "two. Three"))
    shown = surroundings(row, Document("a.txt", text, outline), room=10)
    assert shown is not None
    assert (whole(shown.before), whole(shown.passage), whole(shown.after)) == ("One ", "two. Three", "")


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({}, "Section 4 Claims, a.txt"),
        ({"line_marks": [(0, 10)]}, "Section 4 Claims, a.txt, line 12"),
        ({"page_marks": [0, 5]}, "Section 4 Claims, a.txt, page 2"),
    ],
    ids=["nothing", "line", "page"],
)
def test_the_place_is_named_as_the_file_counts(more: dict[str, Any], place: str) -> None:
    row = made("a", match=match_of(WRAPPED, "The set of claims"))
    shown = surroundings(row, document(**more), room=10)
    assert shown is not None
    assert shown.place == place


def test_a_heading_keeps_its_letters_and_stands_once_in_the_place() -> None:
    heading = Document("a.md", "x y", [Section("install > Linux ARM", "Linux ARM", 0, 3)])
    shown = surroundings(made("a", match=match_of("x y", "x")), heading, room=10)
    assert shown is not None
    assert shown.place == "Install > Linux ARM, a.md"


@pytest.mark.parametrize(
    ("row", "sentence"),
    [
        (made("a", match={"kind": "exact"}, found_in="4.1"), "Word for word in section 4.1."),
        (
            made("a", match={"kind": "typographic"}, found_in="Abstract", also_in=["1", "2"]),
            "Word for word, apart from typography, in Abstract, also in 1, 2.",
        ),
        (made("a", "altered", match={"kind": "abridged"}, found_in="2"), "With words left out, in section 2."),
        (made("a", "missing", None, None), "The quote's words are nowhere in the source."),
        (made("a", "missing", None, None, quote=None, section="9.9"), "The source has no section 9.9."),
        (made("a", "missing", None, None, quote=None, section="Milch"), "The source has no section “Milch”."),
        (made("a", "section-only", section="4"), "No quote was given, so all of section 1 was judged."),
    ],
    ids=["exact", "typographic", "abridged", "missing", "no-section", "no-title", "section-only"],
)
def test_where_the_quote_stands_is_a_sentence(row: Any, sentence: str) -> None:
    assert standing(row) == sentence


def test_a_wrong_section_and_risks_are_noted() -> None:
    row = made("a", section="4.1.5", found_in="4.1.4", section_ok=False, risks=["short", "negation"])
    assert notes(row) == [
        "Cited as 4.1.5, but stands in 4.1.4.",
        "The quote is so short that it proves little.",
        "A negation differs.",
    ]


def test_words_that_differ_are_pieces_of_their_own() -> None:
    changes = [
        {"source": "MUST", "quote": "SHOULD", "risk": "modality"},
        {"source": "not", "quote": "", "risk": "negation"},
        {"source": "", "quote": "be", "risk": None},
    ]
    assert changed_words("it SHOULD always be", changes, "quote") == [
        Piece("text", "it "),
        Piece("changed", "SHOULD"),
        Piece("text", " always "),
        Piece("changed", "be"),
    ]


@pytest.mark.parametrize(
    ("row", "action"),
    [
        (made("a"), "Stands by itself."),
        (made("a", auto=False, reason="0.3 is under 0.8"), "For review: 0.3 is under 0.8."),
        (made("a", auto=False, review={"verdict": "verified"}), "Confirmed by a human."),
        (
            made("a", verdict="fabricated", auto=False, review={"verdict": "fabricated"}),
            "Changed by a human from verified.",
        ),
        (made("a", choice=None, verdict=None, auto=False, error="no answer"), "no answer"),
    ],
    ids=["auto", "review", "confirmed", "changed", "unjudged"],
)
def test_the_action_is_said_in_words(row: Any, action: str) -> None:
    assert make_card(row, document(), "m")["action"] == action


def test_bars_come_in_the_order_of_the_question() -> None:
    assert bars(made("a", choice="contradicts")) == [
        ("supports", 0.0, False),
        ("contradicts", 1.0, True),
        ("says nothing", 0.0, False),
    ]


def test_the_strip_puts_each_citation_at_its_confidence_in_the_lane_of_its_verdict() -> None:
    drawn = strip(EIGHT, 0.8)
    assert [(dot["n"], dot["verdict"], dot["x"], dot["auto"]) for dot in drawn["dots"]] == [
        (0, "verified", 93.0, True),
        (1, "verified", 95.0, True),
        (3, "verified", 99.0, True),
        (4, "contradicted", 99.0, True),
        (5, "unsupported", 27.0, False),
        (6, "unsupported", 56.0, False),
        (7, "verified", 99.0, True),
    ]
    assert len({(dot["x"], dot["y"]) for dot in drawn["dots"]}) == 7
    assert drawn["threshold"] == 80.0
    assert drawn["absent"] == "1 not in the source: no model was asked."
    assert drawn["summary"] == (
        "The model's verdicts by confidence: 4 verified, 1 contradicted, 2 unsupported; 5 of 7 at or over 0.80."
    )


def test_without_any_answer_the_page_says_so_and_draws_nothing(tmp_path: Path) -> None:
    open_ones = [made(id, answer=None, verdict=None, confidence=None, auto=False) for id in ("a", "b")]
    write_report(tmp_path / "r.html", open_ones, document(), model="m", auto_accept=0.8)
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert '<p class="legend">2 without an answer.</p>' in html
    assert 'class="strip"' not in html
    write_report(tmp_path / "r.html", EIGHT, document(), model="m", auto_accept=0.8)
    assert 'class="strip"' in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_many_dots_at_one_place_stay_in_their_lane() -> None:
    drawn = strip([made(str(n)) for n in range(500)], 0.8)
    assert all(0 <= dot["y"] <= 30 for dot in drawn["dots"])


def test_curves_start_at_the_surest_citation_and_end_at_all() -> None:
    rows = [made(str(n), confidence=n / 10) for n in range(1, 11)]
    reviews = [
        {"id": r["id"], "verdict": "fabricated" if n < 2 else "verified", "fingerprint": "0" * 64}
        for n, r in enumerate(rows)
    ]
    curve = risk_curve(tune_threshold(rows, reviews))
    points = [tuple(map(float, point.split(","))) for point in curve["line"].split()]
    assert points[0] == (280.0, 120.0)  # all decided, 2 of 10 wrong on an axis up to 0.5
    assert points[-1] == (28.0, 200.0)  # one in ten decided, none wrong
    reliability = reliability_curve(counted(rows, reviews), 0.95)
    assert [(x, y) for x, y, _ in reliability["points"]] == [(280.0, 40.0)]  # probability 1, right 8 times in 10


def test_a_report_allows_its_own_script_and_style_and_nothing_else(tmp_path: Path) -> None:
    write_report(tmp_path / "r.html", EIGHT, document(), model="m", auto_accept=0.8)
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]+)"', html)
    for tag in ("script", "style"):
        (inner,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert " style=" not in html
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?!https://)""", html.split("<script>")[0])


def test_a_report_with_reviews_shows_what_they_say_about_the_threshold(tmp_path: Path) -> None:
    review = {"id": "a", "verdict": "verified", "note": "", "at": "", "fingerprint": "0" * 64}
    write_report(tmp_path / "r.html", [made("a", review=review)], document(), model="m", auto_accept=0.8)
    html = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "at least 71 further reviews without an error" in html
    assert html.count("<polyline") + html.count("<polygon") == 2


def test_a_report_that_cannot_be_written_is_told_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "none" / "r.html"
    with pytest.raises(CitationCheckError, match="cannot be written: No such file or directory; name a file"):
        write_report(path, EIGHT, document(), model="m", auto_accept=0.8)
    assert list(tmp_path.iterdir()) == []


def test_half_characters_do_not_stop_a_report(tmp_path: Path) -> None:
    write_report(tmp_path / "r.html", [made("a", error="\ud800")], document("x \udfff y"), model="m", auto_accept=0.8)
    assert (tmp_path / "r.html").read_text(encoding="utf-8")


def test_the_index_lists_the_worst_document_first(tmp_path: Path) -> None:
    rows: list[Any] = [
        {"source": "fine.txt", "counts": {"verified": 9}, "report": "1.html"},
        {"source": "<b>bad.txt", "counts": {"verified": 8, "fabricated": 1}, "report": "2.html"},
        {"source": "worse.txt", "counts": {"contradicted": 2}, "report": "3.html"},
        {"source": "broken.pdf", "counts": {}, "error": "is encrypted"},
        {"source": "open.txt", "counts": {"unsupported": 3, "review": 3}},
    ]
    write_index(tmp_path / "index.html", rows)
    html = (tmp_path / "index.html").read_text(encoding="utf-8")
    order = re.findall(r'<th scope="row"[^>]*>(?:<a href="(.*?)">)?(.*?)<', html)
    assert order == [
        ("", "broken.pdf"),
        ("3.html", "worse.txt"),
        ("2.html", "&lt;b&gt;bad.txt"),
        ("", "open.txt"),
        ("1.html", "fine.txt"),
    ]
    assert "1 fabricated, 2 contradicted, 3 unsupported, 3 to review, 17 verified, 1 with an error<" in html


def test_the_notebook_excerpt_holds_plain_tables_and_marks_only() -> None:
    row = made("a<b>", claim="<script>", match=match_of(WRAPPED, "depends on where it is used"))
    first, second = (report_excerpt([row, *EIGHT], document(), ["a<b>", "exp_required"]).data for _ in range(2))
    assert first == second
    assert set(re.findall(r"<(\w+)", first)) == {"table", "caption", "b", "tr", "th", "td", "br", "div", "mark"}
    assert "&lt;script&gt;" in first
    assert ">depends on where it is used</mark>" in first
    assert first.count("<table") == 2


def test_a_notebook_excerpt_tells_what_is_left_out_on_a_line_of_its_own() -> None:
    text = "".join(f"   Line {n} of the section.\n" for n in range(200))
    row = made("a", match=match_of(text, "Line 100 of the section."))
    html = report_excerpt([row], document(text), ["a"]).data
    assert re.search(r">\[… [\d,]+ characters are left out …\]\n   Line \d+ of the section\.\n", html)
    assert re.search(r"\n   Line \d+ of the section\.\n\[… [\d,]+ characters are left out …\]<", html)


def test_a_notebook_excerpt_of_an_unknown_id_is_told() -> None:
    with pytest.raises(KeyError, match="nobody"):
        report_excerpt(EIGHT, document(), ["nobody"])
