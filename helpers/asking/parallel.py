"""Ask many questions at once, and stop early where none of them can be answered."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from ..errors import CacheError, JudgeError
from .replies import InvalidRecording

HOPELESS = 3  # failures in a row, of the kind that hits every question: one alone may be a fault of its own
LOOK = 0.1  # seconds between looks for an answer: Ctrl-C is seen that soon where a wait cannot be interrupted

T = TypeVar("T")
Progress = Callable[[int, int], None]


def run_all(
    tasks: Sequence[Callable[[], T]], jobs: int, progress: Progress | bool | None = None
) -> list[T | Exception]:
    """Return what each task returned or raised, in order, running `jobs` at a time.

    After a few failures in a row that would hit every task, the rest is not begun and gets the same failure. A cache
    that cannot keep answers is raised. The threads are daemons: an interrupt leaves those that hang behind.
    """
    outcomes: list[T | Exception | None] = [None] * len(tasks)
    finished: queue.SimpleQueue[tuple[int, T | Exception] | None] = queue.SimpleQueue()
    waiting, lock, stop = iter(enumerate(tasks)), threading.Lock(), threading.Event()
    workers = min(jobs, len(tasks))
    for _ in range(workers):
        threading.Thread(target=_work, args=(waiting, lock, stop, finished), daemon=True).start()
    streak, failure = 0, None
    try:
        with _shown(progress, len(tasks)) as show:
            for index, outcome in _until_idle(finished, workers):
                outcomes[index] = outcome
                show()
                if isinstance(outcome, CacheError) and not isinstance(outcome, InvalidRecording):
                    raise outcome
                everywhere = isinstance(outcome, JudgeError) and outcome.everywhere
                streak = streak + 1 if everywhere else streak if isinstance(outcome, Exception) else 0
                if everywhere and streak >= HOPELESS:
                    stop.set()
                    failure = outcome
    finally:
        stop.set()
    return [outcome if outcome is not None else failure or JudgeError("not asked") for outcome in outcomes]


def _work(
    waiting: Iterator[tuple[int, Callable[[], T]]],
    lock: threading.Lock,
    stop: threading.Event,
    finished: queue.SimpleQueue[tuple[int, T | Exception] | None],
) -> None:
    while not stop.is_set():
        with lock:
            index, task = next(waiting, (-1, None))
        if task is None:
            break
        try:
            finished.put((index, task()))
        except Exception as error:
            finished.put((index, error))
    finished.put(None)


def _until_idle(
    finished: queue.SimpleQueue[tuple[int, T | Exception] | None], workers: int
) -> Iterator[tuple[int, T | Exception]]:
    while workers:
        try:
            item = finished.get(timeout=LOOK)
        except queue.Empty:
            continue
        if item is None:
            workers -= 1
        else:
            yield item


@contextmanager
def _shown(progress: Progress | bool | None, total: int) -> Iterator[Callable[[], None]]:
    """Give a function to call after each task: it moves a bar on stderr (`True`) or calls `progress(done, total)`."""
    if progress is True:
        from tqdm import tqdm

        with tqdm(total=total, unit="question", disable=None, leave=False) as bar:  # None: only on a terminal
            yield lambda: _ignore(bar.update())
    elif callable(progress):
        done = iter(range(1, total + 1))
        progress(0, total)
        yield lambda: progress(next(done), total)
    else:
        yield lambda: None


def _ignore(_: object) -> None:
    """Return nothing, for a lambda that is to."""
