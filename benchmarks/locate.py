"""What finding a quote costs, and gets wrong, beside what one could use instead: `python -m benchmarks.locate`.

The first table is about time: milliseconds a quote in the largest of three documents, how that compares with this
project in the same run, and how it grows over the three. The second is about right answers, on the smallest document:
how many quotes were located where they were taken from, and which of them were called verbatim. Peers are those of
`benchmarks/locating_peers.py`; processor time of one process each. "-": the peer took longer than it was given.
"""

from __future__ import annotations

import argparse
import random
import re
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.locating_peers import FINDERS, Answer, Finder
from benchmarks.peers import PeerError, Worker, measured, why_missing
from helpers.documents import Document
from helpers.locating import trace
from helpers.matching.index import index_of
from helpers.readers.text import read_text
from helpers.selftest import KINDS, Sample, sentences_of

SHIPPED = Path(__file__).parent.parent / "rfc7519.txt"
SIZES = (60_000, 250_000, 1_000_000)  # characters of the documents that quotes are looked up in
QUOTES = 60  # of each kind, in the table of right answers
TIMED = 300  # of each kind at most, in the table of times
SECONDS = 1.0  # that a peer is given for one kind of quote; it ends the quote that it is at
LEAST = 10  # quotes of each kind that the table of right answers rests on, however slow the peer
PATIENCE = 15.0  # seconds for that last quote, or for preparing a document, before a peer is ended
SAME = 0.6  # of the words in common: the passage is the one that the quote was taken from

HONEST = ("as it stands", "wrapped otherwise", "typographic characters")
CHANGED = (
    "a word changed",
    "a word dropped",
    "MUST, SHOULD, MAY exchanged",
    "a not added or dropped",
    "a digit changed",
)
ABSENT = ("halves of two sentences", "words from all over")
TIMED_KINDS = ("as it stands", "a word changed", "words from all over")
COLUMNS = ("honest located", "honest verbatim", "changed located", "changed verbatim", "absent located")


class Quote(NamedTuple):
    """Hold a quote and the sentence that it was made from."""

    text: str
    sentence: str


Kinds = dict[str, list[Quote]]
Ask = Callable[[list[str], int], tuple[float, list[Answer]]]


