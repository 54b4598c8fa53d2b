"""Check the citations of many documents: a manifest in, results out, on this machine's cores or on a cluster.

This room only schedules: other rooms read, locate, ask and judge.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TypedDict

from ..asking.judge import Judge
from ..outcomes import AUTO_ACCEPT, RELATION_TO_VERDICT
from .cluster import dask_engine
from .engines import cores, local_engine
from .ledger import Ledger
from .manifest import ERROR, UNJUDGED, Line
from .reports import make_folder, write_reports
from .tasks import AT_ONCE, Original, check, tasks_of
from .threads import flow, sharing

__all__ = ["Summary", "audit", "told"]

SHOWN = 3  # failures; many often share one cause
LOGGED = 60.0  # seconds between lines of progress where nobody watches it move


class Summary(TypedDict):
    """What an audit came to, the results of earlier runs included; `seconds` and `calls` are this run's."""

    rows: int
    documents: int
    counts: dict[str, int]  # results of each verdict, unjudged, and errors
    failed: int  # of these, unjudged and errors
    failures: list[str]  # the first few of them in words
    review: int  # of these, for a human to confirm
    seconds: float
    calls: int


def audit(
    manifest: str | Path,
    out: str | Path,
    ask: Judge,
    *,
    auto_accept: float = AUTO_ACCEPT,
    jobs: int = 8,
    processes: int | None = None,
    dask: str | None = None,
    copies: Path | None = None,
    offline: bool = False,
    retry_errors: bool = False,
    report: str | Path | None = None,
    progress: bool = False,
) -> Summary:
    """Check what the manifest lists and the results file lacks; both are JSON lines, and a killed run goes on.

    `processes` (default: one a core) parse and locate, or the Dask cluster at the address `dask`; `jobs` questions are
    asked at once. `copies` is where fetched documents are kept, `report` the folder for an index and a page a document.
    Raises ManifestError, ClusterError and CacheError.
    """
    began, called = time.monotonic(), ask.spent["calls"]
    here = partial(local_engine, processes or cores())
    if report:
        make_folder(Path(report))
    with Ledger(Path(manifest), Path(out)) as ledger:
        with dask_engine(dask) if dask else here() as engine:
            ledger.plan(retry_errors)
            work = partial(check, engine=engine, judge=sharing(ask, jobs), auto_accept=auto_accept, jobs=jobs)
            tasks = tasks_of(ledger, partial(Original, copies=copies, offline=offline))
            _record(ledger, flow(tasks, work, engine.tasks + -(-jobs // AT_ONCE)), progress)
        if report:
            kept = partial(Original, copies=copies, offline=bool(copies))  # a page may have changed since
            with here() as engine:
                write_reports(ledger, Path(report), engine, kept, {"model": ask.model, "auto_accept": auto_accept})
        return _summary(ledger, time.monotonic() - began, ask.spent["calls"] - called)


def _record(ledger: Ledger, work: Iterator[tuple[list[Line], int]], progress: bool) -> None:
    from tqdm import tqdm

    every = 0.5 if sys.stderr.isatty() else LOGGED
    rows = ledger.count("COUNT(*) FROM rows WHERE open")
    with tqdm(total=rows, unit="row", disable=not (progress and rows), mininterval=every, maxinterval=every) as bar:
        for lines, ended in work:
            ledger.record(lines)
            bar.update(ended)
    ledger.settle()


def _summary(ledger: Ledger, seconds: float, calls: int) -> Summary:
    counts = ledger.counts()
    return {
        "rows": ledger.count("COUNT(*) FROM rows"),
        "documents": ledger.count("COUNT(DISTINCT document) FROM rows WHERE source IS NOT NULL"),
        "counts": counts,
        "failed": counts.get(UNJUDGED, 0) + counts.get(ERROR, 0),
        "failures": ledger.failures(SHOWN),
        "review": ledger.count("COUNT(*) FROM lines WHERE review"),
        "seconds": seconds,
        "calls": calls,
    }


def told(summary: Summary) -> str:
    """Say what an audit came to: its first failures, then counts, documents, seconds and calls in one line."""
    names = [*RELATION_TO_VERDICT.values(), "fabricated", UNJUDGED]
    counts = [f"{summary['counts'][name]:,} {name}" for name in names if name in summary["counts"]]
    review = [_number(summary["counts"][ERROR], "error")] if ERROR in summary["counts"] else []
    review += [f"{summary['review']:,} for review"] if summary["review"] else []
    more = summary["failed"] - len(summary["failures"])
    failures = [*summary["failures"], *([f"{more:,} more; the results name the cause of each"] if more else [])]
    counted = f"{_number(summary['documents'], 'document')} in {summary['seconds']:.1f} s"
    last = f"{', '.join(counts + review) or 'no citations'}; {counted}; {_number(summary['calls'], 'call')}"
    return "\n".join([*failures, last])


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"
