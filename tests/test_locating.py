"""Step 1: a quote is found by the source's own words, located when they changed, never passed for its likeness."""

import random
import unicodedata
from textwrap import wrap

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from helpers.documents import Document, Section, Sections
from helpers.locating import Trace, closest, find_quote, locate, normalize, prepare, trace

GATES = {
    "Abstract": "Abstract\n\n   Paper tokens for unattended gates.\n\n",
    "1": "1.  Introduction\n\n   A ticket names its holder and the gate that it opens.\n\n",
    "2": "2.  Tokens\n\n   Each token carries a serial number, a date, and a seal.  A gate MUST\n"
    "   refuse a token whose serial number it has seen before.\n\n",
    "2.1": "2.1.  Lifetime\n\n   A gate MUST NOT accept the token after that minute.  Clock skew of up\n"
    "   to ninety seconds is allowed.\n\n",
    "3": "3.  Security\n\n   A gate MUST refuse a token whose serial number it has seen before.\n"
    "   Printed tokens can be copied, so ... and so on applies to them too.\n\n",
}


def document(texts: dict[str, str], name: str = "gates.txt", contents: str = "") -> Document:
    """Join parts into a document that they tile; `contents` is the label of a table of contents."""
    outline, offset = [], 0
    for label, text in texts.items():
        outline.append(Section(label, "", offset, offset + len(text), label[0].isdigit(), label == contents))
        offset += len(text)
    return Document(name, "".join(texts.values()), outline)


def look(source: str, quote: str) -> Trace:
    """Trace a quote in a document of one section, and check that its offsets are true."""
    whole = document({"1": source})
    found = trace(whole, {"quote": quote, "section": None})
    if found.match:
        assert whole.text[found.match.start : found.match.end] == found.match.text
    return found


FOUND = {
    "as it stands": ("A gate MUST refuse it.", "A gate MUST refuse it."),
    "a line wrap": ("A gate MUST\n   refuse it.", "A gate MUST refuse it."),
    "a page break that left a blank line": ("A gate MUST\n\n   refuse it today.", "A gate MUST refuse it today."),
    "a compound at a line end": ("is a case-\n   sensitive string", "is a case-sensitive string"),
    "a word split at a line end": ("each imple-\n   mentation of it", "each implementation of it"),
    "a suspended hyphen at a line end": ("keep day-\n   and night-lists", "keep day- and night-lists"),
    "a word split in the quote": ("each implementation of it", "each imple-\n   mentation of it"),
    "an option's hyphen at a line end": ("supported via -\n   march and more", "supported via -march and more"),
    "a line end inside a Korean word": ("작성하기 편리\n한 형식을 사용하는", "작성하기 편리한 형식을 사용하는"),
    "a blank before a comma, as code in a PDF has it": ("types like i32 , the rest", "types like i32, the rest"),
    "numbers across a line end": ("from 10-\n20 on", "from 10-20 on"),
    "a spaced dash set tight": ("The seal -- if present -- is checked", "The seal—if present—is checked"),
    "blanks beside brackets": ("The gate (if any) opens.", "The gate ( if any ) opens."),
    "French blanks": ("prêt\u202f! dit-il", "prêt! dit-il"),
    "blanks around Latin words in Chinese": ("使用 JWT 令牌进行访问", "使用JWT令牌进行访问"),
    "bold in the source": ("**Never** open the gate at night.", "Never open the gate at night."),
    "marks in the quote": ("Each token carries a number.", "Each **token** carries `a` number."),
    "a quoted line": ("Each token carries a number.", "> Each token carries\n> a number."),
    "an outer pair": ("Each token carries a number.", "“Each token carries a number.”"),
    "an outer pair and a full stop": ("Each token carries a number, a seal", '"Each token carries a number".'),
    "an outer Chinese pair": ("令牌必须唯一。", "「令牌必须唯一」"),
    "a trailing full stop for a comma": ("a serial number, a date", "a serial number."),
    "an ellipsis at both ends": ("Each token carries a number.", "... token carries a …"),
    "a bracketed ellipsis at an end": ("Each token carries a number.", "[...] token carries a number."),
    "a literal ellipsis": ("copied, so ... and so on applies", "so … and so on"),
    "a literal reference": ("see Section 7.1 of [GATES].", "see Section 7.1 of [GATES]."),
    "a Thai word without blanks around": ("สวัสดีชาวโลกทุกคน", "ชาวโลก"),
    "one word": ("Each token carries it.", "token"),
    "an accent composed otherwise": ("The café is open.", "The cafe\u0301 is open."),
    "French blanks that never break": ("« Ouvre ! » dit-il ; puis", "«\u00a0Ouvre\u202f!\u00a0» dit-il\u00a0; puis"),
    "a blank before a unit's sign": ("In 5 % aller Fälle bei 20 °C", "In 5% aller Fälle bei 20°C"),
    "a Hindi full stop in the midst": ("द्वार बंद है और प्रहरी सोता है।", "द्वार बंद है।"),
    "a stretched Arabic word": ("لا تفتح البـــوابة ليلا", "لا تفتح البوابة ليلا"),
    "Arabic without its vowel points": ("لَا تَفْتَحْ البَوَّابَةَ", "لا تفتح البوابة"),
    "Arabic with vowel points that the source leaves out": ("لا تفتح البوابة", "لَا تَفْتَحْ البَوَّابَةَ"),
    "Arabic with some of its vowel points": ("هذا عِلْم نافع", "هذا عِلم نافع"),
    "Hebrew without its points": ("אֵין לִפְתֹּחַ אֶת הַשַּׁעַר", "אין לפתח את השער"),
    "Hebrew quotation marks inside words": ("צה״ל וצ׳ק", "צה\"ל וצ'ק"),
    "a Hebrew hyphen": ("בית־ספר גדול", "בית-ספר גדול"),
    "a line end between Thai words": ("ประตูต้อง\nไม่เปิดตอนกลางคืน", "ประตูต้องไม่เปิดตอนกลางคืน"),
    "a Thai vowel composed otherwise": ("น้ำใสมาก", "น้ํ\u0e32ใสมาก"),
    "a Japanese wave": ("門〜橋まで", "門～橋まで"),
    "Korean letters in parts": ("문은 열지 않는다", unicodedata.normalize("NFD", "문은 열지 않는다")),
    "Turkish letters in parts": ("İstanbul'da kapı", "I\u0307stanbul'da kapı"),
    "a Greek semicolon": ("είναι κλειστός ο δρόμος\u037e", "είναι κλειστός ο δρόμος;"),
}

