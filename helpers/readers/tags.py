"""Cut HTML into tags and text as the standard's tokenizer does, in time linear in the page, however broken it is.

The standard library's parser and the ones built on it take minutes for a hundred kilobytes of unfinished tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

NAME = re.compile(r"[a-zA-Z][^\s/>]*")
ATTRIBUTE = re.compile(r"[\s/]*([^\s/>][^\s/>=]*)(?:\s*=\s*(?:\"([^\"]*)(?:\"|\Z)|'([^']*)(?:'|\Z)|([^\s>]*)))?")
TAG_END = re.compile(r"[\s/]*>")
# What stands in these is no markup, up to their end tag.
RAW = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE) for name in ("script", "style", "textarea", "title", "xmp")
}
WITH_ENTITIES = ("textarea", "title")


class Token(NamedTuple):
    """Be a piece of a page: "text", or the "start" or "end" of the element `text`; `line` is where it ends."""

    kind: str
    text: str
    line: int
    attributes: dict[str, str]
    closed: bool = False  # <br/>


def tokens(markup: str, first_line: int) -> Iterator[Token]:
    """Yield text (entities read) and tags in order; comments and declarations are left out."""
    position, line = 0, first_line
    while position < len(markup):
        token, end = next_token(markup, position, line)
        line += markup.count("\n", position, end)
        position = end
        if token:
            yield token if token.kind == "text" else token._replace(line=line)
        if token and token.kind == "start" and token.text in RAW and not token.closed:
            found = RAW[token.text].search(markup, position)
            end = found.start() if found else len(markup)
            text = markup[position:end]
            yield Token("text", unescape(text) if token.text in WITH_ENTITIES else text, line, {})
            line += text.count("\n")
            position = end


def next_token(markup: str, position: int, line: int) -> tuple[Token | None, int]:
    """Return the token that begins here and where it ends; None for what is not shown."""
    if markup[position] != "<":
        end = find(markup, "<", position)
        return Token("text", unescape(markup[position:end]), line, {}), end
    if markup.startswith("<!--", position):
        return None, find(markup, "-->", position + 2) + 3
    closing = markup.startswith("/", position + 1)
    name = NAME.match(markup, position + 1 + closing)
    if name:
        return tag(markup, name, closing)
    if closing or markup.startswith(("!", "?"), position + 1):
        return None, find(markup, ">", position) + 1
    return Token("text", "<", line, {}), position + 1  # "a < b"


def tag(markup: str, name: re.Match[str], closing: bool) -> tuple[Token | None, int]:
    """Return the tag with this name and where it ends; an unfinished one at the end of the page is dropped."""
    attributes: dict[str, str] = {}
    position = name.end()
    while not (end := TAG_END.match(markup, position)):
        found = ATTRIBUTE.match(markup, position)
        if not found:
            return None, len(markup)
        attributes.setdefault(found[1].lower(), unescape(found[2] or found[3] or found[4] or ""))
        position = found.end()
    closed = "/" in end[0]
    return Token("end" if closing else "start", name[0].lower(), 0, attributes, closed), end.end()


def find(markup: str, what: str, position: int) -> int:
    """Return where this comes next, the end of the page when it does not."""
    found = markup.find(what, position)
    return len(markup) if found < 0 else found
