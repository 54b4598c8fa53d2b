"""The judge behind `ask`: which recording it replays from, which server it may ask, and what it has spent."""

from __future__ import annotations

import copy
import hashlib
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from ..citations import Answer
from ..errors import JudgeError, NotRecorded
from ..replay import JsonCache, answer_key
from .replies import check_recording

if TYPE_CHECKING:
    from .connecting import Client, Line, Pacer

# The way to a server is imported where a question is really asked: a replay needs none of it, and starts sooner.

TIMEOUT = 120.0  # seconds for one answer, as published; retries included
SHOWN = 80  # characters of a claim in a message
SERVED_ALIAS = "jev-latest"  # TypeSafe serves it; the model of the published answers is no longer served


class Live(dict[str, Any]):
    """Be an answer that a server has just given; one that is read from the cache is a plain dict."""


class Judge:
    """Hold what `ask` needs beside claim and section; called with these two, it is `ask` itself.

    `spent` counts the calls and tokens of live questions. `published` is the model and question whose recordings have
    the published cookbook's keys.
    """

    def __init__(
        self,
        ask: Callable[[str, str, Judge], Answer],
        cache: JsonCache,
        client: Client | None,
        model: str,
        questions: Mapping[str, Any],
        *,
        published: tuple[str, Mapping[str, Any]],
        timeout: float = TIMEOUT,
        rate: float | None = None,
        command: str | None = None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self.__wrapped__ = ask  # so that a notebook shows its source
        self.cache, self.client, self.model, self.questions = cache, client, model, questions
        self.published, self.timeout, self.rate = published, timeout, rate
        self.command, self.tell = command, tell
        self.spent = {"calls": 0, "input_tokens": 0, "output_tokens": 0}
        self.pacer: Pacer | None = None  # of a client that was handed in
        self.lock = threading.Lock()
        self.told: set[str] = set()
        self.served: list[list[str]] = []  # the server's list of models, once it was fetched

    def __call__(self, claim: str, section: str) -> Answer:
        return self.__wrapped__(claim, section, self)

    def reordered(self) -> Judge:
        """Return the same judge with each question's options in reverse order: other recordings, one account."""
        twin = copy.copy(self)
        twin.questions = {
            name: {**question, "criteria": dict(reversed(question["criteria"].items()))}
            for name, question in self.questions.items()
        }
        return twin

    def key(self, claim: str, section: str) -> str:
        """Return the key of this question's answer in the cache; raises CacheError for half a surrogate pair."""
        return answer_key(claim, section, self.model, self.questions, published=self.published)

    def recorded(self, key: str) -> Answer | None:
        """Return the recorded answer, or None; raises CacheError where what is recorded cannot be an answer."""
        found = self.cache.get(key)
        return None if found is None else check_recording(found, key, self.cache.path)

    def may_ask(self) -> bool:
        """Say whether a question without a recorded answer would go to a server."""
        from .connecting import variable

        return self.cache.mode != "replay" and (self.client is not None or variable("TYPESAFE_API_KEY") is not None)

    def system_one(self, state: dict[str, str], model: str, questions: Mapping[str, Any]) -> tuple[Any, float]:
        """Ask the server, and return (its reply, seconds it took); raises NotRecorded where it may not, JudgeError."""
        if not self.may_ask() and self.cache.mode != "refresh":
            raise NotRecorded(self._not_recorded(state["claim"], state["section"]))
        from .connecting import variable, within
        from .failures import Call, in_words
        from .tokens import QUESTION_TOKENS, tokens_of

        self.cache.check_writable()
        line = self._line()
        if line.pacer:
            line.pacer.wait(QUESTION_TOKENS + tokens_of(state["section"]))
        self._count(calls=1)
        started = time.monotonic()
        try:
            reply = within(self.timeout, lambda: line.client.system_one(state=state, model=model, questions=questions))
        except Exception as error:
            key = variable("TYPESAFE_API_KEY")
            call = Call(line.server, model, state, self.timeout, key, lambda: self._served(line.client))
            raise in_words(error, call) from error
        return reply, time.monotonic() - started

    def _line(self) -> Line:
        from .connecting import Line, Pacer, connect

        if self.client is None:
            return connect(self.timeout, self.rate)
        with self.lock:
            if self.rate and self.pacer is None:
                self.pacer = Pacer(self.rate, None)
        return Line(self.client, "the server", self.pacer)

    def record(self, key: str, answer: Answer, state: dict[str, str], response: object) -> Answer:
        """Keep an answer that was paid for, and return it as it will be replayed; raises CacheError."""
        if "reported_confidence" in answer:
            self.notify(
                "this server's confidence is not TypeSafe's: it is computed from the probabilities instead, and the "
                "server's own is kept as reported_confidence"
            )
        answered_by = getattr(response, "model", None)  # the version; an alias was asked
        kept = {**answer, "model": answered_by if isinstance(answered_by, str) and answered_by else self.model}
        kept["asked"] = {"claim": state["claim"], "section_sha256": _sha256(state["section"]), "model": self.model}
        recorded = Live(cast(dict[str, Any], self.cache.put(key, kept)))
        self._count(input_tokens=answer["input_tokens"], output_tokens=answer["output_tokens"])
        return cast(Answer, recorded)

    def notify(self, message: str) -> None:
        """Tell the user something once: by `tell`, else as a warning."""
        with self.lock:
            if message in self.told:
                return
            self.told.add(message)
        if self.tell:
            self.tell(message)
        else:
            import warnings

            warnings.warn(message, stacklevel=2)

    def _count(self, **more: int) -> None:
        with self.lock:
            for name, count in more.items():
                self.spent[name] += count

    def _served(self, client: Any) -> list[str]:
        from .connecting import served_models

        with self.lock:
            if not self.served:
                self.served.append(served_models(client))
            return self.served[0]

    def _not_recorded(self, claim: str, section: str) -> str:
        shown = claim if len(claim) <= SHOWN else claim[: SHOWN - 1] + "…"
        model = SERVED_ALIAS if self.model == self.published[0] else self.model
        command = self.command or f"python -m helpers check SOURCE CITATIONS --cache {self.cache.path} --model {model}"
        return (
            f'{self.cache.path}: no answer is recorded for the claim "{shown}"{self._difference(claim, section)}; '
            f"to record one, set TYPESAFE_API_KEY and run: {command}"
        )

    def _difference(self, claim: str, section: str) -> str:
        """Say what differs from the questions for which this claim's answers were recorded."""
        digest = _sha256(section)
        asked = self.cache.recordings_of(claim)
        if self.cache.get(answer_key(claim, section, *self.published, published=self.published)) is not None:
            asked = [*asked, {"section_sha256": digest, "model": self.published[0]}]
        same_text = [one for one in asked if one.get("section_sha256") == digest]
        models = sorted({str(one.get("model")) for one in same_text or asked})
        if not asked:
            return ""
        if self.model in models:
            return f" ({'the question' if same_text else 'the text of the section'} has changed since it was recorded)"
        text = "" if same_text else " and another text of the section"
        return f" (it was recorded for the model {', '.join(models)}{text}, not for {self.model})"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def check_question(questions: Mapping[str, Any], name: str, options: tuple[str, ...]) -> None:
    """Raise JudgeError where these questions cannot be answered by one of these options."""
    question = questions.get(name)
    criteria = question.get("criteria") if isinstance(question, Mapping) else None
    if not isinstance(criteria, Mapping) or set(criteria) != set(options):
        raise JudgeError(f"questions: needs a dict {name!r} whose criteria are {', '.join(options)}", everywhere=True)
