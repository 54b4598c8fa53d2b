"""PDF: reading order, running heads, footnotes, hyphens, sections, and what cannot be read."""

from pathlib import Path

import pytest
from made_documents import make_pdf, paragraph, with_character

from helpers.errors import SourceError
from helpers.readers.pdf import put_together, read_pdf
from helpers.readers.pdf_layout import by_columns, find_gutter, without_furniture
from helpers.readers.pdf_lines import Line

DATA = Path(__file__).parent / "data"
BODY = """A gate must refuse a stale token whose serial number it
has seen before. Each token carries a serial number, a date
and a seal. The night porter reads the seal before the
number, and never the other way round."""


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_a_page_without_an_outline_is_labelled_by_its_number():
    document = read_pdf("gates.pdf", make_pdf([paragraph(70, 100, "One page."), paragraph(70, 100, "Another page.")]))
    assert [part.label for part in document.outline] == ["p. 1", "p. 2"]
    assert document.sections["p. 2"] == "Another page."
    assert document.page_at(document.text.index("Another")) == 2


def test_outline_entries_take_the_numbers_printed_on_the_page():
    pages = [
        [
            (70, 100, 16, "1 Scope"),
            *paragraph(70, 130, BODY),
            (70, 200, 14, "1.1 Tokens"),
            *paragraph(70, 230, "More."),
        ],
        [(70, 100, 16, "Appendix A Examples"), *paragraph(70, 130, "The smallest token has three fields.")],
    ]
    document = read_pdf("gates.pdf", make_pdf(pages, [("Scope", 0, 95), ("Tokens", 0, 190), ("Examples", 1, 90)]))
    assert [(part.label, part.title, part.numbered) for part in document.outline] == [
        ("1", "Scope", True),
        ("1.1", "Tokens", True),
        ("A", "Examples", False),
    ]
    assert document.sections["1.1"] == "1.1 Tokens\n\nMore."


def test_an_outline_without_numbers_gives_titles():
    pages = [[(70, 100, 16, "Scope"), *paragraph(70, 130, BODY)], [(70, 100, 16, "Rules"), *paragraph(70, 130, BODY)]]
    document = read_pdf("gates.pdf", make_pdf(pages, [("Scope", 0, 90), ("Rules", 1, 90)]))
    assert list(document.sections) == ["Scope", "Rules"]


def test_running_heads_and_page_numbers_are_removed_from_inside_a_word():
    texts = ["The porter reads the regis-", "tration of each token before the numb-", "er of it, and never the seal."]
    pages = [
        [(70, 40, 9, "The Gate Book"), *paragraph(70, 100, text), (290, 800, 9, f"{number}")]
        for number, text in enumerate(texts, 7)
    ]
    text = read_pdf("gates.pdf", make_pdf(pages)).text
    assert (
        text == "The porter reads the regis-\ntration of each token before the numb-\ner of it, and never the seal.\n"
    )


def test_a_head_that_names_the_chapter_goes_too_and_a_chapter_title_stays():
    heads = ["Scope 1", "Scope 2", "Scope 3", "Rules 4", "Seals 5", "Seals 6", "Seals 7"]
    pages = [
        [(70, 40, 9, head), *paragraph(70, 90, f"Text of page {n}, in\ntwo lines.")] for n, head in enumerate(heads)
    ]
    pages[3].insert(1, (70, 60, 20, "Rules of the gate"))
    text = read_pdf("gates.pdf", make_pdf(pages)).text
    assert "Rules of the gate" in text
    assert not any(head in text for head in heads)


def test_two_columns_drawn_line_by_line_are_read_one_after_the_other():
    left = "\n".join(f"left column line number {n} goes on and on" for n in range(12)).split("\n")
    right = "\n".join(f"right column line number {n} goes on and on" for n in range(12)).split("\n")
    lines = [(70, 60, 10, "A headline that runs over both of the columns and leaves no space between the two of them")]
    for n, (one, other) in enumerate(zip(left, right, strict=True)):
        lines += [(70, 100 + 12 * n, 10, one), (320, 100 + 12 * n, 10, other)]
    text = squeezed(read_pdf("gates.pdf", make_pdf([lines])).text)
    assert squeezed(" ".join(left)) in text
    assert squeezed(" ".join(right)) in text
    assert text.index("headline") < text.index("left column line number 11") < text.index("right column line number 0")


def test_three_columns_drawn_line_by_line_are_read_one_after_the_other():
    texts = [
        [f"this is line {n} of {name} column" for n in range(12)] for name in ("the first", "a second", "the last")
    ]
    lines = [(60 + 170 * c, 100 + 12 * n, 9, texts[c][n]) for n in range(12) for c in range(3)]
    text = squeezed(read_pdf("gates.pdf", make_pdf([lines])).text)
    assert text == " ".join(line for column in texts for line in column)


def test_a_table_is_read_row_by_row():
    cells = [(f"tool {n}", f"{n}.{n}", f"what the tool of number {n} is for, in a few words") for n in range(12)]
    lines = [(left, 100 + 12 * n, 9, row[i]) for n, row in enumerate(cells) for i, left in enumerate((60, 200, 300))]
    text = squeezed(read_pdf("gates.pdf", make_pdf([lines])).text)
    assert text == " ".join(" ".join(row) for row in cells)


