"""Run the notebook again in place, as `make notebook` does: the same code gives the same bytes.

Needs no key and no network: every answer is replayed, and one that is not recorded is an error.
"""

from __future__ import annotations

import os
from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).parents[1]
NOTEBOOK = ROOT / "citation_check.ipynb"
# All that a reader's tools need; whatever else a kernel reports (versions, paths) would change from machine to machine.
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def run(notebook: nbformat.NotebookNode, folder: Path = ROOT) -> nbformat.NotebookNode:
    """Execute a notebook in this folder, without a key, and return it with frozen metadata."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TYPESAFE_")}
    # coalesce_streams: two prints a moment apart would else be stored as two outputs.
    client = NotebookClient(
        notebook, kernel_name="python3", record_timing=False, coalesce_streams=True, timeout=120,
        resources={"metadata": {"path": str(folder)}},
    )  # fmt: skip
    notebook = client.execute(env=environment)
    notebook.metadata = nbformat.from_dict(METADATA)
    return notebook


def text(notebook: nbformat.NotebookNode) -> str:
    """Return a notebook as it is stored: sorted keys, one blank of indent, a final newline."""
    return nbformat.writes(notebook).rstrip("\n") + "\n"


if __name__ == "__main__":
    content = text(run(nbformat.read(NOTEBOOK, as_version=4)))
    NOTEBOOK.write_text(content, encoding="utf-8", newline="\n")
