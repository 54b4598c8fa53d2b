"""A System One server on loopback for tests: it says what it is told to, and remembers who asked what."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Reply = Callable[["Request"], None]
OPTIONS = ("supports", "contradicts", "says_nothing")


def choice(name: str = "supports", confidence: float | None = 0.94, **probabilities: float) -> dict[str, Any]:
    """Return an answer: 0.96 for the choice, and TypeSafe's confidence for that."""
    shares = probabilities or {option: 0.96 if option == name else 0.02 for option in OPTIONS}
    return {"type": "choice", "choice": name, "probabilities": shares, "confidence": confidence}


def body(answer: Any, **parts: Any) -> dict[str, Any]:
    """Return the whole reply around an answer; `parts` replace its other fields, None leaves one out."""
    reply = {
        "model": "jev-1.13.0",
        "answers": {"relation": answer},
        "usage": {"input_tokens": 500, "output_tokens": 40},
    }
    return {name: part for name, part in (reply | parts).items() if part is not None}


class Server:
    """Serve on a free port of 127.0.0.1 while in a `with` block.

    `script` maps a part of a claim to what happens to its question: a reply (dict), raw bytes, (status, dict or bytes,
    headers), a function of the Request, or a list of these, one a call, of which the last goes on. "" fits every claim.
    """

    def __init__(self, script: dict[str, Any] | None = None, models: tuple[str, ...] = ("jev-latest",)) -> None:
        self.script = script or {"": body(choice())}
        self.models = models
        self.calls: list[dict[str, Any]] = []  # the request bodies, with "key"
        self.now = self.most = 0  # questions under way
        self.stopping = threading.Event()
        self.lock = threading.Lock()
        self.http = _Http(("127.0.0.1", 0), Request)
        self.http.owner = self
        self.url = f"http://127.0.0.1:{self.http.server_address[1]}"

    def __enter__(self) -> Server:
        threading.Thread(target=self.http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stopping.set()
        self.http.shutdown()
        self.http.server_close()

    def claims(self) -> list[str]:
        """Return the claims asked about, in order of arrival."""
        return [call["state"]["claim"] for call in self.calls]

    def next_reply(self, question: dict[str, Any]) -> Any:
        """Note a call, and return what is to happen to it."""
        with self.lock:
            self.calls.append(question)
            self.now += 1
            self.most = max(self.most, self.now)
            reply = next(reply for part, reply in self.script.items() if part in question["state"]["claim"])
            if isinstance(reply, list):
                return reply.pop(0) if len(reply) > 1 else reply[0]
            return reply


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    owner: Server

    def handle_error(self, *_: object) -> None:
        """Say nothing of a client that went away: that is what some tests are about."""


class Request(BaseHTTPRequestHandler):
    """One request; functions in a script get it, to write whatever they like."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one packet
    disable_nagle_algorithm = True
    server: _Http

    def log_message(self, *_: object) -> None:
        """Keep stderr free."""

    def do_GET(self) -> None:
        models = [{"name": name, "description": "", "release_date": "2026-08-16"} for name in self.server.owner.models]
        self.answer(200, {"models": models})

    def do_POST(self) -> None:
        owner = self.server.owner
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        reply = owner.next_reply(question | {"key": self.headers["Authorization"].removeprefix("Bearer ")})
        try:
            if callable(reply):
                reply(self)
            else:
                self.answer(*(reply if isinstance(reply, tuple) else (200, reply)))
        finally:
            with owner.lock:
                owner.now -= 1

    def answer(self, status: int, content: Any, headers: dict[str, str] | None = None) -> None:
        """Send a whole reply; bytes go out as they are."""
        raw = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(raw)),
            **(headers or {}),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(raw)
        self.wfile.flush()

    def sleep(self, seconds: float) -> None:
        """Wait, but not longer than the server lives."""
        self.server.owner.stopping.wait(seconds)


def hang(request: Request) -> None:
    """Say nothing until the server ends."""
    request.sleep(600)
    request.close_connection = True


def drop(request: Request) -> None:
    """Close the connection without a word."""
    request.close_connection = True


def cut_off(request: Request) -> None:
    """Close the connection in the middle of the reply."""
    request.send_response(200)
    request.send_header("Content-Length", "500")
    request.end_headers()
    request.wfile.write(b'{"model":"jev-1.13.0",')
    request.close_connection = True


def drip(request: Request) -> None:
    """Send a byte now and then, for ever: every one of them starts the SDK's own timeout anew."""
    request.send_response(200)
    request.send_header("Content-Length", "100000")
    request.end_headers()
    while not request.server.owner.stopping.wait(0.05):
        request.wfile.write(b" ")
        request.wfile.flush()


def later(seconds: float, reply: Any) -> Reply:
    """Answer after a while."""

    def wait(request: Request) -> None:
        request.sleep(seconds)
        request.answer(200, reply)

    return wait
