"""What an audit of many documents takes, beside a plain loop over them: `python -m benchmarks.audit`.

It runs on this machine's cores and, with `--dask`, on a cluster of this machine.

Documents are RFC texts from a folder, or, without one, sections of rfc7519.txt put together anew. Each gets ten
citations: seven in the source's own words, two with a word left out, one invented. The judge is a server on
loopback that answers at once and alike, so verdicts mean nothing here.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import json
import multiprocessing
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import zip_longest
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).parents[1]
CITATIONS = 10
WORDS = 14  # of a quote
JOBS = 8  # questions at once, as in an audit
LOOPED = 1000  # documents; a loop over more takes as long again for nothing new
SAMPLED = 0.1  # seconds between two looks at the memory


def texts_of(folder: Path | None, seed: int) -> Iterator[str]:
    """Yield texts without end: those of the folder in a seeded order, or recombined sections."""
    draw = random.Random(seed)
    if folder is None:
        from helpers.parsing import load_source, split_sections

        parts = [text.split("\n", 1)[-1] for text in split_sections(load_source(ROOT / "rfc7519.txt")).values()]
        while True:
            chosen = draw.sample(parts, 20)
            yield "\n\n".join(f"{n}.  Part {n}\n\n{part}" for n, part in enumerate(chosen, 1)) + "\n"
    files = sorted({path.name: path for path in folder.rglob("rfc[0-9]*.txt*") if path.stat().st_size > 2000}.items())
    draw.shuffle(files)
    while True:
        for _, path in files:
            raw = path.read_bytes()
            text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8", "replace")
            if len(passages(text)) >= CITATIONS:
                yield text


def passages(text: str) -> list[str]:
    """Return paragraphs of prose as one line each; none that a page ends in."""
    paragraphs = re.findall(r"(?m)^   [A-Z][^\n]*\n(?:   \S[^\n]*\n)+", text)
    lines = [" ".join(p.split()) for p in paragraphs if len(p.split()) > WORDS and "[Page" not in p]
    return [line for line in lines if sum(map(str.isalpha, line)) > 0.7 * len(line)]


def citations_of(text: str, number: int, draw: random.Random) -> list[dict[str, Any]]:
    """Return ten citations of a text."""
    rows = []
    for n, passage in enumerate(draw.choices(passages(text), k=CITATIONS)):
        words = passage.split()
        start = draw.randrange(len(words) - WORDS)
        quote = words[start : start + WORDS]
        if n in (7, 8):
            del quote[draw.randrange(2, WORDS - 2)]
        elif n == 9:
            draw.shuffle(quote)
        rows.append({"id": f"c{n}", "claim": f"Claim {number}.{n}", "quote": " ".join(quote), "section": "1"})
    return rows


def make(folder: Path, documents: int, texts: Path | None, seed: int) -> None:
    """Write the documents and their manifest."""
    draw = random.Random(seed)
    with (folder / "manifest.jsonl").open("w", encoding="utf-8", newline="\n") as manifest:
        for number, text in zip(range(documents), texts_of(texts, seed), strict=False):
            (folder / f"{number}.txt").write_text(text, encoding="utf-8", newline="\n")
            row = {"source": f"{number}.txt", "citations": citations_of(text, number, draw)}
            manifest.write(json.dumps(row, ensure_ascii=False) + "\n")


def serve(pipe: Any) -> None:
    """Be the judge, in a process of its own."""
    from tests.system_one import Server

    with Server() as server:
        server.calls = deque(maxlen=0)  # type: ignore[assignment]  # each of many thousands holds a whole section
        pipe.send(server.url)
        pipe.recv()


@contextmanager
def judge() -> Iterator[str]:
    """Give the address of a judge."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(there,))
    process.start()
    yield here.recv()
    here.send(None)
    process.join()


