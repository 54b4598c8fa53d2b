"""The peers that benchmarks measure beside this project, in an environment and in processes of their own.

`peers.txt` lists them. The first benchmark that wants one makes the folder `.venv-peers`, installs them there, and
notes what could not be installed; it does so again when the list changes or the folder is deleted.

A peer runs in a worker: a module that hands its functions to `serve`, and answers calls that come as JSON lines. It
measures itself, by `time.process_time` and around the work alone: neither start-up, import nor the pipe count.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
import venv
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
LIST = Path(__file__).with_name("peers.txt")
FOLDER = ROOT / ".venv-peers"
NOTE = FOLDER / "peers.json"  # the list that was installed, and why some of it was not
PYTHON = FOLDER / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
INSTALL_SECONDS = 300.0  # for one peer with all that it needs


class PeerError(Exception):
    """A peer that is not there, failed, or took too long; the message is what its row says."""


@cache
def why_missing() -> dict[str, str]:
    """Return the peers that could not be installed, with the reason; installs them all first where that is to be done.

    Where the environment cannot be made, all of them are missing.
    """
    wanted = [line.split("#")[0].strip() for line in LIST.read_text(encoding="utf-8").split("\n")]
    wanted = [line for line in wanted if line]
    note = {"list": wanted, "python": [*sys.version_info[:2]]}
    if NOTE.exists() and PYTHON.exists():
        known = json.loads(NOTE.read_text(encoding="utf-8"))
        if {**known, "missing": None} == {**note, "missing": None}:
            missing: dict[str, str] = known["missing"]
            return missing
    print(f"Installing the peers into {FOLDER.name} (a minute or two, once)", file=sys.stderr)
    try:
        venv.create(FOLDER, clear=True, with_pip=True)
    except (OSError, subprocess.SubprocessError) as error:
        return {line.split("==")[0]: f"no environment: {error}" for line in wanted}
    missing = {line.split("==")[0]: reason for line in wanted if (reason := install(line))}
    NOTE.write_text(json.dumps({**note, "missing": missing}, indent=2) + "\n", encoding="utf-8")
    return missing


def install(requirement: str) -> str | None:
    """Install one peer; return why that failed."""
    command = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", requirement]
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", timeout=INSTALL_SECONDS)
    except subprocess.TimeoutExpired:
        return f"not installed within {INSTALL_SECONDS:.0f} s"
    if not done.returncode:
        return None
    version = re.escape(requirement.split("==")[1])
    python = re.search(rf"(?<![\d.]){version} Requires-Python ([^;\s]+)", done.stderr)
    return f"needs Python {python[1]}" if python else "cannot be installed here"


class Worker:
    """Run a module's worker while in a `with` block: `ask` calls one of the functions that it serves."""

    def __init__(self, module: str) -> None:
        why_missing()
        # without the environment, what needs no package runs all the same
        python = PYTHON if PYTHON.exists() else Path(sys.executable)
        self.process = subprocess.Popen(
            [python, "-m", module],
            cwd=ROOT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
        )

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def ask(self, call: str, seconds: float, **arguments: Any) -> Any:
        """Return what the function returns; raises PeerError where it fails or takes longer, which ends the worker."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        late = threading.Timer(seconds, self.process.kill)
        late.start()
        try:
            self.process.stdin.write(json.dumps([call, arguments]) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except OSError:  # it has ended
            line = ""
        finally:
            late.cancel()
        if not line:
            raise PeerError("ended or too slow")
        reply = json.loads(line)
        if "error" in reply:
            raise PeerError(reply["error"])
        return reply["value"]


def measured(work: Callable[[str], Any], items: list[str], limit: float, least: int = 1) -> tuple[float, list[Any]]:
    """Return the processor seconds that some work takes on these items, and its results.

    Stops after `limit` seconds, but does so many at least.
    """
    results: list[Any] = []
    start = time.process_time()
    for item in items:
        results.append(work(item))
        if len(results) >= least and time.process_time() - start > limit:
            break
    return time.process_time() - start, results


def serve(calls: dict[str, Callable[..., Any]]) -> None:
    """Be a worker: answer calls from stdin until it ends. Whatever a peer prints goes to stderr."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    for line in sys.stdin:
        name, arguments = json.loads(line)
        try:
            reply = {"value": calls[name](**arguments)}
        except ImportError as error:
            reply = {"error": f"not installed: {error.name}"}
        except Exception as error:  # a peer may raise anything; its row says what
            reply = {"error": f"{type(error).__name__}: {error}"}
        out.write(json.dumps(reply) + "\n")
        out.flush()
