"""Show a few citations of a report inside a notebook: tables with inline styles, the same at each run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from ..citations import Result
from ..documents import Document
from ..wording import in_words
from .cards import standing
from .excerpts import Piece, document_of, surroundings

TABLE = "border-collapse:collapse;width:100%;max-width:52em;margin:0 0 1.5em;text-align:left"
CELL = "text-align:left;vertical-align:top;padding:.35em .9em .35em 0;border-top:1px solid rgba(128,128,128,.35)"
TEXT = "white-space:pre-wrap;font-family:monospace;font-size:.9em;line-height:1.45"
MARK = "background:#ffe9a3;color:#2b2200"  # both colours, so that it can be read on a light and on a dark page


def inline_html(results: Sequence[Result], documents: Sequence[Document]) -> str:
    """Return a table a citation: claim, quote, verdict, and the section with the passage marked."""
    return "\n".join(_table(result, document_of(result, documents)) for result in results)


def _table(result: Result, document: Document) -> str:
    rows = [("claim", escape(result["claim"])), ("quote", escape(result["quote"] or "none"))]
    rows += [("verdict", f"<b>{escape(in_words(result))}</b><br>{escape(standing(result))}")]
    if shown := surroundings(result, document, room=0):
        marked = "".join(_mark(piece) for piece in shown.passage)
        around = f"{_text(shown.before)}{marked}{_text(shown.after)}".strip("\n")
        text = f'<div style="{TEXT}">{around}</div>'
        rows.append((escape(shown.place), text))
    cells = "".join(
        f'<tr><th scope="row" style="{CELL};width:9em;font-weight:normal;opacity:.75">{name}</th>'
        f'<td style="{CELL}">{value}</td></tr>'
        for name, value in rows
    )
    name = f'<caption style="text-align:left"><b>{escape(result["id"])}</b></caption>'
    return f'<table style="{TABLE}">{name}{cells}</table>'


def _mark(piece: Piece) -> str:
    """Mark a line of the passage; the indent before the next one stays unmarked."""
    return f'<mark style="{MARK}">{escape(piece.text)}</mark>' if piece.kind == "text" else _text([piece])


def _text(pieces: Iterable[Piece]) -> str:
    """Return text as HTML; what is left out of it is told on a line of its own."""
    text = ""
    for piece in pieces:
        if piece.kind == "gap":
            text += ("" if text.endswith("\n") else "\n") + f"[… {escape(piece.text)} …]\n"
        elif piece.kind != "fold":
            text += escape(piece.text)
    return text
