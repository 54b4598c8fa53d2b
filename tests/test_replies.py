"""What counts as an answer, and what is said of a question that got none."""

import json
from types import SimpleNamespace

import pytest

from helpers.asking.failures import Call, in_words
from helpers.asking.replies import check_recording, read_reply, scaled_confidence
from helpers.errors import CacheError, JudgeError

GOOD = {"supports": 0.96, "contradicts": 0.03, "says_nothing": 0.01}


def reply(choice="supports", probabilities=GOOD, confidence=0.94, **parts):
    """Return a reply as the SDK gives it; `parts` replace its own fields."""
    answer = SimpleNamespace(type="choice", choice=choice, probabilities=probabilities, confidence=confidence)
    usage = SimpleNamespace(input_tokens=544, output_tokens=39)
    return SimpleNamespace(**({"answers": {"relation": answer}, "usage": usage, "model": "jev-1.13.0"} | parts))


def test_a_good_reply_becomes_the_six_published_fields_in_their_order():
    answer = read_reply(reply(), "relation", 0.08713)
    assert json.dumps(answer) == json.dumps(
        {
            "choice": "supports",
            "probabilities": {"supports": 0.96, "contradicts": 0.03, "says_nothing": 0.01},
            "confidence": 0.94,
            "seconds": 0.09,
            "input_tokens": 544,
            "output_tokens": 39,
        }
    )


@pytest.mark.parametrize(
    "usage",
    [None, SimpleNamespace(), SimpleNamespace(input_tokens=None, output_tokens=-1)],
    ids=["none", "empty", "odd"],
)
def test_tokens_that_a_server_does_not_count_are_zero(usage):
    answer = read_reply(reply(usage=usage), "relation", 0.1)
    assert (answer["input_tokens"], answer["output_tokens"]) == (0, 0)


def shares(*values):
    return dict(zip(("supports", "contradicts", "says_nothing"), values, strict=True))


LIES = {
    "no answers": (reply(answers=None), "holds no answer"),
    "empty answers": (reply(answers={}), "holds no answer"),
    "an answer to another question": (reply(answers={"tone": SimpleNamespace(choice="calm")}), "holds no answer"),
    "an answer of another type": (reply(answers={"relation": SimpleNamespace(type="noul", noul=0.5)}), "'noul'"),
    "a choice outside the options": (reply(choice="zzz"), "'zzz', none of supports, contradicts, says_nothing"),
    "no choice": (reply(choice=None), "its choice is None"),
    "a choice that is not the most probable": (reply(choice="contradicts"), "not the most probable"),
    "no probabilities": (reply(probabilities=None), "not those of the three options"),
    "empty probabilities": (reply(probabilities={}), "not those of the three options"),
    "one probability": (reply(probabilities={"supports": 1.0}), "not those of the three options"),
    "a fourth option": (reply(probabilities={**GOOD, "perhaps": 0.0}), "not those of the three options"),
    "a negative probability": (
        reply(probabilities=shares(1.2, -0.1, -0.1)),
        "a probability is not a number from 0 to 1",
    ),
    "a probability that is text": (reply(probabilities=shares("1", 0.0, 0.0)), "a probability is not a number"),
    "a probability that is true": (reply(probabilities=shares(True, 0.0, 0.0)), "a probability is not a number"),
    "a NaN probability": (reply(probabilities=shares(float("nan"), 0.5, 0.5)), "a probability is not a number"),
    "a sum of 2.7": (reply(probabilities=shares(0.9, 0.9, 0.9)), "sum to 2.70"),
    "a sum of 0.97": (reply(probabilities=shares(0.95, 0.01, 0.01)), "sum to 0.97"),
    "a sum of 1.03": (reply(probabilities=shares(0.97, 0.03, 0.03)), "sum to 1.03"),
    "a confidence of 7.5": (reply(confidence=7.5), "confidence 7.5 is not"),
    "a confidence a little over 1": (reply(confidence=1.01), "confidence 1.01 is not"),
    "a confidence under 0": (reply(confidence=-0.01), "confidence -0.01 is not"),
    "a negative confidence": (reply(confidence=-0.1), "confidence -0.1 is not"),
    "a NaN confidence": (reply(confidence=float("nan")), "confidence nan is not"),
    "a confidence that is text": (reply(confidence="0.9"), "confidence '0.9' is not"),
    "no confidence": (reply(confidence=None), "confidence None is not"),
}


@pytest.mark.parametrize(("lie", "why"), LIES.values(), ids=LIES)
def test_a_reply_that_must_not_count_never_becomes_an_answer(lie, why):
    with pytest.raises(JudgeError, match="the reply does not count: ") as caught:
        read_reply(lie, "relation", 0.1)
    assert why in str(caught.value)
    assert not caught.value.everywhere


def test_a_reply_that_gives_a_key_twice_does_not_count():
    raw = SimpleNamespace(content=b'{"answers": {"relation": {"choice": "supports", "choice": "contradicts"}}}')
    with pytest.raises(JudgeError, match="it gives 'choice' twice"):
        read_reply(reply(raw_http_response=raw), "relation", 0.1)


