"""The replay cache in one process: keys, modes, what is stored, what is refused, and what stands on disk."""

from __future__ import annotations

import gc
import hashlib
import json
import os
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path

import pytest

from helpers import journal
from helpers.errors import CacheError, NotRecorded
from helpers.journal import Json
from helpers.replay import JsonCache, answer_key, call_key

QUESTIONS = {"relation": {"type": "choice", "instructions": "How?", "criteria": {"supports": "a", "contradicts": "b"}}}
PUBLISHED = ("jev-1.12", QUESTIONS)
ANSWER: dict[str, Json] = {
    "choice": "supports",
    "probabilities": {"supports": 0.96, "contradicts": 0.03, "says_nothing": 0.01},
    "confidence": 0.95,
    "seconds": 0.09,
    "input_tokens": 544,
    "output_tokens": 39,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "cache.json"


def files(path: Path) -> list[str]:
    """Name what stands beside the cache; the lock file stays so that waiting processes share one."""
    return sorted(file.name for file in path.parent.iterdir() if file.suffix != ".lock")


# Keys


def test_a_short_published_question_has_the_published_text_as_its_key() -> None:
    assert answer_key("It is big.", "1.  Size", "jev-1.12", QUESTIONS, published=PUBLISHED) == "ask|It is big.|1.  Size"


@pytest.mark.parametrize(
    ("characters", "hashed"), [(200, False), (201, True)], ids=["200 characters stay", "201 are hashed"]
)
def test_a_published_key_is_hashed_when_longer_than_200_characters(characters: int, hashed: bool) -> None:
    section = "é" * (characters - len("ask|c|"))
    text = f"ask|c|{section}"
    expected = hashlib.sha256(text.encode("utf-8")).hexdigest() if hashed else text
    assert answer_key("c", section, "jev-1.12", QUESTIONS, published=PUBLISHED) == expected


REORDERED = {"relation": {"type": "choice", "instructions": "How?", "criteria": {"contradicts": "b", "supports": "a"}}}


@pytest.mark.parametrize(
    ("claim", "model", "questions", "hashed"),
    [
        (
            "c",
            "jev-2",
            {"q": {"type": "choice"}},
            '{"claim":"c","model":"jev-2","questions":{"q":{"type":"choice"}},"section":"§ |"}',
        ),
        (
            "a|é",
            "jev-1.12",
            QUESTIONS,
            '{"claim":"a|é","model":"jev-1.12","questions":{"relation":{"type":"choice","instructions":"How?",'
            '"criteria":{"supports":"a","contradicts":"b"}}},"section":"§ |"}',
        ),
        (
            "c",
            "jev-1.12",
            REORDERED,
            '{"claim":"c","model":"jev-1.12","questions":{"relation":{"type":"choice","instructions":"How?",'
            '"criteria":{"contradicts":"b","supports":"a"}}},"section":"§ |"}',
        ),
    ],
    ids=["another model and question", "a bar in the claim", "another order of the options"],
)
def test_any_other_request_is_keyed_by_all_of_it(
    claim: str, model: str, questions: dict[str, object], hashed: str
) -> None:
    expected = hashlib.sha256(hashed.encode("utf-8")).hexdigest()
    assert answer_key(claim, "§ |", model, questions, published=PUBLISHED) == expected


@pytest.mark.parametrize(("claim", "section"), [("\ud83d", "s"), ("c", "\udc00"), ("a|\ud83d", "s")])
def test_half_a_surrogate_pair_has_no_key(claim: str, section: str) -> None:
    with pytest.raises(CacheError, match=r"half a surrogate pair, '\\ud"):
        answer_key(claim, section, "jev-1.12", QUESTIONS, published=PUBLISHED)


@pytest.mark.parametrize(
    ("args", "kwargs", "key"),
    [
        ((), {}, "f"),
        (("a", 1, None), {}, "f|a|1|None"),
        (("a",), {"z": 2, "b": 0.5}, "f|a|b=0.5|z=2"),
        (("a", "b|c"), {}, "f|a|b|c"),
        (("a|b", "c"), {}, '["f","a|b","c"]'),
        (("a|b", 1, Path("x")), {"k": None}, '["f","a|b",1,"x",["k",null]]'),
        (("é" * 199,), {}, hashlib.sha256(("f|" + "é" * 199).encode()).hexdigest()),
        (("|", "é" * 199), {}, hashlib.sha256(('["f","|","' + "é" * 199 + '"]').encode()).hexdigest()),
    ],
    ids=["no argument", "positional", "keywords sorted", "bar in the last", "bar before", "bar, typed", "long", "both"],
)
def test_a_call_is_keyed_as_cooksafe_does_unless_a_bar_could_make_two_calls_one(
    args: tuple[object, ...], kwargs: dict[str, object], key: str
) -> None:
    assert call_key("f", args, kwargs) == key


# What stands in the file


def test_the_file_has_sorted_keys_results_in_their_own_order_utf8_and_a_final_newline(path: Path) -> None:
    with JsonCache(path) as cache:
        cache.put("z", {"b": "é\u2028", "a": [1, None]})
        cache.put("a", 1.0)
    expected = '{\n  "a": 1.0,\n  "z": {\n    "b": "é\u2028",\n    "a": [\n      1,\n      null\n    ]\n  }\n}\n'
    assert path.read_bytes() == expected.encode("utf-8")


def test_without_indent_the_file_is_one_line(path: Path) -> None:
    with JsonCache(path, indent=None) as cache:
        cache.put("b", 3)
        cache.put("a", {"x": 1, "y": 2})
    assert path.read_bytes() == b'{"a": {"x": 1, "y": 2}, "b": 3}\n'


def test_an_answer_is_on_disk_before_it_is_returned_and_folded_at_close(path: Path) -> None:
    cache = JsonCache(path)
    cache.put("k", ANSWER)
    assert files(path) == ["cache.json.journal"]
    assert json.loads(path.with_name("cache.json.journal").read_bytes().split(b"\n")[1]) == {"k": ANSWER}
    cache.close()
    assert files(path) == ["cache.json"]
    assert json.loads(path.read_bytes()) == {"k": ANSWER}


def test_a_closed_cache_can_go_on_recording(path: Path) -> None:
    cache = JsonCache(path)
    for key in ("a", "b"):
        cache.put(key, 1)
        cache.close()
    assert json.loads(path.read_bytes()) == {"a": 1, "b": 1}


def test_closing_twice_or_after_replaying_alone_writes_nothing(path: Path) -> None:
    path.write_bytes(b'{"b":1,"a":2}')
    cache = JsonCache(path)
    assert cache.get("a") == 2
    cache.close()
    cache.close()
    assert path.read_bytes() == b'{"b":1,"a":2}'
    assert [file.name for file in path.parent.iterdir()] == ["cache.json"]


def test_a_journal_left_by_a_killed_process_folds_at_the_next_open(path: Path) -> None:
    JsonCache(path).put("k", ANSWER)
    reopened = JsonCache(path)
    assert files(path) == ["cache.json"]
    assert reopened.get("k") == ANSWER


def test_a_long_journal_folds_while_the_cache_is_in_use(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "FOLD_ENTRIES", 10)
    cache = JsonCache(path)
    for number in range(25):
        cache.put(f"{number:02}", number)
    assert len(json.loads(path.read_bytes())) == 20
    assert [cache.get(f"{number:02}") for number in range(25)] == list(range(25))
    assert len(cache) == 25


def test_a_journal_grows_with_its_file_before_it_folds(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "FOLD_ENTRIES", 2)
    path.write_text(json.dumps(dict.fromkeys(map(str, range(100)), 0)), encoding="utf-8")
    before = path.read_bytes()
    cache = JsonCache(path)
    for number in range(20):
        cache.put(f"new {number}", number)
    assert path.read_bytes() == before


def test_entries_of_others_survive_a_fold_as_they_are(path: Path) -> None:
    foreign = {"f|x": [1, 2.50, {"b": 1, "a": None}], "g": "text", "h": None, "half": "\ud83d"}
    path.write_text(json.dumps(foreign), encoding="ascii")
    with JsonCache(path) as cache:
        cache.put("k", "é")
    assert json.loads(path.read_text(encoding="utf-8")) == foreign | {"k": "é"}


def test_a_symbolic_link_to_the_cache_stays_a_link(path: Path, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    try:
        path.symlink_to(tmp_path / "real" / "cache.json")
    except OSError:
        pytest.skip("this account may not make links")
    with JsonCache(path) as cache:
        cache.put("k", 1)
    assert path.is_symlink()
    assert json.loads((tmp_path / "real" / "cache.json").read_bytes()) == {"k": 1}


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_the_permissions_of_the_file_are_kept(path: Path) -> None:
    path.write_bytes(b"{}")
    path.chmod(0o640)
    with JsonCache(path) as cache:
        cache.put("k", 1)
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_file_system_without_permissions_is_no_obstacle(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path, mode: int) -> None:
        raise PermissionError(1, f"no mode {mode:o} here")

    path.write_bytes(b"{}")
    monkeypatch.setattr(Path, "chmod", refuse)
    with JsonCache(path) as cache:
        cache.put("k", 1)
    assert json.loads(path.read_bytes()) == {"k": 1}


# What is given back


def test_a_replayed_answer_can_be_changed_without_changing_the_cache(path: Path) -> None:
    cache = JsonCache(path)
    first = cache.put("k", {"deep": [{"a": 1}]})
    assert isinstance(first, dict)
    first["deep"] = None
    second = cache.get("k")
    assert isinstance(second, dict) and isinstance(second["deep"], list) and isinstance(second["deep"][0], dict)
    second["deep"][0]["a"] = 2
    assert cache.get("k") == {"deep": [{"a": 1}]}


def test_the_first_answer_is_what_will_be_replayed(path: Path) -> None:
    with JsonCache(path) as cache:
        first = cache.put("k", {"pair": (1, 2), 3: "three"})
    assert first == {"pair": [1, 2], "3": "three"} == JsonCache(path).get("k")


def test_what_another_cache_records_is_seen_before_asking(path: Path) -> None:
    ours, theirs = JsonCache(path), JsonCache(path)
    assert ours.get("a") is None
    theirs.put("a", 1)
    assert ours.get("a") == 1
    theirs.close()
    theirs.put("b", 2)
    assert (ours.get("b"), ours.get("a")) == (2, 1)
    ours.put("c", 3)
    ours.close()
    assert (theirs.get("c"), json.loads(path.read_bytes())) == (3, {"a": 1, "b": 2, "c": 3})


def test_a_journal_begun_anew_is_read_from_its_start_though_it_is_longer_than_the_old_one(path: Path) -> None:
    ours, theirs = JsonCache(path), JsonCache(path)
    theirs.put("a", 1)
    assert ours.get("a") == 1
    theirs.close()
    for key in ("b", "c", "d"):
        theirs.put(key, key)
    assert [ours.get(key) for key in "abcd"] == [1, "b", "c", "d"]


def test_a_fold_between_two_steps_of_a_look_hides_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = JsonCache(path), JsonCache(path)
    theirs.put("a", 1)
    real_read = journal.Journal._read_journal

    def read_late(reader: journal.Journal) -> None:
        monkeypatch.undo()
        theirs.close()
        real_read(reader)

    monkeypatch.setattr(journal.Journal, "_read_journal", read_late)
    assert ours.get("a") == 1


def test_a_look_between_two_steps_of_a_fold_does_not_mistake_the_next_journal(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = JsonCache(path), JsonCache(path)
    theirs.put("a", 1)
    real_unlink = Path.unlink

    def unlink_late(file: Path, missing_ok: bool = False) -> None:
        assert ours.get("a") == 1  # from the new file; the old journal is still there
        real_unlink(file, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink_late)
    theirs.close()
    monkeypatch.undo()
    for key in ("b", "c", "d"):
        theirs.put(key, key)
    assert [ours.get(key) for key in "abcd"] == [1, "b", "c", "d"]


@pytest.mark.parametrize(
    ("module", "step"), [(journal, "_load"), (journal.Journal, "_read_journal"), (journal, "_entry")]
)
def test_an_interrupt_in_the_midst_of_a_look_loses_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, module: object, step: str
) -> None:
    cache = JsonCache(path)
    cache.put("a", 1)
    path.write_bytes(b'{"b": 2}')

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(module, step, interrupt)
    with pytest.raises(KeyboardInterrupt):
        cache.get("b")
    monkeypatch.undo()
    cache.close()
    assert json.loads(path.read_bytes()) == {"a": 1, "b": 2}


def test_a_fold_does_not_read_back_what_it_wrote(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = JsonCache(path)
    cache.put("a", 1)
    monkeypatch.setattr(journal, "_load", None)
    cache.close()
    assert (cache.get("a"), cache.get("absent")) == (1, None)


def test_recording_goes_on_where_no_thread_can_start(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Timer) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Timer, "start", refuse)
    with JsonCache(path) as cache:
        assert cache.put("a", 1) == 1
    assert json.loads(path.read_bytes()) == {"a": 1}


def test_a_file_replaced_from_outside_is_read_again(path: Path) -> None:
    cache = JsonCache(path)
    cache.put("a", 1)
    path.write_bytes(b'{"checked out": 2}')
    assert cache.get("checked out") == 2
    cache.close()
    assert json.loads(path.read_bytes()) == {"a": 1, "checked out": 2}


def test_the_later_of_two_recordings_counts(path: Path) -> None:
    with JsonCache(path) as ours, JsonCache(path) as theirs:
        ours.put("k", 1)
        theirs.put("k", 2)
        assert JsonCache(path, "replay").get("k") == 2
    assert json.loads(path.read_bytes()) == {"k": 2}


def test_recordings_of_a_claim_tell_what_was_asked(path: Path) -> None:
    asked = {"claim": "It is big.", "section_sha256": "5e", "model": "jev-latest"}
    path.write_text(
        json.dumps({"a": ANSWER | {"asked": asked}, "b": ANSWER, "c": "text", "d": {"asked": {"claim": 1}}}), "utf-8"
    )
    cache = JsonCache(path)
    assert cache.recordings_of("It is big.") == [asked]
    assert cache.recordings_of("It is small.") == []
    JsonCache(path).put("e", {"asked": asked | {"model": "jev-2"}})
    assert cache.get("e") is not None
    assert [each["model"] for each in cache.recordings_of("It is big.")] == ["jev-latest", "jev-2"]


def test_recordings_of_a_claim_follow_a_file_replaced_from_outside(path: Path) -> None:
    cache = JsonCache(path)
    for model in ("jev-1", "jev-22"):
        asked = {"claim": "It is big.", "section_sha256": "5e", "model": model}
        path.write_text(json.dumps({model: {"asked": asked}}), encoding="utf-8")
        assert cache.get(model) is not None
        assert cache.recordings_of("It is big.") == [asked]


# Modes


def test_a_mode_that_does_not_exist_is_refused(path: Path) -> None:
    with pytest.raises(ValueError, match="mode: 'rewrite' is none of auto, replay, refresh"):
        JsonCache(path, "rewrite")


def test_replay_never_calls_and_never_records(path: Path) -> None:
    path.write_bytes(b'{"f|1": "recorded"}')
    cache = JsonCache(path, "replay")

    @cache
    def f(number: int) -> str:
        raise AssertionError(f"called with {number}")

    assert f(1) == "recorded"
    with pytest.raises(NotRecorded, match=r"cache\.json: f\|2 is not recorded"):
        f(2)
    with pytest.raises(CacheError, match="opened to replay only"):
        cache.put("f|2", "x")
    assert [file.name for file in path.parent.iterdir()] == ["cache.json"]


def test_refresh_asks_again_what_is_recorded_but_only_once_a_run(path: Path) -> None:
    path.write_bytes(b'{"f|1": "old", "f|2": "kept"}')
    calls = []
    with JsonCache(path, "refresh") as cache:

        @cache
        def f(number: int) -> str:
            calls.append(number)
            return "new"

        assert [f(1), f(1)] == ["new", "new"]
    assert calls == [1]
    assert json.loads(path.read_bytes()) == {"f|1": "new", "f|2": "kept"}


# The decorator


def test_any_function_is_run_once_and_keeps_its_name(path: Path) -> None:
    calls = []

    @JsonCache(path)
    def double(number: int, *, plus: int = 0) -> int:
        """Double it."""
        calls.append(number)
        return 2 * number + plus

    assert [double(0), double(0), double(3, plus=1), double(3, plus=1)] == [0, 0, 7, 7]
    assert calls == [0, 3]
    assert (double.__name__, double.__doc__) == ("double", "Double it.")


def test_no_result_is_given_back_but_not_kept(path: Path) -> None:
    calls = []

    @JsonCache(path)
    def nothing() -> None:
        calls.append(1)

    nothing()
    nothing()
    assert len(calls) == 2
    assert files(path) == []


def test_an_error_is_passed_on_and_not_kept(path: Path) -> None:
    cache = JsonCache(path)
    faults = [TimeoutError("once")]

    @cache
    def shaky() -> str:
        if faults:
            raise faults.pop()
        return "fine"

    with pytest.raises(TimeoutError, match="once"):
        shaky()
    assert shaky() == "fine"


def test_a_recorded_null_is_asked_again(path: Path) -> None:
    path.write_bytes(b'{"f": null}')

    @JsonCache(path)
    def f() -> str:
        return "now"

    assert f() == "now"


def test_an_async_function_is_refused_when_decorated(path: Path) -> None:
    async def later() -> int:
        return 1

    with pytest.raises(TypeError, match="later: the result of an async function cannot be kept"):
        JsonCache(path)(later)


def test_the_same_question_asked_by_many_threads_at_once_is_asked_once(path: Path) -> None:
    calls: list[str] = []
    together = threading.Barrier(8)

    @JsonCache(path)
    def ask(claim: str) -> str:
        calls.append(claim)
        threading.Event().wait(0.05)
        return claim

    def work(claim: str) -> None:
        together.wait()
        ask(claim)

    threads = [threading.Thread(target=work, args=(claim,)) for claim in "aaaabbbb"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(calls) == ["a", "b"]


def test_holding_one_key_does_not_hold_another(path: Path) -> None:
    cache = JsonCache(path)
    with cache.hold("a"):
        assert cache.hold("a").locked()
        assert cache.hold("b").acquire(blocking=False)
    assert not cache.hold("a").locked()


# What is refused


@pytest.mark.parametrize(
    "value",
    [None, float("nan"), {"a": [float("inf")]}, {1, 2}, b"x", object(), {"a": "\ud83d"}, {(1, 2): 3}],
    ids=["None", "NaN", "infinity", "a set", "bytes", "an object", "half a surrogate pair", "a tuple as key"],
)
def test_what_json_cannot_hold_is_refused_and_poisons_nothing(path: Path, value: object) -> None:
    with JsonCache(path) as cache:
        with pytest.raises(CacheError, match=r"cache\.json: bad: the result cannot be kept"):
            cache.put("bad", value)
        cache.put("good", 1)
        assert cache.get("bad") is None
    assert path.read_bytes() == b'{\n  "good": 1\n}\n'


BROKEN = {
    "empty": (b"", r"cache\.json:1:1: Expecting value"),
    "blank": (b" \n", r"cache\.json:2:1: Expecting value"),
    "cut short": (b'{\n  "a": {"x": 1', r"cache\.json:2:15: Expecting"),
    "merge conflict": (b'{\n<<<<<<< ours\n  "a": 1\n}', r"cache\.json:2:1: Expecting property name"),
    "byte order mark": (b'\xef\xbb\xbf{"a": 1}', r"cache\.json:1:1: "),
    "not UTF-8": (b'{"a": 1,\n"b": "\xe9"\n}\n', r"cache\.json:2: not UTF-8"),
    "a list": (b"[]", r"cache\.json:1:1: not a JSON object"),
    "a string": (b'"x"', r"cache\.json:1:1: not a JSON object"),
    "two objects": (b"{}{}", r"cache\.json:1:3: Extra data"),
    "too deep": (b'{"a":' + b"[" * 200_000, r"cache\.json:1: maximum recursion depth"),
}


@pytest.mark.parametrize(("content", "message"), BROKEN.values(), ids=BROKEN.keys())
def test_a_file_that_is_not_a_json_object_is_named_and_never_overwritten(
    path: Path, content: bytes, message: str
) -> None:
    path.write_bytes(content)
    for mode in ("auto", "replay", "refresh"):
        with pytest.raises(CacheError, match=message):
            JsonCache(path, mode)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == ["cache.json"]


def test_a_file_broken_while_in_use_is_left_and_the_answers_stay_in_the_journal(path: Path) -> None:
    cache = JsonCache(path)
    cache.put("k", 1)
    path.write_bytes(b"<<<<<<<")
    with pytest.raises(CacheError, match=r"cache\.json:1:1"):
        cache.close()
    assert path.read_bytes() == b"<<<<<<<"
    path.unlink()
    assert JsonCache(path).get("k") == 1


def test_a_fold_that_fails_while_in_use_is_told_at_close(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "FOLD_ENTRIES", 1)
    path.with_name("cache.json.tmp").mkdir()
    cache = JsonCache(path)
    assert cache.put("k", 1) == 1
    with pytest.raises(CacheError, match=r"cache\.json: cannot be written \(.*; what was recorded before is kept"):
        cache.close()
    path.with_name("cache.json.tmp").rmdir()
    assert JsonCache(path).get("k") == 1


def test_a_folder_in_place_of_the_file_is_told(path: Path) -> None:
    path.mkdir()
    with pytest.raises(CacheError, match=r"cache\.json: cannot be read"):
        JsonCache(path)


@pytest.mark.parametrize("name", ["x" * 300, "x" * 250], ids=["of the file", "of its journal"])
def test_a_name_that_the_system_refuses_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(CacheError, match=r"x: cannot be |x\.journal: cannot be "):
        JsonCache(tmp_path / name).check_writable()


def test_a_file_in_place_of_the_folder_is_told_before_anything_is_asked(path: Path) -> None:
    path.write_bytes(b"{}")
    with pytest.raises(CacheError, match=r"cannot be read|its folder does not exist"):
        JsonCache(path / "cache.json").check_writable()


def test_a_journal_that_is_not_a_caches_is_left_alone(path: Path) -> None:
    diary = path.with_name("cache.json.journal")
    diary.write_bytes(b"Dear diary, today I was mistaken for a journal.\n")
    with pytest.raises(CacheError, match="is not the journal of a cache; move it away"):
        JsonCache(path)
    assert diary.read_bytes().startswith(b"Dear diary")


@pytest.mark.parametrize("torn", [b'{"torn": {"a', b'{"whole": 1}', b"\x00" * 40, b"\xff\xfe", b"5", b'["ab"]'])
def test_a_torn_line_costs_nothing_but_itself(path: Path, torn: bytes) -> None:
    with JsonCache(path) as cache:
        cache.put("before", 1)
        with path.with_name("cache.json.journal").open("ab") as file:
            file.write(torn)
        cache.put("after", 2)
        assert JsonCache(path, "replay").get("after") == 2
    kept = json.loads(path.read_bytes())
    assert kept.items() >= {"before": 1, "after": 2}.items()
    assert set(kept) <= {"before", "after", "whole"}


def test_a_journal_torn_in_its_first_line_is_begun_anew(path: Path) -> None:
    path.with_name("cache.json.journal").write_bytes(b'"0123')
    with JsonCache(path) as cache:
        cache.put("k", 1)
        assert JsonCache(path, "replay").get("k") == 1
    assert json.loads(path.read_bytes()) == {"k": 1}


def test_a_line_that_is_still_being_written_is_read_when_it_is_whole(path: Path) -> None:
    cache = JsonCache(path)
    with path.with_name("cache.json.journal").open("ab", buffering=0) as file:
        file.write(b'"0123456789abcdef"\n{"k":')
        assert cache.get("k") is None
        file.write(b"1}\n")
    assert cache.get("k") == 1


# Writability


def test_a_missing_folder_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    calls = []

    @JsonCache(tmp_path / "missing" / "cache.json")
    def ask() -> str:
        calls.append(1)
        return "paid for"

    with pytest.raises(CacheError, match="its folder does not exist; make it, or name another cache"):
        ask()
    assert calls == []
    assert not (tmp_path / "missing").exists()


@pytest.mark.parametrize("blocked", [".lock", ".tmp"])
def test_a_place_where_nothing_can_be_written_is_told_before_anything_is_asked(path: Path, blocked: str) -> None:
    path.with_name(f"cache.json{blocked}").mkdir()
    with pytest.raises(CacheError, match=r"cache\.json: cannot be written \("):
        JsonCache(path).check_writable()


def test_a_read_only_file_is_told_before_anything_is_asked(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(b"{}")
    monkeypatch.setattr(os, "access", lambda file, _: file != path)  # root may write whatever the permissions say
    with pytest.raises(CacheError, match=r"cache\.json: read-only; make it writable, or only replay"):
        JsonCache(path).check_writable()


def test_checking_leaves_nothing_behind(path: Path) -> None:
    cache = JsonCache(path)
    cache.check_writable()
    assert files(path) == []
    path.with_name("cache.json.tmp").mkdir()
    cache.check_writable()  # checked once, for it costs as much as recording


def test_a_journal_that_cannot_be_folded_is_replayed_all_the_same(path: Path) -> None:
    JsonCache(path).put("k", 1)
    path.with_name("cache.json.lock").unlink()
    path.with_name("cache.json.lock").mkdir()  # as in a folder that cannot be written
    for mode in ("auto", "replay"):
        assert JsonCache(path, mode).get("k") == 1
    assert "cache.json.journal" in files(path)
    path.with_name("cache.json.lock").rmdir()


def test_a_full_disk_is_told_and_leaves_no_half_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = JsonCache(path)
    cache.put("before", 1)
    real_write, left = os.write, [5]

    def write(descriptor: int, content: bytes) -> int:
        if not left:
            raise OSError(28, "No space left on device")
        return real_write(descriptor, bytes(content)[: left.pop()])

    monkeypatch.setattr(os, "write", write)
    with pytest.raises(CacheError, match=r"cannot be written \(No space left on device\)"):
        cache.put("lost", 2)
    monkeypatch.undo()
    assert path.with_name("cache.json.journal").read_bytes().endswith(b'{"before":1}\n')
    cache.put("after", 3)
    cache.close()
    assert json.loads(path.read_bytes()) == {"after": 3, "before": 1}


def test_a_file_that_windows_will_not_replace_while_it_is_read_is_tried_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "SHARING_TRIES", 3)
    monkeypatch.setattr(journal, "SHARING_SECONDS", 0)
    real_replace, refusals = Path.replace, [PermissionError(13, "in use"), PermissionError(13, "in use")]

    def replace(source: Path, target: Path) -> Path:
        if refusals:
            raise refusals.pop()
        return real_replace(source, target)

    monkeypatch.setattr(Path, "replace", replace)
    with JsonCache(path) as cache:
        cache.put("k", 1)
    assert json.loads(path.read_bytes()) == {"k": 1}


def test_a_busy_lock_is_told_after_a_while(path: Path) -> None:
    from filelock import FileLock

    cache = JsonCache(path)
    with (
        FileLock(path.with_name("cache.json.lock")),
        pytest.raises(CacheError, match=r"cache\.json\.lock: held by another process for 0 s"),
    ):
        cache._journal.fold(wait=0)


def test_opening_does_not_wait_for_a_busy_lock(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from filelock import FileLock

    def refuse(_: float) -> None:
        raise AssertionError("waited")

    JsonCache(path).put("k", 1)
    with FileLock(path.with_name("cache.json.lock")):
        monkeypatch.setattr(time, "sleep", refuse)
        assert JsonCache(path).get("k") == 1


# Memory, disk and import


def test_a_closed_cache_is_freed(path: Path) -> None:
    cache = JsonCache(path)
    cache.put("k", 1)
    cache.close()
    alive = weakref.ref(cache)
    del cache
    gc.collect()
    assert alive() is None


def test_what_is_recorded_is_synced_within_the_second_and_at_close(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    woken, synced, waiting = threading.Event(), set(), path.with_name("cache.json.journal")
    real_sync = os.fsync

    def sync(descriptor: int) -> None:
        real_sync(descriptor)
        synced.add(os.fstat(descriptor).st_ino)
        if waiting.exists() and waiting.stat().st_ino in synced:  # and not the journal of an earlier test
            woken.set()

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(journal, "SYNC_SECONDS", 0.01)
    cache = JsonCache(path)
    for key in ("a", "b"):
        synced.clear()
        woken.clear()
        cache.put(key, 1)
        assert woken.wait(10)
    cache.close()
    assert path.stat().st_ino in synced


def test_a_replay_loads_no_lock_and_leaves_no_trace(path: Path) -> None:
    path.write_bytes(b'{"b":1,"a":2}')
    program = (
        "import sys; from helpers.replay import JsonCache\n"
        "with JsonCache(sys.argv[1]) as cache: print(cache.get('a'), cache.get('c'), 'filelock' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, encoding="utf-8", check=True, timeout=60
    )
    assert run.stdout == "2 None False\n"
    assert path.read_bytes() == b'{"b":1,"a":2}'
    assert [file.name for file in path.parent.iterdir()] == ["cache.json"]
