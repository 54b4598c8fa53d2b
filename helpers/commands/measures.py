"""`tune`, `selftest`, `audit`: figures about many citations at once."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from .inputs import as_file, choose_model, read_source
from .outputs import DONE, UNJUDGED, as_json, tell_stale


def tune(a: Namespace) -> int:
    """Print the threshold table that a human's decisions support."""
    from ..reviewing import answered_by, apply_reviews, load_results, load_reviews, threshold_table, tune_threshold

    results = load_results(a.results)
    reviews = load_reviews(a.reviews, [r["id"] for r in results])
    table = tune_threshold(results, reviews, target=a.target, confidence=a.confidence)
    tell_stale(a.reviews, apply_reviews(results, reviews)[1])
    if len(versions := answered_by(results, reviews)) > 1:
        print(f"warning: answers come from {', '.join(versions)}; a threshold belongs to one version", file=sys.stderr)
    print(as_json(table) if a.json else threshold_table(table))
    return DONE


def selftest(a: Namespace) -> int:
    """Print how often step 1 is wrong on purposely damaged quotes of this document."""
    from ..selftest import selftest as damage
    from ..selftest import selftest_table

    counts = damage(read_source(a.source))
    print(as_json(counts) if a.json else selftest_table(counts))
    return DONE


def audit(a: Namespace) -> int:
    """Check the citations of many documents, and go on where an earlier run stopped."""
    from shlex import join

    from ..auditing import audit as check_documents
    from ..auditing import told
    from ..judging import AUTO_ACCEPT, make_ask
    from ..replay import JsonCache

    settings: dict[str, Any] = {"auto_accept": AUTO_ACCEPT if a.auto_accept is None else a.auto_accept, "jobs": a.jobs}
    settings |= {"dask": a.dask, "offline": a.offline, "retry_errors": a.retry_errors, "report": a.report}
    model = choose_model(a.model, False)
    files = [as_file(a.manifest), "--out", as_file(a.out), *(["--cache", as_file(a.cache)] if a.cache else [])]
    command = join(["python", "-m", "helpers", "audit", *files, "--model", model])
    cache_file, copies = a.cache or Path(a.out).with_suffix(".cache.json"), Path(a.out).with_suffix(".sources")
    with JsonCache(cache_file, "replay" if a.offline else "auto") as cache:
        ask = make_ask(cache, model=model, timeout=a.timeout, rate=a.rate, command=command)
        summary = check_documents(a.manifest, a.out, ask, copies=copies, progress=True, **settings)
    print(told(summary), file=sys.stderr)
    return UNJUDGED if summary["failed"] else DONE