@pytest.mark.parametrize(
    "probabilities",
    [shares(0.5, 0.5, 0.0), shares(0.495, 0.505, 0.0), shares(0.98, 0.0, 0.0), shares(1, 0, 0)],
    ids=["two equal", "one rounding step behind", "a sum of 0.98", "whole numbers"],
)
def test_rounding_does_not_make_a_reply_wrong(probabilities):
    confidence = scaled_confidence(probabilities)
    answer = read_reply(reply(probabilities=probabilities, confidence=confidence), "relation", 0.1)
    assert answer["choice"] == "supports"


CONFIDENCES = {
    "TypeSafe's, to the digit": (0.94, 0.94, None),
    "TypeSafe's, rounded otherwise": (0.96, 0.96, None),
    "the largest probability": (0.97, 0.94, 0.97),
    "one minus entropy": (0.83, 0.94, 0.83),
    "nothing": (0.0, 0.94, 0.0),
}


@pytest.mark.parametrize(("given", "used", "reported"), CONFIDENCES.values(), ids=CONFIDENCES)
def test_a_confidence_of_another_definition_is_computed_anew(given, used, reported):
    answer = read_reply(reply(confidence=given), "relation", 0.1)
    assert (answer["confidence"], answer.get("reported_confidence")) == (used, reported)


@pytest.mark.parametrize(
    ("probabilities", "confidence"),
    [
        (shares(0.31, 0.17, 0.52), 0.28),
        (shares(0.01, 0.28, 0.71), 0.56),
        (shares(0.96, 0.03, 0.01), 0.94),
        (shares(1.0, 0.0, 0.0), 1.0),
        (shares(0.34, 0.33, 0.33), 0.01),
        (shares(0.33, 0.33, 0.33), 0.0),
    ],
    ids=str,
)
def test_scaled_confidence_is_zero_at_chance_and_one_when_certain(probabilities, confidence):
    assert scaled_confidence(probabilities) == confidence


RECORDED = {"choice": "supports", "probabilities": GOOD, "confidence": 0.94}
RECORDED |= {"seconds": 0.09, "input_tokens": 544, "output_tokens": 39}
BAD_RECORDINGS = {
    "a list": (["supports"], "not an object"),
    "a text": ("supports", "not an object"),
    "another choice": ({**RECORDED, "choice": "zzz"}, "its choice is 'zzz'"),
    "a changed confidence": ({**RECORDED, "confidence": 9}, "confidence 9"),
    "no probabilities": ({**RECORDED, "probabilities": {}}, "three options"),
    "no seconds": ({k: v for k, v in RECORDED.items() if k != "seconds"}, "seconds is None"),
    "tokens as text": ({**RECORDED, "input_tokens": "544"}, "input_tokens is '544'"),
}


@pytest.mark.parametrize(("recorded", "why"), BAD_RECORDINGS.values(), ids=BAD_RECORDINGS)
def test_a_recording_that_cannot_be_an_answer_is_named_by_its_key(recorded, why):
    with pytest.raises(CacheError) as caught:
        check_recording(recorded, "0371efac", "json_cache.json")
    assert str(caught.value).startswith("json_cache.json: entry 0371efac: not a valid answer: ")
    assert why in str(caught.value)


def test_a_recording_is_used_as_it_is_whatever_its_confidence_means():
    recorded = {**RECORDED, "confidence": 0.5}
    assert check_recording(recorded, "key", "path") is recorded


class HttpError(Exception):
    """An error of the SDK's shape: what a server answered."""

    def __init__(self, status, body=None, headers=None, **more):
        super().__init__("POST http://example.test/v1/systemone: secret text of the request")
        self.status, self.body, self.headers = status, body, headers or {}
        self.__dict__ |= more


def detail(message, kind="api_error"):
    return {"detail": {"error_type": kind, "message": message}}


