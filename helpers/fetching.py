"""Documents by URL: fetched within bounds, and kept so that an offline run repeats."""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
import time
from pathlib import Path
from typing import NamedTuple

from .errors import SourceError

LIMIT = 20_000_000  # bytes; a larger document is saved and named as a file
REDIRECTS = 5
SECONDS = 60.0  # for all of it: a server that sends a byte now and then must not hold a run
SILENCE = 20.0  # seconds without a byte


class Fetched(NamedTuple):
    """Be what a server sent: the bytes, the media type ("text/html"), the charset it names."""

    content: bytes
    kind: str | None
    charset: str | None


def fetch(url: str, copies: Path | None = None, *, offline: bool = False) -> Fetched:
    """Return what stands at a URL and keep a copy in the folder `copies`; `offline` reads it. Raises SourceError."""
    if not re.match("https?://", url, re.IGNORECASE):
        raise SourceError(f"{url}: only http and https addresses are fetched; save the document and name the file")
    if offline:
        return read_copy(url, copies)
    content, content_type = within(SECONDS, url)
    if copies:
        write_copy(url, copies, content, content_type)
    return fetched(content, content_type)


def within(seconds: float, url: str) -> tuple[bytes, str]:
    """Download, and give up after this time whatever the server does."""
    outcome: list[tuple[bytes, str] | SourceError] = []
    worker = threading.Thread(target=lambda: outcome.append(attempt(url, time.monotonic() + seconds)), daemon=True)
    worker.start()
    worker.join(seconds)
    if not outcome:
        raise SourceError(
            f"{url}: is not complete after {seconds:.0f} seconds; try again, or save it and name the file"
        )
    if isinstance(outcome[0], SourceError):
        raise outcome[0]
    return outcome[0]


def attempt(url: str, deadline: float) -> tuple[bytes, str] | SourceError:
    """Return content and content type, or why there is none."""
    import httpx

    try:
        with (
            httpx.Client(follow_redirects=True, max_redirects=REDIRECTS, timeout=SILENCE) as client,
            client.stream("GET", url, headers={"User-Agent": "citation_check"}) as reply,
        ):
            if reply.status_code != 200:
                return SourceError(f"{url}: the server answered {reply.status_code}; check the address")
            content = bytearray()
            for chunk in reply.iter_bytes():
                content += chunk
                if len(content) > LIMIT or time.monotonic() > deadline:
                    return SourceError(f"{url}: is over {LIMIT // 10**6} MB or too slow; save it and name the file")
            return bytes(content), reply.headers.get("content-type", "")
    except httpx.TooManyRedirects:
        return SourceError(f"{url}: redirects more than {REDIRECTS} times; give the final address")
    except httpx.TimeoutException:
        return SourceError(f"{url}: no answer for {SILENCE:.0f} seconds; try again, or save it and name the file")
    except (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ValueError) as fault:
        reason = " ".join(str(fault).split()) or type(fault).__name__
        return SourceError(f"{url}: cannot be fetched ({reason}); check the address and the connection")


def fetched(content: bytes, content_type: str) -> Fetched:
    """Read the Content-Type header."""
    kind = content_type.split(";")[0].strip().lower() or None
    charset = re.search(r"charset\s*=\s*[\"']?([\w.:-]+)", content_type, re.IGNORECASE)
    return Fetched(content, kind, charset[1] if charset else None)


def copy_paths(url: str, copies: Path) -> tuple[Path, Path]:
    """Return the files that keep a document and what is known of it."""
    host = re.sub(r"[^a-z0-9.-]", "", url.lower().split("/")[2].rpartition("@")[2].split(":")[0])
    stem = f"{host[:60]}-{hashlib.sha256(url.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    return copies / f"{stem}.source", copies / f"{stem}.json"


def write_copy(url: str, copies: Path, content: bytes, content_type: str) -> None:
    """Keep the document; each file is replaced whole, so that a reader never sees half of one."""
    try:
        copies.mkdir(parents=True, exist_ok=True)
        about = json.dumps({"content_type": content_type, "url": url}, indent=2) + "\n"
        for path, data in zip(copy_paths(url, copies), (content, about.encode("utf-8")), strict=True):
            draft = path.with_suffix(f"{path.suffix}.{os.getpid()}.tmp")
            draft.write_bytes(data)
            draft.replace(path)
    except OSError as fault:
        raise SourceError(
            f"{copies}: the copy of {url} cannot be kept ({fault.strerror}); make the folder writable"
        ) from None


def read_copy(url: str, copies: Path | None) -> Fetched:
    """Return the copy that an earlier run kept."""
    if copies:
        document, about = copy_paths(url, copies)
        try:
            return fetched(document.read_bytes(), str(json.loads(about.read_text(encoding="utf-8"))["content_type"]))
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError):
            raise SourceError(
                f"{document}: the kept copy of {url} cannot be read; run once without --offline"
            ) from None
    raise SourceError(f"{url}: no copy of it is kept; run once without --offline")
