"""Live questions: the real SDK against a server on loopback that answers, refuses, lies and hangs."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from helpers.asking import connecting
from helpers.asking.connecting import Pacer, connect, endpoint, is_typesafe, within
from helpers.errors import JudgeError
from helpers.judging import check_citations, make_ask
from helpers.replay import JsonCache
from tests.system_one import Server, body, choice, cut_off, drip, drop, hang, later

ROOT = Path(__file__).parents[1]
KEY = "sk-long-fake-key-of-a-test"
SECTIONS = {"1": '1.  Tokens\n\n   A token MUST be signed; "Übung" \U0001f511 is a key.'}
PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "NO_PROXY", "no_proxy")


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    for name in ("TYPESAFE_ENDPOINT", "TYPESAFE_BASE_URL", "TYPESAFE_MODEL", *PROXIES):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TYPESAFE_API_KEY", KEY)
    yield
    for line in connecting._lines.values():
        line.client.close()
    connecting._lines.clear()


def cite(claim, name=None):
    return {"id": name or claim, "claim": claim, "quote": None, "section": "1"}


def run(server, claims, tmp_path, monkeypatch, *, jobs=16, cache="cache.json", **options):
    """Check a claim each against the server, and return the results."""
    monkeypatch.setenv("TYPESAFE_ENDPOINT", server.url)
    with JsonCache(tmp_path / cache) as kept:
        ask = make_ask(kept, model="jev-latest", tell=pytest.fail, **options)
        return check_citations(SECTIONS, [cite(claim) for claim in claims], ask, jobs=jobs)


def recorded(tmp_path):
    return json.loads((tmp_path / "cache.json").read_text(encoding="utf-8"))


def test_a_question_goes_over_the_wire_as_published_and_its_answer_is_recorded(tmp_path, monkeypatch):
    with Server() as server:
        (result,) = run(server, ["Tokens are signed."], tmp_path, monkeypatch)
    assert (result["verdict"], result["confidence"], result["auto"], result["replayed"]) == (
        "verified",
        0.94,
        True,
        False,
    )
    (sent,) = server.calls
    assert list(sent) == ["state", "model", "questions", "key"]
    assert json.dumps(sent["questions"]) == (
        '{"relation": {"type": "choice", "instructions": "How does the section relate to the claim?", "criteria": '
        '{"supports": "The section states the claim or directly implies that it is true", '
        '"contradicts": "The section states the opposite of the claim or implies it is false", '
        '"says_nothing": "The section does not address what the claim asserts, either way"}}}'
    )
    assert sent["state"] == {"claim": "Tokens are signed.", "section": SECTIONS["1"]}
    assert (sent["model"], sent["key"]) == ("jev-latest", KEY)
    (answer,) = recorded(tmp_path).values()
    assert (answer["choice"], answer["input_tokens"], answer["model"]) == ("supports", 500, "jev-1.13.0")


UNKNOWN = {"detail": {"error_type": "api_usage_error", "message": "Unknown model: jev-latest"}}
ECHO = {"detail": [{"type": "value_error", "loc": ["body", "state"], "msg": "Bad input", "input": SECTIONS["1"]}]}
FAULTS = {
    "unknown model": ((400, UNKNOWN), "does not serve the model 'jev-latest'"),
    "too long": ((400, {"detail": {"error_type": "max_tokens_exceeded"}}), "section too long"),
    "bad key": ((401, {"detail": {"message": "Invalid API key"}}), "refuses the API key; check TYPESAFE_API_KEY"),
    "no credit": ((402, b""), "asks for payment"),
    "no entry": ((403, b""), "check TYPESAFE_API_KEY"),
    "not found": ((404, b"<html>nothing here</html>"), "TYPESAFE_ENDPOINT is the address without /v1/systemone"),
    "schema": ((422, ECHO), "does not accept the request [422, body.state: Bad input]"),
    "rate limit": ((429, b""), "keeps to its rate limit"),
    "a long rate limit": ((429, b"", {"Retry-After": "90"}), "asks to wait 90 s"),
    "broken": ((500, b"oops"), "failed, after retries too"),
    "overloaded": ((529, b""), "is overloaded"),
    "redirect": ((301, b"", {"Location": "/elsewhere"}), "redirects to /elsewhere"),
    "drop": (drop, "connection broke"),
    "cut off": (cut_off, "connection broke"),
    "truncated": (json.dumps(body(choice())).encode()[:80], "cut short or not JSON"),
    "not JSON": (b"<html>Bad gateway</html>", "cut short or not JSON"),
    "empty": (b"", "cut short or not JSON"),
    "a list": ([], "cut short or not JSON"),
    "not UTF-8": (json.dumps(body(choice())).encode().replace(b"jev", b"\xff\xfe"), "cut short or not JSON"),
    "no usage": (body(choice(), usage=None), "usage is missing or wrong"),
    "no answers": (body(choice(), answers=None), "holds no answer"),
    "empty answers": (body(choice(), answers={}), "holds no answer"),
    "an unknown type": (body({"type": "essay", "text": "…"}), "holds no answer"),
    "another type": (body({"type": "noul", "noul": 0.5}), "'noul' is not a choice"),
    "a wrong choice": (body(choice("zzz", 0.9, supports=1.0, contradicts=0.0, says_nothing=0.0)), "'zzz', none of"),
    "a wild confidence": (body(choice(confidence=7.5)), "confidence 7.5"),
    "no confidence": (body(choice(confidence=None)), "answers.relation.confidence is missing or wrong"),
    "a NaN confidence": (body(choice(confidence=float("nan"))), "answers.relation.confidence is missing"),
    "a wrong sum": (body(choice(supports=0.9, contradicts=0.9, says_nothing=0.9)), "sum to 2.70"),
    "other options": (body(choice(supports=0.9, denies=0.1)), "not those of the three options"),
    "a key twice": (
        json.dumps(body(choice())).encode().replace(b'"choice": "supports"', b'"choice": "zzz", "choice": "supports"'),
        "gives 'choice' twice",
    ),
}


def test_whatever_one_question_meets_only_its_citation_is_unjudged(tmp_path, monkeypatch):
    """All faults at once, a good question between each two of them."""
    script = {f"[{name}]": [reply] for name, (reply, _) in FAULTS.items()} | {"": body(choice())}
    claims = [claim for name in FAULTS for claim in (f"A question that meets [{name}].", f"A good one after <{name}>.")]
    with Server(script) as server:
        results = run(server, claims, tmp_path, monkeypatch, jobs=len(claims), timeout=60)
    good, bad = results[1::2], results[0::2]
    assert [r["id"] for r in good if r["verdict"] != "verified"] == []
    assert [r["id"] for r in bad if r["verdict"] is not None or r["auto"]] == []
    told = {name: told for name, (_, told) in FAULTS.items()}
    assert {
        name: error for name, error in zip(told, (r["error"] for r in bad), strict=True) if told[name] not in error
    } == {}
    assert {answer["asked"]["claim"] for answer in recorded(tmp_path).values()} == set(claims[1::2])
    assert not any(SECTIONS["1"][:30] in r["error"] or KEY in r["error"] for r in bad)


@pytest.mark.parametrize("refusal", [(429, b"", {"Retry-After": "0"}), (500, b""), (529, b""), drop], ids=str)
def test_a_passing_failure_is_tried_again(tmp_path, monkeypatch, refusal):
    with Server({"": [refusal, body(choice())]}) as server:
        (result,) = run(server, ["Tokens are signed."], tmp_path, monkeypatch)
    assert result["verdict"] == "verified"
    assert len(server.calls) == 2


@pytest.mark.parametrize("reply", [body(choice(), usage={}), body(choice())], ids=["uncounted", "counted"])
def test_odd_but_right_replies_count(tmp_path, monkeypatch, reply):
    with Server({"": reply}) as server:
        (result,) = run(server, ["Tokens are signed."], tmp_path, monkeypatch)
    assert result["verdict"] == "verified"


def test_an_unknown_model_is_told_once_with_what_the_server_lists(tmp_path, monkeypatch):
    with Server({"": (400, UNKNOWN)}, models=("d1-omni", "kev")) as server:
        results = run(server, [f"Claim {i}." for i in range(50)], tmp_path, monkeypatch, jobs=4)
    (error,) = {r["error"] for r in results}
    assert error.endswith("the notebook's settings cell: it lists d1-omni, kev")
    assert len(server.calls) <= 10


def test_a_server_that_cannot_be_reached_is_told_once(tmp_path, monkeypatch):
    with Server() as server:
        pass  # its port is free again, and nobody listens
    results = run(server, [f"Claim {i}." for i in range(50)], tmp_path, monkeypatch)
    (error,) = {r["error"] for r in results}
    assert error.startswith(f"{server.url} cannot be reached (")


@pytest.mark.parametrize("fault", [hang, drip], ids=["silent", "a byte now and then"])
def test_one_answer_has_a_deadline_whatever_the_server_sends(tmp_path, monkeypatch, fault):
    with Server({"slow": fault, "": body(choice())}) as server:
        slow, quick = run(server, ["A slow one.", "A quick one."], tmp_path, monkeypatch, timeout=0.5)
    assert slow["error"] == f"{server.url}: no answer within 0.5 s; run again, or raise --timeout"
    assert quick["verdict"] == "verified"


def test_many_questions_share_one_client_and_are_each_asked_once(tmp_path, monkeypatch):
    claims = [f"Claim {i}." for i in range(100)]
    with Server({"": later(0.01, body(choice()))}) as server:
        results = run(server, claims * 2, tmp_path, monkeypatch, jobs=8)
        assert run(server, claims, tmp_path, monkeypatch)[0]["replayed"]
    assert [r["verdict"] for r in results] == ["verified"] * 200
    assert sorted(server.claims()) == sorted(claims)
    assert 1 < server.most <= 8
    assert len(connecting._lines) == 1


def test_an_interrupt_keeps_every_answer_and_ends_though_the_server_hangs(tmp_path):
    """A real process, a real Ctrl-C, and a server that never answers the rest."""
    citations = [cite(f"Quick {i}.") for i in range(5)] + [cite(f"Slow {i}.") for i in range(20)]
    (tmp_path / "source.txt").write_text("1.  Tokens\n\n   A token MUST be signed.\n\n2.  More\n\n   Text.\n", "utf-8")
    (tmp_path / "citations.json").write_text(json.dumps(citations), encoding="utf-8")
    with Server({"Slow": hang, "": body(choice())}) as server:
        settings = {**os.environ, "TYPESAFE_ENDPOINT": server.url}
        command = [sys.executable, "-m", "helpers", "check", "source.txt", "citations.json", "--jobs", "4"]
        process = subprocess.Popen(
            command,
            cwd=tmp_path,
            env={**settings, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
        )
        while sum("Slow" in claim for claim in server.claims()) < 4 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.CTRL_BREAK_EVENT if os.name == "nt" else signal.SIGINT)
        out, told = process.communicate(timeout=60)  # the server would hang for ten minutes
    if os.name != "nt":  # Windows ends a process on Ctrl-Break without asking it
        assert (process.returncode, out) == (130, "")
        assert "kept" in told and "Traceback" not in told
    with JsonCache(tmp_path / "citations.cache.json") as cache:
        assert len(cache) == 5


# Key and address


def test_the_environment_is_read_at_each_call(tmp_path, monkeypatch):
    with Server() as first, Server() as second, JsonCache(tmp_path / "cache.json") as cache:
        ask = make_ask(cache, model="m")
        monkeypatch.setenv("TYPESAFE_ENDPOINT", first.url)
        ask("One.", "Section.")
        monkeypatch.setenv("TYPESAFE_ENDPOINT", second.url)
        monkeypatch.setenv("TYPESAFE_API_KEY", "sk-another-long-fake-key")
        ask("Two.", "Section.")
    assert (first.claims(), second.claims()) == (["One."], ["Two."])
    assert second.calls[0]["key"] == "sk-another-long-fake-key"


@pytest.mark.parametrize(
    ("named", "base", "expected"),
    [
        ("http://a.test", "http://b.test", "http://a.test"),
        (" ", "http://b.test", "http://b.test"),
        (None, "http://b.test", "http://b.test"),
        ("", "", None),
        (None, None, None),
    ],
    ids=str,
)
def test_a_blank_address_counts_as_none(monkeypatch, named, base, expected):
    for name, value in (("TYPESAFE_ENDPOINT", named), ("TYPESAFE_BASE_URL", base)):
        if value is not None:
            monkeypatch.setenv(name, value)
    assert endpoint() == expected


@pytest.mark.parametrize("address", ["localhost:8000", "ftp://a.test", "http://", "http://[::1"], ids=str)
def test_an_address_that_is_none_is_told(monkeypatch, address):
    monkeypatch.setenv("TYPESAFE_ENDPOINT", address)
    with pytest.raises(JudgeError, match="is no server's address") as caught:
        connect(120.0, None)
    assert caught.value.everywhere


def test_a_key_that_cannot_be_sent_is_told(monkeypatch):
    monkeypatch.setenv("TYPESAFE_API_KEY", "two words")
    with pytest.raises(JudgeError, match="TYPESAFE_API_KEY cannot be used") as caught:
        connect(120.0, None)
    assert caught.value.everywhere and "two words" not in str(caught.value)


def test_a_proxy_of_the_environment_does_not_come_between_this_machine_and_itself(tmp_path, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with Server() as server:
        (result,) = run(server, ["Tokens are signed."], tmp_path, monkeypatch)
    assert result["verdict"] == "verified"


# Pace


def test_typesafe_s_own_host_alone_is_asked_at_its_documented_pace(monkeypatch):
    assert (connect(120.0, None).pacer.gap, connect(120.0, None).pacer.tokens_per_second) == (0.05, 250_000)
    assert connect(120.0, 60.0).pacer.gap == 1.0
    monkeypatch.setenv("TYPESAFE_ENDPOINT", "http://127.0.0.1:9")
    assert connect(120.0, None).pacer is None
    assert connect(120.0, 600.0).pacer.gap == 0.1


@pytest.mark.parametrize(
    ("server", "own"),
    [
        ("https://api.typesafe.ai", True),
        ("https://API.TypeSafe.AI/", True),
        ("https://eu.api.typesafe.ai:443", True),
        ("https://typesafe.ai.example.test", False),
        ("https://nottypesafe.ai", False),
        ("http://127.0.0.1:8000", False),
    ],
    ids=str,
)
def test_typesafe_s_own_host_is_known_by_its_name(server, own):
    assert is_typesafe(server) is own


def test_a_pacer_spaces_questions_by_count_and_by_tokens(monkeypatch):
    clock, slept = [100.0], []
    monkeypatch.setattr(connecting.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(connecting.time, "sleep", lambda seconds: slept.append(round(seconds, 3)))
    pacer = Pacer(1200, 250_000)
    for tokens in (500, 500, 50_000, 500, 500):
        pacer.wait(tokens)
    clock[0] = 200.0
    pacer.wait(500)
    assert slept == [0.0, 0.05, 0.1, 0.3, 0.35, 0.0]


def test_a_call_in_time_gives_what_it_gave():
    assert within(60, lambda: 5) == 5
    with pytest.raises(KeyError):
        within(60, lambda: {}[5])


def test_a_call_that_takes_too_long_is_given_up():
    gate = threading.Event()
    with pytest.raises(TimeoutError):
        within(0.05, lambda: gate.wait(600))
    gate.set()
