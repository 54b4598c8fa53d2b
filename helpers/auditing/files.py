"""Files that an audit reads piece by piece, and that no other audit may write meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from ..errors import ManifestError

if TYPE_CHECKING:
    from filelock import BaseFileLock


def locked(results: Path) -> BaseFileLock:
    """Keep a second audit from writing the same results; the lock ends with the process, however that ends."""
    from filelock import FileLock, Timeout

    fault = "its folder does not exist; create it first"
    try:
        if results.parent.is_dir():  # FileLock would make it
            lock = FileLock(f"{results}.lock", timeout=0)
            lock.acquire()
            return lock
    except Timeout:
        fault = "another audit is writing it; wait for that one, or name another file with --out"
    except OSError as error:
        fault = f"cannot be written: {error.strerror or error}; name another file with --out"
    raise ManifestError(str(results), [fault])


def lines_of(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, line) of a file; only a line feed ends a line."""
    at = 0
    for raw in file:
        yield at, raw
        at += len(raw)


def read_at(file: IO[bytes], offset: int, length: int) -> bytes:
    """Return so many bytes from an offset."""
    file.seek(offset)
    return file.read(length)
