"""Where a hit may begin and end."""

from array import array

import pytest

from helpers.documents import Document, Section
from helpers.locating import trace
from helpers.matching import cutting, edges, ladder
from helpers.matching.edges import whole
from helpers.matching.folding import Folded
from helpers.matching.numbers import number_at


@pytest.mark.parametrize(
    ("text", "hit", "is_whole"),
    [
        ("A gate holds 1500 tokens.", "A gate holds 150", False),
        ("A gate holds 1.5 tokens.", ".5 tokens", False),
        ("It costs 1,500 each.", "It costs 1,", False),
        ("It costs 1.500 each.", "It costs 1.", False),
        ("It costs 1,500 each.", "costs 1", False),
        ("It holds 1. Then it closes.", "It holds 1.", True),
        ("Grade A, 5 tokens.", ", 5 tokens", True),
        ("Open at 10:30 sharp.", "at 10", False),
        ("Open until 5-6 tokens.", "6 tokens", False),
        ("At 100% load.", "At 100", False),
        ("At 100 % load.", "At 100", True),
        ("Below -5 degrees.", "5 degrees", False),
        ("Below (5 degrees).", "5 degrees", True),
        ("See serial_number.", "serial", False),
        ("See serial_number.", "number", False),
        ("They don't go.", "They don", False),
        ("The porters' gate.", "The porters", True),
        ("The cafe\u0301 is open.", "The cafe", False),
        ("门必须拒绝", "必须", True),
        ("不必要的门", "必要的门", False),
        ("他说'是的'然后走了。", "他说", True),
        ("他说'是的'然后走了。", "他说'是的", True),
        ("그는 '문지기'는 죽었다", "문지기", True),
        ("그는 '문지기'는 죽었다", "'문지기'", True),
        ("They don't go.", "They don'", False),
        ("The UN-Council sat.", "Council sat", True),
        ("A non-empty list.", "empty list", False),
        ("A well-kept list.", "kept list", True),
        ("Gates", "Gates", True),
    ],
)
def test_words_numbers_and_what_turns_them_around_stay_whole(text, hit, is_whole):
    start = text.index(hit)
    places = array("I", range(len(text) + 1))
    assert whole(Folded(text, places, text), start, start + len(hit)) is is_whole


CUT = [
    ("A gate holds 10 000 people.", "A gate holds 10", "10 000", "10"),
    ("A gate holds 10 000 people.", "A gate holds 10.", "10 000", "10"),
    ("A gate holds 10 000 people.", "000 people.", "10 000", "000"),
    ("A gate holds 10\u00a0000 people.", "A gate holds 10", "10 000", "10"),
    ("A gate holds 10\u202f000 people.", "A gate holds 10", "10 000", "10"),
    ("A gate holds 10\u2009000 people.", "000 people", "10 000", "000"),
    ("A gate holds 10\n   000 people.", "A gate holds 10", "10 000", "10"),
    ("A gate holds 1 234 567 people.", "A gate holds 1 234", "1 234 567", "1 234"),
    ("A gate holds 1 234 567 people.", "567 people", "1 234 567", "567"),
    ("A gate holds 1 234,5 people.", "A gate holds 1 234", "1 234,5", "1 234"),
    ("A gate holds 10'000 people.", "A gate holds 10", "10'000", "10"),
    ("A gate holds 10’000 people.", "000 people", "10'000", "000"),
    ("A gate holds 1,00,000 people.", "A gate holds 1", "1,00,000", "1"),
    ("Ring 06\u00a012\u00a034\u00a056 at night.", "Ring 06 12", "06 12 34 56", "06 12"),
    ("Pi is 3.141 592 in short.", "Pi is 3.141", "3.141 592", "3.141"),
    ("In section 5 300 people are named.", "In section 5", "5 300", "5"),  # cannot be told from 5300: a person looks
    ("It weighs 1,5 stones.", "It weighs 1", "1,5", "1"),
    ("It holds 10–15 tokens.", "It holds 10", "10-15", "10"),
    ("It holds 5–10 000 tokens.", "It holds 5–10", "5-10 000", "5-10"),
    ("It holds 10~15 tokens.", "It holds 10", "10~15", "10"),
    ("It waits 1 ½ hours.", "It waits 1", "1 ½", "1"),
    ("It waits 1 1/2 hours.", "It waits 1", "1 1/2", "1"),
    ("It waits 1½ hours.", "It waits 1", "1½", "1"),
    ("It waits 1/2 hour.", "It waits 1", "1/2", "1"),
    ("It waits 1⁄2 hour.", "It waits 1", "1⁄2", "1"),
    ("Version 1.2.3 is out.", "Version 1.2", "1.2.3", "1.2"),
    ("Open from 12:30 on.", "Open from 12", "12:30", "12"),
    ("Below −5 degrees.", "5 degrees", "-5", "5"),
    ("It needs x=-5 porters.", "5 porters", "-5", "5"),
    ('It needs "-5 porters".', "5 porters", "-5", "5"),
    ("It takes ≥5 porters.", "5 porters", "≥5", "5"),
    ("It fails in 5% of all.", "It fails in 5", "5%", "5"),
    ("It costs $5 a day.", "5 a day", "$5", "5"),
    ("It costs 5€ a day.", "It costs 5", "5€", "5"),
    ("It holds 10² tokens.", "It holds 10", "10²", "10"),
    ("It holds 10⁻² tokens.", "It holds 10", "10⁻²", "10"),
    ("It holds 5×10³ tokens.", "It holds 5", "5×10³", "5"),
    ("تسع البوابة ٥٫٣ لتر.", "تسع البوابة ٥", "٥٫٣", "٥"),
    ("大门容纳10万人。", "大门容纳10", "10万", "10"),
    ("It weighs 1.5e-3 stones.", "3 stones", "1.5e-3", "3"),
    ("It weighs 1.5e-3 stones.", "It weighs 1.5", "1.5e-3", "1.5"),
    ("The gate² is shut.", "The gate", "gate²", "gate"),
    ("It covers 5 m² of it.", "It covers 5 m", "m²", "m"),
    ("约三分之一的令牌", "约三", "三分之一", "三"),
    ("约3分之1的令牌", "约3", "3分之1", "3"),
    ("大门容纳三十人。", "大门容纳三", "三十", "三"),
    ("Platform 9 300 is open.", "9", "9 300", "9"),
    ("Ring +1 202 555 0199 at night.", "555 0199", "+1 202 555", "555"),
    ("It lasts 10.5 hours.", "10", "10.5", "10"),
]


