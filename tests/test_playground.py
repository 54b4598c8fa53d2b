"""Playground links: packed as the page's JavaScript library packs them, and read back without loss."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.errors import LinkError
from helpers.playground import make_playground_link, read_playground_link

QUESTION = {"type": "choice", "instructions": "Is it so?", "criteria": {"yes": "It is", "no": "It is not"}}
QUESTIONS = {"relation": QUESTION}

# Made once in node by the JavaScript library that the page itself uses (its version stands in the file):
# LZString.compressToEncodedURIComponent(text) for every text.
MADE_IN_JAVASCRIPT = json.loads((Path(__file__).parent / "data/lz_string_vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vector", MADE_IN_JAVASCRIPT["vectors"], ids=lambda vector: vector["name"])
def test_any_text_is_packed_as_the_javascript_library_packs_it(vector):
    from helpers import playground

    assert playground._compress(vector["text"]) == vector["packed"]
    assert playground._decompress(vector["packed"]) == vector["text"]


def test_a_link_made_in_javascript_is_read():
    made = MADE_IN_JAVASCRIPT["link"]
    link = read_playground_link("https://console.typesafe.ai/playground#share/" + made["packed"])
    assert link == {"document": made["document"], "questions": made["questions"], "models": ["jev-1.12"]}


def test_the_payload_is_the_one_that_the_page_reads():
    from helpers import playground

    link = make_playground_link({"claim": "It 🎉 is", "section": "Yes"}, QUESTIONS, models=["jev-1.12"])
    address, packed = link.split("#share/")
    assert address == "https://console.typesafe.ai/playground"
    payload = json.loads(playground._decompress(packed))
    assert list(payload) == ["documentText", "promptsText", "apiVersion", "selectedModels"]
    assert payload["documentText"] == '{"claim": "It 🎉 is", "section": "Yes"}'
    assert json.loads(payload["promptsText"]) == QUESTIONS
    assert payload["apiVersion"] == "v1"
    assert payload["selectedModels"] == ["jev-1.12"]


@pytest.mark.parametrize("models", [None, []], ids=["None", "empty"])
def test_no_models_leave_the_choice_to_the_page(models):
    from helpers import playground

    link = make_playground_link("text", QUESTIONS, models=models)
    assert "selectedModels" not in playground._decompress(link.split("#share/")[1])
    assert read_playground_link(link)["models"] is None


def test_another_server_s_page_can_be_named():
    link = make_playground_link("text", QUESTIONS, base_url="http://127.0.0.1:8000/")
    assert link.startswith("http://127.0.0.1:8000/playground#share/")


def test_the_sdk_s_question_gives_the_same_link_as_a_dict():
    from typesafe_sdk import Choice

    criteria = {"yes": "It is", "no": None}
    as_object = Choice(instructions="Is it so?", criteria=criteria)
    as_dict = {"type": "choice", "instructions": "Is it so?", "criteria": criteria}
    assert make_playground_link("text", {"q": as_object}) == make_playground_link("text", {"q": as_dict})


@given(
    st.dictionaries(st.text(), st.text()),
    st.dictionaries(st.text(), st.just(QUESTION), min_size=1),
    st.lists(st.text()),
)
def test_whatever_goes_into_a_link_comes_out_of_it(document, questions, models):
    link = read_playground_link(make_playground_link(document, questions, models=models))
    assert link == {"document": document, "questions": questions, "models": models or None}


@given(st.text())
def test_a_text_document_comes_back_as_text(text):
    assert read_playground_link(make_playground_link(text, QUESTIONS))["document"] in (text, _parsed(text))


def _parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


@pytest.mark.parametrize(
    "document", [None, 5, True, math.nan, {"claim": math.nan}, {"claim": {1}}, b"text"], ids=lambda value: repr(value)
)
def test_a_document_that_the_page_cannot_hold_is_refused(document):
    with pytest.raises(LinkError, match=r"^document: "):
        make_playground_link(document, QUESTIONS)


@pytest.mark.parametrize(
    "questions", [{}, {"q": None}, {"q": "Is it so?"}, {"q": {"type": math.inf}}], ids=["none", "None", "text", "inf"]
)
def test_questions_that_the_page_cannot_hold_are_refused(questions):
    with pytest.raises(LinkError, match=r"^questions: "):
        make_playground_link("text", questions)


def test_a_link_wrapped_and_escaped_by_a_mail_program_is_read():
    link = make_playground_link({"claim": "c" * 40, "section": "s"}, QUESTIONS)
    address, packed = link.split("#share/")
    assert "+" in packed, "the example must hold the character that is at risk"
    for spoiled in (packed.replace("+", " "), packed.replace("+", "%2B"), packed[:50] + "\n" + packed[50:]):
        assert read_playground_link(f"  {address}#share/{spoiled}\n")["document"] == {"claim": "c" * 40, "section": "s"}


DAMAGED = [
    ("", "not a playground link"),
    ("https://console.typesafe.ai/playground", "not a playground link"),
    ("https://console.typesafe.ai/playground#share/", "not a playground link"),
    ("https://console.typesafe.ai/playground#share/Q", "damaged"),
    ("https://console.typesafe.ai/playground#share/zzzz", "damaged"),
    ("https://console.typesafe.ai/playground#share/N4XyA", "damaged"),  # {}
    ("https://console.typesafe.ai/playground#share/你好", "damaged"),
    (make_playground_link("some text", QUESTIONS)[:-20], "damaged"),
]


@pytest.mark.parametrize(("link", "message"), DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_link_is_told_in_one_line(link, message):
    with pytest.raises(LinkError, match=message) as error:
        read_playground_link(link)
    assert "\n" not in str(error.value)
