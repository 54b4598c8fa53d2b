"""The README promises what is there: its table, its files, its commands and their options."""

import argparse
import json
import re
import shlex
from pathlib import Path

import pytest

import helpers
from helpers.cli import build_parser

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCED = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)
PROSE = re.sub(r"^```.*?^```$", "", README, flags=re.M | re.S)
CODE = [line for language, text in FENCED if not language for line in text.split("\n")]
CODE += [" ".join(text.split("run: >")[1].split()) for language, text in FENCED if language == "yaml"]
CODE += re.findall(r"`([^`\n]+)`", PROSE)


def commands() -> list[list[str]]:
    start = "python -m helpers "
    return [shlex.split(line.split("#")[0])[3:] for line in CODE if line.startswith(start)]


def subparsers() -> dict[str, argparse.ArgumentParser]:
    (action,) = (a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return action.choices


def test_the_table_is_the_notebook_s():
    notebook = json.loads((ROOT / "citation_check.ipynb").read_text(encoding="utf-8"))
    (cell,) = (cell for cell in notebook["cells"] if cell["id"] == "check-all-run")
    assert f"```\n{''.join(cell['outputs'][0]['text'])}```" in README


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_is_one_the_shell_takes(command):
    build_parser().parse_args(command)


def test_every_command_of_the_shell_is_shown():
    assert {command[0] for command in commands()} == set(subparsers())


def test_every_option_is_one_of_the_shell():
    known = {option for parser in subparsers().values() for option in parser._option_string_actions}
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", README)) <= known


def test_every_make_target_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^make (\w+)", README, re.M)) | set(re.findall(r"`make (\w+)`", README))
    assert targets
    assert targets <= set(re.findall(r"^(\w+):", makefile, re.M))


def test_every_file_of_the_list_exists():
    files = re.findall(r"^\| `([^`]+)` \| [^|]+ \|$", README.split("\n## Files\n")[1].split("\n## ")[0], re.M)
    assert len(files) >= 8
    assert [name for name in files if not (ROOT / name).exists()] == []


def test_every_function_it_names_is_public():
    assert set(re.findall(r"`(\w+)\(\)`", README)) <= set(helpers.__all__)


def test_the_citations_file_it_shows_is_a_good_one(tmp_path: Path):
    shown = re.search(r"```json\n(.+?)```", README, re.S)[1]
    (tmp_path / "shown.json").write_text(shown, encoding="utf-8")
    assert len(helpers.load_citations(tmp_path / "shown.json")) == 1


def test_the_versions_it_names_are_the_tested_ones():
    constraints = dict(
        line.strip().split("==")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").split("\n")
        if "==" in line
    )
    tested = README.split("Tested with ")[1].split("\n\n")[0]
    for name in ("JupyterLab", "nbval", "typesafe-sdk"):
        version = re.search(rf"{name} ([\d.]*\d)", tested)[1]
        assert constraints[name.lower()].startswith(version), name
