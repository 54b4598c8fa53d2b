"""Documents by URL: what is fetched, what is kept, and servers that misbehave."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from helpers import fetching
from helpers.errors import SourceError
from helpers.fetching import fetch
from helpers.parsing import load_source, read_document

PAGE = "<h1>Scope</h1><p>Porters drink café."
PAGES = {
    "/page": (PAGE.encode(), "text/html; charset=utf-8"),
    "/latin": (PAGE.encode("cp1252"), "text/html; charset=iso-8859-1"),
    "/wrong": (PAGE.encode("cp1252"), "text/html; charset=utf-16"),
    "/unknown": (PAGE.encode(), "text/html; charset=klingon"),
    "/plain.md": (b"# Scope\n\n*Porters* read.", "text/plain"),
    "/markdown": (b"# Scope\n\n*Porters* read.", "text/markdown"),
    "/empty": (b"", "text/plain"),
}


class Server(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path in PAGES:
            self.answer(200, *PAGES[self.path])
        elif self.path.startswith("/redirect/"):
            left = int(self.path.rpartition("/")[2])
            self.answer(302, b"", "text/plain", Location=f"/redirect/{left - 1}" if left else "/page")
        elif self.path == "/elsewhere":
            self.answer(302, b"", "text/plain", Location="file:///etc/hostname")
        elif self.path == "/endless":
            self.answer(200, b"x" * 3_000_000, "text/plain")
        elif self.path == "/cut":
            self.answer(200, b"half of it", "text/plain", length=1000)
        elif self.path == "/silent":
            released.wait(20)
        else:
            self.answer(500, b"", "text/plain")

    def answer(self, status: int, body: bytes, kind: str, length: int | None = None, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(length or len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


released = threading.Event()


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Server)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    released.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("path", "format", "doubts"),
    [
        ("/page", "html", []),
        ("/latin", "html", ["not UTF-8: read as iso-8859-1, as declared"]),
        ("/wrong", "html", ["not UTF-8: read as cp1252, a guess; save it as UTF-8"]),
        ("/unknown", "html", []),
        ("/redirect/4", "html", []),
    ],
)
def test_a_page_is_read_with_the_charset_that_holds(address, path, format, doubts):
    document = read_document(address + path)
    assert (document.name, document.format, document.doubts) == (address + path, format, doubts)
    assert dict(document.sections) == {"Scope": "Scope\n\nPorters drink café."}


@pytest.mark.parametrize("path", ["/plain.md", "/markdown"])
def test_markdown_is_known_by_its_type_or_its_name(address, path):
    assert load_source(address + path) == "Scope\n\nPorters read.\n"


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/missing", "the server answered 500; check the address"),
        ("/redirect/5", "redirects more than 5 times; give the final address"),
        ("/redirect/9", "redirects more than 5 times"),
        ("/elsewhere", "cannot be fetched"),
        ("/endless", "is over 1 MB or too slow; save it and name the file"),
        ("/cut", "cannot be fetched"),
        ("/silent", "is not complete after 1 seconds; try again"),
        ("/empty", "the file is empty"),
    ],
)
def test_a_server_that_misbehaves_ends_in_one_line(address, path, says, monkeypatch):
    monkeypatch.setattr(fetching, "LIMIT", 1_000_000)
    monkeypatch.setattr(fetching, "SECONDS", 1.0 if path == "/silent" else 60.0)
    with pytest.raises(SourceError) as told:
        read_document(address + path)
    assert str(told.value).startswith(f"{address}{path}: ")
    assert says in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    "url", ["ftp://127.0.0.1/gates.txt", "file:///gates.txt", "http://", "http://[::1", "http://127.0.0.1:1/x"]
)
def test_an_address_that_leads_nowhere_is_told_in_one_line(url):
    with pytest.raises(SourceError) as told:
        read_document(url)
    assert str(told.value).startswith(f"{url}: ")
    assert "\n" not in str(told.value)


def test_a_kept_copy_repeats_offline(address, tmp_path):
    copies = tmp_path / "copies"
    fetched = fetch(f"{address}/latin", copies)
    assert fetch(f"{address}/latin", copies, offline=True) == fetched
    assert read_document(f"{address}/latin", copies=copies, offline=True).doubts != []
    assert len(list(copies.iterdir())) == 2


def test_without_a_copy_an_offline_run_says_so(tmp_path):
    for copies in (None, tmp_path, tmp_path / "none"):
        with pytest.raises(
            SourceError, match=r"^http://127\.0\.0\.1/x: no copy of it is kept; run once without --offline$"
        ):
            fetch("http://127.0.0.1/x", copies, offline=True)


def test_a_damaged_copy_is_told(address, tmp_path):
    fetch(f"{address}/page", tmp_path)
    next(tmp_path.glob("*.json")).write_text("{", encoding="utf-8")
    with pytest.raises(SourceError, match="cannot be read; run once without --offline"):
        fetch(f"{address}/page", tmp_path, offline=True)


def test_a_folder_that_cannot_be_written_is_told(address, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(SourceError, match="cannot be kept"):
        fetch(f"{address}/page", tmp_path / "file")
