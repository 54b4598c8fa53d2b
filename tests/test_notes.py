"""The mark of a footnote is no part of the words: a quote may have it or not. A power is, and must be there."""

import pytest

from helpers.documents import Document, Section
from helpers.locating import trace

NOTED = (
    "Consumers reject tokens¹ of others. Tokens are short.² A lifetime of tokens⁵ is an hour; see 12 pages⁴"
    " the page⁽⁴⁾ of Acts⁽⁵⁾. The limit is 10² tokens.\n"
    "The room is 20 m² wide, or 9 metres² per metre² of sin² x; rooms (a + b)² are odd; a metre² of cloth.\n"
)


def status(text: str, quote: str) -> str:
    document = Document("notes.txt", text, [Section("1", "", 0, len(text), True)])
    return trace(document, {"quote": quote, "section": None}).status


@pytest.mark.parametrize(
    "quote",
    [
        "Consumers reject tokens of others.",
        "Consumers reject tokens1 of others.",
        "Consumers reject tokens[1] of others.",
        "Consumers reject tokens¹ of others.",
        "Consumers reject tokens",
        "Consumers reject tokens1",
        "Consumers reject tokens of others. Tokens are short. A lifetime of tokens is an hour",
        "Tokens are short.2 A lifetime of tokens5 is an hour; see 12 pages4 the page4",
        "Tokens are short.[2] A lifetime",
        "see 12 pages the page of Acts",
        "the page [4] of Acts5.",
        "The limit is 10² tokens.",
    ],
)
def test_a_quote_may_have_the_mark_of_a_footnote_or_leave_it_out(quote):
    assert status(NOTED, quote) == "found"


@pytest.mark.parametrize(
    "quote",
    [
        "Consumers reject tokens2 of others.",
        "Consumers reject tokens11 of others.",
        "Tokens are short.3 A lifetime",
        "The limit is 10 tokens.",
        "The limit is 102 tokens.",
        "The limit is 10³ tokens.",
        "The room is 20 m wide",
        "The room is 20 m2 wide",
        "or 9 metres per metre² of",
        "or 9 metres² per metre of",
        "of sin x; rooms",
        "a metre of cloth",
        "rooms (a + b) are odd",
    ],
)
def test_a_power_is_never_left_out_and_another_mark_is_another_word(quote):
    assert status(NOTED, quote) != "found"


def test_a_lone_raised_two_behind_a_word_may_be_a_power_and_goes_to_a_human():
    text = "The force is the mass times the velocity² of the body, and see note¹ and the word²³ too.\n"
    assert status(text, "the mass times the velocity of the body") == "altered"
    assert status(text, "the mass times the velocity² of the body") == "found"
    assert status(text, "and see note and the word too.") == "found"


def test_a_power_that_differs_is_named_as_a_number():
    document = Document("notes.txt", NOTED, [Section("1", "", 0, len(NOTED), True)])
    match = trace(document, {"quote": "The limit is 10³ tokens.", "section": None}).match
    assert match and [tuple(change) for change in match.changes] == [("10²", "10³", "number")]
