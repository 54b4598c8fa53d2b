"""A JSON object in a file that many processes extend at once: a journal takes every new entry and folds into the file.

Beside FILE stand FILE.journal (one entry a line; gone when folded), FILE.lock (held to write, never to read) and, while
folding, FILE.tmp. Whoever reads needs no lock, because a fold replaces FILE before it removes the journal: an entry
stands in at least one of the two at any moment, and reading it from both does no harm.
"""

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from .entries import Entries, Entry, Json, entries_in, fault_of, pieces
from .errors import CacheError

T = TypeVar("T")

LOCK_SECONDS = 60.0  # a fold of a million entries holds the lock for about 30 s; longer means that its holder hangs
POLL_SECONDS = 0.002  # an append holds the lock for about 0.2 ms: longer naps would idle, shorter ones spin
SYNC_SECONDS = 1.0  # what a power cut may cost; kill -9 costs nothing
FOLD_ENTRIES = 4096  # a journal of this size is read in about 0.15 s ...
FOLD_SHARE = 4  # ... and from a quarter of the file on, so that the cost of folding stays constant per entry
MARK_BYTES = 19  # the first line of a journal, a random JSON string: tells a journal begun anew from one that grew
SHARING_TRIES = 200 if sys.platform == "win32" else 1  # Windows refuses to replace a file while it is read: 10 s
SHARING_SECONDS = 0.05


