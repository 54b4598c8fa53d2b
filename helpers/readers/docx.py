"""DOCX: made into HTML by mammoth, and read as HTML."""

from __future__ import annotations

import io
import zipfile

from ..documents import Document
from ..errors import SourceError
from .html import read_html

UNPACKED_LIMIT = 200_000_000  # bytes; a few hundred kilobytes of ZIP can hold gigabytes of nothing


def read_docx(name: str, content: bytes, *, sha256: str = "") -> Document:
    """Return the document, labels from its heading styles; SourceError for another ZIP archive or a broken file."""
    import mammoth  # type: ignore[import-untyped]

    check_archive(name, content)
    style_map = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => p:fresh"
    try:
        html = mammoth.convert_to_html(
            io.BytesIO(content),
            style_map=style_map,
            convert_image=mammoth.images.img_element(lambda _: {}),
        ).value
    except Exception as fault:  # mammoth and the XML parser under it raise what they meet
        raise SourceError(f"{name}: is a broken DOCX file ({type(fault).__name__}); save it anew") from None
    document = read_html(name, html, sha256=sha256)
    document.format, document.line_marks = "docx", None
    return document


def check_archive(name: str, content: bytes) -> None:
    """Raise SourceError for a ZIP archive that is no DOCX, or unpacks to far too much."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            names = set(archive.namelist())
            size = sum(entry.file_size for entry in archive.infolist())
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError):
        raise SourceError(f"{name}: is a broken DOCX or ZIP file; save it anew") from None
    if "word/document.xml" not in names:
        kind = "an OpenDocument or EPUB file" if "mimetype" in names else "a ZIP archive, not a DOCX file"
        raise SourceError(f"{name}: is {kind}; save the document as DOCX, PDF, HTML or text")
    if size > UNPACKED_LIMIT:
        raise SourceError(f"{name}: unpacks to over {UNPACKED_LIMIT // 10**6} MB; save it as plain text")
