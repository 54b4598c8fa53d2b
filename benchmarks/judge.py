"""What asking takes beside the model's own time, and what replaying takes: `python -m benchmarks.judge`.

The peer is the SDK's plain client, which asks one question after the other as the published walkthrough does, on the
same server on loopback. Wall time, since all is waiting.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

from helpers.citations import Citation
from helpers.judging import QUESTIONS, check_citations, make_ask
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


def plain_client(url: str, sections: dict[str, str], rows: list[Citation]) -> float:
    """Return the seconds that the SDK's client takes for these citations, one after the other."""
    from typesafe_sdk import TypeSafeClient

    client = TypeSafeClient(api_key="any-key-will-do", base_url=url, timeout=120.0)
    started = time.perf_counter()
    for row in rows:
        state = {"claim": row["claim"], "section": sections[str(row["section"])]}
        client.system_one(state=state, model="jev-latest", questions=QUESTIONS)
    return time.perf_counter() - started


def main() -> None:
    """Print a table: the plain client, then a live run for each number of jobs, and its replay."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--citations", type=int, default=400)
    parser.add_argument("--latency", type=float, default=0.09, help="seconds that the server takes for an answer")
    options = parser.parse_args()
    sections = split_sections(load_source(Path(__file__).parents[1] / "rfc7519.txt"))
    rows = citations(options.citations, list(sections))
    os.environ.update(TYPESAFE_API_KEY="any-key-will-do")
    print(f"{options.citations} citations, {options.latency * 1000:.0f} ms an answer")
    with Server({"": later(options.latency, body(choice()))}) as server:
        plain = plain_client(server.url, sections, rows)
    print(
        f"{'jobs':<12} {'ideal s':>8} {'live s':>8} {'ratio':>6} {'peer / ours':>12} {'at once':>8} {'calls':>6} "
        f"{'replay s':>9} {'calls':>6}"
    )
    least = options.citations * options.latency
    print(f"{'plain client':<12} {least:>8.2f} {plain:>8.2f} {plain / least:>6.2f} {1:>12.1f} {1:>8} {len(rows):>6}")
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
            f"{jobs:<12} {ideal:>8.2f} {seconds[0]:>8.2f} {seconds[0] / ideal:>6.2f} {plain / seconds[0]:>12.1f} "
            f"{server.most:>8} {calls[0]:>6} {seconds[1]:>9.3f} {calls[1]:>6}"
        )


if __name__ == "__main__":
    main()
