"""The way to a System One server: key and address from the environment, one client, a steady pace, a total deadline."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol, TypeVar

from ..errors import JudgeError
from .parallel import LOOK

TYPESAFE = "https://api.typesafe.ai"  # where the SDK asks when no address is given
REQUESTS_PER_MINUTE = 1200  # TypeSafe's documented limits (2026-11); other servers set their own or none
TOKENS_PER_SECOND = 250_000
RETRY_BUDGET = 30.0  # seconds, the SDK's own: a server that asks to wait longer is told to the user instead
LOOPBACK = ("localhost", "127.0.0.1", "::1")  # asked without the environment's proxy, which could not reach them

T = TypeVar("T")


class Client(Protocol):
    """Whatever asks a System One server as `TypeSafeClient` does."""

    def system_one(self, *, state: Any, model: str, questions: Any) -> Any:
        """Ask these questions about this state."""


class Line(NamedTuple):
    """One way to a server: the client that asks it, its name for messages, and when the next question may leave."""

    client: Any
    server: str
    pacer: Pacer | None


class Pacer:
    """Let questions leave at a steady pace, so that neither requests nor tokens exceed a limit."""

    def __init__(self, per_minute: float, tokens_per_second: float | None) -> None:
        self.gap = 60 / per_minute
        self.tokens_per_second = tokens_per_second
        self.lock = threading.Lock()
        self.free_at = 0.0

    def wait(self, tokens: float) -> None:
        """Sleep until a question of about so many tokens may leave."""
        with self.lock:
            start = max(time.monotonic(), self.free_at)
            weight = tokens / self.tokens_per_second if self.tokens_per_second else 0.0
            self.free_at = start + max(self.gap, weight)
        time.sleep(max(0.0, start - time.monotonic()))


def variable(name: str) -> str | None:
    """Return an environment variable as it is now; a blank one counts as not set."""
    return os.environ.get(name, "").strip() or None


def endpoint() -> str | None:
    """Return the server's address from the environment; None means TypeSafe's own."""
    return variable("TYPESAFE_ENDPOINT") or variable("TYPESAFE_BASE_URL")


_lines: dict[tuple[object, ...], Line] = {}
_lines_lock = threading.Lock()


def connect(timeout: float, rate: float | None) -> Line:
    """Return the process's one way to the server that the environment names; raises JudgeError where there is none.

    `timeout` is in seconds. `rate` is in questions a minute; without one TypeSafe's limits hold on TypeSafe's own host.
    """
    key, address = variable("TYPESAFE_API_KEY"), endpoint()
    if key is None:
        raise JudgeError("no API key: set TYPESAFE_API_KEY (any text for a server of your own)", everywhere=True)
    with _lines_lock:
        settings = (os.getpid(), key, address, timeout, rate)  # a forked process must not share its parent's sockets
        if settings not in _lines:
            server = address or TYPESAFE
            _lines[settings] = Line(_client(key, address, timeout), server, _pacer(server, rate))
        return _lines[settings]


def _client(key: str, address: str | None, timeout: float) -> Any:
    if address and not (address.lower().startswith(("http://", "https://")) and host_of(address)):
        raise JudgeError(f"{address!r} is no server's address: begin it with http:// or https://", everywhere=True)
    try:
        from typesafe_sdk import RetryPolicy, TypeSafeClient, TypeSafeError
    except ImportError as error:
        raise JudgeError(f"typesafe-sdk is missing ({error}); install requirements.txt", everywhere=True) from error
    options: dict[str, Any] = {"retry": RetryPolicy(timeout=min(timeout, RETRY_BUDGET))}
    if not is_typesafe(address or TYPESAFE):
        options["compression"] = False  # others may not read zstd, which the SDK uses where Python can write it
    if host_of(address or TYPESAFE) in LOOPBACK:
        from httpx2 import HTTPTransport, Limits

        options["transport"] = HTTPTransport(limits=Limits(max_connections=100, max_keepalive_connections=100))
    try:
        return TypeSafeClient(api_key=key, base_url=address, timeout=timeout, **options)
    except TypeSafeError as error:
        raise JudgeError(f"TYPESAFE_API_KEY cannot be used: {error}", everywhere=True) from error


def _pacer(server: str, rate: float | None) -> Pacer | None:
    if is_typesafe(server):
        return Pacer(rate or REQUESTS_PER_MINUTE, TOKENS_PER_SECOND)
    return Pacer(rate, None) if rate else None


def is_typesafe(server: str) -> bool:
    """Say whether an address is TypeSafe's own, whose documented limits hold."""
    host = host_of(server)
    return host == "typesafe.ai" or host.endswith(".typesafe.ai")


def host_of(server: str) -> str:
    """Return the host of an address, in lower case; empty where it has none."""
    from urllib.parse import urlsplit

    try:
        return urlsplit(server).hostname or ""
    except ValueError:  # such as an open bracket
        return ""


def served_models(client: Any) -> list[str]:
    """Return the models that the server lists (TypeSafe's own lists aliases only); empty where it lists none."""
    try:
        return [model.name for model in within(5.0, lambda: client.models.list(timeout=5.0)).models]
    except Exception:  # a message is being made of another error; this list is an extra
        return []


def within(seconds: float, call: Callable[[], T]) -> T:
    """Return what `call` returns; raises TimeoutError after so many seconds, whatever the server does meanwhile.

    The SDK's own timeout starts anew with every byte. The call that is given up goes on in a daemon thread, which ends
    with the process at the latest.
    """
    done = threading.Event()
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append((call(), None))
        except BaseException as error:
            outcome.append((None, error))
        done.set()

    threading.Thread(target=run, daemon=True).start()
    end = time.monotonic() + seconds
    while not done.wait(min(LOOK, max(0.0, end - time.monotonic()))):
        if time.monotonic() >= end:
            raise TimeoutError(f"no answer within {seconds:g} s")
    value, error = outcome[0]
    if error is not None:
        raise error
    answer: T = value
    return answer