ALTERED = {
    "another case": ("A gate MUST refuse it.", "A gate must refuse it.", "case", "modality"),
    "a Turkish capital": ("İPTAL edildi", "iptal edildi", "case", None),
    "a capital": ("The gate opens", "the gate opens", "case", None),
    "a dropped not": (
        "A gate MUST NOT accept it after that.",
        "A gate MUST accept it after that.",
        "words",
        "negation",
    ),
    "an added not": ("A gate MUST accept it after that.", "A gate MUST NOT accept it after that.", "words", "negation"),
    "another modal": ("A gate MUST refuse a token.", "A gate SHOULD refuse a token.", "words", "modality"),
    "another number": ("A gate holds 1500 tokens.", "A gate holds 1501 tokens.", "words", "number"),
    "a number word": ("cut the delay by twelve percent", "cut the delay by eleven percent", "words", "number"),
    "a quantifier": ("All gates must be shut at night.", "Some gates must be shut at night.", "words", "quantifier"),
    "a lost exception": (
        "A gate opens at night unless it rains.",
        "A gate opens at night it rains.",
        "words",
        "exception",
    ),
    "a changed word": ("A gate refuses a stale token.", "A gate refuses a fresh token.", "words", None),
    "a look-alike letter": ("A gate MUST refuse a token", "A gаte MUST refuse a token", "words", None),
    "a lost comma": ("Open the gate, then, at night.", "Open the gate then, at night.", "words", None),
    "an editor's sic": ("He said it is so and goes.", "He said it is so [sic] and goes.", "edited", None),
    "an editor's capital": ("and the gate opens at nine", "and [T]he gate opens at nine", "edited", None),
    "an editor's gloss": ("A gate MUST refuse it at night", "A gate MUST refuse [the token] at night", "edited", None),
    "an editor's brackets round a word": ("Each token carries a seal", "Each [token] carries a seal", "edited", None),
    "an editor's brackets round words": ("Each token carries a seal", "Each token carries [a seal]", "edited", None),
    "an editor's first letter": ("It is so. Each token is red", "[e]ach token is red", "edited", None),
    "a gloss near the start": (
        "All is said. In this memo, we name all gates that are shut at night.",
        "In [the said] memo, we name all gates that are shut at night.",
        "edited",
        None,
    ),
    "two words as one": ("The porter is currently on duty here.", "The porter is currentlyon duty", "words", None),
    "one word as two": ("Notification lists", "Noti fication lists", "words", None),
    "a dash more at the end": ("The gate opens at nine", "The gate opens at nine —", "words", None),
    "a lost word near the end": (
        "The following table illustrates its equivalence in IS-IS. More follows.",
        "The following table illustrates its in IS-IS.",
        "words",
        None,
    ),
    "words in another order at the start": (
        "At an absolute minimum, all of the fields should be checked.",
        "At an minimum, absolute all of the fields should be checked.",
        "words",
        None,
    ),
    "a word split at a line end, and a lost one": (
        "The dependency between the two layers must be told.",
        "The depend-\nency between two layers must be told.",
        "words",
        None,
    ),
    "a sentence left out": (
        "The gate opens at nine. The porter is glad of it. He lets all people in.",
        "The gate opens at nine. He lets all people in.",
        "words",
        None,
    ),
    "an editor's not": ("A gate MUST refuse a token", "A gate MUST [not] refuse a token", "edited", "negation"),
    "an ellipsis": (
        "A gate MUST refuse a token that it has seen.",
        "A gate MUST ... that it has seen.",
        "abridged",
        None,
    ),
    "an ellipsis over a not": (
        "A gate MUST NOT accept the token.",
        "A gate MUST … accept the token.",
        "abridged",
        "negation",
    ),
    "a bracketed ellipsis": (
        "A gate MUST refuse a token it has seen.",
        "A gate MUST […] it has seen.",
        "abridged",
        None,
    ),
    "a number without its percent": ("Tokens fail in up to 5% of all.", "Tokens fail in up to 5", "words", "number"),
    "a word without its non": ("Treat a non-critical field as text.", "critical field as text", "words", "negation"),
    "a Chinese ellipsis": (
        "其他人不得进入，夜间门关闭，除非持有令牌。",
        "其他人不得进入……除非持有令牌。",
        "abridged",
        None,
    ),
    "German": ("Der Pförtner muss es nicht prüfen.", "Der Pförtner muss es prüfen.", "words", "negation"),
    "Russian": ("Привратник не должен проверять печать.", "Привратник должен проверять печать.", "words", "negation"),
    "a short quote without its not": ("It is not so.", "It is so.", "words", "negation"),
    "a short quote with a not": ("Дверь открыта.", "Дверь не открыта.", "words", "negation"),
    "a short Chinese quote without its not": ("门不可以开。", "门可以开。", "words", "negation"),
    "a few Swiss words": ("Er heißt so.", "Er heisst so.", "case", None),
    "ß in capitals": ("DIE STRASSE", "Die Straße", "case", None),
    "Swiss spelling": ("Das heißt, dass jede Tür zu ist.", "Das heisst, dass jede Tür zu ist.", "case", None),
    "other vowel points": ("هذا عِلْم نافع", "هذا عَلَم نافع", "words", None),
    "Hindi": ("द्वार को रात में नहीं खोलना चाहिए।", "द्वार को रात में खोलना चाहिए।", "words", "negation"),
    "Thai": ("ประตูต้องไม่เปิดตอนกลางคืน", "ประตูต้องเปิดตอนกลางคืน", "words", "negation"),
    "French": ("La porte n'est pas ouverte ce soir.", "La porte est ouverte ce soir.", "words", "negation"),
    "Chinese": ("令牌必须唯一,不得重复使用。", "令牌必须唯一,可以重复使用。", "words", "negation"),
    "a Chinese modal": ("门必须拒绝过期的令牌。", "门可以拒绝过期的令牌。", "words", "modality"),
}

