"""Who parses documents and locates citations: processes of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import faulthandler
import functools
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from ..checking import in_one_line, locate_citations
from ..citations import Citation
from ..documents import Document
from ..errors import CitationCheckError, SourceError
from ..outcomes import Located

KEPT = 2  # documents that a process keeps parsed: all citations of one come in a row, from a few tasks at once
PATIENCE = 300.0  # seconds for one task; the longest RFC takes two, so what needs more has met a trap
PER_PROCESS = 3  # tasks under way for each: one at work, the next one's bytes on their way, one being judged


class Content(NamedTuple):
    """Be a document as it came: file name without its folder, bytes, and what a server said of them."""

    name: str
    content: bytes
    kind: str | None = None
    charset: str | None = None


class Engine(NamedTuple):
    """Offer `run(function, content, *arguments)`, which waits for the result, to about `tasks` threads at once."""

    run: Callable[..., Any]
    tasks: int


def locate_document(content: Content, citations: Sequence[Citation]) -> list[Located]:
    """Parse a document and locate citations in it; raises SourceError. The document itself stays where this runs."""
    try:
        document = parse(content)
    except CitationCheckError:
        raise
    except Exception as error:  # a reader's library met what it did not expect
        raise SourceError(f"{content.name}: cannot be read: {in_one_line(error)}") from None
    return [_without_text(row) for row in locate_citations(document, citations)]


@functools.lru_cache(maxsize=KEPT)
def parse(content: Content) -> Document:
    """Return the document that these bytes are; the last few are kept."""
    from ..readers.formats import read_bytes

    return read_bytes(content.name, content.content, kind=content.kind, charset=content.charset)


def _without_text(row: Located) -> Located:
    """Leave out what judging does not need: all of the document but its doubts."""
    document = row.found.document
    rest = Document(document.name, "", [], doubts=document.doubts) if document else None
    return row._replace(found=row.found._replace(document=rest, section=None))


class Pool:
    """Work in processes of this machine; a document on which a process dies costs no other document anything."""

    def __init__(self, processes: int, patience: float = PATIENCE) -> None:
        self.processes, self.patience = processes, patience
        self.lock, self.alone = threading.Lock(), threading.Lock()
        self.pool: ProcessPoolExecutor | None = None

    def run(self, function: Callable[..., Any], content: Content, *arguments: Any) -> Any:
        """Return what the function returns; if its process dies or takes too long, try once more in its own."""
        task = (_within, self.patience, function, content, *arguments)
        with self.lock:
            pool = self.pool = self.pool or _processes(self.processes)
        with suppress(BrokenProcessPool):
            return pool.submit(*task).result()
        with self.lock:
            if self.pool is pool:
                self.pool = None
        with self.alone, _processes(1) as own:
            try:
                return own.submit(*task).result()
            except BrokenProcessPool:
                trap = f"killed its process or took over {self.patience:.0f} s, twice; leave it out or make it smaller"
                raise SourceError(f"{content.name}: {trap}") from None

    def close(self) -> None:
        """End the processes without waiting for what they are doing."""
        if self.pool:
            self.pool.shutdown(wait=False, cancel_futures=True)


def _within(seconds: float, function: Callable[..., Any], *arguments: Any) -> Any:
    """End this process where the function takes longer: nothing less stops a library that never returns."""
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)
        try:
            return function(*arguments)
        finally:
            faulthandler.cancel_dump_traceback_later()


def _processes(count: int) -> ProcessPoolExecutor:
    # spawn: a fork of a process with threads may inherit a lock that nobody will ever release
    return ProcessPoolExecutor(count, multiprocessing.get_context("spawn"), initializer=_begin)


def _begin() -> None:
    """Leave Ctrl-C to the parent, and end with it even where it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent:
        parent.join()
        os._exit(1)


@contextmanager
def local_engine(processes: int) -> Iterator[Engine]:
    """Give an engine of so many processes."""
    pool = Pool(processes)
    try:
        yield Engine(pool.run, PER_PROCESS * processes)
    finally:
        pool.close()


def cores() -> int:
    """Return how many processes this one may keep busy."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
