"""Make the HTML of a report: gather what each card shows and fill the page's template."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from ..citations import Result
from ..documents import Document
from ..reviewing import VERDICTS, answered_by, counted, threshold_table, tune_threshold, tuning_advice
from ..wording import count_verdicts
from .cards import link_to, make_card, text_judged
from .charts import reliability_curve, risk_curve, strip
from .excerpts import base_name, document_of, surroundings

TEMPLATES = Path(__file__).parent

# Characters that keep a report of 2,000 citations at a few MB and a few seconds; those to review come first.
FOLDED = 60_000  # of a section, on each side of the passage
FOLDED_IN_ALL = 4_000_000
LINKED_IN_ALL = 250_000  # packing links takes about a second for half a million
NAMED = 3  # documents in the title; the foot of the page lists all
SEARCHED_IN_ALL = 6_000_000  # of sources, searched for passages close to missing quotes: about a second

COLUMNS = ("fabricated", "contradicted", "unsupported", "review", "unjudged", "verified")  # of the index


class Row(TypedDict):
    """One document of the index; `report` is the address of its page, relative to the index."""

    source: str
    counts: Mapping[str, int]  # as count_verdicts gives them
    report: NotRequired[str | None]
    error: NotRequired[str | None]  # why it could not be checked


def report_html(results: Sequence[Result], documents: Sequence[Document], *, model: str, auto_accept: float) -> str:
    """Return the whole page as text."""
    cards = [make_card(result, document_of(result, documents), model) for result in results]
    _add_excerpts(cards, results, documents)
    _add_links(cards, results, documents, model)
    counts = count_verdicts(results)
    waiting = sum(card["waits"] for card in cards)
    shown = [(name, n) for name, n in counts.items() if n and name != "review"]
    page = {
        "title": _title(documents),
        "run": _run(results),
        "cards": cards,
        "model": model,
        "auto_accept": auto_accept,
        "strip": strip(results, auto_accept),
        "filters": [("all", len(results)), *shown, ("review", waiting)],
        "to_review": waiting,
        "verdicts": VERDICTS,
        "tuning": _tuning(results),
        "sources": [_source(d) for d in documents],
    }
    return fill("report.html.j2", page)


def _add_excerpts(cards: list[dict[str, Any]], results: Sequence[Result], documents: Sequence[Document]) -> None:
    room, budget = min(FOLDED, FOLDED_IN_ALL // max(1, len(cards))), SEARCHED_IN_ALL
    for card, result in _urgent_first(cards, results):
        document = document_of(result, documents)
        card["excerpt"] = surroundings(result, document, room=room, search=budget > 0)
        if result["status"] == "missing" and result["quote"] and budget > 0:
            budget -= len(document.text)
            card["notes"] += [] if card["excerpt"] else ["No passage comes close."]


def _add_links(
    cards: list[dict[str, Any]], results: Sequence[Result], documents: Sequence[Document], model: str
) -> None:
    budget = LINKED_IN_ALL
    for card, result in _urgent_first(cards, results):
        text = text_judged(result, document_of(result, documents))
        card["link"] = link_to(result["claim"], text, model) if text and budget > 0 else None
        budget -= len(text or "") if card["link"] else 0


def _urgent_first(cards: list[dict[str, Any]], results: Sequence[Result]) -> list[tuple[dict[str, Any], Result]]:
    return sorted(zip(cards, results, strict=True), key=lambda pair: not pair[0]["waits"])


def fill(template: str, page: dict[str, Any]) -> str:
    """Return a template of the page folder filled in; style and script go in with the hashes that allow just them."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined
    from markupsafe import Markup

    style = (TEMPLATES / "report.css").read_text(encoding="utf-8")
    script = (TEMPLATES / "report.js").read_text(encoding="utf-8")
    environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    own = {"style": Markup(style), "script": Markup(script), "style_hash": _hash(style), "script_hash": _hash(script)}
    html = environment.get_template(template).render(page | own)
    return html.replace("\0", "\N{REPLACEMENT CHARACTER}")  # HTML drops it from text without a trace


def index_html(rows: Sequence[Row]) -> str:
    """Return the page that lists documents, those with most wrong citations first."""

    def badness(row: Row) -> tuple[int, ...]:
        counts = row["counts"]
        wrong = counts.get("fabricated", 0) + counts.get("contradicted", 0)
        return (-wrong, -counts.get("unsupported", 0), -counts.get("review", 0), -counts.get("unjudged", 0))

    ordered = sorted(rows, key=lambda row: (not row.get("error"), *badness(row), row["source"]))
    total = {name: sum(row["counts"].get(name, 0) for row in rows) for name in COLUMNS}
    told = [f"{n:,} {'to review' if name == 'review' else name}" for name, n in total.items() if n] or ["no citations"]
    told += [f"{failed:,} with an error"] if (failed := sum(bool(row.get("error")) for row in rows)) else []
    shown = [{"report": None, "error": None, **row} for row in ordered]
    return fill("index.html.j2", {"rows": shown, "columns": COLUMNS, "total": ", ".join(told)})


def _hash(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _run(results: Sequence[Result]) -> str:
    """Return what a browser keeps decisions under: another run, or other text, must not find them."""
    told = "".join(r["id"] + r["fingerprint"] for r in results)
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:16]


def _title(documents: Sequence[Document]) -> str:
    more = f" and {len(documents) - NAMED} more" if documents[NAMED:] else ""
    return ", ".join(base_name(d) for d in documents[:NAMED]) + more


def _source(document: Document) -> dict[str, Any]:
    return {
        "name": document.name,
        "characters": len(document.text),
        "parts": len(document.outline),
        "sha256": document.sha256,
        "doubts": document.doubts,
    }


def _tuning(results: Sequence[Result]) -> dict[str, Any] | None:
    """Return what the merged reviews say about the threshold, or None where none of them counts."""
    reviews = [{**r["review"], "id": r["id"], "fingerprint": r["fingerprint"]} for r in results if r["review"]]
    pairs = counted(results, reviews)
    if not pairs:
        return None
    data = tune_threshold(results, reviews)
    versions = answered_by(results, reviews)
    return {
        "advice": tuning_advice(data),
        "versions": f"Answers come from several versions: {', '.join(versions)}. Tune each by itself."
        if versions[1:]
        else "",
        "curves": [risk_curve(data), reliability_curve(pairs, data["confidence"])],
        "table": threshold_table(data),
    }