@pytest.mark.parametrize(("text", "quote", "number", "part"), CUT, ids=[f"{c[1]} of {c[2]}" for c in CUT])
def test_a_quote_that_cuts_a_number_is_altered_and_shows_the_number(text, quote, number, part):
    found = trace(Document("", text, [Section("1", "", 0, len(text))]), {"quote": quote})
    assert (found.status, found.match.changes) == ("altered", [(number, part, "number")])


def test_the_likeness_of_a_quote_that_cuts_a_number_is_the_share_that_it_has():
    text = "Of old, a gate holds 10 000 people."
    found = trace(Document("", text, [Section("1", "", 0, len(text))]), {"quote": "a gate holds 10"})
    assert found.match.similarity == round(len("a gate holds 10") / len("a gate holds 10 000"), 3)


@pytest.mark.parametrize(
    ("text", "quote", "change"),
    [
        ("A non-empty list.", "empty list", ("non-", "", "negation")),
        ("An un-American gate.", "American gate", ("un-", "", "negation")),
        ("不可以打开大门。", "可以打开大门", ("不", "", "negation")),
        ("They don't go there.", "They don", ("don't", "don", "negation")),
        ("They don’t go there.", "They don’", ("don't", "don'", "negation")),
        ("The porter's gate.", "The porter", ("porter's", "porter", None)),
        ("The porter'll've gone.", "The porter'll", ("porter'll've", "porter'll", None)),
    ],
)
def test_a_quote_that_cuts_a_word_at_its_mark_is_altered_and_shows_the_word(text, quote, change):
    found = trace(Document("", text, [Section("1", "", 0, len(text))]), {"quote": quote})
    assert (found.status, found.match.changes) == ("altered", [change])


@pytest.mark.parametrize("text", ["A gate holds 1500.", "The gatekeeper is out.", "The gates are shut."])
def test_a_quote_that_cuts_digits_or_letters_is_missing(text):
    assert trace(Document("", text, [Section("1", "", 0, len(text))]), {"quote": text[6:14]}).status == "missing"


def test_a_word_in_other_pieces_than_the_source_has_is_looked_at_and_not_located():
    text = "They don't go there."
    assert trace(Document("", text, [Section("1", "", 0, len(text))]), {"quote": "don`t"}).status == "missing"


@pytest.mark.parametrize("dash", ["—", "--", "–"])
def test_a_minus_sign_is_not_a_dash_without_blanks(dash):
    text = "It is kept at -5 degrees."
    assert (
        trace(Document("", text, [Section("1", "", 0, len(text))]), {"quote": f"It is kept at{dash}5 degrees."}).status
        == "altered"
    )


@pytest.mark.parametrize("unit", ["1.", "1:", "1-", "123 ", "½", "三十", "没有"])
def test_in_a_long_run_of_numbers_no_number_is_read_again_and_again(unit, monkeypatch):
    looks = []
    for module in (edges, cutting, ladder):
        monkeypatch.setattr(module, "number_at", lambda folded, at: (looks.append(at), number_at(folded, at))[1])
    text = "The porter waits. " + unit * (50_000 // len(unit)) + " The gate opens."
    document = Document("", text, [Section("1", "", 0, len(text))])
    for quote in (unit * 20, f"waits {unit * 30} gate"):
        trace(document, {"quote": quote})
    assert len(looks) < len(text) // 2


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("In 2019 100 people came.", "In 2019"),
        ("Gate-5 is shut.", "5 is shut"),
        ("Gate->5 is shut.", "5 is shut"),
        ("<gate/>5 is shut.", "5 is shut"),
        ("In 2019 1/3 of them came.", "In 2019"),
        ("RFC 7519 100 times over.", "RFC 7519"),
        ("Send HTTP/1.1 200 OK back.", "Send HTTP/1.1"),
        ("On 2019-10-12 300 people came.", "On 2019-10-12"),
        ("Gates 1 2 3 are shut.", "Gates 1 2"),
        ("Gates 1, 2 and 3 are shut.", "Gates 1"),
        ("Total   100   200   300", "Total 100"),
        ("Total\t100\t200\t300", "Total 100"),
        ("Total\n100\n200\n300", "Total 100"),
        ("See (5) 300 times.", "See (5)"),
        ("It weighs 10 kg.", "It weighs 10"),
        ("It weighs 3千克。", "It weighs 3"),
        ("It holds 10 – 15 more are outside.", "It holds 10"),
        ("唯一千年大门", "唯一"),
        ("Open to 10. 300 came.", "Open to 10."),
    ],
)
def test_a_number_beside_another_one_may_end_a_quote(text, quote):
    found = trace(Document("", text, [Section("1", "", 0, len(text))]), {"quote": quote})
    assert found.status == "found"