@contextmanager
def cluster(workers: int) -> Iterator[tuple[str, list[int]]]:
    """Give the address of a cluster of so many processes, and those."""
    from distributed import LocalCluster

    options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0", "host": "127.0.0.1"}
    with LocalCluster(processes=True, silence_logs=50, **options) as started:
        yield started.scheduler_address, [worker.pid for worker in started.workers.values()]


def one_audit(folder: Path, results: str, settings: dict[str, Any]) -> None:
    """Run an audit in this process, and print its figures as JSON."""
    from helpers.auditing import audit
    from helpers.judging import make_ask
    from helpers.replay import JsonCache

    with JsonCache(folder / f"{results}.cache.json") as cache:
        ask = make_ask(cache, model="jev-latest")
        summary = audit(folder / "manifest.jsonl", folder / f"{results}.jsonl", ask, **settings)
    show(summary)


def one_loop(folder: Path, results: str, settings: dict[str, Any]) -> None:
    """Check one document after the other in this process, as a script around the package would."""
    from helpers.judging import check_citations, make_ask
    from helpers.parsing import read_document
    from helpers.replay import JsonCache

    began, counts = time.monotonic(), Counter[str]()
    with JsonCache(folder / f"{results}.cache.json") as cache, (folder / "manifest.jsonl").open("rb") as manifest:
        ask = make_ask(cache, model="jev-latest")
        for row in map(json.loads, manifest):
            document = read_document(folder / row["source"])
            counts.update(str(r["verdict"]) for r in check_citations(document, row["citations"], ask, **settings))
    show({"seconds": time.monotonic() - began, "counts": counts, "calls": ask.spent["calls"]})


def show(summary: Mapping[str, Any]) -> None:
    """Print a summary and what this process and its children spent."""
    gc.collect()  # ends the pool, whose processes are counted when they have ended
    time.sleep(0.5)
    print(json.dumps({**summary, "driver": seconds_of("SELF"), "workers": seconds_of("CHILDREN")}))


def seconds_of(whose: str) -> float:
    """Return processor seconds so far; nothing where the system does not tell."""
    if sys.platform == "win32":
        return 0.0
    import resource

    usage = resource.getrusage(getattr(resource, f"RUSAGE_{whose}"))
    return usage.ru_utime + usage.ru_stime


class Memory(threading.Thread):
    """Sample the resident memory of a process and of its children, in MB, until the process ends."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.process = psutil.Process(process)
        self.samples: list[float] = []
        self.workers = 0.0
        self.start()

    def run(self) -> None:
        with suppress(psutil.Error):
            while True:
                self.samples.append(megabytes(self.process))
                self.workers = max([self.workers, *map(megabytes, self.process.children(recursive=True))])
                time.sleep(SAMPLED)

    def driver(self) -> tuple[float, float]:
        """Return the largest memory of the first tenth of the time and of all of it."""
        self.join(10 * SAMPLED)
        return max(self.samples[: len(self.samples) // 10 + 1]), max(self.samples)


def megabytes(process: Any) -> float:
    """Return the resident memory of a process, 0 when it has ended."""
    with suppress(psutil.Error):
        return float(process.memory_info().rss) / 1e6
    return 0.0


def start(
    folder: Path, results: str, url: str, run: Callable[..., None] = one_audit, **settings: Any
) -> subprocess.Popen[str]:
    """Start an audit in a process of its own, so that its memory can be told and it can be killed."""
    environment = {**os.environ, "TYPESAFE_API_KEY": "any-key-will-do", "TYPESAFE_ENDPOINT": url}
    call = f"from benchmarks.audit import *; {run.__name__}(Path({str(folder)!r}), {results!r}, {settings!r})"
    command = [sys.executable, "-c", call]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )


def measured(name: str, documents: int, process: subprocess.Popen[str], workers: Sequence[int] = ()) -> None:
    """Wait for an audit and print its line; `workers` are a cluster's processes, which are not its children."""
    memory, others = Memory(process.pid), [psutil.Process(each) for each in workers]
    before = sum(spent(each) for each in others)
    figures = json.loads(process.communicate()[0])
    calls, (early, peak) = figures["calls"], memory.driver()
    figures["workers"] += sum(spent(each) for each in others) - before
    memory.workers = max([memory.workers, *map(megabytes, others)])  # as it ends: a worker's memory only grows
    seconds = figures["seconds"]
    counts = ", ".join(f"{n:,} {kind}" for kind, n in sorted(figures["counts"].items()))
    print(
        f"{documents:>9,} {name:<15} {seconds:>8.1f} {documents / seconds:>7.1f} {figures['driver']:>10.1f} "
        f"{figures['workers']:>11.1f} {early:>11.0f} {peak:>9.0f} {memory.workers:>9.0f} {calls:>8,}  {counts}",
        flush=True,
    )


