"""Why a model gave no answer, in words that a user can act on, and never with the text that was sent or the key."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..errors import JudgeError

MESSAGE_SHOWN = 160  # characters of a server's own words; a longer one tends to echo the request
KEY = 8  # characters of the shortest key that is a secret; what a server of one's own wants may be "x" or "local"
ECHO = 24  # so many characters in a row that were sent are no coincidence
CANNOT_CONNECT = ("ConnectError", "ConnectTimeout", "ProxyError", "UnsupportedProtocol", "LocalProtocolError")
UNKNOWN_MODEL = r"unknown model|no such model|not a decision model|\bmodel\b.*\b(not found|not exist)"
TOO_LONG = r"max_tokens|too long|context (length|size|window)"

# status: what it means and what to do, and whether every other question would meet the same
STATUSES: dict[int, tuple[str, bool]] = {
    401: ("refuses the API key; check TYPESAFE_API_KEY", True),
    402: ("asks for payment; add credit to the account of TYPESAFE_API_KEY", True),
    403: ("does not let this API key in; check TYPESAFE_API_KEY", True),
    404: ("has no System One API; TYPESAFE_ENDPOINT is the address without /v1/systemone", True),
    405: ("has no System One API; TYPESAFE_ENDPOINT is the address without /v1/systemone", True),
    408: ("gave up waiting for the request; run again, what was answered is kept", False),
    413: ("finds the section too long; cite a smaller one", False),
    429: ("keeps to its rate limit after retries; run again later, or with a lower --rate", False),
    501: ("cannot answer such questions; name a decision model that it serves", True),
    503: ("is overloaded; run again later, what was answered is kept", False),
    529: ("is overloaded; run again later, what was answered is kept", False),
}
FAILED = ("failed, after retries too; run again later, what was answered is kept", False)
REFUSED = ("does not accept the request", False)


class Call(NamedTuple):
    """One question that failed: whom it went to, what was sent, and what must not be shown (`key`).

    `served` fetches the models that the server lists; it is called where the model is unknown.
    """

    server: str
    model: str
    sent: Mapping[str, str]
    timeout: float
    key: str | None
    served: Callable[[], list[str]]


def in_words(error: Exception, call: Call) -> JudgeError:
    """Return a client's error as a JudgeError: what happened, at which server, and what to do."""
    if isinstance(error, JudgeError):
        return error
    if hasattr(error, "field_path"):  # the SDK's validation error, of a reply with status 200
        path = error.field_path
        fault = f"{_cut(path)} is missing or wrong" if path else "it is cut short or not JSON"
        return JudgeError(f"{call.server}: the reply is not a System One answer: {fault}")
    if isinstance(getattr(error, "status", None), int):
        return _refused(error, call)
    if isinstance(error, ConnectionError) and type(error.__cause__).__name__ in CANNOT_CONNECT:
        short = 0 < len(call.key or "") < KEY  # the SDK masks every letter of the message that is in such a key
        why = type(error.__cause__).__name__ if short else _cut(str(error.__cause__))
        return JudgeError(f"{call.server} cannot be reached ({why}); check the network and TYPESAFE_ENDPOINT", True)
    if isinstance(error, TimeoutError):
        return JudgeError(f"{call.server}: no answer within {call.timeout:g} s; run again, or raise --timeout")
    if isinstance(error, ConnectionError):
        return JudgeError(f"{call.server}: the connection broke before the answer was complete; run again")
    return JudgeError(f"the model could not be asked: {type(error).__name__}: {_said(str(error), call)}")


def _refused(error: Any, call: Call) -> JudgeError:
    status, said = error.status, _said(server_message(getattr(error, "body", None)), call)
    shown = f"{status}, {said}" if said else status
    named = status == 404 and call.model in said  # a wrong address does not know what was asked for
    if named or (status in (400, 404, 501) and re.search(UNKNOWN_MODEL, said, re.IGNORECASE)):
        return JudgeError(unknown_model(call), everywhere=True)
    if status == 400 and re.search(TOO_LONG, said, re.IGNORECASE):
        status = 413
    if 300 <= status < 400:
        location = _cut(getattr(error, "headers", {}).get("location", "another address"))
        meaning, everywhere = f"redirects to {location}; set TYPESAFE_ENDPOINT to the final address", True
    else:
        meaning, everywhere = STATUSES.get(status, FAILED if status >= 500 else REFUSED)
    wait = getattr(error, "retry_after_ms", None)
    pause = f" (it asks to wait {wait / 1000:.0f} s)" if wait else ""
    return JudgeError(f"{call.server} {meaning}{pause} [{shown}]", everywhere)


def unknown_model(call: Call) -> str:
    """Say what to do about a model that the server does not know: where to name another, and which there are."""
    names = call.served()
    listed = f"it lists {', '.join(names)}" if names else "TypeSafe's own alias is jev-latest"
    where = "--model, the variable TYPESAFE_MODEL or the notebook's settings cell"
    return f"{call.server} does not serve the model {call.model!r} (any more); name another by {where}: {listed}"


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


def _said(message: str, call: Call) -> str:
    """Return a server's words, unless they repeat what was sent; the key is masked."""
    if call.key:
        key = re.escape(call.key)
        message = re.sub(key if len(call.key) >= KEY else rf"(?<!\w){key}(?!\w)", "***", message)
    sent = " ".join(" ".join(call.sent.values()).split())
    if any(message[i : i + ECHO] in sent for i in range(len(message) - ECHO + 1)):
        return "its message repeats what was sent"
    return message


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= MESSAGE_SHOWN else line[: MESSAGE_SHOWN - 1] + "…"
