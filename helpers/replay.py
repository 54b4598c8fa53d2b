"""The replay cache: answers that were paid for, kept in a JSON file and replayed from it.

    with JsonCache("json_cache.json", mode="auto") as cache:
        key = answer_key(claim, section, model, questions, published=(TYPESAFE_MODEL, QUESTIONS))
        answer = cache.get(key)                     # a copy, or None
        if answer is None:
            cache.check_writable()                  # CacheError before anything is paid for
            with cache.hold(key):                   # one thread at a time asks this question ...
                answer = cache.get(key)             # ... and sees what others, here or in other processes, recorded
                if answer is None:
                    answer = cache.put(key, ask())  # on disk when it returns

As a bare decorator, `@JsonCache(path)`, it keeps any function's JSON results in the same way.
"""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import ParamSpec, TypeVar, cast

from .entries import Json
from .errors import CacheError, NotRecorded
from .journal import Journal

MODES = ("auto", "replay", "refresh")
MAX_KEY_CHARACTERS = 200  # the published cookbook's: longer keys are hashed
COROUTINE_FLAG = 0x80  # inspect.CO_COROUTINE, without the 15 ms that importing inspect takes

P = ParamSpec("P")
R = TypeVar("R")


class JsonCache:
    """Keep results in the JSON file at `path` and replay them; `indent=None` keeps the file compact.

    Modes: `auto` replays and records, `replay` only replays, `refresh` asks again what this run has not asked yet.
    Threads and processes may share one file. `close()`, a `with` block and the end of the process fold the journal.
    """

    def __init__(self, path: str | os.PathLike[str], mode: str = "auto", *, indent: int | None = 2) -> None:
        if mode not in MODES:
            raise ValueError(f"mode: {mode!r} is none of {', '.join(MODES)}")
        self.path = Path(path)
        self.mode = mode
        self._journal = Journal(self.path, indent)
        self._refreshed: set[str] = set()  # keys asked again
        self._unfolded = False
        self._writable = False
        self._renew_locks()
        _caches.add(self)
        self._journal.look()
        if self._journal.waiting:  # somebody was killed, or is at work
            with suppress(CacheError):  # reading needs no fold: the folder may be read-only, the lock taken
                self._journal.fold(wait=0)

    def __call__(self, function: Callable[P, R]) -> Callable[P, R]:
        if getattr(function, "__code__", None) is not None and function.__code__.co_flags & COROUTINE_FLAG:
            raise TypeError(f"{function.__name__}: the result of an async function cannot be kept")

        @functools.wraps(function)
        def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
            key = call_key(function.__name__, args, kwargs)
            value = self.get(key)
            if value is None:
                with self.hold(key):
                    value = self.get(key)
                    if value is None:
                        value = self._run(key, functools.partial(function, *args, **kwargs))
            return cast(R, value)

        return wrapper

    def __len__(self) -> int:
        return len(self._journal)

    def __enter__(self) -> JsonCache:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def get(self, key: str) -> Json:
        """Return a copy of what is recorded under `key`, by whatever process, or None."""
        if self.mode == "refresh" and key not in self._refreshed:
            return None
        return self._journal.get(key)

    def put(self, key: str, value: object) -> Json:
        """Record `value` and return it as it will be replayed; it is out of the process when this returns.

        What JSON cannot hold (NaN and None among it), a read-only mode and a failed write are a CacheError.
        """
        if self.mode == "replay":
            raise CacheError(f"{self.path}: opened to replay only, so nothing can be recorded")
        try:
            if value is None:
                raise TypeError("it is None")
            line = _compact({key: value}).encode("utf-8")
        except (TypeError, ValueError, RecursionError) as error:
            raise CacheError(f"{self.path}: {_short(key)}: the result cannot be kept: {error}") from error
        self._journal.append(line + b"\n")
        if self.mode == "refresh":
            self._refreshed.add(key)
        with self._guard:
            if not self._unfolded:
                self._unfolded = True
                atexit.register(self._close_at_exit)
        return cast(Json, json.loads(line)[key])

    def hold(self, key: str) -> threading.Lock:
        """Return the lock under which one thread of this process at a time works on `key`."""
        with self._guard:
            return self._held.setdefault(key, threading.Lock())

    def check_writable(self) -> None:
        """Raise CacheError when an answer could not be kept; free after the first time."""
        if not self._writable:
            self._journal.check_writable()
            self._writable = True

    def recordings_of(self, claim: str) -> list[dict[str, str]]:
        """Return what was asked (`claim`, `section_sha256`, `model`) by each recording of this claim that tells it."""
        recorded = (cast(dict[str, dict[str, str]], value) for value in self._journal.of_claim(claim))
        return [value["asked"] for value in recorded]

    def close(self) -> None:
        """Fold what this object recorded into the file; the cache can still be used afterwards."""
        with self._guard:
            unfolded, self._unfolded = self._unfolded, False
        if unfolded:
            atexit.unregister(self._close_at_exit)
            self._journal.fold()

    def _run(self, key: str, call: Callable[[], object]) -> Json:
        if self.mode == "replay":
            raise NotRecorded(
                f"{self.path}: {_short(key)} is not recorded; open the cache with mode='auto' to record it"
            )
        self.check_writable()
        result = call()
        return None if result is None else self.put(key, result)

    def _renew_locks(self) -> None:
        self._guard = threading.Lock()
        self._held: weakref.WeakValueDictionary[str, threading.Lock] = weakref.WeakValueDictionary()

    def _close_at_exit(self) -> None:
        try:
            self.close()
        except CacheError as error:
            warnings.warn(str(error), stacklevel=1)


