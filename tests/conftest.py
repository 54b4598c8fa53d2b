"""What several test files share."""

import signal

import pytest

from helpers.asking import connecting
from tests import system_one

# Where the tests run in a shell's background, SIGINT is ignored, and processes that they interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("TYPESAFE_API_KEY", "a-key-only-for-tests")
    with system_one.Server() as server:
        monkeypatch.setenv("TYPESAFE_ENDPOINT", server.url)
        yield server
    for line in connecting._lines.values():
        line.client.close()
    connecting._lines.clear()
