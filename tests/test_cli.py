"""The shell as a user calls it: real processes, no key."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.published import TABLE
from tests.system_one import Server

ROOT = Path(__file__).parents[1]
GATES = "1.  Scope\n\n   A gate MUST refuse a stale token.\n\n2.  Rules\n\n   Porters keep the list of the day.\n"
REAL = {
    "id": "real",
    "claim": "Gates refuse stale tokens.",
    "quote": "A gate MUST refuse a stale token.",
    "section": "1",
}
INVENTED = {
    "id": "invented",
    "claim": "Gates sing.",
    "quote": "Every gate sings at dawn for nine minutes.",
    "section": "1",
}


def helpers(*arguments, cwd=ROOT, stdin="", **environment):
    env = (
        {k: v for k, v in os.environ.items() if not k.startswith("TYPESAFE_")} | {"PYTHONPATH": str(ROOT)} | environment
    )
    command = [sys.executable, "-m", "helpers", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, env=env, input=stdin, capture_output=True, encoding="utf-8", timeout=60)


@pytest.fixture
def gates(tmp_path):
    (tmp_path / "gates.txt").write_text(GATES, encoding="utf-8")
    write(tmp_path / "citations.json", [REAL, INVENTED])
    return tmp_path


def write(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def assert_one_line(done, *parts):
    assert done.returncode == 2, done
    lines = [line for line in done.stderr.split("\n") if line and not line.startswith("warning")]
    assert len(lines) == 1 and "Traceback" not in done.stderr
    for part in parts:
        assert part in lines[0]


def test_without_arguments_the_published_table_is_replayed_and_nothing_is_written():
    before = (ROOT / "json_cache.json").read_bytes()
    done = helpers("check")
    assert (done.returncode, done.stdout, done.stderr) == (0, TABLE, "")
    assert (ROOT / "json_cache.json").read_bytes() == before
    assert not (ROOT / "json_cache.json.journal").exists()


def test_the_model_of_the_environment_does_not_change_the_shipped_run():
    assert helpers("check", TYPESAFE_MODEL="another").stdout == TABLE


def test_another_folder_and_locale_show_the_same_table(tmp_path):
    done = helpers("check", cwd=tmp_path, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert (done.returncode, done.stdout) == (0, TABLE)


def test_without_a_key_found_and_missing_are_told_and_the_rest_is_unjudged(gates):
    done = helpers("check", gates / "gates.txt", gates / "citations.json")
    rows = [re.split(r" {2,}", line) for line in done.stdout.rstrip("\n").split("\n")[1:]]
    assert rows == [
        ["real", "found", "-", "-", "unjudged", "review"],
        ["invented", "missing", "-", "-", "fabricated", "auto"],
    ]
    assert done.returncode == 3
    assert "TYPESAFE_API_KEY" in done.stderr


def test_what_to_do_about_unjudged_citations_is_told_once(gates):
    write(gates / "citations.json", [REAL, REAL | {"id": "other", "claim": "Gates are strict."}])
    lines = helpers("check", "gates.txt", "citations.json", cwd=gates).stderr.rstrip("\n").split("\n")
    assert [line.partition(": ")[2].partition(":")[0] for line in lines[:2]] == ["real", "other"]
    assert lines[2:] == [
        "to record one, set TYPESAFE_API_KEY and run: "
        "python -m helpers check gates.txt citations.json --model jev-latest"
    ]


def test_citations_without_a_source_are_searched_for_in_the_shipped_one_and_that_is_told(gates):
    done = helpers("check", "citations.json", cwd=gates)
    assert "warning: citations.json: no source is named before it, so rfc7519.txt is searched" in done.stderr


def test_a_named_verdict_wins_over_unjudged(gates):
    arguments = ("check", gates / "gates.txt", gates / "citations.json", "--offline")
    assert helpers(*arguments, "--fail-on", "fabricated").returncode == 1
    assert helpers(*arguments, "--fail-on", "contradicted,unsupported").returncode == 3
    assert helpers("check", "--fail-on", "review").returncode == 1
    assert helpers("check", "--fail-on", "contradicted").returncode == 1


def test_the_threshold_moves_what_goes_to_a_human():
    assert helpers("check", "--auto-accept", "0.94").stdout.count("review\n") == 3
    assert helpers("check", "--auto-accept", "0.2").stdout.count("review\n") == 0


def test_the_json_document_goes_to_stdout_alone(gates):
    done = helpers("check", gates / "gates.txt", gates / "citations.json", "--offline", "--json", "-")
    document = json.loads(done.stdout)
    assert list(document) == ["schema", "source", "model", "auto_accept", "counts", "results"]
    assert document["source"]["name"] == "gates.txt" and document["source"]["sections"] == ["1", "2"]
    assert document["counts"] == {
        "verified": 0, "contradicted": 0, "unsupported": 0, "fabricated": 1, "unjudged": 1, "review": 0,
    }  # fmt: skip
    real, invented = document["results"]
    keys = "id claim quote section status found_in also_in section_ok match risks answer verdict confidence auto reason"
    assert list(real)[:15] == keys.split()
    assert real["match"]["text"] == "A gate MUST refuse a stale token." and real["found_in"] == "1"
    assert real["match"]["start"] == GATES.index("A gate")
    assert (invented["verdict"], invented["auto"], invented["error"]) == ("fabricated", True, None)
    assert real["verdict"] is None and real["error"]


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["check", "gates.txt"], ["gates.txt", "no citations file"]),
        (["check", "citations.json", "gates.txt"], ["gates.txt", "sources come first"]),
        (["check", "absent.txt", "citations.json"], ["absent.txt"]),
        (["check", "gates.txt", "absent.json"], ["absent.json"]),
        (["check", "empty", "citations.json"], ["empty", "directory"]),
        (["check", "--refresh"], ["--refresh", "--cache"]),
        (["check", "--refresh", "--offline"], ["not allowed with"]),
        (["check", "gates.txt", "-", "--sarif", "s.json"], ["--sarif"]),
        (["check", "--fail-on", "sad"], ["sad", "fabricated"]),
        (["check", "--auto-accept", "1.5"], ["1.5", "between 0 and 1"]),
        (["check", "--jobs", "0"], ["0"]),
        (["check", "--jobs", "1.5"], ["1.5 is not a whole number"]),
        (["check", "--timeout", "soon"], ["soon is not a number"]),
        (["check", "gates.txt", "citations.json", "--json", "citations.json"], ["citations.json", "overwritten"]),
        (["check", "gates.txt", "citations.json", "--report", "./gates.txt"], ["gates.txt", "overwritten"]),
        (["check", "--json", "out.json", "--sarif", "./out.json"], ["out.json", "two outputs"]),
        (["check", "--report", "nowhere/r.html"], ["nowhere", "folder"]),
        (["check", "gates.txt", "citations.json", "--cache", "gates.txt"], ["gates.txt"]),
        (["check", "http://127.0.0.1/a.md", "http://127.0.0.1/c.json"], ["c.json", "not a URL"]),
        (["sections", "absent.txt"], ["absent.txt"]),
        (["sections", "empty"], ["empty", "folder"]),
        (["find", "gates.txt", "..."], ["QUOTE", "no letter or digit"]),
        (["link", "nobody"], ["nobody", "aud_reject"]),
        (["link", "sig_reporting"], ["sig_reporting", "missing"]),
        (["mislay"], ["mislay"]),
        ([], ["COMMAND"]),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, list) else None,
)
def test_bad_usage_and_bad_input_are_one_line_and_exit_code_2(gates, arguments, parts):
    (gates / "empty").mkdir()
    assert_one_line(helpers(*arguments, cwd=gates), *parts)


def test_citations_come_from_a_pipe_as_a_list_or_as_lines(gates):
    for text in (json.dumps([REAL, INVENTED]), "\n".join(map(json.dumps, [REAL, INVENTED]))):
        done = helpers("check", "gates.txt", "-", cwd=gates, stdin=text)
        assert "invented          missing" in done.stdout and done.returncode == 3


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ({"citations": [REAL, INVENTED]}, 'save the list in "citations" alone'),
        ({"id": "a", "quote": "b"}, "put the citations in [ ]"),
    ],
)
def test_an_object_instead_of_a_list_is_told_with_what_to_do(gates, text, part):
    assert_one_line(helpers("check", "gates.txt", write(gates / "wrapped.json", text), cwd=gates), part)
    assert_one_line(helpers("check", "gates.txt", "-", cwd=gates, stdin=json.dumps(text)), "stdin", part)


def test_a_folder_of_documents_is_searched_and_each_row_names_its_document(gates):
    (gates / "docs").mkdir()
    (gates / "docs" / "a.md").write_text("# Bells\n\nBells ring at noon.\n", encoding="utf-8")
    (gates / "gates.txt").rename(gates / "docs" / "gates.txt")
    bells = {"id": "bells", "claim": "c", "quote": "Bells ring at noon.", "section": "Bells", "source": "#0"}
    elsewhere = REAL | {"id": "elsewhere", "source": "a.md"}
    write(gates / "citations.json", [bells, REAL, elsewhere, INVENTED])
    done = helpers("check", "docs", "citations.json", "--json", "-", cwd=gates)
    results = {r["id"]: r for r in json.loads(done.stdout)["results"]}
    assert [s["name"] for s in json.loads(done.stdout)["source"]] == ["a.md", "gates.txt"]
    assert {name: (r["status"], r["source"], r["section_ok"]) for name, r in results.items() if name != "invented"} == {
        "bells": ("found", "a.md", True),
        "real": ("found", "gates.txt", True),
        "elsewhere": ("found", "gates.txt", False),
    }
    assert results["invented"]["status"] == "missing" and "source" not in results["invented"]


def test_sections_are_listed_for_people_and_for_programs(gates):
    assert "Scope" in helpers("sections", "gates.txt", cwd=gates).stdout
    rows = json.loads(helpers("sections", "gates.txt", "--json", cwd=gates).stdout)
    assert [list(row) for row in rows] == [["label", "title", "start", "end", "characters", "numbered"]] * 2
    assert [(row["label"], row["title"], row["numbered"]) for row in rows] == [
        ("1", "Scope", True),
        ("2", "Rules", True),
    ]


def test_find_shows_where_one_quote_stands(gates):
    found = json.loads(helpers("find", "gates.txt", "a list of the day", "--json", cwd=gates).stdout)
    assert list(found) == ["status", "found_in", "also_in", "match", "risks"]
    assert found["status"] != "found"
    shown = helpers("find", "gates.txt", "the list of the day", cwd=gates).stdout
    assert "found" in shown and "\x1b" not in shown


def test_find_shows_what_comes_closest_to_a_missing_quote(gates):
    quote = "A gate MUST refuse a stale token. Nobody may sing at night."
    shown = helpers("find", "gates.txt", quote, cwd=gates).stdout
    assert shown.startswith("missing in gates.txt\nthe closest passage (")
    assert "»A gate MUST refuse a stale token." in shown


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("sections", "-gates.txt"), "sections: -gates.txt is read as an option; write the file as ./-gates.txt"),
        (("check", "-gates.txt", "citations.json"), "check: -gates.txt is read as an option"),
        (("check", "--", "--offline"), "check: --offline is read as a file's name, like all after --"),
        (("link", "--", "real", "--model", "x"), "link: --model is read as a file's name"),
        (("check", "--bogus"), "unrecognized arguments: --bogus; see python -m helpers check --help"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_file_that_looks_like_an_option_and_an_option_read_as_a_file_are_told(gates, arguments, told):
    (gates / "gates.txt").rename(gates / "-gates.txt")
    assert_one_line(helpers(*arguments, cwd=gates), told)


def test_files_and_quotes_that_begin_with_a_dash_can_be_named(gates):
    (gates / "gates.txt").rename(gates / "-gates.txt")
    assert helpers("find", "--", "-gates.txt", "--json", cwd=gates).stdout.startswith("missing in -gates.txt")
    done = helpers("check", "--", "-gates.txt", "citations.json", cwd=gates)
    assert done.returncode == 3 and "run: python -m helpers check ./-gates.txt citations.json" in done.stderr


@pytest.mark.parametrize("arguments", [("check", "", "citations.json"), ("check", "gates.txt", ""), ("sections", " ")])
def test_an_empty_argument_is_not_the_current_folder(gates, arguments):
    assert_one_line(helpers(*arguments, cwd=gates), "an argument is empty; give the name of a file")


@pytest.mark.parametrize(("name", "text"), [("none.json", "[]"), ("none.jsonl", ""), ("-", "[]")])
def test_a_citations_file_without_a_citation_is_told(gates, name, text):
    if name != "-":
        (gates / name).write_text(text, encoding="utf-8")
    done = helpers("check", "gates.txt", name, cwd=gates, stdin=text)
    shown = name.replace("-", "stdin")
    assert (done.returncode, done.stdout.count("\n")) == (0, 1)
    assert done.stderr == f"warning: {shown}: holds no citation, so there is nothing to check\n"


def test_a_quote_of_a_document_that_was_not_given_is_for_a_human(gates):
    write(gates / "citations.json", [INVENTED | {"source": "doors.txt"}])
    done = helpers("check", "gates.txt", "citations.json", "--json", "-", cwd=gates)
    result = json.loads(done.stdout)["results"][0]
    assert (result["verdict"], result["auto"]) == ("fabricated", False)
    assert result["reason"] == "its source doors.txt is none of the documents given"


def test_the_link_opens_the_published_question():
    from helpers.playground import read_playground_link

    carried = read_playground_link(helpers("link", "exp_required").stdout)
    assert carried["document"]["section"].startswith("4.1.4.")
    assert carried["questions"]["relation"]["type"] == "choice" and carried["models"] == ["jev-1.12"]


def test_help_names_every_command():
    shown = helpers("--help").stdout
    assert all(command in shown for command in ("check", "sections", "find", "link", "tune", "selftest", "audit"))


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_an_output_that_cannot_be_written_is_told_in_one_line():
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = [sys.executable, "-m", "helpers", "sections", "rfc7519.txt"]
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, encoding="utf-8", timeout=60)
    assert done.returncode == 2 and done.stderr == "the output: No space left on device\n"


def test_a_reader_that_goes_away_is_no_error():
    command = [sys.executable, "-m", "helpers", "sections", "rfc7519.txt", "--json"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


def test_every_output_is_written_and_a_review_of_them_sets_the_threshold(tmp_path):
    outputs = [f"--{name}={tmp_path / name}" for name in ("json", "report", "sarif", "junit")]
    assert helpers("check", *outputs).stdout == TABLE
    document = json.loads((tmp_path / "json").read_text(encoding="utf-8"))
    assert json.loads((tmp_path / "sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"
    assert (tmp_path / "junit").read_text(encoding="utf-8").count("<testcase ") == 8
    assert "aud_reject" in (tmp_path / "report").read_text(encoding="utf-8")
    decided = [r for r in document["results"] if r["answer"]]
    reviews = [{"id": r["id"], "verdict": r["verdict"], "fingerprint": r["fingerprint"]} for r in decided]
    stale = [reviews[0] | {"fingerprint": "0" * 64}, *reviews[1:]]
    write(tmp_path / "reviews.json", {"schema": 1, "reviews": [{"note": "", "at": "", **r} for r in stale]})
    done = helpers("check", "--reviews", tmp_path / "reviews.json", "--fail-on", "review")
    assert (done.returncode, done.stdout.count("human\n"), done.stdout.count("review\n")) == (0, 6, 0)
    assert "epoch_seconds is stale" in done.stderr
    tuned = helpers("tune", tmp_path / "json", tmp_path / "reviews.json", "--json")
    table = json.loads(tuned.stdout)
    assert (tuned.returncode, table["reviewed"], table["recommended"]) == (0, 6, None)
    assert table["needed"] > 0 and "epoch_seconds is stale" in tuned.stderr
    assert "further reviews" in helpers("tune", tmp_path / "json", tmp_path / "reviews.json").stdout


def test_selftest_counts_wrong_answers_for_people_and_for_programs():
    handbook = ROOT / "tests" / "data" / "handbook.md"
    kinds = json.loads(helpers("selftest", handbook, "--json").stdout)["kinds"]
    assert {kind["harmless"] for kind in kinds} == {True, False}
    assert sum(kind["accused"] for kind in kinds) == 0
    assert "honest quotes accused" in helpers("selftest", handbook).stdout


def test_an_audit_writes_a_line_a_citation_and_says_what_it_came_to(gates):
    rows = [{"source": "gates.txt", "citations": "citations.json"}, {"source": "absent.txt", "citations": [REAL]}]
    (gates / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    done = helpers("audit", "manifest.jsonl", "--out", "results.jsonl", "--offline", cwd=gates)
    lines = [json.loads(line) for line in (gates / "results.jsonl").read_text(encoding="utf-8").split("\n") if line]
    assert [(line["row"], line.get("id"), line.get("verdict")) for line in lines] == [
        (0, "real", None), (0, "invented", "fabricated"), (1, None, None),
    ]  # fmt: skip
    assert done.returncode == 3 and "absent.txt" in lines[2]["error"]
    assert "\n1 fabricated, 1 unjudged, 1 error; 2 documents in " in done.stderr


def test_an_audit_names_the_command_that_records_as_a_shell_takes_it(gates):
    (gates / "my gates.jsonl").write_text(json.dumps({"source": "gates.txt", "citations": [REAL]}), encoding="utf-8")
    done = helpers("audit", "my gates.jsonl", "--out=-r.jsonl", "--model", "m", "--offline", cwd=gates)
    assert "run: python -m helpers audit 'my gates.jsonl' --out ./-r.jsonl --model m\n" in done.stderr


def test_a_live_run_is_estimated_asked_recorded_and_then_replayed(gates):
    with Server() as server:
        live = {"TYPESAFE_ENDPOINT": server.url, "TYPESAFE_API_KEY": "sk-a-key-that-is-long-enough"}
        arguments = ("check", "gates.txt", "citations.json", "--twice")
        assert helpers(*arguments, "--estimate", cwd=gates, **live).stdout.startswith("2 calls, about ")
        assert server.calls == []
        done = helpers(*arguments, cwd=gates, **live)
        assert (
            done.returncode,
            "real              found         supports        0.94  verified        auto" in done.stdout,
        ) == (0, True)
        assert done.stderr.startswith("2 calls, 1,000 input and 80 output tokens, ")
    again = helpers(*arguments, cwd=gates)
    assert (again.returncode, again.stdout, again.stderr) == (0, done.stdout, "")
    recorded = json.loads((gates / "citations.cache.json").read_text(encoding="utf-8"))
    assert {answer["asked"]["claim"] for answer in recorded.values()} == {REAL["claim"]} and len(recorded) == 2
