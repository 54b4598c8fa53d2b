"""Markdown: what a viewer shows, without the marks; labels from headings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..documents import Document
from .parts import Writer, outline_of, words

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

YAML_HEAD = re.compile(r"---[ \t]*\n(?=[\w\"'-]+[ \t]*:)(.*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)", re.DOTALL)
TAG_NAME = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)")
# Any other <name> in running text is a placeholder ("clone <url>") that its author forgot to escape: it is kept.
HTML_TAGS = words(
    "a abbr acronym b bdi bdo big br button center cite code data del details dfn div em font i img input ins kbd label"
    " mark p picture pre q rp rt ruby s samp script small source span strike strong style sub summary sup svg table"
    " tbody td th thead time tr tt u var video wbr"
)
# `__init__` is bold "init" to the letter of CommonMark, and never meant so.
PYTHON_NAMES = words(
    "all call class del delitem dict doc enter eq exit file future getattr getitem hash init iter len main name new"
    " next path post_init repr setattr setitem slots str version"
)
# `# Scope {#scope}`: what many Markdown dialects read as the heading's id is no part of the label.
HEADING_ID = re.compile(r"(?<=\S)[ \t]*\{:? ?[#.][^{}]*\}$")
ONE_LINE = ("tr_close", "thead_close", "tbody_close", "list_item_close")
NESTING = 30  # lists in lists; each level more makes a page of unfinished links take longer


def read_markdown(name: str, text: str, *, sha256: str = "", doubts: list[str] | None = None) -> Document:
    """Return the document without its marks; code is verbatim, YAML front matter is kept as its first part."""
    writer = Writer()
    skipped = 0
    head = YAML_HEAD.match(text)
    if head:
        writer.write(head[1], 2)
        writer.end_block()
        skipped = head[0].count("\n")
        text = text[head.end() :]
    write_blocks(writer, make_parser().parse(text), skipped + 1)
    shown = writer.text()
    headings = [heading._replace(title=HEADING_ID.sub("", heading.title)) for heading in writer.headings]
    return Document(
        name,
        shown,
        outline_of(shown, headings),
        format="markdown",
        sha256=sha256,
        doubts=doubts,
        line_marks=writer.line_marks,
    )


def make_parser() -> MarkdownIt:
    """Return a parser for CommonMark with tables, to which "[^1]: note" is text and not the target of a link."""
    from markdown_it import MarkdownIt
    from markdown_it.rules_block import StateBlock, reference

    def link_target(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        footnote = state.src.startswith("[^", state.bMarks[start] + state.tShift[start])
        return not footnote and reference(state, start, end, silent)

    parser = MarkdownIt("commonmark", {"maxNesting": NESTING}).enable(["table", "strikethrough"])
    parser.block.ruler.at("reference", link_target)
    return parser


def write_blocks(writer: Writer, tokens: list[Token], first_line: int) -> None:
    """Write the block tokens one after the other; `first_line` is where in the file the parsed text begins."""
    from .html import write_html

    line = first_line
    for token in tokens:
        if token.map:
            line = first_line + token.map[0]
        if token.type == "inline":
            write_inline(writer, token.children or [], line)
        elif token.type in ("fence", "code_block"):
            writer.write(token.content.rstrip("\n"), line + (token.type == "fence"))
            writer.end_block()
        elif token.type == "html_block":
            write_html(writer, token.content, line)
        elif token.type == "list_item_open":
            writer.write(f"{token.info}{token.markup} ", line)
        elif token.type == "heading_open":
            writer.begin_heading()
        elif token.type == "heading_close":
            writer.end_heading(int(token.tag[1]))
            writer.end_block()
        elif token.type in ("td_close", "th_close"):
            writer.gap = "\t"
        elif token.nesting < 1 and token.block:
            writer.end_block(1 if token.hidden or token.type in ONE_LINE else 2)


def write_inline(writer: Writer, tokens: list[Token], line: int) -> None:
    """Write the running text of one block, line breaks as in the file."""
    for text in inline_text(tokens):
        writer.write(text, line)
        line += text.count("\n")


def inline_text(tokens: list[Token]) -> Iterator[str]:
    """Yield what is shown of each inline token."""
    for number, token in enumerate(tokens):
        if token.type in ("softbreak", "hardbreak"):
            yield "\n"
        elif token.type == "html_inline":
            tag = TAG_NAME.match(token.content)
            if tag and tag[1].lower() == "br":
                yield " "
            elif tag and tag[1].lower() not in HTML_TAGS:
                yield token.content
        elif token.markup == "__" and token.nesting:
            word = tokens[number + token.nesting]  # the token after an opening mark, or before a closing one
            if word.type == "text" and word.content in PYTHON_NAMES:
                yield "__"
        else:
            yield token.content
