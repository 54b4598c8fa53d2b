"""Why a model gave no answer, in words that a user can act on, and never with the text that was sent or the key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .errors import JudgeError

MESSAGE_SHOWN = 160  # characters of a server's own words; a longer one tends to echo the request
CANNOT_CONNECT = ("ConnectError", "ConnectTimeout", "ProxyError", "UnsupportedProtocol", "LocalProtocolError")
UNKNOWN_MODEL = ("unknown model", "model not found", "not found, try pulling", "not a decision model")
TOO_LONG = ("max_tokens", "too long", "context length")

# status: what it means and what to do, and whether every other question would meet the same
STATUSES: dict[int, tuple[str, bool]] = {
    401: ("refuses the API key; check TYPESAFE_API_KEY", True),
    402: ("asks for payment; add credit to the account of TYPESAFE_API_KEY", True),
    403: ("does not let this API key in; check TYPESAFE_API_KEY", True),
    404: ("has no System One API; TYPESAFE_ENDPOINT is the address without /v1/systemone", True),
    405: ("has no System One API; TYPESAFE_ENDPOINT is the address without /v1/systemone", True),
    408: ("gave up waiting for the request; run again, what was answered is kept", False),
    413: ("finds the section too long; cite a smaller one", False),
    422: ("does not accept the request", False),
    429: (
        "keeps to its rate limit after retries; run again later, or with a lower --rate",
        False,
    ),
    501: ("cannot answer such questions; name a decision model that it serves", True),
    503: ("is overloaded; run again later, what was answered is kept", False),
    529: ("is overloaded; run again later, what was answered is kept", False),
}


def in_words(error: Exception, model: str, server: str, served: Callable[[], list[str]]) -> JudgeError:
    """Return a client's error as a JudgeError; `served` lists the server's models, for an unknown one."""
    status = getattr(error, "status", None)
    if isinstance(error, JudgeError):
        return error
    if hasattr(error, "field_path"):  # the SDK's validation error, of a reply with status 200
        return JudgeError(f"{server}: the reply is cut short or not System One's{_at(error.field_path)}; run again")
    if isinstance(status, int):
        return _refused(status, error, model, server, served)
    cause = type(error.__cause__).__name__
    if isinstance(error, ConnectionError) and cause in CANNOT_CONNECT:
        hint = "check the network and TYPESAFE_ENDPOINT"
        return JudgeError(f"{server} cannot be reached ({_cut(str(error.__cause__))}); {hint}", everywhere=True)
    if isinstance(error, TimeoutError):
        return JudgeError(f"{server} gave no answer in time; run again, or raise --timeout")
    if isinstance(error, ConnectionError):
        return JudgeError(f"{server}: the connection broke before the answer was complete; run again")
    return JudgeError(f"the model could not be asked: {type(error).__name__}: {_cut(str(error))}")


def _refused(status: int, error: Any, model: str, server: str, served: Callable[[], list[str]]) -> JudgeError:
    said = server_message(getattr(error, "body", None))
    lower = said.lower()
    if status in (400, 404, 501) and any(sign in lower for sign in UNKNOWN_MODEL):
        return JudgeError(unknown_model(model, server, served()), everywhere=True)
    if status == 400 and any(sign in lower for sign in TOO_LONG):
        status, said = 413, f"400, {said}"
    if 300 <= status < 400:
        location = getattr(error, "headers", {}).get("location", "another address")
        meaning, everywhere = f"redirects to {_cut(location)}; set TYPESAFE_ENDPOINT to the final address", True
    elif status in STATUSES:
        meaning, everywhere = STATUSES[status]
    elif status >= 500:
        meaning, everywhere = "failed, after retries too; run again later, what was answered is kept", False
    else:
        meaning, everywhere = "does not accept the request", False
    shown = said if said.startswith("400") else ", ".join(filter(None, (str(status), said)))
    wait = getattr(error, "retry_after_ms", None)
    pause = f" (it asks to wait {wait / 1000:.0f} s)" if wait else ""
    return JudgeError(f"{server} {meaning}{pause} [{shown}]", everywhere)


def unknown_model(model: str, server: str, names: list[str]) -> str:
    """Say what to do about a model that the server does not know: where to name another, and which there are."""
    listed = f"it lists {', '.join(names)}" if names else "TypeSafe's own alias is jev-latest"
    where = "--model, the variable TYPESAFE_MODEL or the notebook's settings cell"
    return f"{server} does not know the model {model!r}, it may no longer be served; name another by {where}: {listed}"


def server_message(body: object) -> str:
    """Return the server's own words from any shape of its error bodies, without the request that it may echo."""
    if isinstance(body, str):
        return "" if body.lstrip().startswith("<") else _cut(body)
    if not isinstance(body, Mapping):
        return ""
    for name in ("detail", "error", "message"):
        part = body.get(name)
        if isinstance(part, str):
            return _cut(part)
        if isinstance(part, Mapping):
            return _cut(str(part.get("message") or part.get("error_type") or part.get("type") or ""))
        if isinstance(part, list):  # of a schema check: `input` holds what was sent
            return _cut("; ".join(_schema_fault(entry) for entry in part if isinstance(entry, Mapping)))
    return ""


def _schema_fault(entry: Mapping[str, Any]) -> str:
    location = entry.get("loc")
    place = ".".join(map(str, location)) if isinstance(location, list) else ""
    return ": ".join(filter(None, (place, str(entry.get("msg") or ""))))


def _at(path: str) -> str:
    return f" (at {_cut(path)})" if path else ""


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MESSAGE_SHOWN else line[: MESSAGE_SHOWN - 1] + "…"