NOT_FOUND = {
    "a Thai not left out at the start": ("ไม่เปิดประตู", "เปิดประตู"),
    "a Thai vowel sign cut off": ("ประตูป่า", "ประตูป"),
    "a Hindi vowel sign cut off": ("यहाँ की बात", "यहाँ क"),
    "a Turkish letter without its dot": ("İşık yanar", "Işık yanar"),
    "a Greek accent elsewhere": ("πότε ανοίγει", "ποτέ ανοίγει"),
    "a prefix of another language": ("Um não-membro entra.", "membro entra."),
    "a cut inside a word": ("A gatekeeper opens.", "A gate"),
    "a cut inside a number": ("A gate holds 1500 tokens.", "A gate holds 150"),
    "a cut inside thousands": ("Up to 1,500 tokens.", "Up to 1."),
    "the end of a number": ("Up to 1,500 tokens are held.", "500 tokens are held"),
    "a number without its decimals": ("It is 1.5 seconds.", "It is 1"),
    "a number without its sign": ("It is -5 degrees now.", "5 degrees now"),
    "a number without its exponent": ("At most 10² tokens.", "At most 10"),
    "an exponent as a digit": ("At most 10² tokens.", "At most 102 tokens."),
    "a number without its percent": ("Up to 5% fail.", "Up to 5"),
    "a can without its not": ("A gate can't accept it.", "A gate can"),
    "a word without its non": ("Treat non-critical fields as text.", "critical fields as text"),
    "a Chinese verb without its not": ("门不得放行过期令牌。", "得放行过期令牌。"),
    "a hyphen out of a line": ("keep day- and night-lists here", "keep dayand night-lists here"),
    "a prefix joined": ("re-cover the sofa in time", "recover the sofa in time"),
    "an option's dashes": ("use --force to push it", "use force to push it"),
    "two words as one": ("a key word stands here", "a keyword stands here"),
    "one word as two": ("a keyword stands here", "a key word stands here"),
    "Korean words as one": ("한국어 문장은 띄어쓰기가 있다", "한국어문장은 띄어쓰기가 있다"),
    "a minus at a line end": ("the result is 10 -\n5 today", "the result is 10 -5 today"),
    "a decimal comma after a blank": ("the pair 1 ,5 is used here", "the pair 1,5 is used here"),
    "digits joined at a line end": ("The value 10-\n20 is used", "The value 1020 is used"),
    "a statement for a question": ("MUST a gate refuse it?", "MUST a gate refuse it."),
    "an exclamation for a statement": ("Skew is allowed.", "Skew is allowed!"),
    "a lost bullet": ("A gate.\n\n   *  It opens.\n\n   *  It shuts.", "It opens. It shuts."),
    "an added reference": ("See the rules of it all.", "See [the rules][14] of it all."),
    "a lost reference": ("See [RFC5280] for the details of it.", "See for the details of it."),
    "the Turkish i": ("ISPARTA kapısı", "ısparta kapısı"),
    "sharp s": ("Straße und Fluss sind breit", "Strasse und Fluss sind breit"),
    "a name without its underscores": ("the __init__ method runs first", "the init method runs first"),
    "arithmetic without its stars": ("a*b*c equals d in this text", "abc equals d in this text"),
    "an inner quotation set otherwise": ('it said "no entry" to all', "it said no entry to all"),
    "words that go on": ("one two three four five six", "one two three four five six seven"),
    "reversed pieces": ("The gate opens at nine. The porter goes home.", "The porter goes home ... The gate opens"),
    "pieces far apart": (
        "The gate opens " + "and so on " * 60 + "the gate closes",
        "The gate opens ... the gate closes",
    ),
    "halves of two sentences": (
        "The gate opens when the seal is whole and clean. The porter sleeps under the old bridge at night.",
        "The gate opens when the seal under the old bridge at night.",
    ),
    "an empty quote": ("A gate.", ""),
    "a blank quote": ("A gate.", " \n\t"),
    "a quote of signs": ("A gate. ", "."),
}


