"""The engine on a running Dask cluster: workers get documents' bytes, citations and this code, and nothing else."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..errors import CitationCheckError, SourceError
from .engines import PATIENCE, PER_PROCESS, Content, Engine

PACKAGE = Path(__file__).resolve().parents[1]
NEEDED = ("markdown_it", "pypdfium2", "mammoth")  # what readers import
CONNECTED = 10.0  # seconds in which the scheduler has to answer, and to have a worker
SETTINGS = {
    "distributed.admin.large-graph-warning-threshold": "1GB",  # a document's bytes are meant to go with its task
    "distributed.admin.low-level-log-length": 0,  # a client keeps its last 1,000 messages, and each holds a document
}


class ClusterError(CitationCheckError):
    """Say why a cluster cannot be used, or not any more."""


@contextmanager
def dask_engine(address: str) -> Iterator[Engine]:
    """Give an engine that works on the cluster at this address; the cluster is left running."""
    try:
        import dask
        from distributed import Client
        from distributed.comm.addressing import resolve_address
    except ImportError as error:
        raise ClusterError(f"--dask: {error.name} is missing; pip install -r requirements-dask.txt") from error
    with dask.config.set(SETTINGS):
        try:
            resolve_address(address)  # a client that meets a wrong one only in its making hangs for 20 s when it goes
            client: Any = Client(address, timeout=CONNECTED, set_as_default=False)  # type: ignore[no-untyped-call]
        except (OSError, ValueError, TypeError) as error:
            reason = str(error) or type(error).__name__
            raise ClusterError(f"--dask {address}: no cluster can be reached there ({reason})") from error
        with client:
            _prepare(client, address)
            yield Engine(running(client, address), PER_PROCESS * sum(client.nthreads().values()))


def running(client: Any, address: str) -> Callable[..., Any]:
    """Return what runs a function of this package on a worker, and waits for its result, but not for ever."""
    from distributed import CancelledError, KilledWorker

    call = _calling()

    def run(function: Callable[..., Any], content: Content, *arguments: Any) -> Any:
        # Dask repeats the tasks of a lost worker by itself; what several workers died of gets one more chance.
        for _ in range(2):
            try:
                task = (call, PATIENCE, function.__module__, function.__name__, tuple(content), *arguments)
                return client.submit(*task, pure=False).result()
            except KilledWorker:
                continue
            except (CancelledError, OSError) as error:
                raise ClusterError(f"--dask {address}: the cluster went away; what was judged is kept") from error
        raise SourceError(f"{content.name}: the workers that read it died; it may need more memory than they have")

    return run


def _prepare(client: Any, address: str) -> None:
    """Ship this package to the workers, those to come as well, and check that they can run it."""
    from distributed.diagnostics.plugin import UploadFile

    try:
        client.wait_for_workers(1, timeout=CONNECTED)
    except TimeoutError as error:
        raise ClusterError(f"--dask {address}: the cluster has no workers; start one") from error
    if lacks := {name for missing in client.run(_make_ready(NEEDED)).values() for name in missing}:
        what = ", ".join(sorted(lacks))
        raise ClusterError(f"--dask {address}: its workers lack {what}; pip install -r requirements.txt there")
    with tempfile.TemporaryDirectory() as folder:
        client.register_plugin(UploadFile(str(_package_in(Path(folder)))), name="citation_check")


# A function in a function is sent as it is. Any other, and any object of ours, is sent by the name of its module, and
# would be looked up on the scheduler too, which does not have this package.


def _calling() -> Callable[..., Any]:
    def call(patience: float, module: str, function: str, content: tuple[Any, ...], *arguments: Any) -> Any:
        from importlib import import_module

        document = import_module("helpers.auditing.engines").Content(*content)
        within = import_module("helpers.asking.connecting").within
        run = getattr(import_module(module), function)
        # A thread cannot be ended, and the process is the worker, which is others' too: what hangs is left behind.
        try:
            return within(patience, lambda: run(document, *arguments))
        except TimeoutError:
            trap = f"took over {patience:.0f} s on a worker; leave it out or make it smaller"
            raise import_module("helpers.errors").SourceError(f"{document.name}: {trap}") from None

    return call


def _make_ready(needed: Sequence[str]) -> Callable[[], list[str]]:
    def make_ready() -> list[str]:
        import importlib.util
        import sys

        old = (n for n, m in sys.modules.items() if n.startswith("helpers.") and ".zip" in (m.__file__ or ""))
        for name in list(old):  # of an earlier audit, maybe of another version
            del sys.modules[name]
        old_python = ["Python 3.11"] if sys.version_info < (3, 11) else []
        return old_python + [name for name in needed if importlib.util.find_spec(name) is None]

    return make_ready


def _package_in(folder: Path) -> Path:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for module in sorted(PACKAGE.rglob("*.py")):
            archive.write(module, module.relative_to(PACKAGE.parent))
    path = folder / f"helpers-{sha256(packed.getvalue()).hexdigest()[:12]}.zip"
    path.write_bytes(packed.getvalue())
    return path
