"""The files that ship: the source is the published one, citations and recording are what is said of them."""

import hashlib
import json
from pathlib import Path

import pytest

from helpers.citations import load_citations
from helpers.locating import trace
from helpers.parsing import load_source, split_sections

ROOT = Path(__file__).parents[1]

# id, status, section that is judged, its characters
EXPECTED = [
    ("epoch_seconds", "found", "2", 3122),
    ("aud_reject", "found", "4.1.3", 761),
    ("sig_reporting", "missing", None, None),
    ("clock_skew", "found", "4.1.4", 529),
    ("exp_required", "found", "4.1.4", 529),
    ("pii_encryption", "found", "3", 1653),
    ("iat_future", "section-only", "4.1.6", 270),
    ("duplicate_names", "found", "4", 918),
]

# The two citations that are word for word those of the published walkthrough.
AUD_REJECT = {
    "id": "aud_reject",
    "claim": "If a validator does not find itself in a token's audience list, it has to reject the token.",
    "quote": 'If the principal processing the claim does not identify itself with a value in the "aud" claim when this '
    "claim is present, then the JWT MUST be rejected.",
    "section": "4.1.3",
}
IAT_FUTURE = {
    "id": "iat_future",
    "claim": 'The "iat" claim requires validators to reject tokens whose issue time is in the future.',
    "quote": None,
    "section": "4.1.6",
}

# id -> choice, probabilities (supports, contradicts, says_nothing), confidence, seconds, input and output tokens.
PUBLISHED_FIGURES = {
    "epoch_seconds": ("supports", (0.95, 0.01, 0.04), 0.93, 0.25, 1133, 39),
    "aud_reject": ("supports", (0.96, 0.03, 0.01), 0.95, 0.09, 544, 39),
    "clock_skew": ("supports", (1.0, 0.0, 0.0), 0.99, 0.08, 490, 39),
    "exp_required": ("contradicts", (0.0, 1.0, 0.0), 0.99, 0.08, 488, 41),
    "pii_encryption": ("says_nothing", (0.31, 0.17, 0.52), 0.27, 0.09, 762, 42),
    "iat_future": ("says_nothing", (0.01, 0.28, 0.71), 0.56, 0.09, 434, 42),
    "duplicate_names": ("supports", (1.0, 0.0, 0.0), 0.99, 0.17, 569, 39),
}


@pytest.fixture(scope="module")
def sections():
    return split_sections(load_source(ROOT / "rfc7519.txt"))


@pytest.fixture(scope="module")
def citations():
    return {citation["id"]: citation for citation in load_citations(ROOT / "citations.json")}


@pytest.fixture(scope="module")
def recording():
    return json.loads((ROOT / "json_cache.json").read_text(encoding="utf-8"))


def recorded_key(claim: str, section: str) -> str:
    """Apply the published rule for requests over 200 characters, written out so that no change of code can move it."""
    return hashlib.sha256(f"ask|{claim}|{section}".encode()).hexdigest()


def test_the_source_is_the_published_file():
    content = (ROOT / "rfc7519.txt").read_bytes()
    assert len(content) == 63_039
    assert hashlib.sha256(content).hexdigest() == "fecd930e9ccf2276b95c0017c6c4ff5d09352e4bc3c7629946447894e0f97248"


def test_the_source_reads_as_published():
    text = load_source(ROOT / "rfc7519.txt")
    assert len(text) == 58_365
    digest = hashlib.sha256(text.encode()).hexdigest()
    assert digest == "6e275dd82374e5ede6e709d9a50f7c909751c1de2cfe6fc3948ece596d4271a0"


def test_the_45_sections_read_as_published(sections):
    assert len(sections) == 45
    compact = json.dumps(sections, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    digest = hashlib.sha256(compact.encode()).hexdigest()
    assert digest == "e782f26bd64505f322229c0a9454f114c4c9e7d616087f9a0ccad96d18d9c5cc"


def test_the_eight_citations_come_in_the_published_order(citations):
    assert list(citations) == [name for name, *_ in EXPECTED]


@pytest.mark.parametrize("expected", [AUD_REJECT, IAT_FUTURE], ids=lambda citation: citation["id"])
def test_two_citations_are_the_published_ones_word_for_word(citations, expected):
    assert citations[expected["id"]] == expected


@pytest.mark.parametrize(("name", "status", "label", "characters"), EXPECTED, ids=[row[0] for row in EXPECTED])
def test_each_citation_is_located_as_the_notebook_says(sections, citations, name, status, label, characters):
    traced = trace(sections, citations[name])
    assert traced.status == status
    assert traced.section == (None if label is None else sections[label])
    assert characters is None or len(traced.section) == characters


@pytest.mark.parametrize("name", [name for name, status, *_ in EXPECTED if status == "found"])
def test_each_quote_stands_verbatim_in_the_section_it_names(sections, citations, name):
    quote, section = citations[name]["quote"], sections[citations[name]["section"]]
    assert " ".join(quote.split()) in " ".join(section.split())


def test_the_quote_of_exp_required_stands_in_one_section_alone(sections, citations):
    quote = citations["exp_required"]["quote"]
    assert [label for label, text in sections.items() if quote in " ".join(text.split())] == ["4.1.4"]


def test_the_invented_quote_is_near_to_nothing_in_the_source(sections, citations):
    traced = trace(sections, citations["sig_reporting"])
    assert (traced.status, traced.found_in, traced.match) == ("missing", None, None)


def test_the_section_of_exp_required_ends_by_making_the_claim_optional(sections):
    assert sections["4.1.4"].endswith("Use of this claim is OPTIONAL.")


def test_section_3_never_says_when_to_encrypt(sections):
    assert "personal" not in sections["3"]
    assert "MUST" not in sections["3"]


@pytest.mark.parametrize("name", PUBLISHED_FIGURES)
def test_each_answer_is_recorded_under_our_words_with_the_published_figures(sections, citations, recording, name):
    citation = citations[name]
    choice, probabilities, confidence, seconds, tokens_in, tokens_out = PUBLISHED_FIGURES[name]
    answer = recording[recorded_key(citation["claim"], sections[citation["section"]])]
    assert list(answer.items()) == [
        ("choice", choice),
        ("probabilities", dict(zip(("supports", "contradicts", "says_nothing"), probabilities, strict=True))),
        ("confidence", confidence),
        ("seconds", seconds),
        ("input_tokens", tokens_in),
        ("output_tokens", tokens_out),
    ]


# What README and notebook tell: these two are answers of jev-1.12 to exactly this wording, under the key that the
# published walkthrough recorded; the other five replay the figures published for the citation of that id.
GENUINE = {
    "aud_reject": "89f5292d83010a84e7a54729a613fb2dad824f43919df93932c9d16b1b651ef3",
    "iat_future": "0371efac1e60479de779e6aafd3bcafa4183e5881ebde772662ebc2c438bb254",
}


def test_the_recording_holds_two_genuine_answers_and_five_carried_over_by_id(sections, citations, recording):
    keys = {
        name: recorded_key(citations[name]["claim"], sections[citations[name]["section"]]) for name in PUBLISHED_FIGURES
    }
    assert sorted(keys.values()) == list(recording), "every entry is replayed by a citation, and keys are sorted"
    assert {name: keys[name] for name in GENUINE} == GENUINE


def test_the_recording_is_written_as_the_cache_writes_it(recording):
    text = json.dumps(recording, indent=2, ensure_ascii=False) + "\n"
    assert (ROOT / "json_cache.json").read_bytes() == text.encode()
