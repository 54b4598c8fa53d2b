"""Step 2 and both steps together, with a client that says what it is told to."""

import hashlib
import json
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from helpers.checking import judge_citations, locate_citations
from helpers.citations import load_citations
from helpers.documents import Document, Section
from helpers.errors import CacheError, CitationCheckError, JudgeError, NotRecorded
from helpers.judging import QUESTIONS, ask, check_citation, check_citations, estimate, make_ask, verdict
from helpers.locating import Change, Match, Trace
from helpers.outcomes import Located, doubts_about
from helpers.parsing import load_source, split_sections
from helpers.passages import Passage, rank
from helpers.replay import JsonCache
from helpers.reporting import verdict_table

ROOT = Path(__file__).parents[1]
SHARES = {"supports": 0.96, "contradicts": 0.03, "says_nothing": 0.01}
SECTIONS = {
    "1": "1.  Tokens\n\n   A token MUST be signed.  It MAY be encrypted.",
    "2": "2.  Time\n\n   Every clock drifts, so some leeway is allowed.",
    "3": "3.  Keys\n\n   A key is kept for a year, then it is replaced by its successor.",
    "4": "4.  Audience\n\n   An audience is a list of names.",
    "5": "5.  Names\n\n   Two names that differ in case are two names.",
}


@pytest.fixture(autouse=True)
def no_server(monkeypatch):
    for name in ("TYPESAFE_API_KEY", "TYPESAFE_ENDPOINT", "TYPESAFE_BASE_URL", "TYPESAFE_MODEL"):
        monkeypatch.delenv(name, raising=False)


class Client:
    """Answer by the first part of "claim / section" that fits: a choice, (choice, confidence), or an error to raise."""

    def __init__(self, script=None):
        self.script = script or {}
        self.asked = []
        self.lock = threading.Lock()

    def system_one(self, *, state, model, questions):
        with self.lock:
            self.asked.append((state["claim"], state["section"], model, list(questions["relation"]["criteria"])))
            text = f"{state['claim']} / {state['section']}"
            said = next((said for part, said in self.script.items() if part in text), "supports")
            said = said.pop(0) if isinstance(said, list) else said
        if callable(said):
            said = said(questions)
        if isinstance(said, Exception):
            raise said
        choice, confidence = said if isinstance(said, tuple) else (said, 0.94)
        largest = 1 / 3 + confidence * 2 / 3
        shares = {name: largest if name == choice else (1 - largest) / 2 for name in SHARES}
        answer = SimpleNamespace(type="choice", choice=choice, probabilities=shares, confidence=confidence)
        usage = SimpleNamespace(input_tokens=500, output_tokens=40)
        return SimpleNamespace(answers={"relation": answer}, usage=usage, model="jev-1.13.0")


def cite(claim="Tokens are signed.", quote="A token MUST be signed.", section="1", name="one"):
    return {"id": name, "claim": claim, "quote": quote, "section": section}


def check(citations, client=None, tmp_path=None, cache=None, **options):
    """Check citations of SECTIONS with a fake client, and return (results, client)."""
    client = client or Client()
    with JsonCache(tmp_path / "cache.json") if cache is None else cache as kept:  # an empty one is false
        told = options.pop("tell", lambda message: pytest.fail(message))
        asked = make_ask(kept, client, "jev-latest", tell=told)
        return check_citations(options.pop("sections", SECTIONS), citations, asked, **options), client


# The published walkthrough


def test_the_shipped_citations_replay_to_the_published_table():
    results = check_citations(
        split_sections(load_source(ROOT / "rfc7519.txt")), load_citations(ROOT / "citations.json")
    )
    assert verdict_table(results) == (
        "citation          quote         relation        conf  verdict       action\n"
        "epoch_seconds     found         supports        0.93  verified        auto\n"
        "aud_reject        found         supports        0.95  verified        auto\n"
        "sig_reporting     missing       -                  -  fabricated      auto\n"
        "clock_skew        found         supports        0.99  verified        auto\n"
        "exp_required      found         contradicts     0.99  contradicted    auto\n"
        "pii_encryption    found         says_nothing    0.27  unsupported   review\n"
        "iat_future        section-only  says_nothing    0.56  unsupported   review\n"
        "duplicate_names   found         supports        0.99  verified        auto"
    )
    assert [r["replayed"] for r in results] == [True, True, None, True, True, True, True, True]


