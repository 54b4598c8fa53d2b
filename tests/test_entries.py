"""The cache's entries out of memory: read a chunk at a time, kept in order, given back as they were."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import entries
from helpers.entries import Entries, Entry, Json, entries_in
from helpers.errors import CacheError

TEXT = st.text(st.characters(codec="utf-8"), max_size=8) | st.sampled_from(
    ['"', "\\", "{", "}", ",", ":", "é\u2028", "😀"]
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3))
LAYOUTS = st.sampled_from([{"indent": 2}, {"indent": None}, {"separators": (",", ":")}, {"indent": "\t"}])


def in_chunks(text: str, size: int) -> list[Entry]:
    """Read a text with chunks of this size."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entries, "CHUNK", size)
        return list(entries_in(io.StringIO(text)))


@given(st.dictionaries(TEXT, VALUES, max_size=5), LAYOUTS, st.booleans(), st.integers(1, 40))
def test_any_object_is_read_as_json_reads_it_wherever_a_chunk_ends(
    content: dict[str, Json], layout: dict[str, object], escaped: bool, size: int
) -> None:
    text = json.dumps(content, ensure_ascii=escaped, **layout) + "\n"  # type: ignore[arg-type]
    found = in_chunks(text, size + 1)
    assert {entry.key: entry.value for entry in found} == content
    assert [json.loads(entry.text) for entry in found] == list(content.values())


@given(st.dictionaries(TEXT, VALUES, min_size=1, max_size=3), st.data(), st.integers(2, 40))
def test_a_damaged_object_is_refused_whenever_json_refuses_it(
    content: dict[str, Json], data: st.DataObject, size: int
) -> None:
    text = json.dumps(content)
    at = data.draw(st.integers(0, len(text)))
    damaged = data.draw(
        st.sampled_from([text[:at], text[:at] + text[at + 1 :], text[:at] + "," + text[at:], text + "}"])
    )
    try:
        expected = json.loads(damaged)
    except ValueError:
        expected = None
    if isinstance(expected, dict):
        assert {entry.key: entry.value for entry in in_chunks(damaged, size)} == expected
    else:
        with pytest.raises(ValueError, match="object"):
            in_chunks(damaged, size)


def test_a_value_longer_than_many_chunks_is_read_in_a_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    class Counted(io.StringIO):
        reads = 0

        def read(self, size: int | None = -1, /) -> str:
            self.reads += 1
            return super().read(size)

    monkeypatch.setattr(entries, "CHUNK", 10)
    file = Counted(json.dumps({"long": "x" * 100_000, "short": 1}))
    assert [entry.key for entry in entries_in(file)] == ["long", "short"]
    assert file.reads < 40


def pair(key: str, value: Json) -> Entry:
    return Entry(key, value, json.dumps(value))


def test_entries_come_in_the_order_of_their_keys_and_the_last_of_a_key_counts() -> None:
    kept = Entries([pair("b", 1), pair("é", 2), pair("\ud83d", 3), pair("😀", 4), pair("\uffff", 5), pair("a", None)])
    kept.update([pair("b", {"x": [1.5, "é", None]})])
    assert [key for key, _ in kept] == sorted(["b", "é", "\ud83d", "😀", "\uffff", "a"])
    assert (kept.get("b"), kept.get("\ud83d"), kept.get("a"), kept.get("c")) == ({"x": [1.5, "é", None]}, 3, None, None)
    assert len(kept) == 6


def test_entries_are_found_by_the_claim_that_they_tell_of_those_that_came_later_too() -> None:
    kept = Entries([pair("b", {"asked": {"claim": "It is big."}}), pair("x", {"asked": "It is big."})])
    assert kept.of_claim("It is big.") == [{"asked": {"claim": "It is big."}}]
    kept.update([pair("a", {"asked": {"claim": "It is big.", "model": "m"}}), pair("y", ["It is big."])])
    assert kept.of_claim("It is big.") == [
        {"asked": {"claim": "It is big."}},
        {"asked": {"claim": "It is big.", "model": "m"}},
    ]
    assert kept.of_claim("It is small.") == []


def test_a_full_disk_under_the_index_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "SCHEMA", entries.SCHEMA.replace("BEGIN", "PRAGMA max_page_count = 8; BEGIN"))
    kept = Entries()
    with pytest.raises(CacheError, match=r"index cannot be kept \(.*full\); make room in the system's folder"):
        kept.update(pair(str(number), "x" * 1000) for number in range(100))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="nothing tells this process's own peak memory")
def test_a_large_cache_takes_no_more_memory_than_a_small_one(tmp_path: Path) -> None:
    peaks = []
    for count in (1, 60_000):
        path = tmp_path / f"{count}.json"
        path.write_text(json.dumps({f"{n:06}": {"text": "x" * 500} for n in range(count)}), encoding="utf-8")
        code = (
            "import re, sys; from helpers.replay import JsonCache; cache = JsonCache(sys.argv[1])\n"
            "cache.put('new', 1); cache.close()\n"
            "print(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status', encoding='ascii').read())[1])"
        )
        done = subprocess.run([sys.executable, "-c", code, path], capture_output=True, encoding="utf-8", check=True)
        peaks.append(int(done.stdout) / 1024)
    assert peaks[1] - peaks[0] < 30  # MB; the file has 32, and its entries as objects take 60 more
