"""What one could use instead to find a quote: each peer is asked for the passage, and whether the quote is verbatim.

`benchmarks.locate` starts this module in the peers' environment. It stands by itself, so that no part of the project
is loaded beside a peer. All get the text without page furniture. A library that compares characters gets white space
evened out on both sides, as anybody would do first, and where it gives a score only, the score decides.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Callable
from difflib import SequenceMatcher
from pathlib import Path

Answer = tuple[str, bool] | None  # the passage, and whether the peer calls the quote verbatim; None: not there
Finder = Callable[[str], Answer]
NEAR = 85  # of 100; the least likeness at which a library that gives scores is taken to have found a place
STRAIGHT = str.maketrans("“”‘’", "\"\"''")


def even(text: str) -> str:
    """Return the text with every run of white space as one blank."""
    return " ".join(text.split())


def published(text: str, _: list[str]) -> Finder:
    """Do as the published walkthrough: fold everything at every quote, and look for the quote in it."""

    def plain(words: str) -> str:
        return re.sub(r"\s+", " ", words.translate(STRAIGHT)).strip()

    return lambda quote: (quote, True) if plain(quote) in plain(text) else None


def rapidfuzz(text: str, _: list[str], verbatim: float = 100) -> Finder:
    """Take the best place by partial ratio; the likeness from which on a quote is verbatim is the user's choice."""
    from rapidfuzz import fuzz

    text = even(text)

    def find(quote: str) -> Answer:
        best = fuzz.partial_ratio_alignment(even(quote), text, score_cutoff=NEAR)
        return (text[best.dest_start : best.dest_end], best.score >= verbatim) if best else None

    return find


def thefuzz(text: str, _: list[str]) -> Finder:
    """Take the best paragraph by partial ratio: the library gives no places inside a text."""
    from thefuzz import fuzz, process

    paragraphs = [even(part) for part in re.split(r"\n\s*\n", text) if part.strip()]

    def find(quote: str) -> Answer:
        best = process.extractOne(even(quote), paragraphs, scorer=fuzz.partial_ratio, score_cutoff=NEAR)
        return (best[0], best[1] == 100) if best else None

    return find


