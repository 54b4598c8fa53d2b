"""Step 2, the judge: does the section support the claim? One typed question, and the verdict its answer comes to."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .asking.judge import TIMEOUT, Judge, check_question
from .asking.replies import RELATIONS, read_reply
from .checking import Ask, estimate_citations, judge_citations, locate_citations, source_of, was_replayed
from .citations import Answer, Citation, Result
from .locating import Searchable, trace
from .outcomes import AUTO_ACCEPT, RELATION_TO_VERDICT, Located, Verdict, doubts_about, make_result, verdict
from .passages import choose_passage
from .replay import JsonCache

if TYPE_CHECKING:
    from .asking.connecting import Client
    from .asking.estimating import Estimate
    from .asking.parallel import Progress

__all__ = [
    "AUTO_ACCEPT",
    "QUESTIONS",
    "RELATION_TO_VERDICT",
    "SHIPPED_CACHE",
    "TYPESAFE_MODEL",
    "Ask",
    "Judge",
    "Verdict",
    "ask",
    "check_citation",
    "check_citations",
    "estimate",
    "make_ask",
    "verdict",
]

RELATION = "relation"  # the question's name; the model never sees it

# Byte for byte as published: recordings are keyed by model and question.
QUESTIONS: dict[str, dict[str, Any]] = {
    RELATION: {
        "type": "choice",
        "instructions": "How does the section relate to the claim?",
        "criteria": {
            "supports": "The section states the claim or directly implies that it is true",
            "contradicts": "The section states the opposite of the claim or implies it is false",
            "says_nothing": "The section does not address what the claim asserts, either way",
        },
    }
}
TYPESAFE_MODEL = "jev-1.12"  # gave the published answers
SHIPPED_CACHE = Path(__file__).resolve().parent.parent / "json_cache.json"


def make_ask(
    cache: JsonCache,
    client: Client | None = None,
    model: str = TYPESAFE_MODEL,
    questions: Mapping[str, Any] = QUESTIONS,
    *,
    timeout: float = TIMEOUT,
    rate: float | None = None,
    command: str | None = None,
    tell: Callable[[str], None] | None = None,
) -> Judge:
    """Return an `ask(claim, section)` that replays from this cache, and asks live what it does not hold.

    Without a `client`, key and address come from the environment at each call. `timeout` is in seconds for one answer,
    retries included. `rate` is in questions a minute (without one, TypeSafe's limits on TypeSafe's own host). `command`
    is what NotRecorded tells the user to run. `tell` takes notices, each once; without it they are warnings. The
    returned ask's `spent` counts live calls and tokens.
    """
    check_question(questions, RELATION, RELATIONS)
    published = (TYPESAFE_MODEL, QUESTIONS)
    options = {"timeout": timeout, "rate": rate, "command": command, "tell": tell}
    return Judge(ask, cache, client, model, questions, published=published, **options)  # type: ignore[arg-type]


def ask(claim: str, section: str, judge: Judge | None = None) -> Answer:
    """Ask how the section relates to the claim, or replay the answer if it is recorded.

    Raises NotRecorded where it may not ask, JudgeError where no valid answer came.
    """
    judge = judge or shipped_judge()
    key = judge.key(claim, section)
    if answer := judge.recorded(key):
        return answer
    with judge.cache.hold(key):
        if answer := judge.recorded(key):  # another thread has asked it meanwhile
            return answer
        state = {"claim": claim, "section": section}
        response, seconds = judge.system_one(state, judge.model, judge.questions)
        answer = read_reply(response, RELATION, seconds)
        return judge.record(key, answer, state, response)


def check_citation(
    sections: Searchable, citation: Citation, ask: Ask = ask, *, auto_accept: float = AUTO_ACCEPT
) -> Result:
    """Find a citation's quote, ask about the section it stands in, give the verdict."""
    found = trace(sections, citation)
    passage = choose_passage(found, citation["claim"])
    answer = None if found.status == "missing" else ask(citation["claim"], passage.text)
    decided = verdict(found.status, answer, auto_accept)
    located = Located(citation, found, passage, source_of(sections, found))
    doubts = doubts_about(located, decided, auto_accept)
    replayed = was_replayed(_judge(ask), answer)
    return make_result(located, decided, answer, doubts=doubts, replayed=replayed)


def check_citations(
    sections: Searchable,
    citations: Sequence[Citation],
    ask: Ask = ask,
    *,
    auto_accept: float = AUTO_ACCEPT,
    jobs: int = 8,
    progress: Progress | bool | None = None,
    twice: bool = False,
    elsewhere: bool = False,
) -> list[Result]:
    """Check all citations, and return their results in order; one that fails is `unjudged`, with its error in words.

    `jobs` questions are asked at once, the same one never twice. `progress` is called with (done, total) of live
    questions, or True for a bar on stderr. `twice` asks again with the options in reverse order; a difference goes to a
    human. `elsewhere` asks three other sections where one says nothing. Raises CacheError where answers cannot be kept.
    """
    rows = locate_citations(sections, citations)
    return judge_citations(
        rows,
        _judge(ask),
        auto_accept=auto_accept,
        jobs=jobs,
        progress=progress,
        twice=twice,
        elsewhere=sections if elsewhere else None,
    )


def estimate(
    sections: Searchable, citations: Sequence[Citation], ask: Ask = ask, *, twice: bool = False, elsewhere: bool = False
) -> Estimate:
    """Return what `check_citations` would ask and spend, without asking; printed, it is one line."""
    rows = locate_citations(sections, citations)
    return estimate_citations(rows, _judge(ask), twice=twice, elsewhere=elsewhere)


@functools.cache
def shipped_judge() -> Judge:
    """Return the judge behind `ask`: the shipped recording, and the server that the environment names."""
    return make_ask(JsonCache(SHIPPED_CACHE))


def _judge(function: Ask) -> Ask:
    return shipped_judge() if function is ask else function
