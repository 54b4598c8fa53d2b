"""What an audit of many documents takes, on this machine's cores and on a Dask cluster: `python -m benchmarks.audit`.

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
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CITATIONS = 10
WORDS = 14  # of a quote


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
def cluster(workers: int) -> Iterator[str]:
    """Give the address of a cluster of so many processes."""
    from distributed import LocalCluster

    options = {"n_workers": workers, "threads_per_worker": 1, "dashboard_address": ":0", "host": "127.0.0.1"}
    with LocalCluster(processes=True, silence_logs=50, **options) as started:
        yield started.scheduler_address


def one_audit(folder: Path, results: str, settings: dict[str, Any]) -> None:
    """Run an audit in this process, and print its figures as JSON."""
    from helpers.auditing import audit
    from helpers.judging import make_ask
    from helpers.replay import JsonCache

    with JsonCache(folder / f"{results}.cache.json") as cache:
        ask = make_ask(cache, model="jev-latest")
        summary = audit(folder / "manifest.jsonl", folder / f"{results}.jsonl", ask, **settings)
    gc.collect()  # ends the pool, whose processes are counted when they have ended
    time.sleep(0.5)
    print(json.dumps({**summary, "driver": used("SELF"), "workers": used("CHILDREN")}))


def used(whose: str) -> dict[str, float]:
    """Return processor seconds and the largest resident memory in MB so far; nothing where the system does not tell."""
    if sys.platform == "win32":
        return {"cpu": 0.0, "peak": 0.0}
    import resource

    usage = resource.getrusage(getattr(resource, f"RUSAGE_{whose}"))
    return {
        "cpu": usage.ru_utime + usage.ru_stime,
        "peak": usage.ru_maxrss / (1 << (10 if sys.platform == "linux" else 20)),
    }


def start(folder: Path, results: str, url: str, **settings: Any) -> subprocess.Popen[str]:
    """Start an audit in a process of its own, so that its memory can be told and it can be killed."""
    environment = {**os.environ, "TYPESAFE_API_KEY": "any-key-will-do", "TYPESAFE_ENDPOINT": url}
    call = f"from benchmarks.audit import *; one_audit(Path({str(folder)!r}), {results!r}, {settings!r})"
    command = [sys.executable, "-c", call]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )


def used_by_workers(address: str) -> dict[str, float]:
    """Return the same of a cluster's workers: all processor seconds, the largest memory."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        each = list(client.run(used, "SELF").values())
    return {"cpu": sum(one["cpu"] for one in each), "peak": max(one["peak"] for one in each)}


def measured(name: str, documents: int, process: subprocess.Popen[str], cluster: str | None = None) -> None:
    """Wait for an audit and print its line."""
    figures = json.loads(process.communicate()[0])
    if cluster:
        figures["workers"] = used_by_workers(cluster)
    seconds, driver, workers = (figures[part] for part in ("seconds", "driver", "workers"))
    counts = ", ".join(f"{n:,} {kind}" for kind, n in sorted(figures["counts"].items()))
    print(
        f"{documents:>9,} {name:<15} {seconds:>8.1f} {documents / seconds:>8.1f} {driver['cpu']:>10.1f} "
        f"{workers['cpu']:>11.1f} {driver['peak']:>10.0f} {workers['peak']:>10.0f} {figures['calls']:>8,}  {counts}",
        flush=True,
    )


def killed(folder: Path, url: str, lines: int, **settings: Any) -> None:
    """Kill an audit half way, go on, and compare with the results of an unbroken run."""
    broken = folder / "broken.jsonl"
    process = start(folder, "broken", url, **settings)
    while process.poll() is None and (not broken.exists() or broken.read_bytes().count(b"\n") < lines // 2):
        time.sleep(0.05)
    process.kill()
    process.communicate()
    kept = broken.read_bytes().count(b"\n")
    figures = json.loads(start(folder, "broken", url, **settings).communicate()[0])
    same = steady(broken) == steady(folder / "unbroken.jsonl")
    print(
        f"killed (-9) with {kept:,} of {lines:,} results written, then continued: {figures['calls']:,} calls, results "
        f"{'identical to' if same else 'DIFFERENT FROM'} those of an unbroken run (but for seconds and replayed)"
    )


def steady(path: Path) -> list[dict[str, Any]]:
    """Return results without what differs between any two runs."""
    results = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    for result in results:
        result.pop("replayed", None)
        if result.get("answer"):
            del result["answer"]["seconds"]
    return results


def main() -> None:
    """Print a table of sizes and engines, and what a kill in the middle costs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("texts", nargs="?", type=Path, help="a folder of RFC texts, .txt or .txt.gz")
    parser.add_argument("--documents", type=int, nargs="+", default=[100, 1000])
    parser.add_argument("--processes", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--dask", type=int, nargs="*", default=[], metavar="WORKERS")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    print("documents engine          seconds   docs/s driver CPU workers CPU  driver MB  worker MB    calls  results")
    for documents in options.documents:
        with tempfile.TemporaryDirectory() as name, judge() as url:
            folder = Path(name)
            make(folder, documents, options.texts, options.seed)
            for processes in options.processes:
                measured(f"{processes} processes", documents, start(folder, f"p{processes}", url, processes=processes))
            for workers in options.dask:
                with cluster(workers) as address:
                    measured(
                        f"dask, {workers} workers", documents, start(folder, f"d{workers}", url, dask=address), address
                    )
            if documents == min(options.documents):
                start(folder, "unbroken", url, processes=2).communicate()
                killed(folder, url, documents * CITATIONS, processes=2)


if __name__ == "__main__":
    main()