@pytest.mark.parametrize(("source", "quote"), FOUND.values(), ids=FOUND.keys())
def test_the_sources_own_words_are_found(source: str, quote: str) -> None:
    found = look(source, quote)
    assert found.status == "found"
    assert found.match is not None
    assert found.match.changes == []


@pytest.mark.parametrize(("source", "quote", "kind", "risk"), ALTERED.values(), ids=ALTERED.keys())
def test_changed_words_are_located_and_named(source: str, quote: str, kind: str, risk: str | None) -> None:
    found = look(source, quote)
    assert found.status == "altered"
    assert found.match is not None
    assert found.match.kind == kind
    assert found.match.changes
    assert [change.risk for change in found.match.changes if change.risk] == ([risk] if risk else [])


@pytest.mark.parametrize(("source", "quote"), NOT_FOUND.values(), ids=NOT_FOUND.keys())
def test_other_words_are_never_found(source: str, quote: str) -> None:
    assert look(source, quote).status != "found"


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("It is not so. But it is not so in here.", "It is so."),  # two places
        ("It is very so.", "It is so."),
        ("It is so. Gates not open.", "so gates open."),
        ("not so", "so not"),
    ],
)
def test_a_short_quote_that_lacks_more_than_a_not_in_one_place_has_no_place(source: str, quote: str) -> None:
    assert look(source, quote).status == "missing"


