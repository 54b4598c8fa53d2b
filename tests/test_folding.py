"""Folding: what is read alike, what is not, and that every folded character knows where it came from."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from helpers.matching.folding import fold

ALIKE = {
    "white space": ("A\u00a0gate\u202f is\u2028open\f now\t.", "A gate is open now ."),
    "blank lines": ("A gate\n\n\n   MUST refuse", "A gate MUST refuse"),
    "invisible characters": ("A\u200b ga\u2060te\ufeff \u200ereads\x00 it", "A gate reads it"),
    "a soft hyphen at a line end takes the break along": ("mid\u00ad\n   night to\u00adken", "midnight token"),
    "dashes": ("a‐b‑c–d—e −5", "a-b-c-d-e -5"),
    "a double dash between blanks": ("The seal -- if present -- is", "The seal - if present - is"),
    "a double dash between words": ("seal--if", "seal-if"),
    "an option keeps its dashes": ("use --force here", "use --force here"),
    "a rule of dashes stays": ("a --- b", "a --- b"),
    "English quotation marks": ("the “until” field isn’t", 'the "until" field isn\'t'),
    "German quotation marks": ("„bis“ und ‚nie‘", "\"bis\" und 'nie'"),
    "German pointed marks keep the blanks outside": ("sagt »nie« zu »immer« so", 'sagt "nie" zu "immer" so'),
    "French marks lose the blanks inside": ("champ « until » et ‹ gate ›", "champ \"until\" et 'gate'"),
    "typewriter quotation marks": ("the ``until'' field", 'the "until" field'),
    "primes": ("5′ 3″", "5' 3\""),
    "an ellipsis": ("so … on", "so ... on"),
    "ligatures": ("ﬁnd a ﬂoor, eﬃcient", "find a floor, efficient"),
    "full-width letters": ("ＴＯＫＥＮ １２", "TOKEN 12"),
    "mathematical letters": ("𝗠𝗨𝗦𝗧 be 𝟏𝟐", "MUST be 12"),
    "half-width kana are composed": ("ｶﾞ", "ガ"),
    "accents are composed": ("cafe\u0301", "café"),
    "full-width punctuation": ("过期后，门必须拒绝；不得（再）用", "过期后,门必须拒绝;不得(再)用"),
    "no blank between Chinese characters": ("门必\n   须 拒绝， 不得", "门必须拒绝,不得"),
    "Korean keeps its blanks": ("한국어 문장", "한국어 문장"),
    "full-width words keep their blank": ("ＯＰＥＮ ＧＡＴＥ", "OPEN GATE"),
    "a hyphen at a line end is kept": ("case-\n   sensitive", "case-sensitive"),
    "a dash at a line end is kept": ("the seal--\nif present", "the seal-if present"),
    "Chinese radicals": ("⼈⼝", "人口"),
    "blanks around": ("  a gate \n", "a gate"),
}

KEPT = {
    "case": "A gate MUST",
    "superscripts": "10² tokens",
    "subscripts": "H₂O",
    "fractions": "½ a ticket",
    "circled numbers": "step ①",
    "Roman numerals": "Ⅳ",
    "accents": "café",
    "letters of another alphabet": "gаte",
    "the Turkish dotted I": "İstanbul ısparta",
    "sharp s": "Straße",
    "a hyphen inside a line": "day- and night-lists",
    "stars and underscores": "2* and __init__ *",
    "references": "[14] and [RFC5280]",
    "HTML entities in plain text": "&amp; &lt;",
    "the numero sign, which is not the word No": "№ 5",
}

MARKED = {
    "bold": ("A gate **MUST** refuse", "A gate MUST refuse"),
    "italics": ("a *stale* token", "a stale token"),
    "both": ("a ***stale*** token", "a stale token"),
    "code": ("the `until` field", "the until field"),
    "a link": ("see [the guide](https://example.org/a_(b)) for it", "see the guide for it"),
    "quoted lines": ("> The seal\n> is checked", "The seal is checked"),
    "a comparison at a line start stays": ("a value\n> 5 is refused", "a value > 5 is refused"),
    "underlined words": ("a _stale token_ and __an old one__", "a stale token and an old one"),
    "footnote stars stay": ("Grade 2* and grade 3* differ", "Grade 2* and grade 3* differ"),
    "bullets stay": ("*  It opens.\n*  It shuts.", "* It opens. * It shuts."),
    "arithmetic stays": ("2**3**4 and a*b*c", "2**3**4 and a*b*c"),
    "names stay": ("serial_number_v2 and __init__", "serial_number_v2 and __init__"),
    "references stay": ("see [14] (page 3)", "see [14] (page 3)"),
    "bold in Chinese": ("门**必须**拒绝", "门必须拒绝"),
}


@pytest.mark.parametrize(("text", "expected"), ALIKE.values(), ids=ALIKE.keys())
def test_typesetting_is_read_alike(text: str, expected: str) -> None:
    assert fold(text).text == expected


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT.keys())
def test_what_could_change_the_meaning_is_kept(text: str) -> None:
    assert fold(text).text == text


@pytest.mark.parametrize(("text", "expected"), MARKED.values(), ids=MARKED.keys())
def test_only_paired_marks_are_dropped_in_the_second_reading(text: str, expected: str) -> None:
    assert fold(text, marks=False).text == expected


def test_every_folded_character_knows_its_source() -> None:
    folded = fold("  The “ﬁrst”\u200b  gate\u00a0… e\u0301")
    assert folded.text == 'The "first" gate ... é'
    spans = [folded.span(at, at + 1) for at in range(len(folded.text))]
    assert spans[:5] == [(2, 3), (3, 4), (4, 5), (5, 5), (6, 7)]  # white space is no part of a span's end
    assert spans[5:7] == [(7, 8), (7, 8)]  # both letters of the ligature
    assert spans[-1] == (22, 24)  # the letter and its accent


NASTY = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("aB1 \n\t-—–\u00ad\u200b\"'“”«»‹›`*>[]().,…ﬁ，。门ｶﾞeéİı½²\u0301\u0308\u3099\u00a0\u3000한글"),
    ),
    max_size=40,
)


@settings(deadline=None, max_examples=400, derandomize=True)
@example("e\u200b\u0301")
@example("a -\u200b- b")
@example("« \u00ad\n»")
@example("门 \ufe12 门")
@given(NASTY)
def test_folding_twice_changes_nothing(text: str) -> None:
    once = fold(text).text
    assert fold(once).text == once


@settings(deadline=None, max_examples=200, derandomize=True)
@given(NASTY)
def test_offsets_rise_and_stay_inside_the_text(text: str) -> None:
    folded = fold(text)
    assert len(folded.starts) == len(folded.text) + 1
    assert list(folded.starts) == sorted(folded.starts)
    assert all(0 <= offset <= len(text) for offset in folded.starts)
