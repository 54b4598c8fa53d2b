"""What finding a quote costs, beside other ways of finding it: `python -m benchmarks.locate [SOURCE …]`."""

from __future__ import annotations

import argparse
import random
import re
import time
import tracemalloc
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path

from helpers.documents import Document
from helpers.locating import trace
from helpers.matching.index import index_of
from helpers.readers.text import read_text
from helpers.selftest import sentences_of

SHIPPED = Path(__file__).parent.parent / "rfc7519.txt"
SIZE = 1_000_000  # characters of the document that quotes are looked up in
STRAIGHT = str.maketrans("“”‘’", "\"\"''")
Finder = Callable[[str], bool]


def grown(text: str, size: int) -> str:
    """Return a text of this size: copies whose longer words are spelled otherwise, so that no sentence stands twice."""

    def respelled(word: re.Match[str]) -> str:
        return "".join(chr((ord(c) - 97 + turn) % 26 + 97) if c.islower() else c for c in word[0])

    copies = []
    for turn in range(size // len(text) + 1):
        copies.append(re.sub(r"[A-Za-z]{5,}", respelled, text) if turn else text)
    return "\n".join(copies)[:size]


def published(text: str) -> Finder:
    """Fold four curly quotes and white space of everything, at every quote, and look for the quote in it."""

    def plain(words: str) -> str:
        return re.sub(r"\s+", " ", words.translate(STRAIGHT)).strip()

    return lambda quote: plain(quote) in plain(text)


def similar(text: str) -> Finder:
    """Take the best place by rapidfuzz's partial ratio."""
    from rapidfuzz import fuzz

    return lambda quote: fuzz.partial_ratio_alignment(quote, text, score_cutoff=85) is not None


def longest(text: str) -> Finder:
    """Take the longest common run by difflib."""
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(text)

    def find(quote: str) -> bool:
        matcher.set_seq1(quote)
        return matcher.find_longest_match().size > len(quote) / 2

    return find


def ours(document: Document) -> Finder:
    """Trace the quote."""
    return lambda quote: trace(document, {"quote": quote, "section": None}).status != "missing"


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of processor time that some work takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def mean(find: Finder, quotes: list[str], at_most: int) -> tuple[float, float]:
    """Return the mean milliseconds a quote, and the share that was located."""
    chosen = quotes[:at_most]
    hits: list[bool] = []
    seconds = timed(lambda: hits.extend(map(find, chosen)))
    return 1000 * seconds / len(chosen), sum(hits) / len(chosen)


def damaged(sentences: list[str], rng: random.Random) -> dict[str, list[str]]:
    """Return quotes as they stand, with one word changed, and made of words from all over."""
    altered, absent = [], []
    for text in sentences:
        words = text.split(" ")
        words[rng.randrange(1, len(words))] = rng.choice(["SHOULD", "not", "every", "lantern"])
        altered.append(" ".join(words))
        absent.append(" ".join(rng.choice(sentences).split(" ")[0 if k == 0 else -1] for k in range(len(words))))
    return {"present": sentences, "one word changed": altered, "absent": absent}


def measured_index(document: Document) -> tuple[float, float]:
    """Return the seconds that indexing takes, and the bytes a character that all parts of the index hold."""
    seconds = timed(lambda: index_of(document))
    document.index = None
    tracemalloc.start()
    view = index_of(document).literal
    _ = (view.words, view.skeleton, view.chunks, document.index.unmarked)  # all that a missing quote makes it build
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    document.index = None
    return seconds, held / len(document.text)


def main(arguments: list[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*", type=Path, default=[SHIPPED])
    parser.add_argument("--size", type=int, default=SIZE, help="characters of the document (default: %(default)s)")
    options = parser.parse_args(arguments)
    text = grown("\n".join(path.read_text(encoding="utf-8") for path in options.sources), options.size)

    print("indexing          seconds   bytes a character")
    for part in (options.size // 4, options.size // 2, options.size):
        seconds, held = measured_index(read_text("grown.txt", text[:part]))
        print(f"{part:>9,} chars   {seconds:>7.3f}   {held:>17.1f}")
    document = read_text("grown.txt", text)
    indexing = timed(lambda: index_of(document))

    rng = random.Random(1)
    sentences = sentences_of(document)
    rng.shuffle(sentences)
    kinds = damaged(sentences[:1000], rng)
    finders = {
        "this project": (ours(document), 1000),
        "published": (published(document.text), 40),
        "rapidfuzz": (similar(document.text), 40),
        "difflib": (longest(document.text), 3),
    }
    figures: dict[tuple[str, str], float] = {}
    print(f"\n{'ms a quote (located)':22}" + "".join(f"{name:>22}" for name in finders))
    for kind, quotes in kinds.items():
        row = ""
        for name, (find, at_most) in finders.items():
            figures[name, kind], share = mean(find, quotes, at_most)
            row += f"{figures[name, kind]:>14.2f} ({share:>4.0%})"
        print(f"{kind:22}{row}")

    print("\npresent quotes, indexing included")
    for count in (1_000, 10_000):
        own = indexing + count * figures["this project", "present"] / 1000
        other = count * figures["published", "present"] / 1000
        print(f"{count:>7,} quotes   {own:>6.2f} s   published {other:>7.1f} s   {other / own:>5.0f} times")


if __name__ == "__main__":
    main()