@pytest.mark.parametrize("name", ["reversed pieces", "pieces far apart", "halves of two sentences"])
def test_a_quote_put_together_from_different_places_has_no_place(name: str) -> None:
    assert look(*NOT_FOUND[name]).status == "missing"


def test_a_difference_is_told_in_the_words_of_both_sides() -> None:
    found = look("A gate MUST\n   NOT accept 3 tokens today.", "A gate SHOULD accept 4 tokens today.")
    assert found.match is not None
    assert found.match.changes == [("MUST NOT", "SHOULD", "negation"), ("3", "4", "number")]
    assert found.risks == ["negation", "number"]


def test_an_ellipsis_shows_what_it_leaves_out() -> None:
    found = look("A gate MUST NOT accept the token.", "A gate MUST ... accept the token.")
    assert found.match is not None
    assert found.match.changes == [("NOT", "...", "negation")]


def test_a_look_alike_letter_is_pointed_out() -> None:
    assert look("A gate MUST refuse it", "A gаte MUST refuse it").hint == (
        "'gаte' looks like 'gate' but is written with letters of another alphabet"
    )


def test_exact_is_said_of_words_that_differ_in_white_space_only() -> None:
    kinds = [look("the “until” field\n  is set", quote).match for quote in ("“until” field is set", '"until" field')]
    assert [match and match.kind for match in kinds] == ["exact", "typographic"]


@pytest.mark.parametrize(
    ("quote", "cited", "expected"),
    [
        ("Clock skew of up to ninety seconds is allowed.", "2.1", ("found", "2.1", [], True)),
        ("Clock skew of up to ninety seconds is allowed.", "2", ("found", "2.1", [], True)),
        ("Each token carries a serial number", "2.1", ("found", "2", [], False)),
        ("A gate MUST refuse a token", "3", ("found", "3", ["2"], True)),
        ("A gate MUST refuse a token", "1", ("found", "2", ["3"], False)),
        ("A gate MUST refuse a token", None, ("found", "2", ["3"], None)),
        ("A gate MUST refuse a token", "Chapter 9", ("found", "2", ["3"], None)),
        ("A gate MUST refuse a token", "9.9", ("found", "2", ["3"], False)),
        ("A gate must refuse a token", "3", ("altered", "3", ["2"], True)),
        ("A gate MUST refuse ... seen before.", "3", ("altered", "3", ["2"], True)),
        ("Paper tokens for unattended gates", "1", ("found", "Abstract", [], False)),
        ("2.1. Lifetime", "2.1", ("found", "2.1", [], True)),
        ("A sentence that stands nowhere in this text.", "2", ("missing", None, [], None)),
        (None, "Section 2.1", ("section-only", "2.1", [], True)),
        (None, "9.9", ("missing", None, [], False)),
    ],
)
def test_the_cited_section_wins_and_every_other_place_is_named(
    quote: str | None, cited: str | None, expected: tuple[str, str | None, list[str], bool | None]
) -> None:
    found = trace(document(GATES), {"quote": quote, "section": cited})
    assert (found.status, found.found_in, found.also_in, found.section_ok) == expected


def test_words_over_a_heading_count_only_with_the_heading() -> None:
    gates = document(GATES)
    assert find_quote(gates, "it has seen before. 2.1. Lifetime A gate MUST NOT accept") == "2"
    assert (
        trace(gates, {"quote": "serial number it has seen before. A gate MUST NOT accept the token"}).status
        == "missing"
    )
    over = trace(
        gates, {"quote": "whose serial number it had seen before. 2.1. Lifetime A gate MUST NOT accept the token"}
    )
    assert (over.status, over.found_in, over.match and len(over.match.changes)) == ("altered", "2", 1)


def test_a_table_of_contents_is_never_searched() -> None:
    texts = {"Contents": "1.  Old Title\n\n", "1": "1.  New Title\n\n   Words.\n"}
    assert find_quote(document(texts), "Old Title") == "Contents"
    assert find_quote(document(texts, contents="Contents"), "Old Title") is None
    assert find_quote(document(texts, contents="Contents"), "Words. ") == "1"
    assert trace(document(texts, contents="Contents"), {"quote": "Old Title", "section": "1"}).hint == (
        "the words stand in the table of contents only, which is never searched"
    )


