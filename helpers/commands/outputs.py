"""What commands write: JSON as text, and files."""

from __future__ import annotations

import json
import sys
from typing import Any

DONE, NAMED_VERDICT, UNJUDGED = 0, 1, 3  # bad input (2) and an interrupt (130) are told by exceptions


def as_json(value: Any) -> str:
    """Return JSON text as people read it: indented, every language in its own letters."""
    return json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)


def write_text(name: str, text: str) -> None:
    """Write JSON or XML text that ends in one line feed; raises CitationCheckError."""
    from ..reporting import replace_file

    replace_file(name, text.rstrip("\n") + "\n", errors="backslashreplace")


def tell_stale(path: str, stale: list[str]) -> None:
    """Name on stderr the decisions of a reviews file that no longer fit their citation."""
    for name in stale:
        print(
            f"warning: {path}: the decision on {name} is stale: claim, quote or section changed since", file=sys.stderr
        )