def answer_key(
    claim: str,
    section: str,
    model: str,
    questions: Mapping[str, object],
    *,
    published: tuple[str, Mapping[str, object]],
) -> str:
    """Return the key of an answer; `published` is the (model, questions) whose keys are the published cookbook's own.

    The order in which `questions` are sent counts. A lone surrogate, which cannot be sent either, is a CacheError.
    """
    if "|" not in claim and _compact([model, questions]) == _compact(list(published)):
        return _hashed_if_long(f"ask|{claim}|{section}")
    return _sha256(_compact({"claim": claim, "model": model, "questions": questions, "section": section}))


def call_key(name: str, args: tuple[object, ...], kwargs: Mapping[str, object]) -> str:
    """Return cooksafe's key of a call; where a `|` could make two calls one, the key is their JSON list."""
    pairs = sorted(kwargs.items())
    parts = [name, *map(str, args), *(f"{word}={value}" for word, value in pairs)]
    if any("|" in part for part in parts[:-1]):
        calls_apart = json.dumps([name, *args, *pairs], ensure_ascii=False, separators=(",", ":"), default=str)
        return _hashed_if_long(calls_apart)
    return _hashed_if_long("|".join(parts))


def _hashed_if_long(key: str) -> str:
    hashed = _sha256(key)
    return hashed if len(key) > MAX_KEY_CHARACTERS else key


def _sha256(text: str) -> str:
    try:
        return hashlib.sha256(text.encode("utf-8")).hexdigest()
    except UnicodeEncodeError as error:
        half = text[error.start]
        raise CacheError(f"half a surrogate pair, {half!a}, cannot be sent or recorded; remove it") from error


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _short(key: str) -> str:
    return key if len(key) <= 80 else f"{key[:60]}…{key[-10:]}"


def _begin_anew_after_fork() -> None:
    for cache in _caches:
        _of_parents.append(cache._journal.entries)
        cache._renew_locks()
        cache._journal.start()


_caches: weakref.WeakSet[JsonCache] = weakref.WeakSet()
_of_parents: list[object] = []  # kept open in a child, for closing what the parent was using could wait for ever

if sys.platform != "win32":
    os.register_at_fork(after_in_child=_begin_anew_after_fork)
