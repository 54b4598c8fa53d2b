"""Second looks at an answer: the same question with its options in another order, and other sections that may know."""

from __future__ import annotations

from collections.abc import Sequence

from .citations import Answer
from .documents import Document
from .locating import Searchable
from .outcomes import Located
from .passages import passage_for, rank

ELSEWHERE = 3  # sections asked: further ones rarely share the claim's rare words

Outcome = Answer | Exception


def doubts_when_reordered(first: Answer, second: Outcome, auto_accept: float) -> list[str]:
    """Say in words where the answer to the reordered question sends the citation to a human."""
    if isinstance(second, Exception):
        return [f"asked again with the options in another order, the model gave no answer: {second}"]
    told = f"asked again with the options in another order, the model says {second['choice']}"
    if second["choice"] != first["choice"]:
        return [f"{told} ({second['confidence']:.2f})"]
    return [f"{told} with confidence {second['confidence']:.2f} only"] if second["confidence"] < auto_accept else []


def sections_elsewhere(sections: Searchable, row: Located) -> list[tuple[str, str]]:
    """Return (label, text) of the other sections that share most of the claim's rare words, best first."""
    parts = [(label, text) for label, text in _searched(sections, row) if text.strip() and text != row.found.section]
    best = rank(row.citation["claim"], [text for _, text in parts])[:ELSEWHERE]
    return [(parts[i][0], passage_for(row.citation["claim"], parts[i][1])) for i in best]


def _searched(sections: Searchable, row: Located) -> list[tuple[str, str]]:
    document = row.found.document or getattr(sections, "document", None)
    if isinstance(document, Document):
        return [(s.label, document.section_text(s)) for s in document.outline if not s.contents]
    return list(sections.items()) if isinstance(sections, dict) else []


def doubts_elsewhere(answers: Sequence[tuple[str, Outcome]]) -> list[str]:
    """Name the other section that speaks most clearly on the claim; an empty list where none does."""
    speaking = [(label, a) for label, a in answers if not isinstance(a, Exception) and a["choice"] != "says_nothing"]
    if not speaking:
        return []
    label, answer = max(speaking, key=lambda pair: pair[1]["confidence"])
    return [f"section {label} {answer['choice']} the claim ({answer['confidence']:.2f})"]
