"""What asking takes beside the model's own time, and what replaying takes: `python -m benchmarks.judge`."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from helpers.citations import Citation
from helpers.judging import check_citations, make_ask
from helpers.parsing import load_source, split_sections
from helpers.replay import JsonCache
from tests.system_one import Server, body, choice, later

JOBS = (1, 4, 8, 16, 32)


def citations(number: int, labels: list[str]) -> list[Citation]:
    """Return so many citations without a quote, each with a claim of its own."""
    return [
        {
            "id": f"c{i}",
            "claim": f"Claim {i} of an answer about tokens.",
            "quote": None,
            "section": labels[i % len(labels)],
        }
        for i in range(number)
    ]


def main() -> None:
    """Print a table: a live run for each number of jobs, then its replay."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--citations", type=int, default=400)
    parser.add_argument("--latency", type=float, default=0.09, help="seconds that the server takes for an answer")
    options = parser.parse_args()
    sections = split_sections(load_source(Path(__file__).parents[1] / "rfc7519.txt"))
    rows = citations(options.citations, list(sections))
    os.environ.update(TYPESAFE_API_KEY="any-key-will-do")
    print(f"{options.citations} citations, {options.latency * 1000:.0f} ms an answer")
    print(f"jobs {'ideal s':>8} {'live s':>8} {'ratio':>6} {'at once':>8} {'calls':>6} {'replay s':>9} {'calls':>6}")
    for jobs in JOBS:
        with tempfile.TemporaryDirectory() as folder, Server({"": later(options.latency, body(choice()))}) as server:
            os.environ["TYPESAFE_ENDPOINT"] = server.url
            seconds, calls = [], []
            for _ in range(2):
                started, before = time.perf_counter(), len(server.calls)
                with JsonCache(Path(folder, "cache.json")) as cache:
                    results = check_citations(sections, rows, make_ask(cache, model="jev-latest"), jobs=jobs)
                if any(result["error"] for result in results):
                    raise SystemExit(f"unjudged: {next(r['error'] for r in results if r['error'])}")
                seconds.append(time.perf_counter() - started)
                calls.append(len(server.calls) - before)
        ideal = options.citations * options.latency / jobs
        print(
            f"{jobs:>4} {ideal:>8.2f} {seconds[0]:>8.2f} {seconds[0] / ideal:>6.2f} {server.most:>8} {calls[0]:>6} "
            f"{seconds[1]:>9.3f} {calls[1]:>6}"
        )


if __name__ == "__main__":
    main()
