"""One load for both caches that a user could pick, this project's and cooksafe's: both decorate a function.

`benchmarks.replay` runs it here, and in the peers' environment. Time is wall time: what a cache costs is the disk.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

PATIENCE = 3.0  # seconds for recording; a cache that rewrites its file each time gets no further than a few entries


def answer(number: int) -> dict[str, object]:
    """Return an answer of the usual size, about 450 bytes in the file."""
    digest = hashlib.sha256(str(number).encode("ascii")).hexdigest()
    return {
        "choice": "says_nothing",
        "probabilities": {"supports": 0.28, "contradicts": 0.01, "says_nothing": 0.71},
        "confidence": 0.56,
        "seconds": 0.09,
        "input_tokens": 434,
        "output_tokens": 42,
        "model": "jev-1.13.0",
        "asked": {"claim": f"Claim {number} of an answer.", "section_sha256": digest, "model": "jev-latest"},
    }


def filled(path: str, entries: int) -> None:
    """Write a cache file of so many answers, as either cache keys them."""
    rows = {f"ask|{number}": answer(number) for number in range(entries)}
    Path(path).write_text(json.dumps(rows, indent=2), encoding="utf-8")


def cache_class(name: str) -> Callable[[str], Any]:
    """Return the class of one of the two."""
    if name == "cooksafe":
        from cooksafe import JsonCache as Theirs

        return Theirs
    from helpers.replay import JsonCache

    return JsonCache


def decorated(cache: Any) -> Callable[[int], Any]:
    """Return a function of a number whose answers the cache keeps."""

    def ask(number: int) -> dict[str, object]:
        return answer(number)

    return cache(ask)  # type: ignore[no-any-return]


def load(name: str, path: str, entries: int, records: int) -> dict[str, float]:
    """Return seconds for opening a cache of so many answers, for a hit, and for recording one answer more.

    Recording counts the close as well, and so everything until the answers are in the JSON file; `slowest` does not.
    """
    make = cache_class(name)
    began = time.perf_counter()
    cache = make(path)
    opened = time.perf_counter() - began
    ask = decorated(cache)
    hits = min(entries, 10_000)
    began = time.perf_counter()
    for number in range(hits):
        ask(number)
    hit = (time.perf_counter() - began) / hits
    began = last = time.perf_counter()
    done, slowest = 0, 0.0
    while done < records and last - began < PATIENCE:
        ask(entries + done)
        done += 1
        now = time.perf_counter()
        slowest, last = max(slowest, now - last), now
    if hasattr(cache, "close"):
        cache.close()
    return {"open": opened, "hit": hit, "record": (time.perf_counter() - began) / done, "slowest": slowest}


def main() -> None:
    """Serve `load`; or, given a cache's name, a path and two numbers, record these and tell each that was returned."""
    if not sys.argv[1:]:
        from benchmarks.peers import serve

        serve({"load": load})
        return
    name, path, first, last = sys.argv[1:]
    ask = decorated(cache_class(name)(path))
    for number in range(int(first), int(last)):
        ask(number)
        print(number, flush=True)


if __name__ == "__main__":
    main()
