"""What a shell command reads: which arguments are sources, which the citations, and where answers are recorded."""

from __future__ import annotations

import os
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from ..asking.judge import SERVED_ALIAS
from ..citations import Citation, load_citations, read_citations
from ..documents import Document
from ..errors import CitationCheckError, CitationFileError
from ..judging import SHIPPED_CACHE, TYPESAFE_MODEL

ROOT = Path(__file__).resolve().parents[2]
SHIPPED_SOURCE, SHIPPED_CITATIONS = ROOT / "rfc7519.txt", ROOT / "citations.json"
STDIN = "-"
READABLE = (".txt", ".md", ".markdown", ".html", ".htm", ".xhtml", ".pdf", ".docx", ".rst", ".adoc", ".tex")


class Inputs(NamedTuple):
    """Name what a check reads: source paths or URLs, the citations file or "-", the cache file."""

    sources: list[str]
    citations: str
    cache: Path
    shipped: bool  # the shipped source and citations, whose published answers are replayed


def choose_inputs(arguments: list[str], cache: str | None) -> Inputs:
    """Sort positional arguments: the last one, JSON or "-", is the citations file, and sources stand before it."""
    _refuse_empty(arguments)
    names = [n for n, argument in enumerate(arguments) if _is_citations(argument)]
    if arguments and not names:
        advice = "put one that ends in .json after the sources" + ", not a URL" * ("://" in arguments[-1])
        raise CitationCheckError(f"{arguments[-1]}: no citations file is named; {advice}")
    if names and names[-1] != len(arguments) - 1:
        raise CitationCheckError(
            f"{arguments[-1]}: stands after the citations file {arguments[names[-1]]}; sources come first"
        )
    citations = arguments[-1] if arguments else str(SHIPPED_CITATIONS)
    sources = arguments[:-1] or [str(SHIPPED_SOURCE)]
    shipped = len(sources) == 1 and _same(sources[0], SHIPPED_SOURCE) and _same(citations, SHIPPED_CITATIONS)
    if len(arguments) == 1 and not shipped:
        name = "stdin" if citations == STDIN else citations
        warnings.warn(f"{name}: no source is named before it, so {SHIPPED_SOURCE.name} is searched", stacklevel=2)
    return Inputs(sources, citations, Path(cache) if cache else cache_beside(citations, shipped), shipped)


def choose_model(model: str | None, shipped: bool) -> str:
    """Return --model, else what made the shipped recording, else TYPESAFE_MODEL, else the newest."""
    return model or (TYPESAFE_MODEL if shipped else os.environ.get("TYPESAFE_MODEL", "").strip() or SERVED_ALIAS)


def read_sources(names: list[str], copies: Path | None, offline: bool) -> list[Document]:
    """Read every source once; a folder stands for the readable files in it; doubts about a text become warnings.

    `copies` is the folder where fetched documents are kept for offline runs, None to keep none.
    """
    from ..parsing import read_document

    files = _files(names)
    documents = [read_document(name, copies=copies, offline=offline) for name in files]
    alike = Counter(document.name for document in documents)
    for document, name in zip(documents, files, strict=True):
        if alike[document.name] > 1:
            document.name = name  # two folders may each hold a README.md
        for doubt in document.doubts:
            warnings.warn(f"{document.name}: {doubt}", stacklevel=2)
    return documents


def read_source(name: str) -> Document:
    """Read one source for a look at it; nothing is kept."""
    _refuse_empty([name])
    if Path(name).is_dir():
        raise CitationCheckError(f"{name}: is a folder; name one document in it")
    return read_sources([name], None, False)[0]


def read_citations_of(name: str, documents: list[Document]) -> list[Citation]:
    """Read the citations file, or stdin for "-"; "#N" as a source becomes the name of the N-th document."""
    if name != STDIN:
        citations = load_citations(name)
    else:
        try:
            text = sys.stdin.buffer.read().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise CitationFileError("stdin", [f"byte {error.start} is not UTF-8"]) from error
        citations = read_citations(text, "stdin", lines=_holds_lines(text))
    for citation in citations:
        number = citation.get("source", "").removeprefix("#")
        if citation.get("source", "").startswith("#") and number.isdecimal() and int(number) < len(documents):
            citation["source"] = documents[int(number)].name
    shown = "stdin" if name == STDIN else name
    if not citations:
        warnings.warn(f"{shown}: holds no citation, so there is nothing to check", stacklevel=2)
    _warn_of_unknown_sources(shown, citations, documents)
    return citations


def _warn_of_unknown_sources(name: str, citations: list[Citation], documents: list[Document]) -> None:
    from ..locating import is_named

    for source in dict.fromkeys(c["source"] for c in citations if "source" in c):
        if not any(is_named(document, source) for document in documents):
            given = ", ".join(document.name for document in documents)
            warnings.warn(f"{name}: source {source!r} is none of the documents given: {given}", stacklevel=3)


def _refuse_empty(names: list[str]) -> None:
    if not all(map(str.strip, names)):  # a shell's variable that is not set, say; as a path it is the current folder
        raise CitationCheckError("an argument is empty; give the name of a file")


def _is_citations(argument: str) -> bool:
    return argument == STDIN or (argument.lower().endswith((".json", ".jsonl")) and "://" not in argument)


def _same(name: str, path: Path) -> bool:
    try:
        return Path(name).samefile(path)
    except OSError:
        return False


def cache_beside(citations: str, shipped: bool) -> Path:
    """Return where answers are recorded unless --cache says otherwise."""
    if shipped:
        return SHIPPED_CACHE
    return Path("stdin.cache.json") if citations == STDIN else Path(citations).with_suffix(".cache.json")


def as_file(name: str) -> str:
    """Return a name as a command can have it: one that begins with - would be read as an option."""
    return f"./{name}" if name[:1] == "-" != name else name


def _files(names: list[str]) -> list[str]:
    files: list[str] = []
    for name in names:
        folder = Path(name)
        if "://" in name or not folder.is_dir():
            files.append(name)
            continue
        inside = sorted(
            p for p in folder.rglob("*") if p.suffix.lower() in READABLE and p.is_file() and not _hidden(p, folder)
        )
        if not inside:
            raise CitationCheckError(
                f"{name}: is a directory without a document in it; readable are {', '.join(READABLE)}"
            )
        files += map(str, inside)
    return files


def _hidden(path: Path, folder: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(folder).parts)


def _holds_lines(text: str) -> bool:
    """Say whether text from a pipe is JSON lines: it has no name to tell by, but its first line is a whole citation."""
    from ..strictjson import parse

    value, fault = parse(text.lstrip().split("\n", 1)[0], "")
    return fault is None and isinstance(value, dict) and "claim" in value
