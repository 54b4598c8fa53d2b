import json
from pathlib import Path

import pytest

from helpers.citations import load_citations, read_citations
from helpers.errors import CitationFileError

GOOD = {"id": "gate", "claim": "Gates refuse copies.", "quote": "A gate MUST refuse a token", "section": "2"}
SCHEMA = Path(__file__).parents[1] / "helpers" / "schemas" / "citations.schema.json"


def faults_of(text: str, name: str = "c.json") -> list[str]:
    with pytest.raises(CitationFileError) as caught:
        read_citations(text, name)
    return caught.value.faults


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"quote": ["A gate"]}, "quote: must be text or null, is a list"),
        ({"quote": ""}, "quote: has no letter or digit"),
        ({"quote": " \n\t"}, "quote: has no letter or digit"),
        ({"quote": "."}, "quote: has no letter or digit"),
        ({"quote": "\u200b…"}, "quote: has no letter or digit"),
        ({"quote": "\ud800 gate"}, "quote: holds half of a surrogate pair"),
        ({"claim": "  "}, "claim: is empty"),
        ({"claim": None}, "claim: must be text, is null"),
        ({"section": 2.1}, "section: must be text or null, is a number"),
        ({"section": ""}, "section: is empty"),
        ({"quote": None, "section": None}, "quote and section: both are null"),
        ({"source": 3}, "source: must be text or null, is a number"),
        ({"id": ""}, "id: must be text"),
        ({"id": "two\nlines"}, "id: must be one line"),
    ],
    ids=str,
)
def test_a_faulty_field_is_named_with_its_entry(change, fault):
    found = faults_of(json.dumps([GOOD | {"id": "first"}, GOOD | change]))
    assert len(found) == 1
    assert found[0].startswith("entry 2") and fault in found[0]


@pytest.mark.parametrize("field", ["claim", "quote", "section"])
def test_an_absent_field_is_not_a_null_one(field):
    entry = {key: value for key, value in GOOD.items() if key != field}
    assert faults_of(json.dumps([entry]))[0].startswith(f'entry 1 ("gate"): {field}: is absent')


def test_a_misspelt_key_is_named_beside_the_absent_one():
    entry = {"id": "gate", "claim": "c", "qoute": "A gate", "section": "2"}
    assert '"qoute" is not a known key' in faults_of(json.dumps([entry]))[0]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "is empty"),
        ("```json\n[]\n```", "line 1: begins with a code fence; leave out the lines with ```"),
        ("null", "must be a JSON list of citations, is null"),
        ('{"citations": []}', "must be a JSON list of citations, is an object"),
        ('[{"id": "a"} trailing', "line 1 column 14"),
        ('[{"id": "a",\n   }]', "line 1 column 12: a comma before }; remove it"),
        ("[" * 100_000, "nested too deeply"),
        ("[1]", "entry 1: must be an object"),
        ('[{"id":"a","claim":"c","quote":"x","quote":"y","section":"2"}]', '"quote" stands twice'),
        ('[{"id":"a","claim":"c","quote":null,"section":"2","score":[NaN]}]', "score: NaN is not JSON"),
    ],
    ids=["empty", "fence", "null", "object", "trailing", "comma", "deep", "number", "repeated", "nan"],
)
def test_a_file_that_is_no_list_of_citations_is_refused(text, fault):
    assert fault in "; ".join(faults_of(text))


def test_all_faults_are_told_at_once_and_the_message_shows_ten_and_a_count():
    text = json.dumps([GOOD | {"id": f"c{n}", "claim": ""} for n in range(13)])
    with pytest.raises(CitationFileError) as caught:
        read_citations(text, "many.json")
    assert len(caught.value.faults) == 13
    assert str(caught.value).startswith("many.json: entry 1") and str(caught.value).endswith("; and 3 more")
    assert str(caught.value).count("claim: is empty") == 10
    assert "\n" not in str(caught.value)


