"""The shapes of step 1: a named difference, a located passage, and all that is known of one citation's quote."""

from __future__ import annotations

from typing import NamedTuple

from ..documents import Document


class Change(NamedTuple):
    """Name one difference: the words in the source and in the quote ("" where one side has none)."""

    source: str
    quote: str
    risk: str | None  # modality, negation, number, quantifier, exception


class Match(NamedTuple):
    """Locate a quote: `text` is what stands at `[start, end)`, code points of `Document.text`; `similarity` is 0..1."""

    kind: str  # found: exact, typographic; altered: abridged, edited, case, words
    start: int
    end: int
    text: str
    changes: list[Change]
    similarity: float


class Trace(NamedTuple):
    """Tell where one citation's quote stands, with which differences, and which section is to be judged."""

    status: str  # found, altered, missing, section-only
    found_in: str | None
    also_in: list[str]
    section_ok: bool | None  # None: no section was cited, or one of a kind that the document does not have
    match: Match | None
    risks: list[str]
    section: str | None  # text of the section to be judged
    document: Document | None  # the one it was found in or checked against; None for a plain dict
    hint: str | None  # a sentence for a reader


Searchable = dict[str, str] | Document | list[Document]
