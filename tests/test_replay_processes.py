"""The replay cache between real processes: kills, races, forks, and what the end of a process leaves."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.replay import JsonCache

# Records NAME 0, NAME 1, … and then tells, one line each, that the answer was returned. FOLD is small, so that
# a process folds all the time and many kills strike a fold.
WORKER = """
import os, sys
from helpers import journal
from helpers.replay import JsonCache

path, name, count, journal.FOLD_ENTRIES = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
journal.FOLD_SHARE = 1_000_000
with JsonCache(path) as cache:
    for number in range(count):
        cache.put(f"{name} {number}", {"number": number, "text": "é" * 400})
        os.write(1, f"{name} {number}\\n".encode("ascii"))
"""
TEXT = "é" * 400


def start(path: Path, name: str, count: int, fold: int) -> tuple[subprocess.Popen[bytes], Path]:
    """Start a worker; the file returned names the answers that it was given back."""
    told = path.with_name(f"{name}.told")
    with told.open("wb") as stdout:
        return subprocess.Popen([sys.executable, "-c", WORKER, path, name, str(count), str(fold)], stdout=stdout), told


def returned(told: Path) -> list[str]:
    return told.read_bytes().decode("ascii").split("\n")[:-1]


def number_of(key: str) -> int:
    return int(key.rsplit(" ", 1)[1])


def kill_at_random(path: Path, rounds: int, seed: int) -> tuple[int, int]:
    """Kill so many workers on one cache, each at a random moment; return how many answers were returned and lost."""
    moments = random.Random(seed)
    answers: list[str] = []
    lost = 0
    for number in range(rounds):
        worker, told = start(path, f"worker{number}", 1_000_000, moments.choice([2, 5, 20]))
        while not told.stat().st_size and worker.poll() is None:
            time.sleep(0.005)
        time.sleep(moments.uniform(0, 0.15))
        worker.kill()
        worker.wait(30)
        answers += returned(told)
        if path.exists():
            assert isinstance(json.loads(path.read_bytes()), dict)
        cache = JsonCache(path, moments.choice(["auto", "replay"]))
        lost += sum(cache.get(key) != {"number": number_of(key), "text": TEXT} for key in answers)
    return len(answers), lost


def race(path: Path, processes: int, count: int, fold: int) -> tuple[int, int]:
    """Let processes record on one cache at once; return how often it was read meanwhile, and answers lost."""
    started = [start(path, f"worker{number}", count, fold) for number in range(processes)]
    onlooker = JsonCache(path, "replay")
    reads = lost = 0
    while any(worker.poll() is None for worker, _ in started):
        if path.exists():
            json.loads(path.read_bytes())
        for _, told in started:
            for key in returned(told)[-1:]:
                reads += 1
                lost += onlooker.get(key) is None
        time.sleep(0.002)
    assert [worker.returncode for worker, _ in started] == [0] * processes
    kept = json.loads(path.read_bytes())
    answers = [key for _, told in started for key in returned(told)]
    assert len(answers) == processes * count
    return reads, lost + sum(key not in kept for key in answers)


def test_killed_processes_lose_no_answer_that_was_returned_and_the_file_always_parses(tmp_path: Path) -> None:
    answers, lost = kill_at_random(tmp_path / "cache.json", rounds=6, seed=1)
    assert answers >= 6
    assert lost == 0


def test_four_processes_on_one_cache_keep_every_answer_and_a_fifth_sees_each_at_once(tmp_path: Path) -> None:
    reads, lost = race(tmp_path / "cache.json", processes=4, count=100, fold=20)
    assert reads > 0
    assert lost == 0
    assert sorted(file.name for file in tmp_path.glob("cache.json*")) == ["cache.json", "cache.json.lock"]


def test_what_another_process_recorded_is_seen_while_it_lives(tmp_path: Path) -> None:
    path = tmp_path / "cache.json"
    cache = JsonCache(path)
    worker, told = start(path, "other", 1_000_000, 1_000_000)
    try:
        while len(returned(told)) < 3:
            assert worker.poll() is None
            time.sleep(0.005)
        assert cache.get("other 2") == {"number": 2, "text": TEXT}
    finally:
        worker.kill()
        worker.wait(30)


def run(program: str, path: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, path], capture_output=True, encoding="utf-8", check=False, timeout=60
    )


@pytest.mark.parametrize("ending", ["", "raise SystemExit(3)", "1 / 0"], ids=["runs out", "exits", "fails"])
def test_the_end_of_the_process_folds(tmp_path: Path, ending: str) -> None:
    path = tmp_path / "cache.json"
    run(f"import sys; from helpers.replay import JsonCache; JsonCache(sys.argv[1]).put('k', 1)\n{ending}", path)
    assert json.loads(path.read_bytes()) == {"k": 1}
    assert not path.with_name("cache.json.journal").exists()


def test_a_fold_that_fails_at_the_end_is_a_warning_and_keeps_the_answers(tmp_path: Path) -> None:
    path = tmp_path / "cache.json"
    done = run(
        "import sys; from helpers.replay import JsonCache; JsonCache(sys.argv[1]).put('k', 1)\n"
        "open(sys.argv[1], 'w', encoding='utf-8').write('<<<<<<<')",
        path,
    )
    assert "cache.json:1:1: Expecting value" in done.stderr
    assert "Traceback" not in done.stderr
    assert path.read_bytes() == b"<<<<<<<"
    assert path.with_name("cache.json.journal").exists()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_child_records_although_its_parent_was_recording_and_asking(tmp_path: Path) -> None:
    path = tmp_path / "cache.json"
    done = run(
        "import os, sys, threading, warnings\n"
        "warnings.simplefilter('ignore')\n"  # Python 3.12 advises against forking with threads, which is the point
        "from helpers.replay import JsonCache\n"
        "cache = JsonCache(sys.argv[1])\n"
        "cache.put('before', 0)\n"
        "ready, over = threading.Event(), threading.Event()\n"
        "def ask():\n"
        "    with cache.hold('k'), cache._guard, cache._journal._guard:\n"
        "        ready.set(); over.wait()\n"
        "threading.Thread(target=ask).start()\n"
        "ready.wait()\n"
        "child = os.fork()\n"
        "if not child:\n"
        "    import faulthandler; faulthandler.dump_traceback_later(20, exit=True)\n"
        "    with cache.hold('k'): cache.put('child', 1)\n"
        "    assert cache.get('before') == 0\n"
        "    cache.close()\n"
        "    os._exit(7)\n"
        "status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])\n"
        "over.set()\n"
        "assert cache.get('child') == 1\n"
        "cache.put('parent', 2)\n"
        "sys.exit(status)\n",
        path,
    )
    assert (done.returncode, done.stderr) == (7, "")
    assert json.loads(path.read_bytes()) == {"before": 0, "child": 1, "parent": 2}


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_replayed_and_told_before_anything_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "cache.json"
    path.write_bytes(b'{"a":1}')
    path.with_name("cache.json.journal").write_bytes(b'"0123456789abcdef"\n{"b":2}\n')
    tmp_path.chmod(0o555)
    try:
        done = run(
            "import sys; from helpers.replay import JsonCache; cache = JsonCache(sys.argv[1])\n"
            "print(cache.get('a'), cache.get('b'), flush=True)\n"
            "try: cache.check_writable()\n"
            "except Exception as error: print(error)\n",
            path,
        )
    finally:
        tmp_path.chmod(0o755)
    assert done.stdout.startswith(f"1 2\n{path}: cannot be written (Permission denied)")
    assert path.read_bytes() == b'{"a":1}'
