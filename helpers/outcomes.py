"""What is reported of one citation: its verdict, and in words why a human should look at it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

from .citations import Answer, Citation, Result
from .locating import Trace, is_named
from .passages import Passage

RELATION_TO_VERDICT = {"supports": "verified", "contradicts": "contradicted", "says_nothing": "unsupported"}
AUTO_ACCEPT = 0.8  # the best of three options has 0.867 then: start high, lower it as trust grows on your own documents
SHOWN_CHANGES, SHOWN_WORDS = 3, 60  # changes of an altered quote in a reason, characters of each; the report shows all


class Verdict(TypedDict):
    """What a status and an answer come to."""

    verdict: str | None
    confidence: float | None
    auto: bool


class Located(NamedTuple):
    """One citation after step 1: where its quote stands, and what of that section a model would read.

    `source` names the document where there are several; `error` says why step 1 failed.
    """

    citation: Citation
    found: Trace
    passage: Passage
    source: str | None = None
    error: str | None = None


def verdict(status: str, answer: Answer | None, auto_accept: float = AUTO_ACCEPT) -> Verdict:
    """Say what a status and an answer come to; without `auto`, a human confirms it."""
    if status == "missing":
        return {"verdict": "fabricated", "confidence": None, "auto": True}
    if answer is None:
        raise ValueError(f"a quote that is {status} has no verdict without an answer")
    confidence = answer["confidence"]
    auto = status != "altered" and confidence >= auto_accept
    reported = RELATION_TO_VERDICT[answer["choice"]]
    return {"verdict": reported, "confidence": confidence, "auto": auto}


def make_result(
    located: Located,
    decided: Verdict,
    answer: Answer | None = None,
    *,
    doubts: Sequence[str] = (),
    replayed: bool | None = None,
    error: str | None = None,
) -> Result:
    """Return the result of one citation; any of `doubts`, in words, sends it to a human."""
    citation, found, passage = located.citation, located.found, located.passage
    result: Result = {
        "id": citation["id"],
        "claim": citation["claim"],
        "quote": citation.get("quote"),
        "section": citation.get("section"),
        "status": found.status,
        "found_in": found.found_in,
        "also_in": list(found.also_in),
        "section_ok": found.section_ok,
        "match": match_fields(found),
        "risks": list(found.risks),
        "answer": answer,
        "verdict": decided["verdict"],
        "confidence": decided["confidence"],
        "auto": decided["auto"] and not doubts,
        "reason": "; ".join(doubts) or None,
        "error": error,
        "replayed": replayed,
        "fingerprint": fingerprint(citation, None if found.status == "missing" else passage.text),
        "review": None,
    }
    if passage.start is not None and passage.end is not None:
        result["judged"] = {"start": passage.start, "end": passage.end}
    if located.source is not None and (found.status != "missing" or citation.get("source")):  # else it is in none
        result["source"] = located.source
    return result


def match_fields(found: Trace) -> dict[str, object] | None:
    """Return where the quote stands, as plain JSON values."""
    if found.match is None:
        return None
    return {**found.match._asdict(), "changes": [change._asdict() for change in found.match.changes]}


def fingerprint(citation: Citation, section: str | None) -> str:
    """Return what a human's review is bound to: the SHA-256 of claim, quote and the text that was judged."""
    judged = json.dumps([citation["claim"], citation.get("quote"), section], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(judged.encode("utf-8", "surrogatepass")).hexdigest()


def doubts_about(located: Located, decided: Verdict, auto_accept: float) -> list[str]:
    """Say in words why this verdict should not stand without a human; an empty list where it may."""
    citation, found = located.citation, located.found
    if found.status == "missing":
        return _doubts_about_missing(citation, found)
    doubts = []
    if found.status == "altered":
        doubts.append(f"the quote is not in the source's own words{_changes(found)}")
    if found.section_ok is False:
        place = _place(found.found_in, located.source)
        cited = _place(citation.get("section"), citation.get("source") if located.source else None)
        doubts.append(f"the quote stands in {place}, not in the cited {cited}")
    if located.passage.start is not None:
        doubts.append("the section is too long for a model, so only a passage of it was judged")
    if decided["confidence"] is not None and decided["confidence"] < auto_accept:
        doubts.append(f"confidence {decided['confidence']:.2f} is under {auto_accept:g}")
    return doubts + ([found.hint] if doubts and found.hint else [])


def _place(section: str | None, source: str | None) -> str:
    return " of ".join(filter(None, (section, source)))


def _doubts_about_missing(citation: Citation, found: Trace) -> list[str]:
    if citation.get("quote") is None:
        return [f"there is no section {citation.get('section')} in the document, and no quote to search for"]
    source, document = citation.get("source"), found.document
    doubts = [f"the text may not be what its author wrote: {doubt}" for doubt in (document.doubts if document else [])]
    if source and document and not is_named(document, source):  # one that it names would have been preferred
        doubts.insert(0, f"its source {source} is none of the documents given")
    return doubts


def _changes(found: Trace) -> str:
    changes = found.match.changes if found.match else []
    shown = [f"{_shortened(c.source)} became {_shortened(c.quote)}" for c in changes[:SHOWN_CHANGES]]
    more = [f"{len(changes) - SHOWN_CHANGES} more"] if len(changes) > SHOWN_CHANGES else []
    return f": {', '.join(shown + more)}" if changes else ""


def _shortened(words: str) -> str:
    return (words if len(words) <= SHOWN_WORDS else words[: SHOWN_WORDS - 1] + "…") or "nothing"