UNKNOWN = detail("Unknown model: jev-0", "api_usage_error")
ECHOING = {"detail": [{"type": "missing", "loc": ["body", "state"], "msg": "Field required", "input": "SECTION TEXT"}]}
REFUSALS = {
    "bad key": (HttpError(401, detail("Invalid API key")), "refuses the API key; check TYPESAFE_API_KEY", True),
    "no entry": (HttpError(403, detail("Not authenticated")), "check TYPESAFE_API_KEY [403, Not authenticated]", True),
    "no credit": (HttpError(402), "asks for payment", True),
    "unknown model": (HttpError(400, UNKNOWN), "does not serve the model 'jev-0'", True),
    "unknown model, Ollama": (HttpError(404, {"error": "model 'jev-0' not found"}), "does not serve the model", True),
    "unknown model, others": (HttpError(404, detail("Not served: jev-0")), "does not serve the model 'jev-0'", True),
    "no decision model": (HttpError(501, {"error": {"message": "not a decision model"}}), "does not serve", True),
    "wrong address": (HttpError(404, {"detail": "Not Found"}), "TYPESAFE_ENDPOINT is the address without", True),
    "wrong method": (HttpError(405), "has no System One API", True),
    "redirect": (
        HttpError(301, headers={"location": "https://b.test/"}),
        "redirects to https://b.test/; set TYPE",
        True,
    ),
    "too long": (HttpError(400, {"detail": {"error_type": "max_tokens_exceeded"}}), "section too long", False),
    "too large": (HttpError(413, "<html>Too Large</html>"), "section too long; cite a smaller one [413]", False),
    "schema": (HttpError(422, ECHOING), "does not accept the request [422, body.state: Field required]", False),
    "schema in a text": (HttpError(400, {"detail": "Too many choices."}), "request [400, Too many choices.]", False),
    "rate limit": (HttpError(429, retry_after_ms=60_000.0), "rate limit after retries", False),
    "overloaded": (HttpError(529, detail("Overloaded")), "is overloaded; run again later", False),
    "broken": (HttpError(500, "Traceback (most recent call last)"), "failed, after retries too", False),
    "teapot": (HttpError(418), "does not accept the request [418]", False),
}
CLAIM, SECTION = "The claim that was made.", "SECTION TEXT that is long enough to be told from chance."


def words(error, key="sk-long-fake-key"):
    sent = {"claim": CLAIM, "section": SECTION}
    return in_words(error, Call("http://a.test", "jev-0", sent, 120.0, key, lambda: ["jev-latest", "jev-1.14.0"]))


@pytest.mark.parametrize(("error", "told", "everywhere"), REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_is_told_in_words_and_knows_whether_it_hits_every_question(error, told, everywhere):
    judged = words(error)
    assert told in str(judged)
    assert str(judged).startswith("http://a.test ")
    assert judged.everywhere is everywhere
    assert "SECTION TEXT" not in str(judged) and "secret text" not in str(judged) and "<html>" not in str(judged)


def test_an_unknown_model_is_told_with_where_to_name_another_and_what_is_served():
    told = str(words(HttpError(400, UNKNOWN)))
    assert (
        "--model, the variable TYPESAFE_MODEL or the notebook's settings cell: it lists jev-latest, jev-1.14.0" in told
    )


def test_a_server_that_asks_to_wait_is_told_with_the_time():
    assert "(it asks to wait 60 s)" in str(words(HttpError(429, retry_after_ms=60_000.0)))


@pytest.mark.parametrize("shape", [str, lambda t: {"error": t}, detail, lambda t: {"message": t}], ids=list("abcd"))
def test_neither_the_section_nor_the_key_is_repeated_from_a_server_s_message(shape):
    echoed = str(words(HttpError(400, shape(f"cannot read: {SECTION}"))))
    assert "SECTION TEXT" not in echoed and "its message repeats what was sent" in echoed
    assert str(words(HttpError(401, shape("bad key sk-long-fake-key")))).endswith("[401, bad key ***]")


def test_a_key_too_short_to_be_a_secret_is_masked_as_a_word_only():
    error = HttpError(401, {"detail": "the key e is refused here"})
    assert str(words(error, key="e")).endswith("[401, the key *** is refused here]")


def test_where_the_sdk_masks_letters_the_kind_of_error_is_told():
    unreachable = caused(ConnectionError("x"), ConnectError("[Errno 111] Conn***ction r***fus***d"))
    assert "cannot be reached (ConnectError); check" in str(words(unreachable, key="e"))


def test_a_long_message_is_cut():
    assert len(str(words(HttpError(500, "x" * 10_000)))) < 300


class ConnectError(Exception):
    """Named as httpx2 names a connection that never came about."""


class ReadError(Exception):
    """Named as httpx2 names a connection that broke."""


def caused(error, cause):
    error.__cause__ = cause
    return error


class Timeout(ConnectionError, TimeoutError):
    """Both, as the SDK's own."""


LOST = {
    "refused": (
        caused(ConnectionError("x"), ConnectError("[Errno 111] refused")),
        "cannot be reached ([Errno 111]",
        True,
    ),
    "broken off": (caused(ConnectionError("x"), ReadError("")), "the connection broke before", False),
    "timeout of the SDK": (Timeout("timed out"), "no answer within 120 s; run again, or raise --timeout", False),
    "total deadline": (TimeoutError("late"), "no answer within 120 s", False),
    "not JSON": (HttpError(200, field_path=""), "not a System One answer: it is cut short or not JSON", False),
    "a field amiss": (HttpError(200, field_path="usage"), "answer: usage is missing or wrong", False),
    "anything else": (KeyError("relation"), "the model could not be asked: KeyError: 'relation'", False),
}


@pytest.mark.parametrize(("error", "told", "everywhere"), LOST.values(), ids=LOST)
def test_a_lost_answer_is_told_in_words(error, told, everywhere):
    judged = words(error)
    assert told in str(judged)
    assert judged.everywhere is everywhere
