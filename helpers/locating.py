"""Step 1, without a model: are the quote's words in the source, and in which section?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from .documents import Document, Section, Sections
from .matching import labels, rewording, risks
from .matching.folding import fold
from .matching.index import PIECES, documents_of, index_of, passage_end
from .matching.ladder import search
from .matching.shapes import Change, Match, Searchable, Trace

__all__ = ["Change", "Match", "Searchable", "Trace", "closest", "find_quote", "locate", "normalize", "prepare", "trace"]

FOUND = ("exact", "typographic")  # every other kind of match is altered
RANK = {"found": 0, "section-only": 0, "altered": 1, "missing": 2}


def normalize(text: str) -> str:
    """Return text as it is searched; its words and their case stay.

    White space, quotation marks, dashes and ligatures come in one form.
    """
    return fold(text).text


def find_quote(sections: Searchable, quote: str) -> str | None:
    """Return the label of the first section that holds the quote's words, or None."""
    for document in documents_of(sections):
        for match in search(document, index_of(document), quote):
            if match.kind in FOUND:  # the source's own words: likeness never counts
                return document.section_at(match.start).label
    return None


def locate(sections: Searchable, citation: Mapping[str, Any]) -> tuple[str, str | None]:
    """Return the status of a citation's quote, and the text of the section to judge.

    found: the source's own words; altered: the place is certain, words differ;
    missing: neither. Without a quote there is nothing to search: section-only, and
    the cited section is taken.
    """
    found = trace(sections, citation)
    return found.status, found.section


def trace(sections: Searchable, citation: Mapping[str, Any]) -> Trace:
    """Return everything that is known about where a citation's quote stands.

    Of several documents the one that the citation's "source" names comes first; without it, the best status wins.
    """
    named, others = _in_order(documents_of(sections), citation.get("source"))
    for documents in (named, others) if citation.get("quote") is not None else (named,):
        best: Trace | None = None
        for document in documents:
            found = _trace(document, citation, document in named)
            if best is None or RANK[found.status] < RANK[best.status]:
                best = found
            if not RANK[found.status]:
                break
        if best and best.status != "missing":
            return best
    return _missing((named + others)[0] if named or others else None, citation)


def prepare(sections: Searchable) -> Searchable:
    """Return the same sections with a search index that is kept: worth it for more than one quote of a plain dict."""
    if isinstance(sections, dict) and not isinstance(sections, Sections):
        return Sections(sections, documents_of(sections)[0])
    return sections


def closest(sections: Searchable, quote: str) -> Match | None:
    """Return the passage that is nearest to a missing quote, or None when nothing is near."""
    near = []
    for document in documents_of(sections):
        match = rewording.nearest(index_of(document).literal, fold(quote))
        if match:
            near.append(_own(document, match))
    return max(near, key=lambda match: match.similarity, default=None)


def _in_order(documents: list[Document], source: str | None) -> tuple[list[Document], list[Document]]:
    """Return the documents that a citation's source names, and the others."""
    if source is None:
        return documents, []
    named = [document for document in documents if is_named(document, source)]
    return named, [document for document in documents if document not in named]


def is_named(document: Document, source: str) -> bool:
    """Say whether a citation's source, a name or a path, means this document: "RFC 7519" means rfc7519.txt."""
    name = PurePath(document.name)
    wanted = PurePath(source.replace("\\", "/")).name
    return (
        not document.name or source == document.name or _letters(wanted) in (_letters(name.name), _letters(name.stem))
    )


def _letters(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold())) or name


def _trace(document: Document, citation: Mapping[str, Any], named: bool) -> Trace:
    quote, cited = citation.get("quote"), labels.look_up(document, citation.get("section"))
    if quote is None:
        return _section_only(document, citation, cited)
    matches = search(document, index_of(document), quote)
    if not matches:
        return _missing(document, citation)
    right = (m for m in matches if (cited.parts or cited.pages) and labels.holds(document, cited, m.start, m.end))
    match = next(right, matches[0])
    part = document.section_at(match.start)
    places = map(document.section_at, sorted(m.start for m in matches))
    also_in = [other.label for other in places if other.label != part.label]
    ok = labels.holds(document, cited, match.start, match.end) if named else False
    own = document if document.format != PIECES else None
    return Trace(
        status="found" if match.kind in FOUND else "altered",
        found_in=part.label,
        also_in=also_in,
        section_ok=ok,
        match=_own(document, match),
        risks=_risks(document, match, quote, also_in),
        section=_judged(document, part, match) if own else document.text[part.start : part.end],
        document=own,
        hint=_hint(document, match, named),
    )


def _judged(document: Document, part: Section, match: Match) -> str:
    """Return the text of the section, and of the next one where the quote goes over its end (a page of a PDF)."""
    end = max(part.end, document.section_at(match.end - 1).end)
    return document.section_text(part._replace(end=end))


def _section_only(document: Document, citation: Mapping[str, Any], cited: labels.Cited) -> Trace:
    part: Section | None = cited.parts[0] if cited.parts else None
    if part is None and cited.pages and document.page_marks and cited.pages[0] <= len(document.page_marks):
        part = document.section_at(document.page_marks[cited.pages[0] - 1])
    if part is None:
        return _missing(document, citation)
    own = document if document.format != PIECES else None
    text = document.section_text(part) if own else document.text[part.start : part.end]
    return Trace("section-only", part.label, [], True, None, [], text, own, None)


def _missing(document: Document | None, citation: Mapping[str, Any]) -> Trace:
    if document is None:
        return Trace("missing", None, [], None, None, [], None, None, None)
    cited = labels.look_up(document, citation.get("section"))
    wrong = False if not cited.parts and not cited.pages and cited.otherwise is False else None
    own = document if document.format != PIECES else None
    return Trace("missing", None, [], wrong, None, [], None, own, _only_listed(document, citation.get("quote")))


def _only_listed(document: Document, quote: str | None) -> str | None:
    """Explain a quote that was taken from the table of contents."""
    words = normalize(quote or "")
    lists = [normalize(document.text[part.start : part.end]) for part in document.outline if part.contents and words]
    if not any(words in text for text in lists):
        return None
    return "the words stand in the table of contents only, which is never searched"


def _own(document: Document, match: Match) -> Match:
    """Count offsets from the start of the section where the caller gave a plain dict."""
    if document.format != PIECES:
        return match
    start = document.section_at(match.start).start
    return match._replace(start=match.start - start, end=match.end - start)


def _risks(document: Document, match: Match, quote: str, also_in: list[str]) -> list[str]:
    named = [change.risk for change in match.changes if change.risk]
    start, end = document.section_at(match.start).start, passage_end(document, match.end - 1)
    if risks.truncated(document.text[start:end], match.start - start, match.end - start):
        named.append("truncated")
    if risks.short(quote):
        named.append("short")
    if also_in:
        named.append("several")
    return list(dict.fromkeys(named))


def _hint(document: Document, match: Match, named: bool) -> str | None:
    if not named:
        return f"the words stand in another source: {document.name}"
    looks = next((c for c in match.changes if risks.look_alike(c.source, c.quote)), None)
    return (
        f"{looks.quote!r} looks like {looks.source!r} but is written with letters of another alphabet"
        if looks
        else None
    )
