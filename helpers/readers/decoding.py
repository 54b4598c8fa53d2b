"""Bytes to text: UTF-8 first, then what was declared, then the encoding in which the bytes look most like writing."""

from __future__ import annotations

import codecs
import re

from ..errors import SourceError

# Longer marks first: UTF-32's begins with UTF-16's.
WIDE_MARKS = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}
BINARY_MARKS = {
    b"PK\x03\x04": "a ZIP archive",
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"\xd0\xcf\x11\xe0": "an old binary Office file",
    b"{\\rtf": "an RTF file",
    b"%!PS": "a PostScript file",
    b"\x7fELF": "a program",
    b"SQLite format 3": "a database",
}
CONTROLS = bytes(set(range(32)) - set(b"\0\b\t\n\v\f\r\x1a\x1b")) + b"\x7f"
BINARY_SHARE = 0.02  # of control characters; printed text has none but backspaces and an end-of-file mark
OVERSTRUCK = re.compile(r"[^\n]\x08")  # bold and underlining of line printers: "N", backspace, "N"
NUL_SHARE = 0.7  # of every other byte: UTF-16 of Latin text; padding with NUL, as in RFC 736, is no such pattern
# A UTF-8 file with a few damaged bytes is still UTF-8: at least this share of its non-ASCII sequences must be sound.
SOUND_SHARE = 0.9
NO_CHARSETS = ("utf", "unicode", "raw", "idna", "punycode")  # Python codecs that would read a page as something else
# Browsers read these names as the larger sets that pages really use.
SUPERSETS = {
    **{"ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "gb2312": "gb18030", "gbk": "gb18030"},
    **{"shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs", "tis-620": "cp874"},
}


def decode(name: str, content: bytes, declared: str | None = None) -> tuple[str, list[str]]:
    """Return the text, lines ending in LF and NUL dropped, and what is doubtful about it, in words.

    `declared` is the charset that HTTP or `<meta>` names; it is believed unless the bytes are UTF-8 or do not fit it.
    Raises SourceError for content that is no text: empty, binary, UTF-16 or UTF-32.
    """
    refuse_what_is_no_text(name, content)
    text, doubts = to_text(content, declared)
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    text = OVERSTRUCK.sub("", text) if "\b" in text else text
    if not text.strip():
        raise SourceError(f"{name}: has no text in it; name a document with text")
    lost = text.count("\ufffd")
    if lost and not doubts:
        doubts = [undecodable(lost)]
    return text, doubts


def refuse_what_is_no_text(name: str, content: bytes) -> None:
    """Raise SourceError for bytes that no reader of text can make sense of."""
    if not content:
        raise SourceError(f"{name}: the file is empty; name a document with text")
    wide = next((encoding for mark, encoding in WIDE_MARKS.items() if content.startswith(mark)), None)
    head = content[:4096].rstrip(b"\0")
    if wide or any(half.count(0) > NUL_SHARE * len(half) for half in (head[::2], head[1::2])):
        raise SourceError(f"{name}: is {wide or 'UTF-16 or binary'}, not UTF-8; save it as UTF-8")
    kind = next((kind for mark, kind in BINARY_MARKS.items() if content.startswith(mark)), None)
    sample = content[:65536]
    if not kind and len(sample) - len(sample.translate(None, CONTROLS)) > BINARY_SHARE * len(sample):
        kind = "a binary file"
    if kind:
        raise SourceError(f"{name}: is {kind}, not a text; save the document as UTF-8 text, HTML, DOCX or PDF")


def to_text(content: bytes, declared: str | None) -> tuple[str, list[str]]:
    """Decode, and say how where it was not simply UTF-8."""
    codec = known_codec(declared or "")
    if not codec.startswith(("iso2022", "hz")):  # encodings in 7 bits look like ASCII
        try:
            return content.decode("utf-8"), []
        except UnicodeDecodeError:
            pass
    try:
        return content.decode(codec), [f"not UTF-8: read as {declared}, as declared"]
    except (LookupError, UnicodeError):
        pass
    text = content.decode("utf-8", errors="replace")
    strays = text.count("\ufffd")
    beyond_ascii = len(text) - len(text.encode("ascii", errors="ignore"))
    if strays <= (1 - SOUND_SHARE) * beyond_ascii:
        return text, [undecodable(strays)]
    from .charsets import likeliest_encoding

    encoding = likeliest_encoding(content)
    return content.decode(encoding, errors="replace"), [f"not UTF-8: read as {encoding}, a guess; save it as UTF-8"]


def known_codec(declared: str) -> str:
    """Return the codec for a declared charset, "unknown" for UTF-8, which was tried, and for what no page uses."""
    try:
        name = codecs.lookup(declared).name
    except (LookupError, ValueError):
        return "unknown"
    return "unknown" if name.startswith(NO_CHARSETS) else SUPERSETS.get(name, name)


def undecodable(count: int) -> str:
    """Say how many characters are lost."""
    return f"{count} undecodable character{'s' * (count > 1)} (shown as U+FFFD)"
