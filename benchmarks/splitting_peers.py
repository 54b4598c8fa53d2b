"""What one could use instead to cut a document into sections: each peer returns (title, text) of the parts it finds.

`benchmarks.parse` starts this module in the peers' environment. Where a library hands out headings or pages only, the
few lines around it are those that its documentation shows.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

Parts = list[tuple[str, str]]
LEVELS = range(1, 7)  # of headings in Markdown and HTML
FURNITURE = re.compile(r"^(?:Jones.*\[Page \d+\]|RFC 7519 .* 2015)$")  # the published splitter knows this RFC's only
HEADING = re.compile(r"(?m)^(\d+(?:\.\d+)*)\.  \S.*$|^Appendix .*$")


def published(path: Path) -> Parts:
    """Do as the published walkthrough: numbers at the margin, followed by a full stop and two blanks."""
    lines = [
        line for line in path.read_text(encoding="utf-8").replace("\f", "").split("\n") if not FURNITURE.match(line)
    ]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
    found = list(HEADING.finditer(text))
    ends = [heading.start() for heading in found[1:]] + [len(text)]
    return [(h[1], text[h.start() : end].strip()) for h, end in zip(found, ends, strict=True) if h[1]]


def by_pattern(path: Path) -> Parts:
    """Cut Markdown at lines that begin with a number sign."""
    pieces = re.split(r"(?m)^#{1,6} +(.+?)$", path.read_text(encoding="utf-8"))
    return list(zip(pieces[1::2], pieces[2::2], strict=True))


def langchain_markdown(path: Path) -> Parts:
    """Take LangChain's splitter at Markdown headings."""
    from langchain_text_splitters import MarkdownHeaderTextSplitter

    splitter = MarkdownHeaderTextSplitter([("#" * level, str(level)) for level in LEVELS])
    return titled(splitter.split_text(path.read_text(encoding="utf-8")))


def langchain_html(path: Path) -> Parts:
    """Take LangChain's splitter at HTML headings."""
    from langchain_text_splitters import HTMLHeaderTextSplitter

    splitter = HTMLHeaderTextSplitter([(f"h{level}", str(level)) for level in LEVELS])
    return titled(splitter.split_text(path.read_text(encoding="utf-8")))


def titled(chunks: list[Any]) -> Parts:
    """Return LangChain's chunks by their innermost heading."""
    return [(chunk.metadata[max(chunk.metadata)] if chunk.metadata else "", chunk.page_content) for chunk in chunks]


def beautiful_soup(path: Path) -> Parts:
    """Take the text between headings, as the parser gives it."""
    from bs4 import BeautifulSoup

    soup = BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
    names = [f"h{level}" for level in LEVELS]
    parts: Parts = []
    for tag in soup.body.find_all([*names, "p", "pre", "div", "script", "li"]):
        if tag.name in names:
            parts.append((tag.get_text(), ""))
        elif parts:
            parts[-1] = (parts[-1][0], f"{parts[-1][1]}\n{tag.get_text()}")
    return parts


def pypdf(path: Path) -> Parts:
    """Take the text of each page."""
    from pypdf import PdfReader

    return [("", page.extract_text()) for page in PdfReader(path).pages]


def pdfminer(path: Path) -> Parts:
    """Take the text, a page after the other."""
    from pdfminer.high_level import extract_text

    return [("", page) for page in extract_text(path).split("\f")]


SPLITTERS: dict[str, dict[str, Callable[[Path], Parts]]] = {
    "RFC text": {"published walkthrough": published},
    "Markdown": {"pattern": by_pattern, "langchain-text-splitters": langchain_markdown},
    "HTML": {"beautifulsoup4": beautiful_soup, "langchain-text-splitters": langchain_html},
    "PDF": {"pypdf": pypdf, "pdfminer.six": pdfminer},
}


def split(format: str, name: str, path: str, warm: str) -> tuple[float, Parts]:
    """Return the processor seconds of one document, and its parts; a small one is read before, for the imports."""
    splitter = SPLITTERS[format][name]
    splitter(Path(warm))
    start = time.process_time()
    parts = splitter(Path(path))
    return time.process_time() - start, parts


if __name__ == "__main__":
    from benchmarks.peers import serve

    serve({"split": split})
