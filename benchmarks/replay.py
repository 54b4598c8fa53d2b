"""What the replay cache costs, and what kills and other writers cost it: `python -m benchmarks.replay`."""

from __future__ import annotations

import argparse
import hashlib
import json
import tempfile
import time
from pathlib import Path

from helpers.journal import FOLD_ENTRIES
from helpers.replay import JsonCache
from tests.test_replay_processes import kill_at_random, race

THOUSAND = 1000


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


def key(number: int) -> str:
    """Return a key as long requests have it."""
    return hashlib.sha256(f"ask|{number}".encode("ascii")).hexdigest()


def show(what: str, figure: str) -> None:
    """Print one row."""
    print(f"{what:<60}{figure:>14}", flush=True)


def reading(folder: Path, entries: int) -> None:
    """Time the opening of a large cache, its hits, and its misses."""
    path = folder / "large.json"
    path.write_text(json.dumps({key(number): answer(number) for number in range(entries)}, indent=2), encoding="utf-8")
    began = time.perf_counter()
    cache = JsonCache(path)
    show(f"open {entries:,} entries", f"{time.perf_counter() - began:.2f} s")
    keys = [key(number) for number in range(entries)]
    began = time.perf_counter()
    for each in keys:
        cache.get(each)
    show("hit", f"{(time.perf_counter() - began) / entries * 1e6:.1f} µs")
    began = time.perf_counter()
    for number in range(THOUSAND):
        cache.get(f"missing {number}")
    show("miss, others' records looked for", f"{(time.perf_counter() - began) / THOUSAND * 1e6:.1f} µs")
    cache.put("new", answer(0))
    began = time.perf_counter()
    cache.close()
    show(f"fold into {entries:,} entries", f"{time.perf_counter() - began:.2f} s")


def recording(folder: Path, records: int) -> None:
    """Time misses that are recorded, a thousand at a time, as the cache grows."""
    cache = JsonCache(folder / "growing.json")
    thousands, slowest = [], 0.0
    began = last = time.perf_counter()
    for number in range(records):
        if cache.get(key(number)) is None:
            cache.check_writable()
            cache.put(key(number), answer(number))
        now = time.perf_counter()
        slowest, last = max(slowest, now - last), now
        if (number + 1) % THOUSAND == 0:
            thousands.append(now - began)
            began = now
    show(f"record, first thousand of {records:,}", f"{thousands[0]:.3f} ms")
    show(f"record, last thousand of {records:,}", f"{thousands[-1]:.3f} ms")
    show("last thousand / first", f"{thousands[-1] / thousands[0]:.2f}")
    show("dearest thousand / first", f"{max(thousands) / thousands[0]:.2f}")
    show("slowest single record (a fold)", f"{slowest:.2f} s")
    began = time.perf_counter()
    cache.close()
    show("close", f"{time.perf_counter() - began:.2f} s")


def surviving(folder: Path, kills: int, processes: int) -> None:
    """Count what is lost when processes are killed, and when they write at once."""
    for name in ("killed", "raced"):
        (folder / name).mkdir()
    answers, lost = kill_at_random(folder / "killed" / "cache.json", kills, seed=2026)
    show(f"kill -9 at {kills} random moments: answers returned", f"{answers:,}")
    show("  of them lost", f"{lost:,}")
    began = time.perf_counter()
    reads, lost = race(folder / "raced" / "cache.json", processes, THOUSAND, FOLD_ENTRIES)
    show(f"{processes} processes x {THOUSAND} records at once", f"{time.perf_counter() - began:.2f} s")
    show(f"  lost, or not seen at once by a reader ({reads:,} reads)", f"{lost:,}")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=100_000, help="of the large cache")
    parser.add_argument("--records", type=int, default=20_000, help="of the growing one")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--processes", type=int, default=4)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        reading(Path(folder), chosen.entries)
        recording(Path(folder), chosen.records)
        surviving(Path(folder), chosen.kills, chosen.processes)


if __name__ == "__main__":
    main()