def test_one_citation_comes_out_as_it_does_among_all():
    sections, citations = split_sections(load_source(ROOT / "rfc7519.txt")), load_citations(ROOT / "citations.json")
    assert [check_citation(sections, c) for c in citations] == check_citations(sections, citations)


def test_the_question_is_the_published_one_to_the_byte():
    assert json.dumps(QUESTIONS) == (
        '{"relation": {"type": "choice", "instructions": "How does the section relate to the claim?", "criteria": '
        '{"supports": "The section states the claim or directly implies that it is true", '
        '"contradicts": "The section states the opposite of the claim or implies it is false", '
        '"says_nothing": "The section does not address what the claim asserts, either way"}}}'
    )


def test_replaying_starts_no_thread_and_imports_no_sdk():
    code = (
        "import sys, threading; threading.Thread.start = None\n"
        "from helpers.judging import check_citations\n"
        "from helpers.parsing import load_source, split_sections\n"
        "from helpers.citations import load_citations\n"
        "results = check_citations(split_sections(load_source('rfc7519.txt')), load_citations('citations.json'))\n"
        "assert not any(r['error'] for r in results)\n"
        "print({'typesafe_sdk', 'httpx2', 'tqdm'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "set()"


VERDICTS = {
    "supports": ("found", "supports", 0.93, "verified", True),
    "contradicts": ("found", "contradicts", 0.99, "contradicted", True),
    "says nothing": ("section-only", "says_nothing", 0.81, "unsupported", True),
    "at the threshold": ("found", "supports", 0.8, "verified", True),
    "under the threshold": ("found", "supports", 0.79, "verified", False),
    "an altered quote": ("altered", "supports", 0.99, "verified", False),
}


@pytest.mark.parametrize(("status", "choice", "confidence", "expected", "auto"), VERDICTS.values(), ids=VERDICTS)
def test_verdict_follows_the_choice_and_its_confidence(status, choice, confidence, expected, auto):
    answer = {"choice": choice, "confidence": confidence}
    assert verdict(status, answer) == {"verdict": expected, "confidence": confidence, "auto": auto}


def test_a_missing_quote_is_fabricated_without_an_answer():
    assert verdict("missing", None) == {"verdict": "fabricated", "confidence": None, "auto": True}


def test_a_found_quote_without_an_answer_has_no_verdict():
    with pytest.raises(ValueError, match="no verdict without an answer"):
        verdict("found", None)


# What goes to a human, and why

CHANGE = Change("MUST", "SHOULD", "modality")


def trace_of(status="found", found_in="1", section_ok=True, changes=(), hint=None, document=None):
    match = None if status in ("missing", "section-only") else Match("exact", 0, 4, "text", list(changes), 100.0)
    section = None if status == "missing" else "text"
    return Trace(status, found_in, [], section_ok, match, [], section, document, hint)


SCANNED = Document("scan.pdf", "", [], doubts=["page 2 has no text layer"])
DOUBTS = {
    "nothing amiss": (cite(), trace_of(), 0.9, []),
    "low confidence": (cite(), trace_of(), 0.79, ["confidence 0.79 is under 0.8"]),
    "altered": (
        cite(),
        trace_of("altered", changes=[CHANGE]),
        0.99,
        ["the quote is not in the source's own words: MUST became SHOULD"],
    ),
    "dropped and added words": (
        cite(),
        trace_of("altered", changes=[Change("not", "", "negation"), Change("", "all", None)]),
        0.99,
        ["the quote is not in the source's own words: not became nothing, nothing became all"],
    ),
    "a long omission and many changes": (
        cite(),
        trace_of("altered", changes=[Change("x" * 99, "", None), *[Change("a", "b", None)] * 4]),
        0.99,
        [
            "the quote is not in the source's own words: "
            + "x" * 59
            + "… became nothing, a became b, a became b, 2 more"
        ],
    ),
    "another section": (
        cite(section="2"),
        trace_of(section_ok=False),
        0.99,
        ["the quote stands in 1, not in the cited 2"],
    ),
    "a section of another kind": (cite(section="Chapter 3"), trace_of(section_ok=None), 0.99, []),
    "a hint beside another reason": (
        cite(),
        trace_of(hint="look-alike letters"),
        0.5,
        ["confidence 0.50 is under 0.8", "look-alike letters"],
    ),
    "missing": (cite(), trace_of("missing", None, None), None, []),
    "missing without a quote": (
        cite(quote=None, section="9"),
        trace_of("missing", None, False),
        None,
        ["there is no section 9 in the document, and no quote to search for"],
    ),
    "missing in a scan": (
        cite(),
        trace_of("missing", None, None, document=SCANNED),
        None,
        ["the text may not be what its author wrote: page 2 has no text layer"],
    ),
}


@pytest.mark.parametrize(("citation", "found", "confidence", "expected"), DOUBTS.values(), ids=DOUBTS)
def test_a_citation_goes_to_a_human_for_a_reason_in_words(citation, found, confidence, expected):
    located = Located(citation, found, Passage(found.section or ""))
    decided = {"verdict": "verified", "confidence": confidence, "auto": True}
    assert doubts_about(located, decided, 0.8) == expected


def test_a_true_quote_from_another_section_is_judged_where_it_stands_and_goes_to_review(tmp_path):
    (result,), client = check([cite(section="2")], tmp_path=tmp_path)
    assert [section for _, section, *_ in client.asked] == [SECTIONS["1"]]
    assert (result["verdict"], result["auto"], result["found_in"]) == ("verified", False, "1")
    assert "the quote stands in 1, not in the cited 2" in result["reason"]


def test_a_null_quote_of_an_unknown_section_is_fabricated_but_goes_to_review(tmp_path):
    (result,), client = check([cite(quote=None, section="9")], tmp_path=tmp_path)
    assert (result["status"], result["verdict"], result["auto"]) == ("missing", "fabricated", False)
    assert client.asked == []


def test_the_fingerprint_is_of_claim_quote_and_judged_text(tmp_path):
    results, _ = check([cite(), cite(quote="Nowhere to be seen, at all.")], tmp_path=tmp_path)
    # of '["Tokens are signed.","A token MUST be signed.","1.  Tokens\\n\\n   A …"]' and '["…","…",null]', by sha256sum
    assert [r["fingerprint"] for r in results] == [
        "181a1769b43d116f57a1120b06d86ce9c7f6292c60035407331d9963b37f1ac4",
        "b584ab02cd49f72cb9e96ae189687e18a97e8885bfed4ecffd717092be60f068",
    ]


def test_the_fingerprint_of_any_script_is_of_its_utf_8(tmp_path):
    results, _ = check([cite(claim="Токен подписан. 签名", quote="Nowhere “to be” seen, at all.")], tmp_path=tmp_path)
    judged = '["Токен подписан. 签名","Nowhere “to be” seen, at all.",null]'
    assert results[0]["fingerprint"] == hashlib.sha256(judged.encode("utf-8")).hexdigest()


# Failures


def test_a_failure_stays_with_its_citation_and_results_keep_their_order(tmp_path):
    citations = [cite(f"Claim {i}.", name=str(i)) for i in range(20)]
    results, _ = check(citations, Client({"Claim 7.": JudgeError("no luck")}), tmp_path)
    assert [r["id"] for r in results] == [str(i) for i in range(20)]
    assert [r["id"] for r in results if r["verdict"] is None] == ["7"]
    row = results[7]
    assert (row["error"], row["auto"], row["answer"], row["replayed"]) == ("no luck", False, None, None)
    assert row["status"] == "found"


def test_a_client_that_breaks_is_a_failure_of_its_citation_too(tmp_path):
    results, _ = check([cite("Bad."), cite("Good.")], Client({"Bad.": RuntimeError("closed")}), tmp_path)
    assert [r["error"] for r in results] == ["the model could not be asked: RuntimeError: closed", None]


def test_a_citation_that_cannot_be_searched_for_is_a_failure_of_its_own(tmp_path):
    results, _ = check([{"id": "odd", "claim": "C", "quote": 5, "section": "1"}, cite()], tmp_path=tmp_path)
    assert results[0]["verdict"] is None and results[0]["error"]
    assert results[1]["verdict"] == "verified"


def test_a_citation_without_a_quote_or_section_field_counts_as_null(tmp_path):
    results, _ = check(
        [{"id": "bare", "claim": "C"}, {"id": "no quote", "claim": "C", "section": "1"}], tmp_path=tmp_path
    )
    assert [(r["status"], r["quote"], r["verdict"]) for r in results] == [
        ("missing", None, "fabricated"),
        ("section-only", None, "verified"),
    ]


@pytest.mark.parametrize("jobs", [1, 8])
def test_what_hits_every_question_stops_the_run_and_is_told_in_one_sentence(tmp_path, jobs):
    citations = [cite(f"Claim {i}.", name=str(i)) for i in range(200)]
    client = Client({"Claim": JudgeError("bad key", everywhere=True)})
    results, _ = check(citations, client, tmp_path, jobs=jobs)
    assert {r["error"] for r in results} == {"bad key"}
    assert len(client.asked) <= 2 + 2 * jobs


def test_what_was_answered_before_the_run_stopped_is_kept(tmp_path):
    citations = [cite(f"Claim {i}.", name=str(i)) for i in range(100)]
    spent = JudgeError("no credit", everywhere=True)
    results, _ = check(citations, Client({"": ["supports"] * 10 + [spent] * 90}), tmp_path, jobs=1)
    assert [r["verdict"] for r in results] == ["verified"] * 10 + [None] * 90
    assert len(json.loads((tmp_path / "cache.json").read_text(encoding="utf-8"))) == 10


def test_one_refusal_alone_stops_nothing(tmp_path):
    citations = [cite(f"Claim {i}.", name=str(i)) for i in range(10)]
    results, _ = check(citations, Client({"Claim 3.": JudgeError("bad key", True)}), tmp_path, jobs=1)
    assert [r["id"] for r in results if r["error"]] == ["3"]


def test_refusals_between_answers_stop_nothing(tmp_path):
    citations = [cite(f"Claim {i}.", name=str(i)) for i in range(20)]
    client = Client({"Claim": ["supports", JudgeError("bad key", everywhere=True)] * 10})
    results, _ = check(citations, client, tmp_path, jobs=1)
    assert [r["verdict"] for r in results] == ["verified", None] * 10


def test_a_cache_that_cannot_be_written_is_told_before_anything_is_asked(tmp_path):
    client = Client()
    with pytest.raises(CacheError):
        check([cite()], client, cache=JsonCache(tmp_path / "missing" / "cache.json"))
    assert client.asked == []


def test_an_invalid_recording_is_an_error_of_its_citation_that_names_the_key(tmp_path):
    path = tmp_path / "cache.json"
    check([cite("Bad."), cite("Good.")], cache=JsonCache(path))
    recorded = json.loads(path.read_text(encoding="utf-8"))
    key = next(key for key, answer in recorded.items() if answer["asked"]["claim"] == "Bad.")
    recorded[key]["confidence"] = 7.5
    path.write_text(json.dumps(recorded), encoding="utf-8")
    results, client = check([cite("Bad."), cite("Good.")], cache=JsonCache(path))
    assert f"entry {key}: not a valid answer: its confidence 7.5" in results[0]["error"]
    assert results[1]["verdict"] == "verified"
    assert client.asked == []


@pytest.mark.parametrize("part", ["claim", "section"])
def test_half_a_surrogate_pair_is_told_and_never_sent(tmp_path, part):
    claim, sections = ("A \ud83d.", SECTIONS) if part == "claim" else ("A.", {"1": "A token MUST be signed. \ud83d"})
    (result,), client = check([cite(claim)], tmp_path=tmp_path, sections=sections)
    assert "surrogate" in result["error"]
    assert client.asked == []


# Asking


def test_the_same_question_is_asked_once_however_many_citations_share_it(tmp_path):
    citations = [cite(f"Claim {i % 3}.", name=str(i)) for i in range(30)]
    results, client = check(citations, tmp_path=tmp_path, jobs=16)
    assert sorted(claim for claim, *_ in client.asked) == ["Claim 0.", "Claim 1.", "Claim 2."]
    assert [r["replayed"] for r in results] == [False] * 30


def test_a_question_that_fails_is_not_asked_again_for_each_citation_that_shares_it(tmp_path):
    results, client = check([cite(), cite()], Client({"": JudgeError("no luck")}), tmp_path)
    assert [r["error"] for r in results] == ["no luck", "no luck"]
    assert len(client.asked) == 1


def test_threads_that_ask_the_same_at_once_ask_once(tmp_path):
    client, gate = Client(), threading.Event()
    client.script = {"": lambda _: gate.wait(30) and "supports"}
    with JsonCache(tmp_path / "cache.json") as cache:
        one = make_ask(cache, client, "m")
        threads = [threading.Thread(target=one, args=("Claim.", "Section.")) for _ in range(8)]
        for thread in threads:
            thread.start()
        gate.set()
        for thread in threads:
            thread.join()
    assert len(client.asked) == 1


def test_no_more_than_jobs_questions_are_under_way_at_once(tmp_path):
    now, most, lock = [0], [0], threading.Lock()

    def busy(_):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        threading.Event().wait(0.01)
        with lock:
            now[0] -= 1
        return "supports"

    check([cite(f"Claim {i}.") for i in range(40)], Client({"": busy}), tmp_path, jobs=4)
    assert 1 < most[0] <= 4


def test_a_second_run_asks_nothing_and_says_replayed(tmp_path):
    first, _ = check([cite()], tmp_path=tmp_path)
    second, client = check([cite()], tmp_path=tmp_path)
    assert client.asked == []
    assert (first[0]["replayed"], second[0]["replayed"]) == (False, True)
    assert first[0] | {"replayed": True} == second[0]


def test_a_live_answer_also_says_who_answered_what(tmp_path):
    (result,), _ = check([cite()], tmp_path=tmp_path)
    assert list(result["answer"])[6:] == ["model", "asked"]
    assert result["answer"]["model"] == "jev-1.13.0"
    assert result["answer"]["asked"] == {
        "claim": "Tokens are signed.",
        "section_sha256": "91788e6289972f25aa91f5ae29e33e2a23fab0c98c90dbe299a658b207816a48",
        "model": "jev-latest",
    }


def test_refresh_asks_again_and_replaces(tmp_path):
    check([cite()], Client({"": "supports"}), tmp_path)
    refreshed = JsonCache(tmp_path / "cache.json", "refresh")
    results, client = check([cite(), cite()], Client({"": "contradicts"}), cache=refreshed)
    assert [r["verdict"] for r in results] == ["contradicted", "contradicted"]
    assert len(client.asked) == 1
    assert check([cite()], tmp_path=tmp_path)[0][0]["verdict"] == "contradicted"


def test_a_confidence_of_another_definition_is_told_once_and_kept(tmp_path):
    told = []
    client = Client()
    answered = client.system_one

    def top_probability(**request):
        reply = answered(**request)
        reply.answers["relation"].confidence = 0.5
        return reply

    client.system_one = top_probability
    results, _ = check([cite(f"Claim {i}.") for i in range(5)], client, tmp_path, tell=told.append)
    assert [(r["confidence"], r["answer"]["reported_confidence"]) for r in results] == [(0.94, 0.5)] * 5
    assert len(told) == 1 and "reported_confidence" in told[0]


def test_progress_counts_live_questions_only(tmp_path):
    seen = []
    citations = [cite("Old."), cite("New."), cite("Newer."), cite(quote="Nowhere to be seen, at all.")]
    check(citations[:1], tmp_path=tmp_path, progress=lambda *_: None)
    check(citations, tmp_path=tmp_path, progress=lambda *pair: seen.append(pair))
    assert seen == [(0, 2), (1, 2), (2, 2)]
    check(citations, tmp_path=tmp_path, progress=lambda *pair: pytest.fail(str(pair)))


def test_an_ask_of_somebody_else_s_is_used_as_it_is():
    answer = {"choice": "contradicts", "probabilities": SHARES, "confidence": 0.9}
    (result,) = check_citations(SECTIONS, [cite()], lambda *_: answer)
    assert (result["verdict"], result["replayed"]) == ("contradicted", None)


def test_spent_counts_live_calls_and_tokens(tmp_path):
    with JsonCache(tmp_path / "cache.json") as cache:
        one = make_ask(cache, Client(), "m")
        check_citations(SECTIONS, [cite("A."), cite("B."), cite("A.")], one)
        assert one.spent == {"calls": 2, "input_tokens": 1000, "output_tokens": 80}


def test_a_question_without_the_three_options_is_refused_at_once(tmp_path):
    with pytest.raises(JudgeError, match="criteria are supports, contradicts, says_nothing"):
        make_ask(JsonCache(tmp_path / "cache.json"), questions={"relation": {"criteria": {"yes": "", "no": ""}}})


# What is not recorded


def recorded_for(tmp_path, model="m1", claim="C.", section="S.", questions=QUESTIONS):
    with JsonCache(tmp_path / "cache.json") as cache:
        make_ask(cache, Client(), model, questions)(claim, section)


def not_recorded(tmp_path, model="m1", section="S.", mode="auto", **options):
    with pytest.raises(NotRecorded) as caught:
        make_ask(JsonCache(tmp_path / "cache.json", mode), model=model, **options)("C.", section)
    return str(caught.value)


OTHER_QUESTION = {"relation": {**QUESTIONS["relation"], "instructions": "How do they relate?"}}
MISSES = {
    "nothing": ({}, {"model": "m2", "claim": "Another."}, 'for the claim "C."; to record one'),
    "text": ({"section": "New."}, {}, "(the text of the section has changed since it was recorded)"),
    "model": ({"model": "m2"}, {}, "(it was recorded for the model m1, not for m2)"),
    "question": ({}, {"questions": OTHER_QUESTION}, "(the question has changed since it was recorded)"),
    "both": (
        {"model": "m2", "section": "New."},
        {},
        "(it was recorded for the model m1 and another text of the section",
    ),
}


@pytest.mark.parametrize(("wanted", "recorded", "told"), MISSES.values(), ids=MISSES)
def test_a_miss_says_what_differs_from_what_was_recorded(tmp_path, wanted, recorded, told):
    recorded_for(tmp_path, **recorded)
    message = not_recorded(tmp_path, **wanted)
    assert told in message
    assert f"set TYPESAFE_API_KEY and run: python -m helpers check SOURCE CITATIONS --cache {tmp_path}" in message


def test_a_miss_names_the_command_it_was_given_and_a_served_model(tmp_path):
    assert not_recorded(tmp_path, command="make record").endswith("run: make record")
    assert not_recorded(tmp_path, model="jev-1.12").endswith("--model jev-latest")


def test_the_published_recording_is_known_by_its_model():
    with pytest.raises(NotRecorded, match=r"it was recorded for the model jev-1\.12, not for jev-latest"):
        citation = load_citations(ROOT / "citations.json")[1]
        sections = split_sections(load_source(ROOT / "rfc7519.txt"))
        make_ask(JsonCache(ROOT / "json_cache.json"), model="jev-latest")(citation["claim"], sections["4.1.3"])


def test_replay_mode_never_asks_even_with_a_key(tmp_path, monkeypatch):
    monkeypatch.setenv("TYPESAFE_API_KEY", "sk-long-fake-key")
    client = Client()
    with pytest.raises(NotRecorded):
        make_ask(JsonCache(tmp_path / "cache.json", "replay"), client, "m")("C.", "S.")
    assert client.asked == []


def test_refresh_without_a_key_is_told_as_such(tmp_path):
    with pytest.raises(JudgeError, match="no API key: set TYPESAFE_API_KEY"):
        make_ask(JsonCache(tmp_path / "cache.json", "refresh"), model="m")("C.", "S.")


def test_a_blank_key_is_no_key(tmp_path, monkeypatch):
    monkeypatch.setenv("TYPESAFE_API_KEY", "  ")
    not_recorded(tmp_path)


def test_the_shipped_ask_replays_the_shipped_recording():
    citation = load_citations(ROOT / "citations.json")[1]
    answer = ask(citation["claim"], split_sections(load_source(ROOT / "rfc7519.txt"))["4.1.3"])
    assert (answer["choice"], answer["confidence"], answer["input_tokens"]) == ("supports", 0.95, 544)


# Second looks


def by_order(first, then):
    """Answer by whether the options come in the published order."""
    return lambda questions: first if next(iter(questions["relation"]["criteria"])) == "supports" else then


STEADY = {
    "the same": ("supports", "supports", 0.8, True, None),
    "another choice": ("supports", ("contradicts", 0.9), 0.8, False, "the model says contradicts (0.90)"),
    "less sure": ("supports", ("supports", 0.7), 0.8, False, "says supports with confidence 0.70 only"),
    "no answer": ("supports", JudgeError("overloaded"), 0.8, False, "the model gave no answer: overloaded"),
}


@pytest.mark.parametrize(("first", "then", "threshold", "auto", "told"), STEADY.values(), ids=STEADY)
def test_asked_twice_a_difference_goes_to_a_human(tmp_path, first, then, threshold, auto, told):
    client = Client({"": by_order(first, then)})
    (result,), _ = check([cite()], client, tmp_path, twice=True, auto_accept=threshold)
    assert (result["verdict"], result["auto"]) == ("verified", auto)
    assert (told or "") in (result["reason"] or "")
    assert ["says_nothing", "contradicts", "supports"] in [order for *_, order in client.asked]


def test_both_answers_of_a_question_asked_twice_are_recorded_and_replay(tmp_path):
    check([cite()], tmp_path=tmp_path, twice=True)
    results, client = check([cite()], tmp_path=tmp_path, twice=True)
    assert client.asked == []
    assert results[0]["auto"]
    assert len(json.loads((tmp_path / "cache.json").read_text(encoding="utf-8"))) == 2


def test_a_foreign_ask_cannot_be_asked_in_another_order():
    with pytest.raises(CitationCheckError, match="twice"):
        check_citations(SECTIONS, [cite()], lambda *_: None, twice=True)


def test_where_a_section_says_nothing_the_one_that_does_is_named(tmp_path):
    client = Client({"replaced by its successor": ("contradicts", 0.97), "": "says_nothing"})
    citation = cite("A key is never replaced by a successor.")
    (result,), _ = check([citation], client, tmp_path, elsewhere=True)
    assert (result["verdict"], result["confidence"]) == ("unsupported", 0.94)
    assert "section 3 contradicts the claim (0.97)" in result["reason"]
    assert len(client.asked) == 4
    assert [section[:1] for _, section, *_ in client.asked].count("1") == 1


RIGHT = {
    c["id"]: c["section"]
    for c in load_citations(ROOT / "citations.json")
    if c["id"] not in ("sig_reporting", "pii_encryption")
}


@pytest.mark.parametrize("name", RIGHT)
def test_the_section_that_speaks_of_a_claim_is_among_those_asked_first(name):
    sections, citations = split_sections(load_source(ROOT / "rfc7519.txt")), load_citations(ROOT / "citations.json")
    claim = next(c["claim"] for c in citations if c["id"] == name)
    labels = list(sections)
    assert [labels[i] for i in rank(claim, list(sections.values()))].index(RIGHT[name]) < 3


def test_elsewhere_asks_nothing_where_the_section_speaks(tmp_path):
    _, client = check([cite()], tmp_path=tmp_path, elsewhere=True)
    assert len(client.asked) == 1


def test_elsewhere_that_finds_nothing_leaves_the_verdict_alone(tmp_path):
    (result,), _ = check([cite()], Client({"": "says_nothing"}), tmp_path, elsewhere=True)
    assert (result["verdict"], result["auto"], result["reason"]) == ("unsupported", True, None)


def test_questions_elsewhere_that_fail_are_told_and_change_nothing(tmp_path):
    told = []
    client = Client({"/ 1.": "says_nothing", "": JudgeError("overloaded")})
    (result,), _ = check([cite()], client, tmp_path, elsewhere=True, tell=told.append)
    assert (result["verdict"], result["auto"]) == ("unsupported", True)
    assert told == ["elsewhere: 3 questions about other sections got no answer: overloaded"]


# What it would cost


def test_the_published_calls_are_estimated_to_the_hundredth_of_a_cent(tmp_path):
    sections, citations = split_sections(load_source(ROOT / "rfc7519.txt")), load_citations(ROOT / "citations.json")
    cost = estimate(sections, citations, make_ask(JsonCache(tmp_path / "cache.json")))
    assert (cost.calls, cost.replayed, round(cost.dollars, 5)) == (7, 0, 0.00019)
    assert abs(cost.tokens - 4420) < 100  # what they took
    assert str(estimate(sections, citations)) == (
        "0 calls, about 0 input tokens, $0.00000 at TypeSafe's price; 7 replayed"
    )


def test_an_estimate_asks_nothing_and_counts_what_each_option_adds(tmp_path):
    client = Client()
    one = make_ask(JsonCache(tmp_path / "cache.json"), client, "m")
    citations = [cite("A."), cite("A."), cite("B."), cite(quote="Nowhere to be seen, at all.")]
    assert estimate(SECTIONS, citations, one).calls == 2
    twice = estimate(SECTIONS, citations, one, twice=True, elsewhere=True)
    assert (twice.calls, twice.extra) == (4, 6)
    assert client.asked == []


# Long sections


def long_section(script="latin"):
    """Return a section of about 300 kB whose paragraphs are numbered, the quote in number 500."""
    filler = {"latin": "Words about other things entirely. " * 8, "cjk": "关于其他事情的文字。" * 8}[script]
    paragraphs = [f"   [{i}] {filler}" for i in range(1000)]
    paragraphs[500] += "A token MUST be signed."
    return "1.  Tokens\n\n" + "\n\n".join(paragraphs)


@pytest.mark.parametrize(("script", "least", "most"), [("latin", 100_000, 122_000), ("cjk", 25_000, 34_000)])
def test_of_a_section_that_is_too_long_the_paragraphs_around_the_quote_are_judged(tmp_path, script, least, most):
    text = long_section(script)
    (result,), client = check([cite()], tmp_path=tmp_path, sections={"1": text})
    sent = client.asked[0][1]
    assert "A token MUST be signed." in sent
    assert least < len(sent) < most
    assert sent.startswith("[") and sent.endswith(("。", "entirely."))
    assert not result["auto"] and "only a passage of it was judged" in result["reason"]
    assert text[result["judged"]["start"] : result["judged"]["end"]].strip() == sent


def test_offsets_of_a_judged_passage_count_from_the_start_of_the_document(tmp_path):
    section = long_section()
    text = "Preface\n\n" + section + "\n\n2.  Time\n\n   Later.\n"
    end = len("Preface\n\n" + section + "\n\n")
    parts = [Section("Front matter", "", 0, 9), Section("1", "Tokens", 9, end), Section("2", "Time", end, len(text))]
    document = Document("long.txt", text, parts)
    (result,), client = check([cite()], tmp_path=tmp_path, sections=document)
    judged = result["judged"]
    assert text[judged["start"] : judged["end"]].strip() == client.asked[0][1]


def test_a_claim_without_a_quote_is_judged_by_the_paragraphs_that_share_its_rare_words(tmp_path):
    text = long_section().replace("[700] Words", "[700] Zebras and words")
    (result,), client = check([cite("Zebras are allowed.", None)], tmp_path=tmp_path, sections={"1": text})
    assert "[700] Zebras" in client.asked[0][1]
    assert not result["auto"]


@pytest.mark.parametrize("glue", ["\n", ""], ids=["lines", "nothing at all"])
def test_a_long_section_without_paragraphs_is_cut_all_the_same(tmp_path, glue):
    text = long_section().replace("\n\n", glue)
    (_,), client = check([cite()], tmp_path=tmp_path, sections={"1": text})
    assert "A token MUST be signed." in client.asked[0][1]
    assert 90_000 < len(client.asked[0][1]) < 122_000


# Many documents


def test_with_several_documents_each_result_names_its_own(tmp_path):
    documents = [
        Document(name, text, [Section("1", "", 0, len(text))])
        for name, text in (("a.txt", "Alpha is first of all."), ("b.txt", "A token MUST be signed."))
    ]
    (result,), _ = check([cite()], tmp_path=tmp_path, sections=documents)
    assert result["source"] == "b.txt"
    (result,), _ = check([cite() | {"source": "a.txt"}], tmp_path=tmp_path, sections=documents)
    assert (result["source"], result["verdict"], result["auto"]) == ("b.txt", "verified", False)
    assert "the quote stands in 1 of b.txt, not in the cited 1 of a.txt" in result["reason"]
    (result,), _ = check([cite()], tmp_path=tmp_path, sections=documents[1])
    assert "source" not in result


def test_the_two_steps_can_be_done_apart(tmp_path):
    rows = locate_citations(SECTIONS, [cite()])
    with JsonCache(tmp_path / "cache.json") as cache:
        (result,) = judge_citations(rows, make_ask(cache, Client(), "m"))
    assert result["verdict"] == "verified"


def test_one_document_in_a_list_is_not_several():
    text = "1.  Scope\n\n   Gates refuse stale tokens.\n"
    document = Document("a.txt", text, [Section("1", "Scope", 0, len(text), True)])
    citation = {"id": "a", "claim": "c", "quote": "Gates refuse stale tokens.", "section": "1"}
    other = Document("b.txt", text, [Section("1", "Scope", 0, len(text), True)])
    answer = {"choice": "supports", "probabilities": SHARES, "confidence": 0.94}
    assert "source" not in check_citations([document], [citation], lambda *_: answer)[0]
    assert check_citations([document, other], [citation], lambda *_: answer)[0]["source"] == "a.txt"
