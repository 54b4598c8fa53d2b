"""Which reader a source needs, told by its first bytes, its name and what a server said it is."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path, PurePosixPath

from ..documents import Document
from ..errors import SourceError
from .decoding import decode

SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mkd": "markdown",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
}
MEDIA_TYPES = {
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/html": "html",
    "application/xhtml+xml": "html",
}
HTML_LIMIT = 20_000_000  # bytes; a page's tree takes some thirty times its size in memory
# A page saved under another name still begins as one; a text that only mentions tags does not.
HTML_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]", re.IGNORECASE | re.DOTALL
)


def read_file(path: str | Path) -> bytes:
    """Return the bytes of a file. Raises SourceError, in words a user can act on."""
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        what = "is a link to a file that does not exist" if Path(path).is_symlink() else "does not exist"
        raise SourceError(f"{path}: {what}; check the name of the source document") from None
    except (OSError, ValueError) as fault:  # ValueError: a NUL in the name
        if isinstance(fault, OSError) and Path(path).is_dir():
            raise SourceError(f"{path}: is a folder; name a document in it") from None
        raise SourceError(f"{path}: cannot be read ({getattr(fault, 'strerror', None) or fault})") from None


def read_bytes(name: str, content: bytes, *, kind: str | None = None, charset: str | None = None) -> Document:
    """Read a source with the reader for its format; `kind` is the media type and `charset` what a server declared."""
    sha256 = hashlib.sha256(content).hexdigest()
    if b"%PDF-" in content[:1024]:
        from .pdf import read_pdf

        return read_pdf(name, content, sha256=sha256)
    if content.startswith(b"PK\x03\x04"):
        from .docx import read_docx

        return read_docx(name, content, sha256=sha256)
    chosen = format_of(name, content, kind)
    if chosen == "html":
        from .html import declared_charset, read_html

        if len(content) > HTML_LIMIT:
            raise SourceError(f"{name}: is over {HTML_LIMIT // 10**6} MB of HTML; split it or save it as plain text")
        text, doubts = decode(name, content, charset or declared_charset(content))
        return read_html(name, text, sha256=sha256, doubts=doubts)
    text, doubts = decode(name, content, charset)
    if chosen == "markdown":
        from .markdown import read_markdown

        return read_markdown(name, text, sha256=sha256, doubts=doubts)
    from .text import read_text

    return read_text(name, text, sha256=sha256, doubts=doubts)


def format_of(name: str, content: bytes, kind: str | None = None) -> str:
    """Return "html", "markdown" or "text": what the server says, then what the content is, then what the name says."""
    if kind in MEDIA_TYPES:
        return MEDIA_TYPES[kind]
    suffix = PurePosixPath(re.split("[?#]", name)[0] if "://" in name else name.replace("\\", "/")).suffix.lower()
    if suffix not in SUFFIXES and HTML_START.match(content[:2000]):
        return "html"
    return SUFFIXES.get(suffix, "text")