def edlib(text: str, _: list[str]) -> Finder:
    """Take the place of least edit distance."""
    import edlib as library

    text = even(text)

    def find(quote: str) -> Answer:
        quote = even(quote)
        best = library.align(quote, text, mode="HW", task="locations", k=len(quote) * (100 - NEAR) // 100)
        if best["editDistance"] < 0:
            return None
        start, end = best["locations"][0]
        return text[start or 0 : end + 1], best["editDistance"] == 0

    return find


def fuzzysearch(text: str, _: list[str]) -> Finder:
    """Take the nearest match within a tenth of the quote's length, beyond which the library takes minutes."""
    from fuzzysearch import find_near_matches

    text = even(text)

    def find(quote: str) -> Answer:
        quote = even(quote)
        matches = find_near_matches(quote, text, max_l_dist=len(quote) // 10)
        best = min(matches, key=lambda match: match.dist, default=None)
        return (best.matched, best.dist == 0) if best else None

    return find


def difflib(text: str, _: list[str]) -> Finder:
    """Take the surroundings of the longest common run, where it is half of the quote."""
    text = even(text)
    matcher = SequenceMatcher(None, autojunk=False)
    matcher.set_seq2(text)

    def find(quote: str) -> Answer:
        quote = even(quote)
        matcher.set_seq1(quote)
        run = matcher.find_longest_match()
        if run.size <= len(quote) / 2:
            return None
        start = max(0, run.b - run.a)
        return text[start : start + len(quote)], run.size == len(quote)

    return find


def gtrex(text: str, _: list[str]) -> Finder:
    """Take the certificate's span, or the alignment that its repair would propose."""
    from gtrex import DEFAULT_REPAIR_THRESHOLD, Policy, Repairer

    repairer = Repairer(text, Policy(repair_mode="annotate", repair_threshold=DEFAULT_REPAIR_THRESHOLD))

    def find(quote: str) -> Answer:
        repair = repairer.repair(quote)
        if repair.before.span_text is not None:
            return repair.before.span_text, repair.before.grounded
        near = repair.alignment
        if near is None or near.score < DEFAULT_REPAIR_THRESHOLD or repair.stage == "span_guard":  # guards: stitched
            return None
        return near.text, False

    return find


def krokai(_: str, sections: list[str]) -> Finder:
    """Take the file that the verdict names; each section is a file, since it names nothing smaller."""
    from krokai.corpus import Corpus
    from krokai.verdicts import CLEAN
    from krokai.verify import check

    with tempfile.TemporaryDirectory() as folder:
        for number, section in enumerate(sections):
            Path(folder, f"{number}.txt").write_text(section, encoding="utf-8")
        corpus = Corpus([folder], quiet=True)  # reads them all now
    verbatim = {*CLEAN, "TRUNCATED_CONDITION", "TRUNCATED_OPENING"}  # these say: the words, but not all of them
    apart = {"NOT_FOUND", "FRAGMENTS", "SPLICED", "SCATTERED"}  # these say: no one place has it

    def find(quote: str) -> Answer:
        verdict, path, _detail = check(quote, corpus)
        if verdict in apart or path is None:
            return None
        return sections[int(Path(path).stem)], verdict in verbatim

    return find


def quotecheck(text: str, _: list[str]) -> Finder:
    """Take the match's offset."""
    from quotecheck.find import check

    def find(quote: str) -> Answer:
        match = check(quote, text)
        return (text[match.offset : match.offset + len(quote)], match.ok) if match.offset >= 0 else None

    return find


def proof_citations(text: str, _: list[str]) -> Finder:
    """Give the text as the page's stored copy; a verified quote comes without a place, others with the nearest."""
    from proof_citations import verify_citation

    def find(quote: str) -> Answer:
        found = verify_citation(
            "http://127.0.0.1/", quote, "quote", snapshot=text, skip_live_fetch=True, oa_lookup=False
        )
        if found["status"] == "verified":
            return quote, True
        near = found.get("closest_passage")
        return (near, False) if near and found["status"] == "partial" else None

    return find


def buddie(text: str, _: list[str]) -> Finder:
    """Take the place on the page, or the closest one."""
    from buddie.verbatim.check import Page

    page = Page(text.encode("utf-8"), "text/plain; charset=utf-8")

    def find(quote: str) -> Answer:
        found = page.locate(quote)
        if found["verdict"].startswith("FOUND"):
            return found.get("matched") or found["context"], True
        near = found.get("closest", {"ratio": 0.0})
        return (near["text"], False) if near["ratio"] * 100 >= NEAR else None

    return find


def apysource(text: str, _: list[str]) -> Finder:
    """Look for the snippet as its check does, and take the passage of its diagnosis otherwise."""
    from apysource.diagnostics import diagnose
    from apysource.formats import normalize_ws

    text = normalize_ws(text)

    def find(quote: str) -> Answer:
        quote = normalize_ws(quote)
        if quote in text:
            return quote, True
        near = diagnose(quote, text)
        return (near.source_text, False) if near else None

    return find


FINDERS: dict[str, Callable[[str, list[str]], Finder]] = {
    "published walkthrough": published,
    "rapidfuzz": rapidfuzz,
    "rapidfuzz, 90 as verbatim": lambda text, _: rapidfuzz(text, _, 90),  # as such checks are often written
    "thefuzz": thefuzz,
    "edlib": edlib,
    "fuzzysearch": fuzzysearch,
    "difflib": difflib,
    "gtrex": gtrex,
    "krokai": krokai,
    "quotecheck": quotecheck,
    "proof-citations": proof_citations,
    "buddie": buddie,
    "apysource": apysource,
}


def main() -> None:
    """Serve two calls: `prepare` a text for a peer, and `find` quotes in it."""
    from benchmarks.peers import measured, serve

    finders: list[Finder] = []

    def prepare(name: str, text: str, sections: list[str], quotes: list[str]) -> float:
        FINDERS[name]("A text.", ["A text."])  # imports the peer, which is not measured
        start = time.process_time()
        finders[:] = [FINDERS[name](text, sections)]
        for quote in quotes:  # what is built at the first quote of a kind belongs to the preparation
            finders[0](quote)
        return time.process_time() - start

    serve({"prepare": prepare, "find": lambda **how: measured(finders[0], **how)})


if __name__ == "__main__":
    main()