def test_locate_gives_the_status_and_the_text_to_judge() -> None:
    gates = document(GATES)
    assert locate(gates, {"quote": None, "section": "2.1"}) == ("section-only", GATES["2.1"].strip())
    assert locate(gates, {"quote": "ninety seconds", "section": "2"}) == ("found", GATES["2.1"].strip())
    assert locate(gates, {"quote": "Gates shall log every forged seal in a book", "section": "2"}) == ("missing", None)


def test_sections_search_all_of_their_document() -> None:
    gates = document(GATES)
    numbered = Sections({label: text for label, text in gates.sections.items() if label[0].isdigit()}, gates)
    assert find_quote(numbered, "Paper tokens") == "Abstract"


def test_a_plain_dict_is_searched_section_by_section() -> None:
    texts = {label: text.strip() for label, text in GATES.items()}
    for sections in (texts, prepare(texts)):
        found = trace(sections, {"quote": "Clock skew of up to ninety seconds", "section": "2.1"})
        assert (found.status, found.found_in, found.section, found.document) == ("found", "2.1", texts["2.1"], None)
        assert found.match is not None
        assert texts["2.1"][found.match.start : found.match.end] == "Clock skew of up\n   to ninety seconds"
    assert find_quote({"1": "The gate", "2": "opens today"}, "The gate opens today") is None
    assert find_quote({}, "The gate") is None


def test_of_several_sources_the_named_one_comes_first() -> None:
    first, second = (
        document({"1": "A gate opens at nine."}, "a.txt"),
        document({"7": "A gate opens at nine."}, "b/b.txt"),
    )
    other = document({"1": "Something else is said here."}, "c.txt")
    citation = {"quote": "A gate opens at nine.", "section": None}
    assert trace([first, second], citation).document is first
    assert trace([first, second], {**citation, "source": "b.txt"}).document is second
    elsewhere = trace([other, second], {**citation, "source": "c.txt"})
    assert (elsewhere.document, elsewhere.section_ok, elsewhere.hint) == (
        second,
        False,
        "the words stand in another source: b/b.txt",
    )


def test_a_section_is_taken_from_the_named_source_only() -> None:
    first, second = document({"1": "A gate."}, "a.txt"), document({"7": "A porter."}, "b.txt")
    assert trace([first, second], {"quote": None, "section": "7"}).document is second
    assert trace([first, second], {"quote": None, "section": "7", "source": "a.txt"}).status == "missing"


def test_of_several_sources_the_best_status_wins() -> None:
    altered, found = document({"1": "A gate opens at ten."}, "a.txt"), document({"1": "A gate opens at nine."}, "b.txt")
    assert trace([altered, found], {"quote": "A gate opens at nine.", "section": None}).document is found


def test_pages_are_checked_where_the_words_stand() -> None:
    text = "A gate opens at nine.\fA gate closes at ten.\n"
    pages = Document("a.pdf", text, [Section("Gates", "", 0, len(text))], page_marks=[0, 22])
    quote = {"quote": "A gate closes at ten."}
    assert [trace(pages, {**quote, "section": p}).section_ok for p in ("p. 2", "p. 1", "pp. 1-2")] == [
        True,
        False,
        True,
    ]


def test_a_page_border_is_no_border_of_the_text() -> None:
    text = "1\n\nPorters read the book of the gate and then walk along\n\nthe wall until the bell rings twice.\n"
    border = text.index("the wall")
    outline = [Section("p. 1", "Page 1", 0, border), Section("p. 2", "Page 2", border, len(text))]
    pages = Document("a.pdf", text, outline, format="pdf", page_marks=[0, border])
    for quote, kind in (
        ("and then walk along the wall until the bell rings", "exact"),
        ("and then run along the wall until the bell rings", "words"),
        ("of the gate ... the wall until the bell rings", "abridged"),
    ):
        found = trace(pages, {"quote": quote, "section": "p. 1"})
        assert found.match is not None
        assert (found.match.kind, found.section_ok, found.section) == (kind, True, text.strip())


