"""Documents whose sections are known, made from rfc7519.txt: what `benchmarks.parse` lets readers cut up.

Markdown has headings of both kinds, a fence with a line that only looks like one, and words in bold. HTML has a
script, a hidden block, entities and words in bold. The PDF has wrapped lines, bookmarks, and a running title and a
number on each page. All hold the same prose.
"""

from __future__ import annotations

import html
import re
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from helpers.parsing import read_document
from tests.made_documents import Item, make_pdf

SHIPPED = Path(__file__).parents[1] / "rfc7519.txt"
LINES = 52  # on a page of the PDF
TOP, PITCH, TITLE = 70, 13, 14  # points: of its first line, from line to line, and the type size of titles
WIDTH = 90  # characters of a line there
MARKS = re.compile(r"[*_`<>\[\]#|~\\]")  # would be markup in Markdown, so paragraphs with them are left out


class Known(NamedTuple):
    """Hold what a reader should find: a section's title, or number in an RFC, and its paragraphs as one line each."""

    title: str
    paragraphs: list[str]


class Made(NamedTuple):
    """Hold one document, the name of its file, and its sections."""

    file: str
    content: bytes
    known: list[Known]


def prose(copies: int) -> list[Known]:
    """Return so many times the sections of the RFC that have running text."""
    document = read_document(SHIPPED)
    sections = []
    for part in (part for part in document.outline if part.numbered):
        _, _, text = document.section_text(part).partition("\n")
        lines = [" ".join(p.split()) for p in re.split(r"\n\s*\n", text)]
        good = [p for p in lines if len(p) > 80 and not MARKS.search(p) and sum(map(str.isalpha, p)) > 0.7 * len(p)]
        if good and not MARKS.search(part.title):
            sections.append(Known(part.title, good))
    return [
        Known(f"{known.title}, part {n + 1}", [f"{p} ({n + 1})" for p in known.paragraphs])
        for n in range(copies)
        for known in sections
    ]


def in_bold(paragraph: str, before: str, after: str) -> str:
    """Put the third word of a paragraph in bold."""
    words = paragraph.split(" ")
    return " ".join([*words[:2], f"{before}{words[2]}{after}", *words[3:]])


def markdown(known: list[Known]) -> bytes:
    """Return Markdown."""
    blocks = []
    for n, (title, paragraphs) in enumerate(known):
        blocks.append(f"{title}\n{'-' * len(title)}" if n % 3 == 1 else f"## {title}")
        blocks += [in_bold(p, "**", "**") if m % 4 == 1 else p for m, p in enumerate(paragraphs)]
        if n % 5 == 0:
            blocks.append("```\n# only a comment\nread --seal\n```")
    return "\n\n".join([*blocks, ""]).encode("utf-8")


def page_of_html(known: list[Known]) -> bytes:
    """Return HTML."""
    blocks = ["<script>var shown = 'no';</script>", "<div style='display:none'><p>Nobody sees this.</p></div>"]
    for title, paragraphs in known:
        blocks.append(f"<h2>{html.escape(title)}</h2>")
        texts = [html.escape(p) for p in paragraphs]
        blocks += [f"<p>{in_bold(p, '<b>', '</b>') if m % 4 == 1 else p}</p>" for m, p in enumerate(texts)]
    body = "\n".join(blocks)
    return f"<!DOCTYPE html><html><head><title>Made</title></head><body>{body}</body></html>\n".encode()


def pdf(known: list[Known]) -> bytes:
    """Return a PDF with larger type for titles, and bookmarks."""
    rows: list[tuple[float, str]] = []
    for title, paragraphs in known:
        rows += [(10, ""), (TITLE, title), (10, "")]
        for paragraph in paragraphs:
            rows += [*((10, line) for line in wrap(paragraph, WIDTH, break_on_hyphens=False)), (10, "")]
    pages: list[list[Item]] = []
    for number, at in enumerate(range(0, len(rows), LINES), 1):
        page: list[Item] = [(72, 40, 9, "A made document about tokens")]
        page += [(72, TOP + PITCH * n, size, text) for n, (size, text) in enumerate(rows[at : at + LINES]) if text]
        pages.append([*page, (290, 800, 9, f"Page {number}")])
    marks = [
        (text, n // LINES, TOP + PITCH * (n % LINES) - size) for n, (size, text) in enumerate(rows) if size == TITLE
    ]
    return make_pdf(pages, [(re.sub(r"[()]", r"\\\g<0>", text), page, top) for text, page, top in marks])


def rfc(copies: int) -> Made:
    """Return the RFC, several times over, and the numbers that its own contents list."""
    text = SHIPPED.read_text(encoding="utf-8")
    numbers = re.findall(r"(?m)^ {3,}(?:Appendix )?([A-Z\d]+(?:\.\d+)*)\.? .*[. ]{2}\d+$", text)
    return Made("made.txt", (text * copies).encode("utf-8"), [Known(number, []) for number in numbers])


def made(format: str, copies: int) -> Made:
    """Return a document of this format, so many times as long as the RFC's prose."""
    if format == "RFC text":
        return rfc(copies)
    known = prose(copies)
    if format == "Markdown":
        return Made("made.md", markdown(known), known)
    return Made("made.html", page_of_html(known), known) if format == "HTML" else Made("made.pdf", pdf(known), known)
