"""The citations file: its shapes, and `load_citations`, which tells every fault of a file at once."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class Citation(TypedDict):
    """One row of the citations file: what an LLM said, and the words and section it says it rests on."""

    id: str
    claim: str
    quote: str | None
    section: str | None
    source: NotRequired[str]  # name or path of the document, where an answer cites several


class Answer(TypedDict):
    """A model's answer to the question how a section relates to a claim, as recorded."""

    choice: str  # "supports", "contradicts" or "says_nothing"
    probabilities: dict[str, float]  # of the three choices, 0..1
    confidence: float  # 0..1, TypeSafe's definition
    seconds: float  # wall time of the call, 2 decimals
    input_tokens: int
    output_tokens: int
    model: NotRequired[str]  # the version that answered
    asked: NotRequired[dict[str, str]]  # claim, section_sha256, model: so that a recording can be read
    reported_confidence: NotRequired[float]  # the server's own figure, where it defines confidence otherwise


class Result(TypedDict):
    """What is reported of one citation; the keys of the JSON document's `results`, in its order."""

    id: str
    claim: str
    quote: str | None
    section: str | None
    status: str  # found, altered, missing, section-only
    found_in: str | None
    also_in: list[str]
    section_ok: bool | None
    match: dict[str, Any] | None  # kind, start, end, text, changes, similarity
    risks: list[str]
    answer: Answer | None
    verdict: str | None  # verified, contradicted, unsupported, fabricated; None: unjudged
    confidence: float | None
    auto: bool
    reason: str | None  # in words, why it goes to a human
    error: str | None  # in words, why it could not be judged
    replayed: bool | None  # None: nothing was asked
    fingerprint: str
    review: dict[str, Any] | None
    judged: NotRequired[dict[str, int]]  # start, end of the passage that was sent, when the section was too long
    source: NotRequired[str]  # name of the document, with several sources
