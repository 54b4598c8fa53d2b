"""HTML: the text a browser shows, in reading order; labels from headings."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

from ..documents import Document, Section
from ..errors import SourceError
from .parts import Writer, outline_of, tell_apart, words
from .tags import tokens

CHARSET = re.compile(
    rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]+)|<\?xml[^>]{0,100}?encoding\s*=\s*[\"']([\w.:-]+)", re.I
)
CHARSET_WITHIN = 4096  # bytes; browsers look at the first 1024
VOID = words("area base br col embed hr img input link meta param source track wbr")
NEVER_SHOWN = words(
    "head script style template noscript title iframe object datalist annotation annotation-xml desc rp rt"
)
HEADINGS = words("h1 h2 h3 h4 h5 h6")
SPACED = HEADINGS | words(  # with a blank line around them; the blocks below only begin a line
    "address article blockquote body dl fieldset figure footer header hr main nav ol p pre section table ul"
)
LINES = words(
    "aside button caption center dd details dialog dir div dt figcaption form legend li menu optgroup option select"
    " summary tbody textarea tfoot thead tr"
)
PREFORMATTED = words("pre textarea xmp listing")
CELLS = words("td th")
CLOSED_BY_NEXT = words("li dt dd tr td th option p")  # their end tags may be left out
INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
CONTENTS_WORDS = frozenset(
    ("toc", "contents", "table-of-contents", "tableofcontents", "sphinxsidebar", "doc-toc", "navigation")
)
LINKED_SHARE = 0.8  # of a contents list's text stands in links; a chapter that merely is called "contents" has far less
PERMALINKS = frozenset("¶#§🔗")  # the whole text of the link that documentation tools put behind a heading
SHOWN = re.compile(r"\S")
# 10<sup>2</sup> is not 102: digits keep their place above the line.
RAISED = re.compile(r"[+−-]?\d{1,3}")
NOTE = re.compile(r"\s*\[?\s*(\d{0,3})\s*\]?\s*")  # a raised link, in one piece or with its brackets apart
SUPERSCRIPT = str.maketrans("0123456789+-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻")


class Element(NamedTuple):
    """Describe an open element, and what holds within it."""

    tag: str
    hidden: bool
    preformatted: bool
    linked: bool
    note: bool  # it is, or is in, a raised link: the mark of a footnote
    listing: bool  # it may turn out to be a table of contents, and is written apart until it ends


def declared_charset(content: bytes) -> str | None:
    """Return the charset that `<meta>` or the XML declaration names."""
    match = CHARSET.search(content[:CHARSET_WITHIN])
    return (match[1] or match[2]).decode("ascii", errors="ignore") if match else None


def read_html(name: str, text: str, *, sha256: str = "", doubts: list[str] | None = None) -> Document:
    """Return the text of a page; lists of links for finding one's way stand at its end, as one part of contents."""
    writer, aside = Writer(), Writer()
    write_html(writer, text, 1, aside)
    if not writer.size:
        writer, aside = aside, Writer()  # a page of links only is about its links
    if not writer.size:
        raise SourceError(f"{name}: shows no text; save the page from a browser, as HTML or text")
    shown = writer.text()
    parts = outline_of(shown, writer.headings)
    marks = writer.line_marks
    if aside.size:
        start = len(shown)
        shown += "\n" + aside.text()
        parts = tell_apart([*parts, Section("Contents", "Contents", start, len(shown), contents=True)])
        marks += [(start + 1 + offset, line) for offset, line in aside.line_marks]
    places = anchors_in(shown, writer)
    return Document(name, shown, parts, format="html", sha256=sha256, doubts=doubts, line_marks=marks, anchors=places)


def anchors_in(shown: str, writer: Writer) -> dict[str, int]:
    """Return the offset of the first character of what each `id` names: it may stand on an element before a heading."""
    found: dict[str, int] = {}
    for name, offset in writer.anchors:
        if text := SHOWN.search(shown, offset):
            found.setdefault(name, text.start())
    return found


def write_html(writer: Writer, markup: str, first_line: int, aside: Writer | None = None) -> None:
    """Write what is shown of a page or fragment; contents lists go to `aside`, if given."""
    page = Page(writer, aside)
    for token in tokens(markup, first_line):
        page.line = token.line
        if token.kind == "text":
            page.add(token.text)
        elif token.kind == "end":
            page.close(token.text)
        else:
            page.start(token.text, token.attributes)
            if token.closed:
                page.close(token.text)
    page.close("")


