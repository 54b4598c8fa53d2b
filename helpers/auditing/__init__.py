"""Check the citations of many documents: a manifest in, results out, on this machine's cores or on a cluster.

This room only schedules: other rooms read, locate, ask and judge.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

from ..asking.judge import Judge
from ..outcomes import AUTO_ACCEPT, RELATION_TO_VERDICT
from .cluster import dask_engine
from .engines import cores, local_engine
from .ledger import Ledger
from .manifest import ERROR, UNJUDGED
from .reports import write_reports
from .tasks import AT_ONCE, Original, check, tasks_of
from .threads import flow, sharing

__all__ = ["Summary", "audit", "told"]

LOGGED = 60.0  # seconds between lines of progress where nobody watches it move


class Summary(TypedDict):
    """What an audit came to, the results of earlier runs included; `seconds` and `calls` are this run's."""

    rows: int
    documents: int
    counts: dict[str, int]  # results of each verdict, unjudged, and errors
    failed: int  # of these, unjudged and errors
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
    judge = sharing(ask, jobs)
    with (
        Ledger(Path(manifest), Path(out)) as ledger,
        dask_engine(dask) if dask else local_engine(processes or cores()) as engine,
    ):
        ledger.plan(retry_errors)
        original = partial(Original, copies=copies, offline=offline)
        tasks = tasks_of(ledger, original)
        threads = engine.tasks + -(-jobs // AT_ONCE)
        with _bar(ledger.count("COUNT(*) FROM rows WHERE open"), progress) as bar:
            work = flow(tasks, lambda task: check(task, engine, judge, auto_accept=auto_accept, jobs=jobs), threads)
            for lines, rows in work:
                ledger.record(lines)
                bar.update(rows)
        ledger.settle()
        if report:
            with local_engine(processes or cores()) as here:
                settings = {"model": ask.model, "auto_accept": auto_accept}
                kept = partial(Original, copies=copies, offline=bool(copies))  # a page may have changed since
                write_reports(ledger, Path(report), here, kept, settings)
        counts = ledger.counts()
        return {
            "rows": ledger.count("COUNT(*) FROM rows"),
            "documents": ledger.count("COUNT(DISTINCT document) FROM rows WHERE source IS NOT NULL"),
            "counts": counts,
            "failed": counts.get(UNJUDGED, 0) + counts.get(ERROR, 0),
            "review": ledger.count("COUNT(*) FROM lines WHERE review"),
            "seconds": time.monotonic() - began,
            "calls": ask.spent["calls"] - called,
        }


def told(summary: Summary) -> str:
    """Say in a line what an audit came to: "40 verified, 2 unjudged, 3 for review; 4 documents in 1.5 s; 42 calls"."""
    names = [*RELATION_TO_VERDICT.values(), "fabricated", UNJUDGED, ERROR]
    counts = [f"{summary['counts'][name]:,} {name}" for name in names if name in summary["counts"]]
    review = [f"{summary['review']:,} for review"] if summary["review"] else []
    counted = f"{_number(summary['documents'], 'document')} in {summary['seconds']:.1f} s"
    return f"{', '.join(counts + review) or 'no citations'}; {counted}; {_number(summary['calls'], 'call')}"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def _bar(rows: int, progress: bool) -> Any:
    from tqdm import tqdm

    every = 0.5 if sys.stderr.isatty() else LOGGED
    return tqdm(total=rows, unit="row", disable=not progress, mininterval=every, maxinterval=every, dynamic_ncols=True)
