"""Many tasks in threads, a few at a time; and one judge for all of them, who gives up where asking is of no use."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from typing import TypeVar

from ..asking.judge import Judge
from ..asking.parallel import HOPELESS, LOOK
from ..citations import Answer
from ..errors import JudgeError

RETRY = 10.0  # seconds until a server that failed every question is asked again: it may be down for a moment only

T = TypeVar("T")
R = TypeVar("R")


def flow(tasks: Iterable[T], work: Callable[[T], R], threads: int) -> Iterator[R]:
    """Yield what `work` returns for each task as it comes, and raise what it raises.

    No more tasks are drawn than there are threads. These are daemons: an interrupt leaves those that hang behind.
    """
    waiting: queue.SimpleQueue[T | None] = queue.SimpleQueue()
    finished: queue.SimpleQueue[tuple[R | None, BaseException | None]] = queue.SimpleQueue()
    for _ in range(threads):
        threading.Thread(target=_serve, args=(waiting, work, finished), daemon=True).start()
    under_way = 0
    try:
        for task in tasks:
            waiting.put(task)
            under_way += 1
            if under_way == threads:
                yield _next(finished)
                under_way -= 1
        for _ in range(under_way):
            yield _next(finished)
    finally:
        for _ in range(threads):
            waiting.put(None)


def _serve(waiting: queue.SimpleQueue[T | None], work: Callable[[T], R], finished: queue.SimpleQueue[object]) -> None:
    while (task := waiting.get()) is not None:
        try:
            finished.put((work(task), None))
        except BaseException as error:
            finished.put((None, error))


def _next(finished: queue.SimpleQueue[tuple[R | None, BaseException | None]]) -> R:
    while True:
        try:
            result, error = finished.get(timeout=LOOK)
        except queue.Empty:
            continue
        if error:
            raise error
        return result  # type: ignore[return-value]


def sharing(judge: Judge, jobs: int) -> Judge:
    """Return this judge for many threads: `jobs` questions at once, and few while all of them fail for one cause."""
    free, ask = threading.Semaphore(jobs), judge.__wrapped__
    failures: list[tuple[float, str]] = []  # in a row, of the kind that every question would meet

    def ask_in_turn(claim: str, section: str, judge: Judge) -> Answer:
        with free:
            if len(failures) >= HOPELESS and time.monotonic() < failures[-1][0] + RETRY:
                raise JudgeError(failures[-1][1], everywhere=True)
            try:
                answer = ask(claim, section, judge)
            except JudgeError as error:
                if error.everywhere:
                    failures.append((time.monotonic(), str(error)))
                raise
            failures.clear()
            return answer

    shared = copy(judge)
    shared.__wrapped__ = ask_in_turn
    return shared
