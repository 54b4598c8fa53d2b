"""What the replay cache costs and loses, beside cooksafe's, which it stands in for: `python -m benchmarks.replay`.

Both decorate the same function and read the same files, of about 450 bytes an answer. "Record" is the time for one
answer more, until it is in the JSON file. The kills strike a process that records into a file of ten thousand answers,
each time at another moment; lost is every answer of that file, or returned by that process, that the file lacks then.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.peers import PYTHON, ROOT, Worker, why_missing
from benchmarks.replay_peers import filled, load
from helpers.replay import JsonCache

NAMES = ("this project", "cooksafe")
RECORDS = 5_000  # more than a journal holds before it is folded, so that folds are in the mean
KEPT = 10_000  # answers in the file that is killed over, 5 MB
LONGEST = 0.3  # seconds that a killed process has recorded for
MANY = 1_000_000  # answers, more than anybody records until the kill
AT_ONCE = 50  # answers that each of the processes at once records
PATIENCE = 120.0  # seconds for one load


def recording(name: str, path: Path, first: int, last: int) -> tuple[subprocess.Popen[bytes], Path]:
    """Start a process that records these answers, and the file in which it tells what was returned."""
    told = path.with_name(f"{first}.told")
    python = PYTHON if name == "cooksafe" else sys.executable
    command = [str(python), "-m", "benchmarks.replay_peers", name, str(path), str(first), str(last)]
    with told.open("wb") as out:
        return subprocess.Popen(command, cwd=ROOT, stdout=out, stderr=subprocess.DEVNULL), told


def kept(name: str, path: Path) -> set[int]:
    """Return the answers that a cache has after whatever happened to it; a file that cannot be read has none."""
    if name == "this project":
        with JsonCache(path):  # takes over what a killed process left
            pass
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return set()
    return {int(key.split("|")[1]) for key in rows}


def killed(name: str, folder: Path, kills: int) -> dict[str, int]:
    """Count what kills lose: answers there were, answers lost, and files that cannot be read any more."""
    moments = random.Random(2026)
    counts = {"answers": 0, "lost": 0, "unreadable": 0}
    for number in range(kills):
        path = folder / str(number) / "cache.json"
        path.parent.mkdir()
        filled(str(path), KEPT)
        process, told = recording(name, path, KEPT, MANY)
        while not told.stat().st_size and process.poll() is None:
            time.sleep(0.002)
        time.sleep(moments.uniform(0, LONGEST))
        process.kill()
        process.wait()
        there = {*range(KEPT), *map(int, told.read_text(encoding="ascii").split("\n")[:-1])}
        left = kept(name, path)
        counts["answers"] += len(there)
        counts["lost"] += len(there - left)
        counts["unreadable"] += not left
    return counts


def raced(name: str, folder: Path, processes: int) -> int:
    """Return how many answers are in the file after so many processes recorded at once."""
    path = folder / "cache.json"
    filled(str(path), 1)
    started = [recording(name, path, 1 + n * AT_ONCE, 1 + (n + 1) * AT_ONCE)[0] for n in range(processes)]
    for process in started:
        process.wait()
    return len(kept(name, path)) - 1


def loaded(name: str, path: Path, entries: int) -> dict[str, float]:
    """Return the times of one cache at one size."""
    filled(str(path), entries)
    if name == "this project":
        return load(name, str(path), entries, RECORDS)
    with Worker("benchmarks.replay_peers") as worker:
        times: dict[str, float] = worker.ask(
            "load", PATIENCE, name=name, path=str(path), entries=entries, records=RECORDS
        )
        return times


def show(what: str, figures: list[Any], form: str = "{:,}", ratio: bool = True) -> None:
    """Print one row; the last column is the peer's figure in ours."""
    row = f"{what:<46}" + "".join(f"{form.format(figure):>16}" for figure in figures)
    print(row + (f"{figures[1] / figures[0]:>14,.1f}" if ratio and len(figures) > 1 else ""), flush=True)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], help="answers in the cache")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--processes", type=int, default=4)
    chosen = parser.parse_args()
    missing = why_missing().get("cooksafe")
    names = NAMES[:1] if missing else NAMES
    print(f"{'':<46}" + "".join(f"{name:>16}" for name in NAMES) + f"{'peer / ours':>14}")
    with tempfile.TemporaryDirectory() as folder:
        times = {
            (name, size): loaded(name, Path(folder, f"{name} {size}.json"), size)
            for size in chosen.sizes
            for name in names
        }
        for what, unit, times_unit in (
            ("open", "ms", 1e3),
            ("hit", "µs", 1e6),
            ("record", "ms", 1e3),
            ("slowest", "ms", 1e3),
        ):
            title = {"slowest": "slowest record"}.get(what, what)
            for size in chosen.sizes:
                figures = [times[name, size][what] * times_unit for name in names]
                show(f"{title}, {size:,} answers in the file, {unit}", figures, "{:,.2f}")
        for name in names:
            Path(folder, name).mkdir()
        losses = [killed(name, Path(folder, name), chosen.kills) for name in names]
        show(
            f"kill -9 at {chosen.kills} moments: answers there were", [loss["answers"] for loss in losses], ratio=False
        )
        show("  lost", [loss["lost"] for loss in losses], ratio=False)
        show("  files that cannot be read any more", [loss["unreadable"] for loss in losses], ratio=False)
        survivors = [raced(name, Path(folder, name), chosen.processes) for name in names]
        show(f"{chosen.processes} processes x {AT_ONCE} answers at once: kept", survivors, ratio=False)
    if missing:
        print(f"cooksafe: {missing}")


if __name__ == "__main__":
    main()
