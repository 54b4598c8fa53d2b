"""The source document: read it, whatever its format, and split it into labelled sections."""

from __future__ import annotations

from pathlib import Path

from .documents import Document, Section, Sections, Source


def load_source(path: str | Path = "rfc7519.txt") -> Source:
    """Return the text of a file or an http(s) URL without page furniture and markup.

    Text, Markdown, HTML, PDF and DOCX are told apart by content and name.
    Raises SourceError.
    """
    return Source(read_document(path))


def split_sections(source: str) -> Sections:
    """Return label -> text: numbered sections, or all parts where none has a number."""
    document = document_of(source)
    parts = [part for part in document.outline if not part.contents]
    if document.format == "rfc":
        parts = [part for part in parts if part.numbered]
    return Sections({part.label: document.section_text(part) for part in parts}, document)


def outline(source: str) -> list[Section]:
    """Return all parts, front matter, contents and appendices too; together they are the whole text."""
    return document_of(source).outline


def read_document(path: str | Path, *, copies: Path | None = None, offline: bool = False) -> Document:
    """Read a file, or fetch a URL and keep its copy in the folder `copies`; `offline` reads it. Raises SourceError."""
    from .readers.formats import read_bytes, read_file

    if "://" in str(path):
        from .fetching import fetch

        fetched = fetch(str(path), copies, offline=offline)
        return read_bytes(str(path), fetched.content, kind=fetched.kind, charset=fetched.charset)
    document = read_bytes(str(path), read_file(path))
    document.name = Path(path).name  # errors above name the whole path; results and reports travel
    return document


def document_of(source: str) -> Document:
    """Return the document a source was loaded from; a plain string is read as text."""
    if isinstance(source, Source):
        return source.document
    from .readers.text import read_text

    return read_text("source", source)
