"""The citations file: its shapes, and `load_citations`, which tells every fault of a file at once."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from .errors import CitationFileError
from .strictjson import encodable, kind, object_faults, parse, parse_lines, read_text, shown

FIELDS = ("id", "claim", "quote", "section", "source")


class Citation(TypedDict):
    """One row of the citations file: what an LLM said, and the words and section it says it rests on."""

    id: str
    claim: str
    quote: str | None
    section: str | None
    source: NotRequired[str]  # name or path of the document, or "#N", the N-th one counted from 0


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


def load_citations(path: str | Path = "citations.json") -> list[Citation]:
    """Read the citations of a JSON list, of JSON lines (`.jsonl`), or of a saved reply of the Anthropic Messages API.

    Raises CitationFileError with all faults: entry (counted from 1), id, field, what to do. Warns of unknown keys.
    """
    text, fault = read_text(path)
    if fault:
        raise CitationFileError(str(path), [fault])
    return read_citations(text, str(path))


def read_citations(text: str, name: str, lines: bool | None = None) -> list[Citation]:
    """Read citations from text; `name` stands in messages; `lines`: JSON lines, or not (None: as the name says)."""
    citations, faults = sift_citations(text, name, lines)
    if faults:
        raise CitationFileError(name, faults)
    return citations


def sift_citations(text: str, name: str, lines: bool | None = None) -> tuple[list[Citation], list[str]]:
    """Return (the citations that can be read, the faults of all else); arguments as for `read_citations`."""
    faults: list[str] = []
    if name.lower().endswith(".jsonl") if lines is None else lines:
        numbered, faults = parse_lines(text, "one citation a line")
        entries = [entry for _, entry in numbered]
    else:
        entries = _read_list(text, faults)
    citations, wrong = sift_entries(entries, name)
    return citations, faults + wrong


def sift_entries(entries: list[Any], name: str) -> tuple[list[Citation], list[str]]:
    """Return (the entries that are citations, the faults of all others); warns of unknown keys in good ones."""
    citations, faults = [], []
    seen: dict[str, int] = {}
    for number, entry in enumerate(entries, 1):
        place, wrong = _faults_of(entry, number, seen)
        faults += [f"{place}: {fault}" for fault in wrong]
        if not wrong:
            citations.append(_citation(entry, f"{name}: {place}"))
    return citations, faults


def _read_list(text: str, faults: list[str]) -> list[Any]:
    value, fault = parse(text, "a JSON list of citations")
    if fault is None:
        if isinstance(value, dict) and isinstance(value.get("content"), list):
            value = value["content"]
        if isinstance(value, list):
            return _from_messages(value)
        lists = [name for name, inside in value.items() if isinstance(inside, list)] if isinstance(value, dict) else []
        advice = f'save the list in "{lists[0]}" alone' if len(lists) == 1 else "put the citations in [ ]"
        fault = f"must be a JSON list of citations, is {kind(value)}; {advice}"
    faults.append(fault)
    return []


def _from_messages(blocks: list[Any]) -> list[Any]:
    """Turn text blocks of the Anthropic Messages API into citations: a block's text is the claim they stand behind."""
    if not any(isinstance(block, dict) and ("cited_text" in block or "citations" in block) for block in blocks):
        return blocks
    entries: list[Any] = []
    for block in blocks:
        if not isinstance(block, dict):
            entries.append(block)
        elif "cited_text" in block:
            entries.append(_from_cited(block, block.get("claim"), len(entries) + 1))
        else:
            cited = block.get("citations") or []
            entries += [_from_cited(one, block.get("text"), len(entries) + n) for n, one in enumerate(cited, 1)]
    return entries


def _from_cited(cited: Any, claim: Any, number: int) -> Any:
    if not isinstance(cited, dict):
        return cited
    page = cited.get("start_page_number")
    entry = {
        "id": cited.get("id", f"cited-{number}"),
        "claim": claim,
        "quote": cited.get("cited_text"),
        "section": None if page is None else f"p. {page}",
    }
    index = cited.get("document_index", cited.get("search_result_index"))
    return entry if index is None else entry | {"source": f"#{index}"}


def _citation(entry: dict[str, Any], place: str) -> Citation:
    if unknown := [key for key in entry if key not in FIELDS]:
        keys = ", ".join(map(shown, unknown))
        warnings.warn(f"{place}: unknown key {keys} is ignored; known are {', '.join(FIELDS)}", stacklevel=4)
    citation = Citation(id=entry["id"], claim=entry["claim"], quote=entry["quote"], section=entry["section"])
    if entry.get("source") is not None:
        citation["source"] = entry["source"]
    return citation


def _faults_of(entry: Any, number: int, seen: dict[str, int]) -> tuple[str, list[str]]:
    """Return (which entry this is, what is wrong with it); `seen` holds the ids of the entries before."""
    place = f"entry {number}"
    if not isinstance(entry, dict):
        return place, [f'must be an object with "id", "claim", "quote", "section", is {kind(entry)}']
    label = entry.get("id")
    if isinstance(label, str) and label:
        place += f" ({shown(label)})"
    return place, _id_faults(label, number, seen) + _field_faults(entry)


def _id_faults(label: Any, number: int, seen: dict[str, int]) -> list[str]:
    if not isinstance(label, str) or not label.strip():
        return ["id: must be text; give each citation a name of its own"]
    if any(ord(character) < 32 for character in label):
        return ["id: must be one line without control characters"]
    if not encodable(label):
        return ["id: holds half of a surrogate pair; write the whole character"]
    if label in seen:
        return [f"id: stands in entry {seen[label]} too; give each citation an id of its own"]
    seen[label] = number
    return []


def _field_faults(entry: dict[str, Any]) -> list[str]:
    """Return the faults of one entry's fields, in the order of the fields."""
    faults = object_faults(entry)
    for field in ("claim", "quote", "section"):
        if field not in entry:
            faults.append(f"{field}: is absent{_misspelt(field, entry)}; " + _advice(field))
        elif fault := _text_fault(field, entry[field]):
            faults.append(f"{field}: {fault}")
    if entry.get("source") is not None and (fault := _text_fault("source", entry["source"])):
        faults.append(f"source: {fault}")
    if "quote" in entry and "section" in entry and entry["quote"] is None and entry["section"] is None:
        faults.append("quote and section: both are null; give at least one")
    return faults


def _text_fault(field: str, value: Any) -> str | None:
    """Return what is wrong with a text field, or None."""
    if value is None and field != "claim":
        return None
    if not isinstance(value, str):
        return f"must be text{'' if field == 'claim' else ' or null'}, is {kind(value)}; {_advice(field)}"
    if not encodable(value):
        return "holds half of a surrogate pair, which cannot be sent; write the whole character"
    if field == "quote" and not any(map(str.isalnum, value)):
        return f"has no letter or digit, so it stands everywhere; {_advice(field)}"
    return None if value.strip() else f"is empty; {_advice(field)}"


def _advice(field: str) -> str:
    return {
        "claim": "write the sentence that is to be checked",
        "quote": "write the quoted words, or null for a claim without a quote",
        "section": 'write the section\'s label as text, like "4.1.3", or null',
        "source": "write the document's name or path as text, or leave it out",
    }[field]


def _misspelt(field: str, entry: dict[str, Any]) -> str:
    from difflib import get_close_matches  # only a faulty file pays for it

    close = get_close_matches(field, [key for key in entry if key not in FIELDS], 1)
    return f" ({shown(close[0])} is not a known key)" if close else ""
