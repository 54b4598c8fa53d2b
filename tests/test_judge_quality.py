"""Whether the table about models is right: what is read of a set, what is drawn, and every figure that is printed."""

import gzip
import json

import pytest
from system_one import body, choice

from benchmarks import judge_quality
from benchmarks.labelled import Pair, load, sample
from helpers.asking import connecting
from helpers.errors import CitationCheckError
from tests import system_one

HEALTHVER = 'id,evidence,claim,label,topic_ip,question\n1,"Masks, worn well, help.",Masks help,Supports,3,Do they?\n'
CLIMATE_FEVER = json.dumps(
    {
        "claim": "It warms.",
        "claim_label": "DISPUTED",
        "evidences": [
            {"evidence": "It warmed by 1 K.", "evidence_label": "SUPPORTS"},
            {"evidence": "It did not warm.", "evidence_label": "REFUTES"},
            {"evidence": "Ice is cold.", "evidence_label": "NOT_ENOUGH_INFO"},
        ],
    }
)
WICE = "\n".join(
    json.dumps({"claim": "He sang.", "evidence": ["He sang.", "At home."], "label": label})
    for label in ("supported", "partially_supported", "not_supported")
)
OWN = json.dumps({"claim": "A", "section": "B", "label": "contradicts"})


@pytest.mark.parametrize(
    ("name", "text", "pairs"),
    [
        ("healthver.csv", HEALTHVER, [("Masks help", "Masks, worn well, help.", "supports")]),
        (
            "fever.jsonl",
            CLIMATE_FEVER,
            [
                ("It warms.", "It warmed by 1 K.", "supports"),
                ("It warms.", "It did not warm.", "contradicts"),
                ("It warms.", "Ice is cold.", "says_nothing"),
            ],
        ),
        (
            "wice.jsonl",
            WICE,
            [("He sang.", "He sang.\nAt home.", "supports"), ("He sang.", "He sang.\nAt home.", "says_nothing")],
        ),
        ("own.jsonl", OWN, [("A", "B", "contradicts")]),
    ],
    ids=["HealthVer", "Climate-FEVER", "WiCE", "own"],
)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_each_kind_of_set_is_read_as_its_file_comes(tmp_path, name, text, pairs, packed):
    path = tmp_path / (name + ".gz" if packed else name)
    path.write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    assert load(path).pairs == pairs


def test_labels_without_a_counterpart_are_counted_and_left_out(tmp_path):
    path = tmp_path / "wice.jsonl"
    path.write_text(WICE, encoding="utf-8")
    assert load(path).left_out == {"partially_supported": 1}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "holds no pair"),
        (OWN + "\n{", "line 2: is none of"),
        (OWN.replace("contradicts", "perhaps"), "line 1: is none of .*'perhaps'"),
        (OWN.replace('"B"', "7"), "line 1: .* must be text"),
        ('{"answer": 1}', "line 1: is none of"),
    ],
    ids=["empty", "not JSON", "unknown label", "no text", "another format"],
)
def test_a_file_that_is_no_labelled_set_is_refused_with_its_line(tmp_path, text, fault):
    path = tmp_path / "set.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CitationCheckError, match=fault):
        load(path)


def test_a_sample_keeps_the_shares_of_the_labels_and_its_seed_decides_it():
    labels = ["supports"] * 60 + ["contradicts"] * 30 + ["says_nothing"] * 11
    pairs = [Pair(f"claim {n}", "section", label) for n, label in enumerate(labels)]
    drawn = sample(pairs, 20, seed=1)
    assert [[pair.label for pair in drawn].count(label) for label in judge_quality.LABELS] == [12, 6, 2]
    assert drawn == sample(pairs, 20, seed=1)
    assert drawn != sample(pairs, 20, seed=2)
    assert len(set(drawn)) == 20
    assert sample(pairs, 500, seed=1) == pairs


def test_figures_are_those_worked_out_by_hand():
    truth = ["supports"] * 4 + ["contradicts"] * 2 + ["says_nothing"] * 2
    told = ["supports"] * 3 + ["contradicts"] + ["contradicts", "supports"] + ["says_nothing"] * 2
    # F1: supports 2*3/(4+4) = 0.75, contradicts 2*1/(2+2) = 0.5, says_nothing 2*2/(2+2) = 1
    assert judge_quality.macro_f1(truth, told) == 0.75
    assert judge_quality.share(6, 8) == "0.750 (0.349 - 0.968)"  # Clopper-Pearson, as tables give it
    assert judge_quality.share(0, 0) == "-"
    assert judge_quality.confusion("m", truth, told)[1].split() == ["supports", "3", "1", "0"]


def judged(*rows):
    return [
        (
            Pair("c", "s", label),
            {
                "choice": "supports",
                "confidence": confidence,
                "probabilities": {"supports": p, "contradicts": 1 - p, "says_nothing": 0},
            },
        )
        for label, confidence, p in rows
    ]


