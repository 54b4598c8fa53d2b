"""Turn one result into what a page shows of it: where the quote stands, what to look at, bars, origin and link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..citations import Result
from ..documents import Document
from ..errors import CitationCheckError
from ..judging import QUESTIONS
from ..wording import decided_by_human, proposed, waits_for_human
from .excerpts import Piece, named, section_judged

KINDS = {
    "exact": "Word for word",
    "typographic": "Word for word, apart from typography,",
    "abridged": "With words left out,",
    "edited": "With an editor's changes in brackets,",
    "case": "With other letter case,",
    "words": "With words changed,",
}
RISKS = {
    "truncated": "the quote stops in the middle of a sentence",
    "short": "the quote is so short that it proves little",
    "several": "the words stand in several places",
    "modality": "a word of obligation differs",
    "negation": "a negation differs",
    "number": "a number differs",
    "quantifier": "a word of quantity differs",
    "exception": "an exception differs",
}
RELATIONS = {"supports": "supports", "contradicts": "contradicts", "says_nothing": "says nothing"}


def make_card(result: Result, document: Document, model: str) -> dict[str, Any]:
    """Return everything a card shows but the excerpt and the link, which are added while there is room."""
    changes = (result["match"] or {}).get("changes", [])
    quote = result["quote"] or ""
    return {
        "id": result["id"],
        "claim": result["claim"],
        "quote_text": quote,
        "quote": changed_words(quote, changes, "quote") if quote else [],
        "changes": changes,
        "fingerprint": result["fingerprint"],
        "verdict": result["verdict"] or "unjudged",
        "proposed": proposed(result),
        "review": result["review"],
        "waits": waits_for_human(result) or not result["verdict"],
        "confidence": None if result["review"] else result["confidence"],  # a human gave none
        "action": _action(result),
        "standing": standing(result),
        "notes": notes(result),
        "bars": bars(result),
        "origin": _origin(result, model),
        "format": document.format,
        "near": result["status"] == "missing",
    }


def _action(result: Result) -> str:
    if not result["verdict"]:
        return result["error"] or "No answer."
    if result["review"]:
        said = decided_by_human(result)
    else:
        said = "stands by itself" if result["auto"] else f"for review: {result['reason'] or 'its confidence is low'}"
    return said[0].upper() + said[1:] + "."


def _origin(result: Result, model: str) -> str:
    answer = result["answer"]
    if not answer:
        return "No model was asked." if result["status"] == "missing" else ""
    how = {True: ", replayed", False: ", asked in this run"}.get(bool(result["replayed"]), "")
    how = "" if result["replayed"] is None else how
    return f"{answer.get('model') or model}{how}; {answer.get('input_tokens', 0):,} tokens."


def standing(result: Result) -> str:
    """Say in a sentence where the quote stands."""
    status, where = result["status"], result["found_in"]
    if status == "section-only":
        return f"No quote was given, so all of {named(result['found_in'] or result['section'])} was judged."
    if status == "missing":
        if result["quote"] is None:
            label = result["section"] or ""
            return f"The source has no {named(label) if label[:1].isdigit() else f'section “{label}”'}."
        return "The quote's words are nowhere in the source."
    kind = KINDS.get((result["match"] or {}).get("kind", ""), "Located")
    also = f", also in {', '.join(result['also_in'])}" if result["also_in"] else ""
    return f"{kind} in {named(where)}{also}."


def notes(result: Result) -> list[str]:
    """Say what a reviewer should look at: a wrong section, risks, a passage instead of a whole section."""
    said = []
    if result["section_ok"] is False and result["found_in"]:
        said.append(f"Cited as {result['section']}, but stands in {result['found_in']}.")
    said += [f"{RISKS.get(r, r)[0].upper()}{RISKS.get(r, r)[1:]}." for r in result["risks"]]
    if result.get("judged"):
        said.append("The section is too long for the model: only the text shown here was judged.")
    return said


def bars(result: Result) -> list[tuple[str, float, bool]]:
    """Return (relation, probability, whether it is the model's choice) in the order in which they are asked."""
    answer = result["answer"]
    if not answer:
        return []
    return [(told, answer["probabilities"].get(r, 0.0), r == answer["choice"]) for r, told in RELATIONS.items()]


def changed_words(text: str, changes: Sequence[Mapping[str, Any]], side: str) -> list[Piece]:
    """Split a quote (`side` "quote") or a passage ("source") so that words that differ are pieces of their own."""
    pieces, begin = [], 0
    for change in changes:
        words = change[side]
        at = text.find(words, begin) if words else -1
        if at >= 0:
            pieces += [Piece("text", text[begin:at]), Piece("changed", words)]
            begin = at + len(words)
    return [piece for piece in [*pieces, Piece("text", text[begin:])] if piece.text]


def text_judged(result: Result, document: Document) -> str | None:
    """Return the text that a model was, or would be, asked about; None for a missing quote."""
    section = None if result["status"] == "missing" else section_judged(result, document)
    if not section:
        return None
    judged = result.get("judged")
    return document.text[judged["start"] : judged["end"]].strip() if judged else document.section_text(section)


def link_to(claim: str, section: str, model: str) -> str | None:
    """Return the playground link of one question; None where it cannot be made."""
    from ..playground import make_playground_link

    try:
        return make_playground_link({"claim": claim, "section": section}, QUESTIONS, models=[model])
    except CitationCheckError:
        return None