def test_a_repeated_id_names_the_entry_that_has_it():
    assert "stands in entry 1 too" in faults_of(json.dumps([GOOD, GOOD]))[0]


def test_an_unknown_key_is_told_and_passed_over():
    with pytest.warns(UserWarning, match='entry 1 \\("gate"\\): unknown key "page"'):
        assert read_citations(json.dumps([GOOD | {"page": 4}]), "c.json") == [GOOD]


def test_a_byte_order_mark_and_other_languages_are_read(tmp_path):
    path = tmp_path / "c.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([GOOD | {"quote": "门必须拒绝"}], ensure_ascii=False).encode())
    assert load_citations(path)[0]["quote"] == "门必须拒绝"


@pytest.mark.parametrize("content", [b"\xff\xfe[]", None], ids=["utf-16", "absent"])
def test_a_file_that_cannot_be_read_is_one_line(tmp_path, content):
    path = tmp_path / "c.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CitationFileError, match=r"c\.json: "):
        load_citations(path)


def test_an_empty_list_has_no_citations():
    assert read_citations("[]", "c.json") == []


def test_json_lines_are_read_and_a_broken_line_is_named(tmp_path):
    path = tmp_path / "c.jsonl"
    path.write_text(json.dumps(GOOD) + "\n\n" + json.dumps(GOOD | {"id": "b"}) + "\n", encoding="utf-8")
    assert [c["id"] for c in load_citations(path)] == ["gate", "b"]
    assert faults_of(json.dumps(GOOD) + "\n{", "c.jsonl")[0].startswith("line 2: column 2: not JSON")


def test_a_saved_reply_of_the_messages_api_becomes_citations():
    cited = {"type": "char_location", "cited_text": "The grass is green. ", "document_index": 1, "start_char_index": 0}
    paged = {"type": "page_location", "cited_text": "Water is wet.", "document_index": 0, "start_page_number": 5}
    reply = {
        "content": [
            {"type": "text", "text": "Intro."},
            {"type": "text", "text": "the grass is green", "citations": [cited, paged]},
        ]
    }
    expected = [
        {
            "id": "cited-1",
            "claim": "the grass is green",
            "quote": "The grass is green. ",
            "section": None,
            "source": "#1",
        },
        {"id": "cited-2", "claim": "the grass is green", "quote": "Water is wet.", "section": "p. 5", "source": "#0"},
    ]
    assert read_citations(json.dumps(reply), "reply.json") == expected
    assert read_citations(json.dumps(reply["content"]), "reply.json") == expected


def test_cited_texts_without_the_claim_they_stand_behind_are_refused():
    assert "claim: must be text" in faults_of(json.dumps([{"cited_text": "x", "document_index": 0}]))[0]


def test_the_error_survives_pickling():
    import pickle

    error = pickle.loads(pickle.dumps(CitationFileError("c.json", ["a", "b"])))
    assert (error.path, error.faults, str(error)) == ("c.json", ["a", "b"], "c.json: a; b")


@pytest.mark.parametrize(
    ("entries", "valid"),
    [
        ([GOOD], True),
        ([GOOD | {"quote": None}], True),
        ([GOOD | {"source": "a.pdf"}], True),
        ([GOOD | {"page": 1}], False),
        ([{"id": "a", "claim": "c"}], False),
        ({"citations": []}, False),
    ],
    ids=["four keys", "null quote", "source", "unknown key", "absent keys", "no list"],
)
def test_the_schema_describes_what_is_read(entries, valid):
    from jsonschema import Draft202012Validator

    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert Draft202012Validator(schema).is_valid(entries) is valid


def test_the_schema_is_one_that_structured_outputs_accept():
    """Vendors want every object closed and every property required; bounds and formats are refused by some."""
    for shape in json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"].values():
        assert shape["additionalProperties"] is False
        assert shape["required"] == list(shape["properties"])
        assert not {"minLength", "pattern", "format", "default"} & {k for p in shape["properties"].values() for k in p}
