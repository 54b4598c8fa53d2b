"""The house's one rule of direction: a room imports only rooms that stand before it."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

HELPERS = Path(__file__).parents[1] / "helpers"
ORDER = [
    {"errors"},
    {"strictjson", "documents", "binomial"},
    {"citations", "readers", "fetching", "entries", "playground"},
    {"parsing", "journal"},
    {"replay"},
    {"matching"},
    {"locating"},
    {"asking", "selftest", "terminal"},
    {"passages"},
    {"outcomes"},
    {"second_looks"},
    {"checking"},
    {"judging"},
    {"wording", "reviewing"},
    {"report"},
    {"reporting", "exporting"},
    {"auditing"},
    {"commands"},
    {"cli"},
    {"__main__", "__init__"},
]
HEAVY = "typesafe_sdk httpx httpx2 markdown_it pypdfium2 mammoth jinja2 filelock tqdm rapidfuzz lzstring distributed"


def rooms_imported(path: Path) -> set[str]:
    """Return the rooms of this project that a module imports, wherever in its code."""
    package = ["helpers", *path.relative_to(HELPERS).parts[:-1]]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            full = base + (node.module or "").split(".") if node.module else base
            if full[:1] == ["helpers"]:
                found |= {full[1]} if len(full) > 1 else {alias.name for alias in node.names}
    return found


def room_of(path: Path) -> str:
    return path.relative_to(HELPERS).parts[0].removesuffix(".py")


MODULES = sorted(HELPERS.rglob("*.py"))


def level(room: str) -> int:
    return next(n for n, rooms in enumerate(ORDER) if room in rooms)


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(HELPERS).as_posix())
def test_imports_run_in_one_direction(path):
    own = room_of(path)
    upward = {room for room in rooms_imported(path) - {own} if level(room) > level(own)}
    assert upward == set()


def test_a_replayed_check_imports_nothing_heavy():
    """The shell must answer at once: what only live calls and other formats need stays unimported."""
    code = "import sys, helpers.cli as c; c.main(['check']); print(*sorted({m.split('.')[0] for m in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=HELPERS.parent, capture_output=True, encoding="utf-8", check=True
    )
    loaded = set(done.stdout.strip().split("\n")[-1].split())
    assert loaded & {*HEAVY.split(), "IPython"} == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda p: p.relative_to(HELPERS).as_posix())
def test_a_module_stays_short_enough_to_read_in_one_go(path):
    assert path.read_text(encoding="utf-8").count("\n") <= 255  # about 250