class Journal:
    """Hold the entries of the file at `path` and of its journal, as they stand on disk.

    Files that are not what they should be are a CacheError and are never overwritten.
    """

    def __init__(self, path: Path, indent: int | None) -> None:
        self.shown = path
        self.indent = indent
        self._file = Path(os.path.realpath(path))  # a link to the file is kept, and all names of it share one journal
        self._journal, self._lock, self._new = (Path(f"{self._file}{end}") for end in (".journal", ".lock", ".tmp"))
        self.start()

    def start(self) -> None:
        """Know nothing yet: at first, and in a forked child, which has neither its parent's threads nor its index."""
        self._guard = threading.RLock()
        self._timer: threading.Timer | None = None
        self.entries = Entries()
        self.folded = 0  # entries in the file
        self.waiting = 0  # entries in the journal
        self._signature: tuple[int, int, int] | None = None
        self._mark = b""
        self._offset = 0

    def __len__(self) -> int:
        with self._guard:
            return len(self.entries)

    def get(self, key: str) -> Json:
        """Return what stands under a key now, whoever wrote it, or None."""
        with self._guard:
            value = self.entries.get(key)
            if value is None:
                self.look()
                value = self.entries.get(key)
            return value

    def of_claim(self, claim: str) -> list[Json]:
        """Return the entries that tell that they are about this claim."""
        with self._guard:
            return self.entries.of_claim(claim)

    def look(self) -> None:
        """Take in what this and other processes have written since the last look; about 30 µs when it is nothing."""
        with self._guard:
            while True:
                signature = _signature(self._file)
                if signature != self._signature:
                    self._mark = b""  # first: an interrupt from here on costs reading again, and no entry
                    self.entries = _load(self._file, self.shown)
                    self.folded = len(self.entries)
                    self._signature = signature
                self._read_journal()
                if _signature(self._file) == signature:
                    return

    def append(self, line: bytes) -> None:
        """Hand one line, a JSON object of new entries, to the operating system before returning."""
        with self._guard:
            with self._locked(), self._journal.open("ab+", buffering=0) as file:
                _append(file.fileno(), line)
            if self._timer is None:
                self._timer = threading.Timer(SYNC_SECONDS, self.sync)
                self._timer.daemon = True
                with suppress(RuntimeError):  # no thread starts any more when the process ends; its fold syncs
                    self._timer.start()
            self.look()
            if self.waiting >= max(FOLD_ENTRIES, self.folded // FOLD_SHARE):
                with suppress(CacheError):  # the entry is safe in the journal; the fold at close tells what is wrong
                    self.fold()

    def sync(self) -> None:
        """Have the journal written to the disk itself."""
        self._timer = None  # first: whatever is appended from here on starts a timer of its own
        # Gone: a fold has synced the entries. Any other failure: the fold at close syncs them again, and tells.
        with suppress(OSError), self._journal.open("r+b") as file:
            os.fsync(file.fileno())

    def fold(self, wait: float = LOCK_SECONDS) -> None:
        """Move the journal's entries into the file; `wait` is for how many seconds the lock may be busy."""
        with self._guard, self._locked(wait):
            self.look()
            if self.waiting:
                self._replace()
            _patiently(lambda: self._journal.unlink(missing_ok=True))

    def check_writable(self) -> None:
        """Raise CacheError when an entry could not be kept."""
        with self._guard, self._locked():
            for file, end in ((self._file, ""), (self._journal, ".journal")):
                if file.exists() and not os.access(file, os.W_OK):
                    raise CacheError(f"{self.shown}{end}: read-only; make it writable, or only replay")
            self._new.write_bytes(b"")
            self._new.unlink()

    def _read_journal(self) -> None:
        try:
            content = _patiently(self._read_from_mark)
        except FileNotFoundError:
            self._mark, self._offset, self.waiting = b"", 0, 0
            return
        except OSError as error:
            raise CacheError(f"{self.shown}.journal: cannot be read ({error.strerror})") from error
        end = content.rfind(b"\n") + 1  # the rest is still being written, or its writer was killed
        for line in io.BytesIO(content[:end]):
            if entry := _entry(line):
                self.entries.update(entry)
                self.waiting += 1
        self._offset += end  # last: an interrupt before costs reading again, and no entry

    def _read_from_mark(self) -> bytes:
        with self._journal.open("rb") as file:
            mark = file.read(MARK_BYTES)
            if mark != self._mark or not mark:
                if len(mark) == MARK_BYTES and not (mark.startswith(b'"') and mark.endswith(b'"\n')):
                    raise CacheError(f"{self.shown}.journal: is not the journal of a cache; move it away")
                self._offset, self.waiting, self._mark = MARK_BYTES, 0, mark
            file.seek(self._offset)
            return file.read()

    def _replace(self) -> None:
        with self._new.open("wb") as file:
            file.writelines(pieces(self.entries, self.indent))
            file.flush()
            os.fsync(file.fileno())
        with suppress(OSError):  # there is no file yet, or its file system has no permissions
            self._new.chmod(self._file.stat().st_mode & 0o777)
        signature = _signature(self._new)
        _patiently(lambda: self._new.replace(self._file))
        self._signature, self.folded = signature, len(self.entries)
        _sync_folder(self._file.parent)  # or a power cut might keep the journal's removal and lose the replacement

    @contextmanager
    def _locked(self, wait: float = LOCK_SECONDS) -> Iterator[None]:
        from filelock import FileLock, Timeout  # 45 ms, and a replay never gets here

        if not self._file.parent.is_dir():  # FileLock would make it
            raise CacheError(f"{self.shown}: its folder does not exist; make it, or name another cache")
        lock = FileLock(self._lock, timeout=wait, poll_interval=POLL_SECONDS)  # a new one, for none outlives a fork
        try:
            with lock:
                yield
        except Timeout:
            raise CacheError(f"{self.shown}.lock: held by another process for {wait:.0f} s; end that one") from None
        except OSError as error:
            kept = "what was recorded before is kept; make room or the folder writable, or name another cache"
            raise CacheError(f"{self.shown}: cannot be written ({error.strerror}); {kept}") from error


def _append(file: int, line: bytes) -> None:
    size = os.lseek(file, 0, os.SEEK_END)
    if size < MARK_BYTES:
        os.ftruncate(file, 0)
        line = json.dumps(os.urandom(8).hex()).encode("ascii") + b"\n" + line
    else:
        os.lseek(file, -1, os.SEEK_END)
        if os.read(file, 1) != b"\n":
            line = b"\n" + line  # ends what a killed writer left
    rest = memoryview(line)
    try:
        while rest:
            rest = rest[os.write(file, rest) :]
    except OSError:
        os.ftruncate(file, size)
        raise


def _entry(line: bytes) -> list[Entry]:
    with suppress(ValueError, RecursionError):
        return list(entries_in(io.StringIO(line.decode("utf-8"))))
    return []  # torn by kill -9 or a power cut, before it was returned to anybody


def _load(file: Path, shown: Path) -> Entries:
    try:
        with _patiently(lambda: file.open(encoding="utf-8", newline="")) as opened:
            return Entries(entries_in(opened))
    except FileNotFoundError:
        return Entries()
    except OSError as error:
        raise CacheError(f"{shown}: cannot be read ({error.strerror})") from error
    except (ValueError, RecursionError):
        place, fault = fault_of(_patiently(file.read_bytes))
        what = f"{fault}; it is left as it is: repair or restore it, or name another cache"
        raise CacheError(f"{shown}:{place}: {what}") from None


def _signature(file: Path) -> tuple[int, int, int] | None:
    try:
        found = _patiently(file.stat)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CacheError(f"{file}: cannot be read ({error.strerror})") from error
    return found.st_mtime_ns, found.st_size, found.st_ino


def _patiently(action: Callable[[], T]) -> T:
    for _ in range(SHARING_TRIES - 1):
        with suppress(PermissionError):
            return action()
        time.sleep(SHARING_SECONDS)
    return action()


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # Windows cannot open a folder, and some file systems cannot sync one
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
