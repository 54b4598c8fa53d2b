"""Both steps for many citations: locate all, ask each question once, and leave a failure with its own citation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from .asking.judge import Judge, Live
from .citations import Answer, Citation, Result
from .errors import CitationCheckError
from .locating import Searchable, Trace, prepare, trace
from .outcomes import AUTO_ACCEPT, Located, Verdict, doubts_about, make_result, verdict
from .passages import Passage, choose_passage
from .second_looks import ELSEWHERE, Outcome, doubts_elsewhere, doubts_when_reordered, sections_elsewhere

if TYPE_CHECKING:
    from .asking.estimating import Estimate
    from .asking.parallel import Progress

Ask = Callable[[str, str], Answer]
NOT_LOCATED = Trace("missing", None, [], None, None, [], None, None, None)
UNJUDGED: Verdict = {"verdict": None, "confidence": None, "auto": False}


class Question(NamedTuple):
    """One question: whom to ask, and about what; equal ones are asked once."""

    ask: Ask
    claim: str
    section: str


def locate_citations(sections: Searchable, citations: Sequence[Citation]) -> list[Located]:
    """Do step 1 for all citations; one that cannot be searched for carries its error."""
    searched = prepare(sections)
    rows = []
    for citation in citations:
        try:
            found = trace(searched, citation)
            passage = choose_passage(found, citation["claim"])
            rows.append(Located(citation, found, passage, source_of(sections, found)))
        except Exception as error:  # whatever it is, it is this citation's: the others have a right to their verdict
            rows.append(Located(citation, NOT_LOCATED, Passage(""), None, in_one_line(error)))
    return rows


def judge_citations(
    rows: Sequence[Located],
    ask: Ask,
    *,
    auto_accept: float = AUTO_ACCEPT,
    jobs: int = 8,
    progress: Progress | bool | None = None,
    twice: bool = False,
    elsewhere: Searchable | None = None,
) -> list[Result]:
    """Do step 2 for located citations, as `check_citations` describes; `elsewhere` holds the other sections to ask."""
    asks: list[Ask] = [ask, reordered(ask)] if twice else [ask]
    answers = answer_all([q for row in rows for q in questions_of(row, asks)], jobs, progress)
    others = {}
    if elsewhere is not None:
        silent = [row for row in rows if _says_nothing(row, ask, answers)]
        others = {id(row): sections_elsewhere(elsewhere, row) for row in silent}
        further = [Question(ask, r.citation["claim"], text) for r in silent for _, text in others[id(r)]]
        heard = answer_all(further, jobs, progress)
        answers |= heard
        _tell_unanswered(ask, [outcome for outcome in heard.values() if isinstance(outcome, Exception)])
    results = []
    for row in rows:
        given = [answers[question] for question in questions_of(row, asks)]
        told = [(label, answers[Question(ask, row.citation["claim"], text)]) for label, text in others.get(id(row), [])]
        results.append(_result(row, ask, given, auto_accept, told))
    return results


def _says_nothing(row: Located, ask: Ask, answers: dict[Question, Outcome]) -> bool:
    first = [answers[question] for question in questions_of(row, [ask])]
    return any(not isinstance(answer, Exception) and answer["choice"] == "says_nothing" for answer in first)


def _tell_unanswered(ask: Ask, errors: Sequence[Exception]) -> None:
    if errors and isinstance(ask, Judge):
        ask.notify(f"elsewhere: {len(errors)} questions about other sections got no answer: {in_one_line(errors[0])}")


def _result(
    row: Located, ask: Ask, given: list[Outcome], auto_accept: float, told: Sequence[tuple[str, Outcome]]
) -> Result:
    answer = given[0] if given else None
    if row.error or isinstance(answer, Exception):
        return make_result(row, UNJUDGED, error=row.error or in_one_line(answer))
    decided = verdict(row.found.status, answer, auto_accept)
    doubts = doubts_about(row, decided, auto_accept)
    for again in given[1:]:
        doubts += doubts_when_reordered(answer, again, auto_accept) if answer else []
    return make_result(row, decided, answer, doubts=doubts + doubts_elsewhere(told), replayed=was_replayed(ask, answer))


def questions_of(row: Located, asks: Sequence[Ask]) -> list[Question]:
    """Return what is to be asked about one citation: nothing where its quote is missing."""
    if row.error or row.found.status == "missing":
        return []
    return [Question(ask, row.citation["claim"], row.passage.text) for ask in asks]


def answer_all(questions: Sequence[Question], jobs: int, progress: Progress | bool | None) -> dict[Question, Outcome]:
    """Return the answer to each question, or why there is none; recorded answers take neither thread nor progress."""
    answers: dict[Question, Outcome] = {}
    live = []
    for question in dict.fromkeys(questions):
        try:
            recorded = recorded_answer(question)
            if recorded is None and may_ask(question.ask):
                live.append(question)
            else:
                answers[question] = recorded or question.ask(question.claim, question.section)
        except Exception as error:
            answers[question] = error
    if not live:
        return answers
    from .asking.parallel import run_all

    tasks = [partial(question.ask, question.claim, question.section) for question in live]
    return answers | dict(zip(live, run_all(tasks, jobs, progress), strict=True))


def recorded_answer(question: Question) -> Answer | None:
    """Return the recorded answer to a question; None where there is none or the `ask` is somebody else's."""
    judge = question.ask
    return judge.recorded(judge.key(question.claim, question.section)) if isinstance(judge, Judge) else None


def may_ask(ask: Ask) -> bool:
    """Say whether calling this `ask` may take time: a judge that only replays fails at once."""
    return ask.may_ask() if isinstance(ask, Judge) else True


def was_replayed(ask: Ask, answer: Answer | None) -> bool | None:
    """Say whether an answer came from the recording; None where nothing was asked, or nobody knows."""
    return None if answer is None or not isinstance(ask, Judge) else not isinstance(answer, Live)


def reordered(ask: Ask) -> Judge:
    """Return the judge that asks with the options in another order."""
    if not isinstance(ask, Judge):
        raise CitationCheckError("twice: only an ask made by make_ask can be asked in another order")
    return ask.reordered()


def estimate_citations(rows: Sequence[Located], ask: Ask, *, twice: bool, elsewhere: bool) -> Estimate:
    """Return what asking about these citations would take; `elsewhere` counts as if every section said nothing."""
    from .asking.estimating import estimate_questions

    asks: list[Ask] = [ask, reordered(ask)] if twice else [ask]
    questions = list(dict.fromkeys(q for row in rows for q in questions_of(row, asks)))
    unasked = [question.section for question in questions if recorded_answer(question) is None]
    extra = ELSEWHERE * len(questions) // len(asks) if elsewhere else 0
    return estimate_questions(unasked, len(questions) - len(unasked), extra)


def source_of(sections: Searchable, found: Trace) -> str | None:
    """Return the name of the document that a citation was checked against, where there are several."""
    several = isinstance(sections, list) and len(sections) > 1
    return found.document.name if several and found.document else None


def in_one_line(error: object) -> str:
    """Return an error as a result shows it; what is not this project's own names its type."""
    known = isinstance(error, CitationCheckError | str)
    return " ".join((str(error) if known else f"{type(error).__name__}: {error}").split())