class Page:
    """Follow the tags of a page and write its text as a browser shows it."""

    def __init__(self, writer: Writer, aside: Writer | None) -> None:
        self.writers = [writer]
        self.aside = aside
        self.line = 0  # of the file
        self.shares: list[list[int]] = []  # of each open listing: characters within links, and outside them
        self.open: list[Element] = [Element("", False, False, False, False, False)]
        self.cell_start = -1  # size of the text when the innermost table cell began
        self.counts = Counter({"": 1})  # of open tags: an end tag that fits none must not cost a search

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """Open an element."""
        self.close_implied(tag)
        around = self.open[-1]
        if not around.hidden:
            self.begin(tag)
            if name := attributes.get("id") or (tag == "a" and attributes.get("name")):
                self.writers[-1].anchors.append((name, self.writers[-1].size))
        if tag in VOID:
            return
        hidden = around.hidden or tag in NEVER_SHOWN or is_hidden(tag, attributes)
        listing = self.aside is not None and not hidden and is_listing(tag, attributes)
        if listing:
            self.writers.append(Writer())
            self.shares.append([0, 0])
        preformatted = around.preformatted or tag in PREFORMATTED
        note = around.note or (tag == "a" and self.counts["sup"] > 0)
        self.open.append(Element(tag, hidden, preformatted, around.linked or tag == "a", note, listing))
        self.counts[tag] += 1

    def close(self, tag: str) -> None:
        """Close the innermost element with this tag and all within it; the tag "" is around the whole page."""
        if self.counts[tag]:
            while self.leave() != tag:
                pass

    def add(self, text: str) -> None:
        """Write text as the element around it has it."""
        around, writer = self.open[-1], self.writers[-1]
        if around.hidden or (around.tag == "a" and text.strip() in PERMALINKS):
            return
        if self.shares and not any(self.counts[heading] for heading in HEADINGS):
            self.shares[-1][not around.linked] += len(text.strip())
        if around.note and (mark := NOTE.fullmatch(text)):
            writer.write(mark[1] and f"⁽{mark[1].translate(SUPERSCRIPT)}⁾", self.line)
        elif around.preformatted:
            writer.write(text, self.line)
        elif self.counts["sup"] and RAISED.fullmatch(text):
            writer.write(text.translate(SUPERSCRIPT), self.line)
        else:
            writer.flow(text, self.line)

    def begin(self, tag: str) -> None:
        """Put the layout before an element."""
        writer = self.writers[-1]
        if tag in CELLS:
            self.cell_start = writer.size
        elif self.open[-1].tag in CELLS and writer.size == self.cell_start:
            pass  # a paragraph in a table cell keeps to the cell's line
        elif tag == "br":
            writer.end_block(min(writer.breaks + 1, 2))
        elif tag in SPACED:
            writer.end_block()
        elif tag in LINES:
            writer.end_block(1)
        elif tag == "q":
            writer.write("“", self.line)
        if tag in HEADINGS:
            writer.begin_heading()

    def leave(self) -> str:
        """Close the innermost element and return its tag."""
        element = self.open.pop()
        self.counts[element.tag] -= 1
        if not element.hidden:
            self.end(element.tag)
        if element.listing:
            self.end_listing()
        return element.tag

    def end(self, tag: str) -> None:
        """Put the layout behind an element."""
        writer = self.writers[-1]
        if tag in HEADINGS:
            writer.end_heading(int(tag[1]))
        if tag in SPACED:
            writer.end_block()
        elif tag in LINES:
            writer.end_block(1)
        elif tag in CELLS:
            writer.breaks, writer.gap = 0, "\t"
        elif tag == "q":
            writer.write("”", self.line)

    def end_listing(self) -> None:
        """Decide whether a listing was one of contents, and add it where it belongs."""
        listing, (linked, other) = self.writers.pop(), self.shares.pop()
        if self.aside is not None and linked and linked >= LINKED_SHARE * (linked + other):
            listing.headings.clear()
            self.aside.absorb(listing)
        else:
            self.writers[-1].absorb(listing)

    def close_implied(self, tag: str) -> None:
        """Close what the start of this element ends by itself."""
        top = self.open[-1].tag
        sibling = top == tag in CLOSED_BY_NEXT or {top, tag} in ({"dt", "dd"}, {"td", "th"})
        if sibling or (top == "p" and (tag in SPACED or tag in LINES)):
            self.leave()


def is_hidden(tag: str, attributes: dict[str, str]) -> bool:
    """Tell whether a browser shows nothing of this element."""
    return (
        ("hidden" in attributes and attributes["hidden"] != "until-found")
        or bool(INVISIBLE.search(attributes.get("style", "")))
        or (tag == "dialog" and "open" not in attributes)
    )


def is_listing(tag: str, attributes: dict[str, str]) -> bool:
    """Tell whether the element says that it is for finding one's way."""
    words = " ".join(attributes.get(key, "") for key in ("class", "id", "role")).lower().split()
    return tag == "nav" or (
        tag in ("div", "ul", "ol", "dl", "section", "aside", "details", "table") and bool(CONTENTS_WORDS & set(words))
    )