def grown(text: str, size: int) -> str:
    """Return a text of this size: copies whose longer words are spelled otherwise, so that no sentence stands twice."""

    def respelled(word: re.Match[str]) -> str:
        return "".join(chr((ord(c) - 97 + turn) % 26 + 97) if c.islower() else c for c in word[0])

    copies = []
    for turn in range(size // len(text) + 1):
        copies.append(re.sub(r"[A-Za-z]{5,}", respelled, text) if turn else text)
    return "\n".join(copies)[:size]


def quotes_of(document: Document, count: int) -> Kinds:
    """Return so many quotes of each kind, damaged as `python -m helpers selftest` does; the same at every run."""
    rng = random.Random(1)
    sentences = sentences_of(document)
    rng.shuffle(sentences)
    vocabulary = sorted({word for text in sentences for word in re.findall(r"[A-Za-z]{3,}", text)})
    samples = [Sample(text, rng.choice(sentences), vocabulary, rng) for text in sentences]
    plain = " ".join(document.text.split())
    kinds: Kinds = {}
    for kind in KINDS:
        made = (Quote(quote, s.text) for s in samples if (quote := kind.damage(s)))
        if kind.name in HONEST + CHANGED + ABSENT:
            kinds[kind.name] = [q for q in made if kind.harmless or " ".join(q.text.split()) not in plain][:count]
    kinds["words from all over"] = [
        Quote(" ".join(rng.choice(sentences).split(" ")[-1 if k else 0] for k in range(len(s.text.split()))), "")
        for s in samples[:count]
    ]
    return kinds


def ours(document: Document) -> Finder:
    """Trace the quote."""

    def find(quote: str) -> Answer:
        found = trace(document, {"quote": quote, "section": None})
        match = found.match
        return (document.text[match.start : match.end], found.status == "found") if match else None

    return find


@contextmanager
def prepared(name: str | None, document: Document, first: list[str]) -> Iterator[tuple[float, Ask]]:
    """Give the seconds that a peer, or without a name this project, takes for its index, and a way to ask it."""
    if name is None:
        document.index = None
        find = ours(document)
        yield measured(find, first, PATIENCE)[0], lambda quotes, least: measured(find, quotes, SECONDS, least)
        return
    parts = [document.section_text(part) for part in document.outline]
    with Worker("benchmarks.locating_peers") as worker:
        seconds = worker.ask("prepare", PATIENCE, name=name, text=document.text, sections=parts, quotes=first)
        yield (
            seconds,
            lambda quotes, least: worker.ask(
                "find", SECONDS + PATIENCE * least, items=quotes, limit=SECONDS, least=least
            ),
        )


def in_place(quote: Quote, passage: str) -> bool:
    """Say whether a passage is the sentence that the quote was made from, or holds it."""

    def words(text: str) -> list[str]:
        return re.findall(r"\w+", text)

    there, wanted = words(passage), words(quote.sentence)
    if f" {' '.join(wanted)} " in f" {' '.join(there)} ":
        return True
    same = (Counter(there) & Counter(wanted)).total()
    return 2 * same >= SAME * (len(there) + len(wanted))


def timed(name: str | None, documents: list[Document], kinds: list[Kinds]) -> list[list[float] | None]:
    """Return one peer's times for each size: preparing, then a mean for each kind; None where it took too long."""
    rows: list[list[float] | None] = []
    for document, of_kind in zip(documents, kinds, strict=True):
        chosen = [[quote.text for quote in of_kind[kind]] for kind in TIMED_KINDS]
        try:
            with prepared(name, document, [quotes[0] for quotes in chosen]) as (seconds, ask):
                results = [ask(quotes, 1) for quotes in chosen]
                rows.append([seconds, *(1000 * taken / len(answers) for taken, answers in results)])
        except PeerError:
            rows.append(None)
    return rows


def answered(name: str | None, document: Document, kinds: Kinds) -> list[float]:
    """Return how many quotes one peer was asked for, and its shares of right and wrong answers."""
    counts: Counter[str] = Counter()
    with prepared(name, document, []) as (_, ask):
        for group, names in (("honest", HONEST), ("changed", CHANGED), ("absent", ABSENT)):
            for quotes in (kinds[kind] for kind in names):
                _, answers = ask([quote.text for quote in quotes], LEAST)
                for quote, answer in zip(quotes, answers, strict=False):  # a slow peer answers the first ones only
                    counts[group] += 1
                    counts[f"{group} located"] += bool(answer and (group == "absent" or in_place(quote, answer[0])))
                    counts[f"{group} verbatim"] += bool(answer and answer[1])
    asked_for = sum(counts[group] for group in ("honest", "changed", "absent"))
    return [asked_for, *(counts[column] / counts[column.split(" ")[0]] for column in COLUMNS)]


def measured_index(document: Document) -> str:
    """Return in words how many bytes a character all parts of the index hold."""
    document.index = None
    tracemalloc.start()
    view = index_of(document).literal
    _ = (view.words, view.skeleton, view.chunks, document.index.unmarked)  # all that a missing quote makes it build
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    document.index = None
    return f"{held / len(document.text):.1f} bytes a character"


def speed_row(title: str, rows: list[list[float] | None], own: list[list[float] | None]) -> str:
    """Return one peer's row of the first table: the largest document, then growth over all sizes."""
    means = [sum(row[1:]) / len(row[1:]) if row else None for row in rows]
    last, mine = rows[-1], own[-1]
    if last and mine:
        row = f"{last[0]:>8.2f}" + "".join(f"{ms:>9.2f}" for ms in last[1:])
        row += "".join(f"{ms / our:>8.1f}" for ms, our in zip(last[1:], mine[1:], strict=True))
    else:
        row = f"{'-':>8}" + f"{'-':>9}" * 3 + f"{'-':>8}" * 3
    return f"{title:26}{row}  " + "".join(f"{mean:>11.2f}" if mean else f"{'-':>11}" for mean in means)


def tables(documents: list[Document], only: list[str]) -> Iterator[tuple[str, str]]:
    """Yield the rows of both tables, ours first; a peer that is not there or fails says why."""
    kinds, few = [quotes_of(document, TIMED) for document in documents], quotes_of(documents[0], QUOTES)
    missing = why_missing()
    own: list[list[float] | None] = []
    for name in [None, *(only or FINDERS)]:
        title = name or "this project"
        try:
            if title in missing:
                raise PeerError(missing[title])
            count, *shares = answered(name, documents[0], few)
            rows = timed(name, documents, kinds)
        except PeerError as error:
            yield f"{title:26}{error}", f"{title:26}{error}"
            continue
        own = own or rows
        yield (
            speed_row(title, rows, own),
            f"{title:26}{count:>8.0f}" + "".join(f"{share:>10.0%}" for share in shares),
        )


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*", type=Path, default=[SHIPPED])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="characters of the documents, ascending")
    parser.add_argument("--peers", nargs="*", choices=list(FINDERS), default=[], help="only these")
    options = parser.parse_args(arguments)
    text = grown("\n".join(path.read_text(encoding="utf-8") for path in options.sources), options.sizes[-1])
    documents = [read_text("grown.txt", text[:size]) for size in options.sizes]
    print(f"{options.sizes[-1]:,} characters; our index holds {measured_index(documents[-1])}\n")
    print(f"{'':34}{'ms a quote':^27}{'peer / ours':^24}   mean ms at this many characters")
    titles = "".join(f"{size:>11,}" for size in options.sizes)
    print(
        f"{'':26}{'index s':>8}"
        + f"{'present':>9}{'changed':>9}{'absent':>9}{'present':>8}{'changed':>8}{'absent':>8}  {titles}"
    )
    right = []
    for speed, shares in tables(documents, options.peers):
        print(speed, flush=True)
        right.append(shares)
    print(f"\n{options.sizes[0]:,} characters\n{'':34}{'honest':^20}{'meaning changed':^20}{'absent':>10}")
    print(f"{'':26}{'quotes':>8}" + "".join(f"{column.split(' ')[1]:>10}" for column in COLUMNS))
    print("\n".join(right))


if __name__ == "__main__":
    main()