def test_reliability_and_risk_count_what_stands_at_each_confidence():
    rows = judged(
        ("supports", 0.94, 0.96), ("contradicts", 0.94, 0.96), ("supports", 0.4, 0.6), ("supports", 0.8, 0.87)
    )
    lines = judge_quality.reliability(rows)
    assert [line.split()[:6] for line in lines[1:-1]] == [
        ["0.00", "-", "0.50", "1", "0.600", "1.000"],
        ["0.70", "-", "0.90", "1", "0.870", "1.000"],
        ["0.90", "-", "0.97", "2", "0.960", "0.500"],
    ]
    assert lines[-1] == "expected calibration error 0.362"  # (0.4 + 0.13 + 2 * 0.46) / 4
    accepted = next(line for line in judge_quality.risk_coverage(rows) if line.endswith("<- AUTO_ACCEPT"))
    assert accepted.split()[:4] == ["0.80", "3", "0.750", "0.333"]


@pytest.mark.parametrize(
    ("claim", "section", "said"),
    [
        ("Gates refuse stale tokens", "Other text. Gates refuse all stale tokens at night.", "supports"),
        ("Gates refuse stale tokens", "Gates do not refuse stale tokens.", "contradicts"),
        ("Gates don't refuse stale tokens", "Gates do not refuse stale tokens.", "supports"),
        ("Gates refuse stale tokens", "Porters keep the list of the day.", "says_nothing"),
    ],
    ids=["same words", "a negation", "both negated", "other words"],
)
def test_the_baseline_goes_by_shared_words_and_negations(claim, section, said):
    assert judge_quality.by_words(Pair(claim, section, "")) == said


@pytest.fixture
def labelled_set(tmp_path, monkeypatch):
    rows = [("Gates shut.", "supports"), ("Gates sing.", "says_nothing"), ("Gates fly.", "contradicts")]
    text = "\n".join(json.dumps({"claim": c, "section": "Gates shut.", "label": label}) for c, label in rows)
    (tmp_path / "set.jsonl").write_text(text, encoding="utf-8")
    monkeypatch.setenv("TYPESAFE_API_KEY", "a-key-only-for-tests")
    monkeypatch.setenv("TYPESAFE_ENDPOINT", "")  # main sets it: put back what was there
    monkeypatch.chdir(tmp_path)
    yield
    for line in connecting._lines.values():
        line.client.close()
    connecting._lines.clear()


@pytest.mark.usefixtures("labelled_set")
def test_a_model_stands_beside_the_baselines_and_is_asked_once(capsys):
    script = {"shut": body(choice()), "sing": body(choice("says_nothing")), "fly": body(choice())}
    with system_one.Server(script) as server:
        assert judge_quality.main(["set.jsonl", "--server", server.url]) == 0
        first = capsys.readouterr().out
        assert judge_quality.main(["set.jsonl", "--server", server.url]) == 0
        assert len(server.calls) == 3
    assert "set.jsonl: 3 of 3 pairs (seed 0): 1 supports, 1 contradicts, 1 says_nothing" in first
    assert first.split("jev-1.13.0", 1)[1].split()[:2] == ["3", "0.667"]
    assert "overlap and negation words" in first
    assert "MOCK" not in first
    assert "1,500 input tokens, $0.00006 at TypeSafe's price" in first
    assert "0 calls now" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("model", "arguments", "name"),
    [("jev-mock-1", [], "jev-mock-1"), ("jev-1.13.0", ["--mock-name", "stand-in"], "stand-in")],
    ids=["by the name it answers with", "as told"],
)
@pytest.mark.usefixtures("labelled_set")
def test_a_mock_is_called_one_and_its_figures_no_result(capsys, model, arguments, name):
    with system_one.Server({"": body(choice(), model=model)}) as server:
        judge_quality.main(["set.jsonl", "--server", server.url, *arguments])
    told = capsys.readouterr().out
    assert f"MOCK: {name} is no model. What follows tests the wire and the arithmetic; it is no result." in told
    assert f"\nmock {name} " in told


@pytest.mark.usefixtures("labelled_set")
def test_answers_of_a_mock_are_never_replayed_for_a_model(capsys):
    with system_one.Server({"": body(choice())}) as server:
        judge_quality.main(["set.jsonl", "--server", server.url, "--mock-name", "stand-in"])
        judge_quality.main(["set.jsonl", "--server", server.url])
        assert len(server.calls) == 6
    assert "MOCK" not in capsys.readouterr().out.rpartition("set.jsonl:")[2]


@pytest.mark.usefixtures("labelled_set")
def test_pairs_without_an_answer_are_counted_and_told(capsys):
    with system_one.Server({"fly": (422, {"detail": "no"}, {}), "": body(choice())}) as server:
        assert judge_quality.main(["set.jsonl", "--server", server.url]) == 3
    told = capsys.readouterr()
    assert "1 pairs have no answer; the model's figures are about the others." in told.out
    assert "unjudged (1): " in told.err


@pytest.mark.usefixtures("labelled_set")
def test_a_set_that_is_not_there_is_told_in_one_line(capsys):
    assert judge_quality.main(["none.csv"]) == 2
    assert capsys.readouterr().err.startswith("none.csv: cannot be read: ")