def test_a_footnote_does_not_stand_in_a_sentence_that_goes_on_overleaf():
    note = [(70, 760, 7, "1 See the porters' diary of that year.")]
    pages = [
        [*paragraph(70, 100, BODY), *paragraph(80, 160, "The clock of the gate may\nnever be"), *note],
        paragraph(70, 100, "later than the clock of the tower.\n" + BODY),
    ]
    text = read_pdf("gates.pdf", make_pdf(pages)).text
    assert "The clock of the gate may\nnever be\nlater than the clock of the tower." in text
    assert "See the porters' diary" in text


def test_a_raised_number_in_brackets_is_the_mark_of_a_footnote():
    line = [(70, 100, 12, "Tokens are short."), (163.6, 95, 7, "[2]"), (176, 100, 12, "Gates are low.")]
    assert squeezed(read_pdf("gates.pdf", make_pdf([line])).text) == "Tokens are short.⁽²⁾ Gates are low."


def test_a_raised_digit_is_a_superscript_and_not_part_of_the_number():
    line = [(70, 100, 12, "At most 10"), (126.7, 95, 7, "2"), (133, 100, 12, "tokens.")]
    assert squeezed(read_pdf("gates.pdf", make_pdf([line])).text) == "At most 10² tokens."


def test_a_hyphen_at_a_line_end_stays_for_the_search_to_read_both_ways():
    text = read_pdf(
        "gates.pdf", make_pdf([paragraph(70, 100, "It is case-\nsensitive and uses author-\nization.")])
    ).text
    assert text == "It is case-\nsensitive and uses author-\nization.\n"


def test_characters_beyond_16_bits_are_read_and_leave_the_hyphens_alone():
    drawn = paragraph(70, 100, "It ^ seeks back-and-\nforth.")
    content = with_character(make_pdf([drawn]), "^", "\U0001d465")
    assert read_pdf("gates.pdf", content).text == "It \U0001d465 seeks back-and-\nforth.\n"


@pytest.mark.parametrize(
    ("first", "second", "text"),
    [
        ("令牌过期后，门必", "须拒绝。", "令牌过期后，门必须拒绝。\n"),
        ("만료된 토큰은", "거부해야 한다.", "만료된 토큰은\n거부해야 한다.\n"),
        ("a gate 门", "opens", "a gate 门\nopens\n"),
    ],
    ids=["Chinese", "Korean", "mixed"],
)
def test_lines_are_joined_without_a_blank_only_where_words_have_none(first, second, text):
    assert put_together([[Line(first, 70, 200, 700, 712), Line(second, 70, 120, 686, 698)]], 12)[0] == text


def test_a_table_of_contents_is_not_searched_and_the_preface_after_it_is():
    entries = [f"{n} Chapter number {n} . . . . . . . . . . . . . . . {n * 10}" for n in range(1, 8)]
    pages = [
        [(70, 80, 16, "Contents"), *paragraph(70, 110, "\n".join(entries))],
        paragraph(70, 100, "This preface thanks the porters."),
        [(70, 100, 16, "1 Chapter number 1"), *paragraph(70, 130, BODY)],
    ]
    parts = read_pdf("gates.pdf", make_pdf(pages, [("Chapter number 1", 2, 90)])).outline
    assert [(part.label, part.contents) for part in parts] == [
        ("Contents", True),
        ("Front matter", False),
        ("1 Chapter number 1", False),
    ]


def test_columns_are_found_only_where_there_are_two():
    rows = [Line("a line of text", 70, 500, 800 - 12 * n, 810 - 12 * n) for n in range(20)]
    assert find_gutter(rows) is None
    table = [Line("word", 70, 90, 800 - 12 * n, 810 - 12 * n) for n in range(20)]
    assert find_gutter([*table, *(line._replace(left=200, right=500) for line in table)]) is None


def test_lines_across_both_columns_part_them():
    left, right = Line("L1", 70, 280, 700, 710), Line("R1", 320, 530, 700, 710)
    across = Line("X", 70, 530, 650, 660)
    below = Line("L2", 70, 280, 600, 610), Line("R2", 320, 530, 600, 610)
    assert [line.text for line in by_columns([across, *below, right, left], 300)] == ["L1", "R1", "X", "L2", "R2"]


def test_a_line_that_recurs_inside_the_page_is_text():
    pages = [[Line("Top", 70, 90, 800, 810), Line(f"text {n}", 70, 300, 500 + n, 510 + n)] for n in range(3)]
    inner = Line("Returns: nothing", 70, 200, 400, 410)
    kept = without_furniture([[*page, inner, page[1]._replace(bottom=300 + n * 7)] for n, page in enumerate(pages)], 10)
    assert all(inner in page and page[0].text != "Top" for page in kept)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"%PDF-1.4\nnothing of the kind", "is no PDF that can be read; save it anew"),
        (make_pdf([[], []]), "has no text layer"),
        ((DATA / "locked.pdf").read_bytes(), "is locked by a password; save it without one"),
    ],
    ids=["broken", "without text", "locked"],
)
def test_what_cannot_be_read_is_told_in_one_line(content, says):
    with pytest.raises(SourceError) as told:
        read_pdf("gates.pdf", content)
    assert str(told.value).startswith("gates.pdf: ")
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_a_page_that_is_only_a_picture_is_a_doubt():
    document = read_pdf("gates.pdf", make_pdf([paragraph(70, 100, BODY), [(50, 500, 400, None)], []]))
    assert document.doubts == ["no text layer on page 2"]