COPIED = {
    "a reference link": ("See the rules of it all.", "See [the rules][r] of it all."),
    "a link over two lines": ("See the rules of it all.", "See [the\nrules](https://example.org/#r) of it all."),
    "a heading": ("Rules\n\nA gate opens.", "## Rules\n\nA gate opens."),
    "a fence": ("open the gate\nshut the gate", "```sh\nopen the gate\nshut the gate\n```"),
    "a table": ("Gate\tHours\nNorth\tnine to five", "| Gate | Hours |\n|---|:--|\n| North | nine to five |"),
    "an escape and an entity": ("a * star & more of it", "a \\* star &amp; more of it"),
    "inline tags": ("Press Ctrl to go on now", "Press <kbd>Ctrl</kbd> to go on now"),
}


@pytest.mark.parametrize(("shown", "quote"), COPIED.values(), ids=COPIED.keys())
def test_a_quote_copied_out_of_a_markdown_file_is_found(shown: str, quote: str) -> None:
    text = f"{shown}\n"
    markdown = Document("gates.md", text, [Section("Gates", "", 0, len(text))], format="markdown")
    match = trace(markdown, {"quote": quote}).match
    assert match is not None and (match.kind, match.text) == ("typographic", shown)


def test_a_quoted_block_mark_is_no_difference() -> None:
    found = look("It rains. A gate MUST refuse it today.", "> A gate SHOULD refuse it today.")
    assert found.match is not None
    assert [(c.source, c.quote) for c in found.match.changes] == [("MUST", "SHOULD")]


def test_the_nearest_passage_of_a_missing_quote_is_shown() -> None:
    gates = document(GATES)
    quote = "Clock skew of at most ninety seconds is always fine for all of our gates."
    assert trace(gates, {"quote": quote}).status == "missing"
    near = closest(gates, quote)
    assert near is not None
    assert near.text.startswith("Clock skew")
    assert closest(gates, "Nothing of this was ever written down anywhere.") is None


WORDS = """gate token seal porter night lamp serial number minute holder ticket printed copied refuse accept carry
open close before after under over bridge river paper metal copper silver window corner garden market letters figures
answers questions reasons members""".split()  # noqa: SIM905


Planted = tuple[Document, list[str], int, random.Random]


@st.composite
def planted(draw: st.DrawFn) -> Planted:
    """Draw a document of sentences of seven to twelve words, and choose one of them."""
    rng = random.Random(draw(st.integers(0, 10**6)))
    sentences = [
        " ".join(rng.choices(WORDS, k=rng.randint(7, 12))).capitalize() + "." for _ in range(rng.randint(4, 30))
    ]
    text = "\n   ".join(wrap("  ".join(sentences), rng.randint(30, 72)))
    return document({"1": f"1.  Gates\n\n   {text}\n"}), sentences, rng.randrange(len(sentences)), rng


def damaged(sentence: str, rng: random.Random) -> str:
    """Re-wrap, re-quote and hyphenate a sentence as a printer would."""
    words = sentence.split()
    at = rng.randrange(1, len(words))
    if len(words[at]) > 5:
        words[at] = words[at][:3] + rng.choice(["-\n   ", "\u00ad"]) + words[at][3:]
    text = "".join(word + rng.choice([" ", "\n    ", "\u00a0", "  "]) for word in words).strip()
    return rng.choice(["“{}”", "„{}“", "{}", "« {} »"]).format(text)


@settings(deadline=None, max_examples=150, derandomize=True)
@given(planted())
def test_any_sentence_is_found_where_it_stands_however_it_is_set(case: Planted) -> None:
    whole, sentences, at, rng = case
    found = trace(whole, {"quote": damaged(sentences[at], rng), "section": "1"})
    assert found.status == "found"
    assert found.match is not None
    assert " ".join(whole.text[found.match.start : found.match.end].split()) == sentences[at]


@settings(deadline=None, max_examples=300, derandomize=True)
@given(planted())
def test_any_sentence_with_one_word_changed_is_never_found(case: Planted) -> None:
    whole, sentences, at, rng = case
    words = sentences[at].split()
    place = rng.randrange(len(words))
    words[place] = rng.choice(["", "not", rng.choice(WORDS), words[place].swapcase(), words[place][:-2]])
    changed = " ".join(" ".join(words).split())
    assume(changed.rstrip(".") not in " ".join(whole.text.split()))
    assert trace(whole, {"quote": changed, "section": "1"}).status != "found"


def test_normalize_shows_the_text_that_is_searched() -> None:
    assert normalize("The “until” ﬁeld --\n  if set — isn’t\u00a0read") == 'The "until" field - if set - isn\'t read'