def spent(process: Any) -> float:
    """Return a process's processor seconds so far."""
    times = process.cpu_times()
    return float(times.user + times.system)


def killed(folder: Path, url: str, lines: int, unbroken: str, **settings: Any) -> None:
    """Kill an audit half way, go on, and compare with the results of an unbroken run."""
    broken = folder / "broken.jsonl"
    process = start(folder, "broken", url, **settings)
    while process.poll() is None and written(broken) < lines // 2:
        time.sleep(0.05)
    process.kill()
    process.communicate()
    kept = written(broken)
    process = start(folder, "broken", url, **settings)
    memory = Memory(process.pid)
    figures = json.loads(process.communicate()[0])
    pairs = zip_longest(steady(broken), steady(folder / f"{unbroken}.jsonl"))
    same = all(ours == theirs for ours, theirs in pairs) and written(broken) == lines
    print(
        f"killed (-9) with {kept:,} of {lines:,} results written, then continued: {figures['calls']:,} calls, "
        f"{memory.driver()[1]:.0f} MB, results {'identical to' if same else 'DIFFERENT FROM'} those of an unbroken run "
        "(but for seconds and replayed)",
        flush=True,
    )


def written(results: Path) -> int:
    """Return how many results a file holds."""
    if not results.exists():
        return 0
    with results.open("rb") as file:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(1 << 20), b""))


def steady(path: Path) -> Iterator[dict[str, Any]]:
    """Yield results without what differs between any two runs."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            result = json.loads(line)
            result.pop("replayed", None)
            if result.get("answer"):
                del result["answer"]["seconds"]
            yield result


def main() -> None:
    """Print a table of sizes and engines, and what a kill in the middle costs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", nargs="?", type=Path, help="a folder of RFC texts, .txt or .txt.gz")
    parser.add_argument("--documents", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--dask", type=int, nargs="*", default=[], metavar="WORKERS")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print("MB: the largest memory of the driver in the first tenth of the time and in all of it, and of a worker")
    print(f"documents {'engine':<15} {'seconds':>8} {'docs/s':>7} driver CPU workers CPU", end=" ")
    print(f"{'a tenth, MB':>11} driver MB worker MB {'calls':>8}  results")
    for documents in options.documents:
        with tempfile.TemporaryDirectory() as name, judge() as url:
            folder = Path(name)
            make(folder, documents, options.texts, options.seed)
            if documents <= LOOPED:
                measured("a plain loop", documents, start(folder, "loop", url, one_loop, jobs=JOBS))
            for processes in options.processes:
                measured(f"{processes} processes", documents, start(folder, f"p{processes}", url, processes=processes))
            for workers in options.dask:
                with cluster(workers) as (address, pids):
                    audit = start(folder, f"d{workers}", url, dask=address)
                    measured(f"dask, {workers} workers", documents, audit, pids)
            unbroken = options.processes[-1]
            killed(folder, url, documents * CITATIONS, f"p{unbroken}", processes=unbroken)


if __name__ == "__main__":
    main()
