"""Labelled claims and evidence, as their files come: HealthVer, Climate-FEVER, WiCE, or JSON lines of your own."""

from __future__ import annotations

import csv
import gzip
import io
import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from helpers.errors import CitationCheckError

LABELS = ("supports", "contradicts", "says_nothing")
MEANINGS = {
    "supports": "supports",
    "supported": "supports",
    "entailment": "supports",
    "contradicts": "contradicts",
    "refutes": "contradicts",
    "contradiction": "contradicts",
    "says_nothing": "says_nothing",
    "neutral": "says_nothing",
    "not_enough_info": "says_nothing",
    "not_supported": "says_nothing",
}
NO_COUNTERPART = ("partially_supported", "disputed")  # WiCE, Climate-FEVER: left out, and counted


class Pair(NamedTuple):
    """Be one labelled example: does this section support the claim?"""

    claim: str
    section: str
    label: str


class LabelledSet(NamedTuple):
    """Be the pairs of a file, and how many of it have a label that is none of ours."""

    pairs: list[Pair]
    left_out: Counter[str]


Raw = tuple[Any, Any, Any]  # claim, section, label as written


def load(path: Path) -> LabelledSet:
    """Read a labelled set, packed with gzip or not; raises CitationCheckError with line and reason."""
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw.startswith(b"\x1f\x8b") else raw).decode("utf-8-sig")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise CitationCheckError(f"{path}: cannot be read: {error}") from error
    rows = _csv(text) if ".csv" in path.suffixes else _json_lines(text)
    pairs, left_out = [], Counter[str]()
    for place, row in rows:
        try:
            for claim, section, label in shape_of(row)(row):
                name = str(label).strip().lower().replace(" ", "_")
                if name in NO_COUNTERPART:
                    left_out[name] += 1
                else:
                    pairs.append(Pair(_text(claim), _text(section), MEANINGS[name]))
        except (KeyError, TypeError, ValueError) as error:
            known = "HealthVer, Climate-FEVER, WiCE or claim, section, label"
            raise CitationCheckError(f"{path}: {place}: is none of {known} ({error})") from error
    if not pairs:
        raise CitationCheckError(f"{path}: holds no pair of claim and section")
    return LabelledSet(pairs, left_out)


def shape_of(row: dict[str, Any]) -> Callable[[dict[str, Any]], Iterator[Raw]]:
    """Return what reads a row of this file."""
    if "evidences" in row:
        return _climate_fever
    if "section" in row:
        return lambda row: iter([(row["claim"], row["section"], row["label"])])
    if isinstance(row["evidence"], list):
        return lambda row: iter([(row["claim"], "\n".join(row["evidence"]), row["label"])])  # WiCE
    return lambda row: iter([(row["claim"], row["evidence"], row["label"])])  # HealthVer


def _climate_fever(row: dict[str, Any]) -> Iterator[Raw]:
    """Yield a pair for each evidence sentence, with its own label: that of the claim is about all five together."""
    for evidence in row["evidences"]:
        yield row["claim"], evidence["evidence"], evidence["evidence_label"]


def _csv(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    reader = csv.DictReader(io.StringIO(text, newline=""))
    for row in reader:
        yield f"line {reader.line_num}", row


def _json_lines(text: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield f"line {number}", _object(line)


def _object(line: str) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None  # told with its line, as everything that is no row


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("claim and section must be text")
    return value.strip()


def sample(pairs: Sequence[Pair], size: int, seed: int) -> list[Pair]:
    """Draw so many pairs, each label in its share of the set (largest remainders), in the order of the set."""
    if size >= len(pairs):
        return list(pairs)
    by_label = {label: [n for n, pair in enumerate(pairs) if pair.label == label] for label in LABELS}
    shares = {label: size * len(found) / len(pairs) for label, found in by_label.items()}
    counts = {label: int(share) for label, share in shares.items()}
    for label in sorted(LABELS, key=lambda name: counts[name] - shares[name])[: size - sum(counts.values())]:
        counts[label] += 1
    draw = random.Random(seed)
    chosen = [n for label in LABELS for n in draw.sample(by_label[label], counts[label])]
    return [pairs[n] for n in sorted(chosen)]
