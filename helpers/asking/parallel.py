"""Ask many questions at once, and stop early where none of them can be answered."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, TypeVar

from ..errors import CacheError, JudgeError

HOPELESS = 3  # equal failures in a row, of the kind that hits every question: one alone may be the question's own
LOOK = 0.1  # seconds between looks at what is awaited: Ctrl-C is seen that soon where no wait can be interrupted

T = TypeVar("T")
Progress = Callable[[int, int], None]


def run_all(
    tasks: Sequence[Callable[[], T]], jobs: int, progress: Progress | bool | None = None
) -> list[T | Exception]:
    """Return what each task returned or raised, in order, running `jobs` at a time.

    After a few failures in a row that would hit every task, the rest is not begun and gets the same failure. A cache
    that cannot keep answers is raised. The threads are daemons: an interrupt leaves those that hang behind.
    """
    crew: _Crew[T] = _Crew(tasks)
    outcomes: dict[int, T | Exception] = {}
    try:
        with _shown(progress, len(tasks)) as show:
            for index, outcome in crew.outcomes(min(jobs, len(tasks))):
                outcomes[index] = outcome
                show()
                if isinstance(outcome, CacheError):
                    raise outcome
    finally:
        crew.stop.set()
    return [outcomes.get(index, crew.failure) for index in range(len(tasks))]


class _Crew(Generic[T]):
    """Daemon threads that share a list of tasks, and what they know of its failures."""

    def __init__(self, tasks: Sequence[Callable[[], T]]) -> None:
        self.waiting = iter(enumerate(tasks))
        self.finished: queue.SimpleQueue[tuple[int, T | Exception] | None] = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.failure: Exception = JudgeError("not asked")  # the latest that would hit every task
        self.streak = 0  # how often it came since the last success

    def outcomes(self, workers: int) -> Iterator[tuple[int, T | Exception]]:
        """Start so many threads, and give each outcome with its task's index as it comes, until all have ended."""
        for _ in range(workers):
            threading.Thread(target=self._work, daemon=True).start()
        while workers:
            try:
                item = self.finished.get(timeout=LOOK)
            except queue.Empty:
                continue
            if item is None:
                workers -= 1
            else:
                yield item

    def _work(self) -> None:
        try:
            while not self.stop.is_set():
                with self.lock:
                    index, task = next(self.waiting, (-1, None))
                if task is None:
                    break
                try:
                    outcome: T | Exception = task()
                except Exception as error:
                    outcome = error
                self._judge(outcome)
                self.finished.put((index, outcome))
        finally:
            self.finished.put(None)

    def _judge(self, outcome: T | Exception) -> None:
        with self.lock:
            if not isinstance(outcome, Exception):
                self.streak = 0
            elif isinstance(outcome, JudgeError) and outcome.everywhere:
                self.streak = self.streak + 1 if str(outcome) == str(self.failure) else 1
                self.failure = outcome
                if self.streak >= HOPELESS:
                    self.stop.set()


@contextmanager
def _shown(progress: Progress | bool | None, total: int) -> Iterator[Callable[[], object]]:
    """Give a function to call after each task: it moves a bar on stderr (`True`) or calls `progress(done, total)`."""
    if progress is True:
        from tqdm import tqdm

        with tqdm(total=total, unit="question", disable=None, leave=False) as bar:  # None: only on a terminal
            yield bar.update
    elif callable(progress):
        done = iter(range(1, total + 1))
        progress(0, total)
        yield lambda: progress(next(done), total)
    else:
        yield bool
