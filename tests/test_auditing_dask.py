"""The same audit on a real Dask cluster of two processes; skipped where distributed is not installed."""

import gc
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest
from system_one import body, choice

from helpers.auditing import audit
from helpers.auditing.cluster import ClusterError, dask_engine, running
from helpers.auditing.engines import Content, locate_document
from helpers.errors import SourceError
from helpers.judging import make_ask
from helpers.replay import JsonCache
from tests import system_one

distributed = pytest.importorskip("distributed", reason="distributed is not installed: requirements-dask.txt")

GATES = "1.  Scope\n\n   A gate MUST refuse a stale token.\n\n2.  Rules\n\n   Porters keep the list of the day.\n"
DOCUMENTS, CITATIONS = 12, 3


STARTED = """
import sys
from distributed import LocalCluster
if __name__ == "__main__":
    options = {"threads_per_worker": 1, "dashboard_address": ":0", "host": "127.0.0.1", "local_directory": "."}
    with LocalCluster(n_workers=int(sys.argv[1]), processes=True, silence_logs=50, **options) as cluster:
        print(cluster.scheduler_address, flush=True)
        input()
"""


@contextmanager
def started(folder, workers):
    """Start a cluster in a process and folder of its own, where this package cannot be imported; give its address."""
    (folder / "start.py").write_text(STARTED, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "start.py", str(workers)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "encoding": "utf-8"}
    with subprocess.Popen(command, cwd=folder, env=environment, **pipes) as process:
        yield process.stdout.readline().strip()
        process.communicate("\n", timeout=60)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Give the address of a cluster of two workers."""
    with started(tmp_path_factory.mktemp("cluster"), 2) as address:
        yield address


@pytest.fixture
def folder(tmp_path):
    with (tmp_path / "manifest.jsonl").open("w", encoding="utf-8") as manifest:
        for n in range(DOCUMENTS):
            (tmp_path / f"{n}.txt").write_text(GATES, encoding="utf-8")
            rows = [citation(n, m) for m in range(CITATIONS)]
            manifest.write(json.dumps({"source": f"{n}.txt", "citations": rows}) + "\n")
        manifest.write(json.dumps({"source": "missing.txt", "citations": [citation(0, 0)]}) + "\n")
    return tmp_path


def citation(n, m):
    return {"id": str(m), "claim": f"Claim {n} {m}.", "quote": "Porters keep the list of the day.", "section": "2"}


def run(folder, name="results.jsonl", **settings):
    with JsonCache(folder / "results.cache.json") as cache:
        return audit(folder / "manifest.jsonl", folder / name, make_ask(cache, model="jev-latest"), **settings)


def steady(folder, name="results.jsonl"):
    lines = [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").split("\n") if line]
    for line in lines:
        line.pop("replayed", None)
    return lines


def test_documents_that_are_done_with_leave_the_drivers_memory(cluster):
    with dask_engine(cluster) as engine:
        for _ in range(3):
            assert engine.run(locate_document, Content("gates.txt", GATES.encode("utf-8")), []) == []
        kept = [each for each in gc.get_objects() if isinstance(each, dict) and each.get("op") == "update-graph"]
    assert kept == []


def test_a_cluster_gives_the_same_results_and_is_left_running(folder, server, cluster):
    summary = run(folder, dask=cluster)
    assert summary["counts"] == {"verified": DOCUMENTS * CITATIONS, "error": 1}
    assert len(server.calls) == DOCUMENTS * CITATIONS
    run(folder, "local.jsonl", processes=1)
    assert steady(folder) == steady(folder, "local.jsonl")
    with distributed.Client(cluster, set_as_default=False) as client:
        assert len(client.nthreads()) == 2


@pytest.mark.usefixtures("server")
def test_neither_key_nor_path_leaves_the_driver(folder, cluster, monkeypatch):
    sent, submit = [], distributed.Client.submit

    def noting(client, *arguments, **options):
        sent.append(pickle.dumps(arguments[1:]))  # the function itself is sent by value
        return submit(client, *arguments, **options)

    monkeypatch.setattr(distributed.Client, "submit", noting)
    run(folder, dask=cluster)
    assert len(sent) == DOCUMENTS
    for content in sent:
        assert b".txt" in content
        assert b"a-key-only-for-tests" not in content
        assert str(folder).encode() not in content


@pytest.mark.usefixtures("server")
def test_workers_run_the_package_that_the_driver_ships(folder, cluster):
    run(folder, dask=cluster)
    with distributed.Client(cluster, set_as_default=False) as client:
        files = client.run(lambda: __import__("sys").modules["helpers.auditing.engines"].__file__)
    assert all(re.search(r"helpers-\w{12}\.zip", file) for file in files.values())


def test_a_worker_killed_in_the_middle_loses_and_doubles_nothing(folder, server, cluster):
    server.script = {"": system_one.later(0.05, body(choice()))}
    with distributed.Client(cluster, set_as_default=False) as client:
        pids = list(client.run(os.getpid).values())

    def kill():
        while len(server.calls) < 6:
            time.sleep(0.01)
        os.kill(pids[0], getattr(signal, "SIGKILL", signal.SIGTERM))  # Windows ends a process by SIGTERM

    killer = threading.Thread(target=kill)
    killer.start()
    summary = run(folder, dask=cluster, jobs=2)
    killer.join()
    assert summary["counts"] == {"verified": DOCUMENTS * CITATIONS, "error": 1}
    assert len(steady(folder)) == DOCUMENTS * CITATIONS + 1
    assert sorted(set(server.claims())) == sorted(server.claims())


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:9", "127.0.0.1", "other://x"], ids=["nobody", "no port", "scheme"]
)
def test_a_cluster_that_is_not_there_is_told_in_one_line(folder, monkeypatch, address):
    monkeypatch.setattr("helpers.auditing.cluster.CONNECTED", 0.5)
    with pytest.raises(ClusterError, match=rf"^--dask {re.escape(address)}: no cluster can be reached there"):
        run(folder, dask=address)


def test_a_cluster_without_workers_is_told_in_one_line(folder, monkeypatch):
    monkeypatch.setattr("helpers.auditing.cluster.CONNECTED", 1.0)
    with started(folder, 0) as empty, pytest.raises(ClusterError, match=r"the cluster has no workers; start one$"):
        run(folder, dask=empty)


def test_without_distributed_the_user_is_told_what_to_install(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ClusterError, match=r"^--dask: distributed is missing; pip install -r requirements-dask\.txt$"):
        run(folder, dask="tcp://127.0.0.1:9")


class Client:
    """Answer each submit with the next of these outcomes."""

    def __init__(self, *outcomes):
        self.outcomes = list(outcomes)

    def submit(self, *_, **__):
        return self

    def result(self):
        outcome = self.outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


KILLED = distributed.KilledWorker("task", None, 3)


@pytest.mark.parametrize(
    ("outcomes", "error", "told"),
    [
        ([KILLED, ["located"]], None, ["located"]),
        ([KILLED, KILLED], SourceError, "gates.txt: the workers that read it died; it may need more memory"),
        (
            [distributed.CancelledError()],
            ClusterError,
            "--dask tcp://x:1: the cluster went away; what was judged is kept",
        ),
        ([OSError("broken")], ClusterError, "the cluster went away"),
    ],
    ids=["died once", "died again", "cancelled", "connection lost"],
)
def test_lost_workers_and_clusters_are_told_apart(outcomes, error, told):
    work = running(Client(*outcomes), "tcp://x:1")
    if error is None:
        assert work(locate_document, Content("gates.txt", b""), []) == told
    else:
        with pytest.raises(error, match=told):
            work(locate_document, Content("gates.txt", b""), [])


@pytest.mark.usefixtures("server")
def test_a_document_on_which_a_worker_hangs_is_an_error_and_the_others_are_read(folder, cluster, monkeypatch):
    (folder / "3.txt").write_text(GATES * 40_000, encoding="utf-8")
    monkeypatch.setattr("helpers.auditing.cluster.PATIENCE", 0.3)
    summary = run(folder, dask=cluster)
    assert summary["counts"] == {"verified": (DOCUMENTS - 1) * CITATIONS, "error": 2}
    assert "error: row 3: 3.txt: took over 0 s on a worker; leave it out or make it smaller" in summary["failures"]


def test_workers_that_lack_a_library_are_told_what_to_install(folder, cluster, monkeypatch):
    monkeypatch.setattr("helpers.auditing.cluster.NEEDED", ("mammoth", "no_such_reader"))
    with pytest.raises(ClusterError, match=r"its workers lack no_such_reader; pip install -r requirements\.txt there$"):
        run(folder, dask=cluster)