@pytest.mark.parametrize(
    ("source", "named"),
    [
        ("rfc7519.txt", True),
        ("docs/rfc7519.txt", True),
        ("C:\\papers\\rfc7519.txt", True),
        ("RFC 7519", True),
        ("rfc7515.txt", False),
        ("another.pdf", False),
    ],
)
def test_a_source_is_a_name_or_a_path_and_a_single_document_may_be_another_one(source, named):
    text = "1.  Scope\n\n   Gates refuse stale tokens.\n"
    document = Document("rfc7519.txt", text, [Section("1", "Scope", 0, len(text), True)])
    found = trace(document, {"quote": "Gates refuse stale tokens.", "section": "1", "source": source})
    assert (found.status, found.section_ok) == ("found", named)
    assert (found.hint is None) is named


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("O porteiro não dorme em serviço. A porta da torre abre no verão.", "A porta da torre abre."),
        ("Los porteros salen. La puerta abre noches.", "La puerta abre."),
    ],
)
def test_a_full_stop_before_a_word_that_only_looks_like_a_negation_is_no_difference(text, quote):
    assert trace({"1": text}, {"quote": quote, "section": "1"}).status == "found"


@pytest.mark.parametrize(
    ("quote", "negation"),
    [
        ("One on the road may.", "not"),
        ('"One on the road may."', "not"),
        ("A gate MUST.", "NOT"),
        ("Der Porter darf.", "nicht"),
        ("门可以。", "不"),
    ],
)
def test_a_full_stop_before_the_source_s_negation_is_an_altered_quote(quote, negation):
    text = "One on the road may not. A gate MUST NOT open. Der Porter darf nicht schlafen. 门可以不开。"
    found = trace({"1": text}, {"quote": quote, "section": "1"})
    assert (found.status, found.match.kind) == ("altered", "words")
    assert found.match.changes == [(negation, "", "negation")] and "negation" in found.risks
    assert found.match.text.endswith(negation)


def test_words_cut_before_a_negation_without_a_full_stop_are_found_and_said_to_be_cut():
    found = trace({"1": "One on the road may not."}, {"quote": "One on the road may", "section": "1"})
    assert (found.status, found.risks) == ("found", ["truncated"])


def test_of_two_documents_that_hold_a_quote_the_first_is_named():
    first, second = (
        Document(name, "1.  Scope\n\n   Gates refuse stale tokens.\n", [Section("1", "Scope", 0, 41, True)])
        for name in ("first.txt", "second.txt")
    )
    found = trace([first, second], {"quote": "Gates refuse stale tokens.", "section": None})
    assert found.document is first


def test_an_exception_behind_a_quote_is_seen_in_a_later_section_too():
    sections = {"1": "1.  Scope\n\n   Porters read.\n\n", "2": "2.  Rules\n\n   Gates open unless it rains.\n"}
    found = trace(sections, {"quote": "Gates open", "section": "2"})
    assert found.status == "found" and "truncated" in found.risks


def test_a_cited_page_without_a_quote_is_the_section_at_its_top_and_a_page_too_many_is_missing():
    text = "1.  Scope\n\n   Porters read.\n\n2.  Rules\n\n   Gates open.\n"
    second = text.index("2.")
    outline = [Section("1", "Scope", 0, second, True), Section("2", "Rules", second, len(text), True)]
    document = Document("a.pdf", text, outline, page_marks=[0, second])
    found = {page: trace(document, {"quote": None, "section": f"p. {page}"}) for page in (1, 2, 3)}
    assert {page: (one.status, one.found_in) for page, one in found.items()} == {
        1: ("section-only", "1"),
        2: ("section-only", "2"),
        3: ("missing", None),
    }
    assert found[2].section == "2.  Rules\n\n   Gates open."


def test_a_negation_before_a_quote_is_seen_in_a_later_section_too():
    sections = {"1": "1.  Scope\n\n   Porters never sleep.\n\n", "2": "2.  Rules\n\n   Porters MUST NOT open gates.\n"}
    assert "truncated" in trace(sections, {"quote": "open gates", "section": "2"}).risks
    assert "truncated" not in trace(sections, {"quote": "Porters", "section": "2"}).risks


def test_a_quote_that_ends_with_its_section_is_judged_by_that_section_alone():
    text = "Porters read.Gates open."
    document = Document("", text, [Section("1", "", 0, 13, True), Section("2", "", 13, len(text), True)])
    assert trace(document, {"quote": "Porters read.", "section": "1"}).section == "Porters read."
