"""Many documents: what stands in the results after any mix of good and bad rows, kills, failures and second runs."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from system_one import body, choice

from helpers import auditing
from helpers.auditing import audit, tasks
from helpers.auditing.engines import Content, Engine, Pool, parse
from helpers.auditing.manifest import ROW_SHAPE, parse_row
from helpers.auditing.threads import flow
from helpers.errors import CitationCheckError, ManifestError, SourceError
from helpers.judging import make_ask
from helpers.replay import JsonCache
from tests import system_one

ROOT = Path(__file__).parents[1]
GATES = "1.  Scope\n\n   A gate MUST refuse a stale token.\n\n2.  Rules\n\n   Porters keep the list of the day.\n"
PORTS = "1.  Scope\n\n   A port SHOULD stay shut at night.\n"
REFUSE = {
    "id": "a",
    "claim": "Gates refuse stale tokens.",
    "quote": "A gate MUST refuse a stale token.",
    "section": "1",
}
LIST = {"id": "b", "claim": "Porters keep a list.", "quote": "Porters keep the list of the day.", "section": "2"}
SHUT = {"id": "a", "claim": "Ports shut at night.", "quote": "A port SHOULD stay shut at night.", "section": "1"}
INVENTED = {"id": "c", "claim": "Gates sing.", "quote": "Every gate sings at dawn for nine minutes.", "section": None}
BROKEN = {"id": "d", "claim": "No quote and no section."}

posix = pytest.mark.skipif(sys.platform == "win32", reason="needs kill -9 and Ctrl-C as POSIX has them")
in_this_process = pytest.mark.usefixtures("in_process")
quick = pytest.mark.usefixtures("server", "in_process")


@pytest.fixture
def in_process(monkeypatch):
    """Parse and locate in this process: what processes do is tested where they matter."""

    @contextmanager
    def engine(_):
        yield Engine(lambda function, *arguments: function(*arguments), 3)

    monkeypatch.setattr(auditing, "local_engine", engine)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "gates.txt").write_text(GATES, encoding="utf-8")
    (tmp_path / "ports.txt").write_text(PORTS, encoding="utf-8")
    return tmp_path


def manifest(folder, *rows, name="manifest.jsonl"):
    lines = [row if isinstance(row, str) else json.dumps({"source": row[0], "citations": row[1]}) for row in rows]
    (folder / name).write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return folder / name


def run(folder, **settings):
    with JsonCache(folder / "results.cache.json") as cache:
        ask = make_ask(cache, model="jev-latest")
        return audit(folder / "manifest.jsonl", folder / "results.jsonl", ask, **settings)


def lines(folder, name="results.jsonl"):
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").split("\n") if line]


def brief(folder, name="results.jsonl"):
    """Return each line as (row, id, verdict) or (row, error)."""
    return [
        (line["row"], line["id"], line["verdict"]) if "id" in line else (line["row"], line["error"])
        for line in lines(folder, name)
    ]


def steady(folder):
    """Return the results without what differs between any two runs: seconds, and whether an answer was just asked."""
    kept = lines(folder)
    for line in kept:
        line.pop("replayed", None)
        if line.get("answer"):
            del line["answer"]["seconds"]
    return kept


def shell(folder, *arguments, **environment):
    """Start the command as a user would."""
    env = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    command = [sys.executable, "-m", "helpers", "audit", "manifest.jsonl", "--out", "results.jsonl", *arguments]
    return subprocess.Popen(command, cwd=folder, env=env, stderr=subprocess.PIPE, encoding="utf-8")


def finish(process):
    """Return the exit code and what was told on stderr."""
    told = process.communicate(timeout=60)[1]
    return process.returncode, told


@quick
def test_every_row_gets_its_results_and_what_is_broken_its_own_error(folder):
    (folder / "list.json").write_text(json.dumps([LIST, INVENTED]), encoding="utf-8")
    manifest(
        folder,
        ("gates.txt", [REFUSE, BROKEN]),
        ("missing.txt", [REFUSE, LIST]),
        ("ports.txt", [SHUT]),
        '{"source": "gates.txt"',
        ("./gates.txt", "list.json"),
        ("ports.txt", "no-such.json"),
        ("ports.txt", []),
        '{"source": "ports.txt", "citations": 5}',
        '["ports.txt"]',
    )
    summary = run(folder)
    expected = [
        (0, "a", "verified"),
        (0, 'entry 2 ("d"): quote: is absent; write the quoted words, or null for a claim without a quote; '
            'entry 2 ("d"): section: is absent; write the section\'s label as text, like "4.1.3", or null'),
        (1, f"{folder / 'missing.txt'}: does not exist; check the name of the source document"),
        (2, "a", "verified"),
        (3, "column 23: not JSON: Expecting ',' delimiter"),
        (4, "b", "verified"),
        (4, "c", "fabricated"),
        (5, "no-such.json: cannot be read: No such file or directory"),
        (7, "citations: must be a list, or the path of a citations file, is a number"),
        (8, f"must be an object like {ROW_SHAPE}, is a list"),
    ]  # fmt: skip
    assert brief(folder) == expected
    assert [line["source"] for line in lines(folder)][4:6] == [None, "./gates.txt"]
    assert summary["counts"] == {"verified": 3, "fabricated": 1, "error": 6}
    assert (summary["rows"], summary["documents"], summary["calls"], summary["failed"]) == (9, 3, 3, 6)


@pytest.mark.parametrize(
    ("row", "found"),
    [(b'{"citations": []}', "absent"), (b'{"source": null, "citations": []}', "null")],
)
def test_a_key_that_is_absent_is_not_called_null(row, found):
    assert parse_row(row)[1] == f"source: must be the path or URL of a document, is {found}"


@quick
def test_a_result_has_the_fields_that_check_gives(folder):
    from helpers import judging, parsing

    manifest(folder, ("gates.txt", [REFUSE, INVENTED]))
    run(folder)
    with JsonCache(folder / "other.json") as cache:
        document = parsing.read_document(folder / "gates.txt")
        checked = judging.check_citations(document, [REFUSE, INVENTED], make_ask(cache, model="jev-latest"))
    for result in checked:
        result["answer"] and result["answer"].pop("seconds")
        del result["replayed"]
    assert steady(folder) == [{"row": 0, "source": "gates.txt", **result} for result in checked]


@quick
def test_a_document_is_read_once_however_far_apart_its_rows_are(folder, monkeypatch):
    read, sizes = [], []
    monkeypatch.setattr(tasks, "CITATIONS", 2)  # several tasks for one document
    locate = tasks.locate_document
    monkeypatch.setattr(tasks, "locate_document", lambda content, c: sizes.append(len(c)) or locate(content, c))
    content = tasks.read_content
    monkeypatch.setattr(tasks, "read_content", lambda path, *a: read.append(Path(path).name) or content(path, *a))
    rows = [("gates.txt", [REFUSE, LIST, INVENTED]), ("ports.txt", [SHUT])] * 4
    manifest(folder, *rows)
    run(folder)
    assert sorted(read) == ["gates.txt", "ports.txt"]
    assert (sum(sizes), max(sizes)) == (16, 2)
    assert [line[:2] for line in brief(folder)] == [
        (row, id) for row in range(8) for id in (("a", "b", "c") if row % 2 == 0 else ("a",))
    ]


@quick
def test_a_second_run_asks_nothing_and_leaves_the_file_alone(folder):
    manifest(folder, ("gates.txt", [REFUSE, BROKEN]), ("missing.txt", [REFUSE]), ("gates.txt", "missing.json"))
    run(folder)
    before, stamp = (folder / "results.jsonl").read_bytes(), (folder / "results.jsonl").stat().st_mtime_ns
    summary = run(folder)
    assert (folder / "results.jsonl").read_bytes() == before
    assert (folder / "results.jsonl").stat().st_mtime_ns == stamp
    assert summary["calls"] == 0
    assert summary["counts"] == {"verified": 1, "error": 3}


@in_this_process
@pytest.mark.parametrize("kept", [0, 1, 40, 200, 700, -1, -30], ids=lambda n: f"{n} bytes")
def test_whatever_of_the_results_a_kill_left_the_next_run_completes_them(folder, server, kept):
    manifest(folder, ("ports.txt", [SHUT]), ("gates.txt", [INVENTED, REFUSE, BROKEN]), ("missing.txt", [LIST]))
    run(folder)
    whole, results = steady(folder), folder / "results.jsonl"
    results.write_bytes(results.read_bytes()[:kept])
    calls = len(server.calls)
    run(folder)
    assert steady(folder) == whole
    assert len(server.calls) == calls  # every answer was recorded


@quick
def test_results_stand_in_the_order_of_the_manifest_in_whatever_order_they_came(folder):
    manifest(folder, ("ports.txt", [SHUT]), ("gates.txt", [INVENTED, REFUSE]), ("ports.txt", [SHUT]))
    run(folder)
    whole, results = results_text(folder), folder / "results.jsonl"
    results.write_text("".join(reversed(whole.splitlines(keepends=True))), encoding="utf-8")
    run(folder)
    assert results_text(folder) == whole


def results_text(folder):
    return (folder / "results.jsonl").read_text(encoding="utf-8")


@in_this_process
def test_what_could_not_be_judged_is_asked_again_in_its_place(folder, server):
    server.script = {"Porters": [(422, {"detail": "no"}, {}), body(choice())], "": body(choice())}
    manifest(folder, ("gates.txt", [REFUSE, LIST, INVENTED]), ("ports.txt", [SHUT]))
    summary = run(folder)
    assert summary["failed"] == 1
    assert brief(folder)[1] == (0, "b", None)
    summary = run(folder)
    assert summary["calls"] == 1
    assert [line[2] for line in brief(folder)] == ["verified", "verified", "fabricated", "verified"]
    assert summary["failed"] == 0


@quick
def test_errors_are_tried_again_only_when_told(folder):
    manifest(folder, ("late.txt", [SHUT]), ("gates.txt", [REFUSE, BROKEN]))
    run(folder)
    (folder / "late.txt").write_text(PORTS, encoding="utf-8")
    run(folder)
    assert brief(folder)[0][1].endswith("does not exist; check the name of the source document")
    run(folder, retry_errors=True)
    assert brief(folder)[0] == (0, "a", "verified")
    assert len(brief(folder)) == 3  # the broken entry is still one


@quick
def test_a_citation_that_changed_since_is_judged_anew(folder):
    manifest(folder, ("gates.txt", [REFUSE, LIST]))
    run(folder)
    manifest(folder, ("gates.txt", [REFUSE | {"claim": "Gates refuse."}, LIST]))
    run(folder)
    assert [line["claim"] for line in lines(folder)] == ["Gates refuse.", "Porters keep a list."]


@in_this_process
def test_an_outage_costs_a_few_calls_and_leaves_everything_to_the_next_run(folder, server):
    server.script = {"": (401, {"detail": "bad key"}, {})}
    for n in range(30):
        (folder / f"{n}.txt").write_text(GATES, encoding="utf-8")
    manifest(folder, *[(f"{n}.txt", [LIST | {"claim": f"Claim {n}."}, INVENTED]) for n in range(30)])
    summary = run(folder, jobs=2)
    assert summary["counts"] == {"unjudged": 30, "fabricated": 30}
    assert len(server.calls) <= 3 + 2  # in a row, and those under way meanwhile
    assert len({line["error"] for line in lines(folder)} - {None}) == 1
    server.script = {"": body(choice())}
    assert run(folder)["counts"] == {"verified": 30, "fabricated": 30}


@in_this_process
def test_a_server_that_was_down_for_a_moment_is_asked_again(folder, server, monkeypatch):
    monkeypatch.setattr("helpers.auditing.threads.RETRY", 0.0)
    server.script = {"": [*[(401, {"detail": "bad key"}, {})] * 4, body(choice())]}
    for n in range(12):
        (folder / f"{n}.txt").write_text(GATES, encoding="utf-8")
    manifest(folder, *[(f"{n}.txt", [LIST | {"claim": f"Claim {n}."}]) for n in range(12)])
    assert run(folder, jobs=1)["counts"] == {"unjudged": 4, "verified": 8}


@in_this_process
def test_questions_under_way_are_as_many_as_told_across_documents(folder, server):
    server.script = {"": system_one.later(0.05, body(choice()))}
    rows = [("gates.txt", [LIST | {"id": f"{n}-{m}", "claim": f"{n} {m}"} for m in range(5)]) for n in range(6)]
    for n in range(6):
        (folder / f"{n}.txt").write_text(GATES, encoding="utf-8")
    manifest(folder, *[(f"{n}.txt", row[1]) for n, row in enumerate(rows)])
    run(folder, jobs=3)
    assert server.most == 3
    assert len(server.calls) == 30


@in_this_process
def test_a_table_of_results_that_are_not_ours_is_left_alone(folder):
    manifest(folder, ("gates.txt", [REFUSE]))
    (folder / "results.jsonl").write_text('{"name": "precious"}\n', encoding="utf-8")
    with pytest.raises(
        ManifestError, match=r"results\.jsonl: line 1: is not a result of an audit; it is left as it is"
    ):
        run(folder)
    assert results_text(folder) == '{"name": "precious"}\n'


@quick
def test_results_of_another_manifest_are_refused(folder):
    manifest(folder, ("gates.txt", [REFUSE]))
    run(folder)
    manifest(folder, ("ports.txt", [SHUT]))
    with pytest.raises(ManifestError, match=r"line 1: row 0 of .* has not the source gates\.txt; name another file"):
        run(folder)


@in_this_process
@pytest.mark.parametrize(
    ("name", "fault"),
    [("none/results.jsonl", "its folder does not exist; create it first"), (".", "cannot be")],
    ids=["no folder", "a folder"],
)
def test_results_that_cannot_be_written_are_told_before_anything_is_asked(folder, name, fault):
    manifest(folder, ("gates.txt", [REFUSE]))
    with JsonCache(folder / "cache.json") as cache, pytest.raises(ManifestError, match=fault):
        audit(folder / "manifest.jsonl", folder / name, make_ask(cache))


@quick
def test_a_reader_that_breaks_costs_its_document_alone(folder, monkeypatch):
    from helpers.readers import text

    parse.cache_clear()  # other tests have parsed these bytes
    read = text.read_text
    monkeypatch.setattr(text, "read_text", lambda name, *a, **k: read(name, *a, **k) if name != "gates.txt" else 1 / 0)
    manifest(folder, ("gates.txt", [REFUSE, LIST]), ("ports.txt", [SHUT]))
    run(folder)
    assert brief(folder) == [
        (0, "gates.txt: cannot be read: ZeroDivisionError: division by zero"),
        (1, "a", "verified"),
    ]


@quick
def test_text_that_no_encoding_can_write_is_written_escaped(folder):
    row = '{"source": "gates.txt", "citations": [{"id": "a", "claim": "\\ud83d", "quote": "x", "section": null}]}'
    manifest(folder, row)
    run(folder)
    assert lines(folder)[0]["error"].startswith('entry 1 ("a"): claim: holds half of a surrogate pair')


def test_a_closing_line_tells_verdicts_documents_time_and_calls():
    counts = {"verified": 1200, "unjudged": 2, "fabricated": 1, "error": 3}
    known = {"rows": 9, "documents": 1, "seconds": 2.51}
    summary = known | {"counts": counts, "failed": 3, "failures": ["error: row 1: x"], "review": 4, "calls": 1}
    expected = "error: row 1: x\n2 more; the results name the cause of each\n"
    expected += "1,200 verified, 1 fabricated, 2 unjudged, 3 errors, 4 for review; 1 document in 2.5 s; 1 call"
    assert auditing.told(summary) == expected
    assert (
        auditing.told(known | {"counts": {}, "failed": 0, "failures": [], "review": 0, "calls": 0})
        == "no citations; 1 document in 2.5 s; 0 calls"
    )


@in_this_process
def test_a_second_audit_of_the_same_results_is_refused(folder):
    from filelock import FileLock

    manifest(folder, ("gates.txt", [REFUSE]))
    with FileLock(folder / "results.jsonl.lock"), pytest.raises(ManifestError, match="another audit is writing it"):
        run(folder)


@in_this_process
@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "holds no row"),
        ("\n \n", "holds no row"),
        ('[\n{"id": 1}\n]\n', "holds no row"),
        ('{"source": "\ud800x", "citations": []}\n'.encode("utf-8", "surrogatepass"), "holds no row"),
        (None, "cannot be read: No such file"),
    ],
    ids=["empty", "blank", "a JSON list", "half a character", "absent"],
)
def test_a_manifest_without_a_row_is_bad_input(folder, text, fault):
    if text is not None:
        (folder / "manifest.jsonl").write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    with pytest.raises(ManifestError, match=fault):
        run(folder)


@quick
def test_unknown_keys_are_warned_of_once_in_all(folder):
    manifest(folder, ("gates.txt", [REFUSE | {"answer": "x"}]), ("ports.txt", [SHUT | {"answer": "y"}]))
    with pytest.warns(UserWarning, match='unknown key "answer"') as told:
        run(folder)
    assert len(told) == 1


@quick
def test_a_report_lists_every_document_worst_first_and_links_to_its_page(folder):
    rows = ("ports.txt", [SHUT]), ("missing.txt", [LIST]), ("gates.txt", [REFUSE, INVENTED]), ("ports.txt", [SHUT])
    manifest(folder, *rows)
    run(folder, report=folder / "report")
    index = (folder / "report" / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'href="([^"#]+)"', index)
    assert links == ["2-gates.txt.html", "0-ports.txt.html"]
    assert "missing.txt" in index
    ports = (folder / "report" / "0-ports.txt.html").read_text(encoding="utf-8")
    assert "0/a" in ports and "3/a" in ports
    assert "Every gate sings at dawn" in (folder / "report" / "2-gates.txt.html").read_text(encoding="utf-8")


@pytest.fixture
def pages():
    """Serve documents over HTTP, and note each request."""
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            self.send_response(200)
            self.send_header("Content-Type", "text/plain; charset=utf-8")
            self.end_headers()
            self.wfile.write(GATES.encode("utf-8"))

        def log_message(self, *_):
            """Keep stderr free."""

    asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as http:
        threading.Thread(target=http.serve_forever, args=(0.02,), daemon=True).start()
        yield f"http://127.0.0.1:{http.server_address[1]}", asked
        http.shutdown()


@quick
def test_a_page_is_fetched_once_and_its_copy_serves_offline_runs_and_reports(folder, pages):
    address, asked = pages
    manifest(
        folder, (f"{address}/gates.txt?key=1", [REFUSE]), ("ports.txt", [SHUT]), (f"{address}/gates.txt?key=1", [LIST])
    )
    settings = {"copies": folder / "copies", "report": folder / "report"}
    run(folder, **settings)
    assert asked == ["/gates.txt?key=1"]
    assert [line[:2] for line in brief(folder)] == [(0, "a"), (1, "a"), (2, "b")]
    assert "A gate MUST refuse" in (folder / "report" / "0-gates.txt-key-1.html").read_text(encoding="utf-8")
    (folder / "results.jsonl").unlink()
    assert run(folder, offline=True, copies=folder / "copies")["counts"] == {"verified": 3}
    assert len(asked) == 1


@quick
def test_a_document_that_is_gone_by_the_time_of_the_report_is_listed_with_its_error(folder):
    manifest(folder, ("gates.txt", [REFUSE]), ("ports.txt", [SHUT]))
    run(folder)
    (folder / "gates.txt").unlink()
    run(folder, report=folder / "report")
    index = (folder / "report" / "index.html").read_text(encoding="utf-8")
    assert re.findall(r'href="([^"#]+)"', index) == ["1-ports.txt.html"]
    assert "gates.txt: does not exist" in index


@in_this_process
def test_a_report_folder_that_cannot_be_made_is_bad_input(folder):
    manifest(folder, ("ports.txt", []))
    with pytest.raises(CitationCheckError, match=r"gates\.txt: cannot be created: File exists"):
        run(folder, report=folder / "gates.txt")


def die(content, *_):
    if content.name == "deadly.txt":
        os._exit(1)
    if content.name == "endless.txt":
        time.sleep(600)
    return content.name


def process_id(_):
    return os.getpid()


def test_a_document_that_kills_its_process_or_never_ends_harms_no_other():
    pool = Pool(1, patience=2.0)
    names = ["a.txt", "deadly.txt", "b.txt", "endless.txt", "c.txt", "deadly.txt", "d.txt"]

    def name(text):
        try:
            return pool.run(die, Content(text, b""))
        except SourceError as error:
            return str(error)

    try:
        told = sorted(flow(names, name, 3))
        assert pool.run(process_id, Content("e.txt", b"")) == pool.run(process_id, Content("f.txt", b""))
    finally:
        pool.close()
    trap = "killed its process or took over 2 s, twice; leave it out or make it smaller"
    deadly = f"deadly.txt: {trap}"
    assert told == ["a.txt", "b.txt", "c.txt", "d.txt", deadly, deadly, f"endless.txt: {trap}"]


def test_no_more_tasks_are_drawn_than_can_be_worked_on():
    drawn, done = [], []

    def draw():
        for n in range(50):
            drawn.append(n)
            assert len(drawn) - len(done) <= 4
            yield n

    for n in flow(draw(), lambda n: n, 4):
        done.append(n)
    assert sorted(done) == list(range(50))


@pytest.fixture
def many(folder):
    """Write a manifest of 20 documents with 5 citations each."""
    for n in range(20):
        (folder / f"{n}.txt").write_text(GATES, encoding="utf-8")
    rows = [(f"{n}.txt", [LIST | {"id": str(m), "claim": f"Claim {n} {m}."} for m in range(5)]) for n in range(20)]
    manifest(folder, *rows)
    return folder


@posix
def test_kill_9_at_any_moment_loses_and_doubles_nothing(many, server):
    server.script = {"": system_one.later(0.01, body(choice()))}
    results, killed = many / "results.jsonl", 0
    for wanted in (1, 20, 45, 80):
        process = shell(many)
        until_written(process, results, wanted)
        children = processes_of(process.pid)
        process.kill()
        killed += finish(process)[0] == -signal.SIGKILL
        until(lambda c=children: not any(map(alive, c)))
    assert killed >= 3
    code, told = finish(shell(many))
    assert (code, told.count("100 verified; 20 documents in")) == (0, 1)
    assert [(line["row"], line["id"]) for line in lines(many)] == [(n, str(m)) for n in range(20) for m in range(5)]
    broken = steady(many)
    results.unlink()
    assert finish(shell(many))[0] == 0
    assert steady(many) == broken
    assert len(set(server.claims())) == 100
    assert len(server.calls) <= 100 + killed * 8  # those under way at a kill


@posix
def test_ctrl_c_ends_at_once_and_keeps_everything(many, server):
    server.script = {"Claim 19": system_one.hang, "": body(choice())}
    process = shell(many)
    results = many / "results.jsonl"
    until_written(process, results, 95)
    process.send_signal(signal.SIGINT)
    code, told = finish(process)
    assert (code, "Traceback" in told) == (130, False), told
    server.script = {"": body(choice())}
    assert finish(shell(many))[0] == 0
    assert len(lines(many)) == 100


def test_the_shell_tells_bad_input_in_one_line(folder):
    assert finish(shell(folder)) == (2, "manifest.jsonl: cannot be read: No such file or directory\n")


def test_without_a_key_nothing_is_lost_but_the_answers(folder):
    manifest(folder, ("gates.txt", [REFUSE, INVENTED]))
    code, told = finish(shell(folder, TYPESAFE_API_KEY=""))
    assert code == 3
    assert "1 fabricated, 1 unjudged; 1 document in" in told
    assert (
        'unjudged: row 0: results.cache.json: no answer is recorded for the claim "Gates refuse stale tokens."' in told
    )
    assert "set TYPESAFE_API_KEY and run: python -m helpers audit manifest.jsonl --out results.jsonl" in str(
        lines(folder)
    )


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def until_written(process, results, count):
    until(lambda: process.poll() is not None or (results.exists() and results.read_bytes().count(b"\n") >= count))


def processes_of(pid):
    listed = Path(f"/proc/{pid}/task/{pid}/children")
    return listed.read_text(encoding="ascii").split() if listed.exists() else []


def alive(pid):
    status = Path(f"/proc/{pid}/stat")
    return status.exists() and status.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
