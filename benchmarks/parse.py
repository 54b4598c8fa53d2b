"""What reading a document takes, and what comes of it: `python -m benchmarks.parse [FILE …]`.

First beside what one could use instead (`benchmarks/splitting_peers.py`), on documents whose sections are known
(`benchmarks/splitting_documents.py`), at one, two and four times their size. A section is right where its title and
its first paragraph, and not the next section's, are one part; a paragraph is whole where its words stand in one part
as they were written. Processor time.

Then how our own reading of text grows: each text is read at one, two and four times its size; time that grows with
the size shows a ratio near 2 from one to the next. Without files: rfc7519.txt as often as needed, and made-up texts
without numbers, with pages, and of nothing but numbered lines.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from benchmarks.peers import PeerError, Worker, why_missing
from benchmarks.splitting_documents import Known, Made, made
from benchmarks.splitting_peers import SPLITTERS, Parts

ROOT = Path(__file__).parents[1]
SIZES = (1, 2, 4)
BASE = 1_000_000  # characters of the smallest text
PATIENCE = 60.0  # seconds for one document


def made_up() -> dict[str, str]:
    """Return one unit of each kind of text, to be repeated."""
    line = "The porter reads the seal and the list of the day before the gate opens again.\n"
    page = f"{line * 20}\n\nPorter                        [Page 7]\n\f\nRFC 9999      Paper Tokens      May 1972\n\n"
    return {
        "RFC 7519": (ROOT / "rfc7519.txt").read_text(encoding="utf-8"),
        "paragraphs": line * 8 + "\n",
        "pages": page,
        "one line": "word ",
        "numbered lines": "1. Look\n\n2. Nod\n\n",
        "Russian": "1. Введение\n\nПривратник читает печать каждого билета.\n\n",
    }


def measure(name: str, unit: str) -> None:
    """Print a row: seconds at each size, and how they grow."""
    from helpers.readers.text import read_text

    seconds = []
    for size in SIZES:
        text = unit * max(1, BASE * size // len(unit))
        start = time.process_time()
        parts = len(read_text(name, text).outline)
        seconds.append(time.process_time() - start)
    ratios = "".join(f"{after / before:8.2f}" for before, after in pairwise(seconds))
    print(f"{name[:24]:24}{BASE / 1e6:6.1f}", "".join(f"{s:9.3f}" for s in seconds), ratios, f"{parts:9,}")


def cold() -> float:
    """Return the milliseconds that importing the reader and reading RFC 7519 take in a new process."""
    code = (
        "import time; text = open('rfc7519.txt', encoding='utf-8').read(); start = time.process_time()\n"
        "from helpers.readers.text import read_text; read_text('rfc7519.txt', text)\n"
        "print(1000 * (time.process_time() - start))"
    )
    runs = [subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True) for _ in range(5)]
    return min(float(run.stdout) for run in runs)


def ours(format: str, path: Path) -> Parts:
    """Return the parts that this project finds."""
    from helpers.readers.formats import read_bytes

    document = read_bytes(path.name, path.read_bytes())
    by_label = format == "RFC text"
    return [(part.label if by_label else part.title, document.section_text(part)) for part in document.outline]


def even(text: str) -> str:
    """Return the text with every run of white space as one blank."""
    return " ".join(text.split())


def right(known: list[Known], parts: Parts) -> tuple[float, float]:
    """Return the shares of sections that are right, and of paragraphs that are whole; 0 of none is 0."""
    texts: dict[str, list[str]] = {}
    for title, text in parts:
        texts.setdefault(even(title), []).append(even(text))
    firsts = [section.paragraphs[0] if section.paragraphs else "" for section in known]
    good = sum(
        any(first in text and not (after and after in text) for text in texts.get(section.title, []))
        for section, first, after in zip(known, firsts, [*firsts[1:], ""], strict=True)
    )
    paragraphs = [p for section in known for p in section.paragraphs]
    everything = "\0".join(text for same in texts.values() for text in same)
    return good / len(known), sum(p in everything for p in paragraphs) / max(1, len(paragraphs))


def split(format: str, name: str | None, files: list[Path]) -> list[tuple[float, Parts]]:
    """Return, for each file, the seconds that a reader takes, without a name this project's, and the parts it finds."""
    if name is None:
        ours(format, files[0])
        results = []
        for path in files:
            start = time.process_time()
            parts = ours(format, path)
            results.append((time.process_time() - start, parts))
        return results
    with Worker("benchmarks.splitting_peers") as worker:
        names = {"format": format, "name": name, "warm": str(files[0])}
        return [tuple(worker.ask("split", PATIENCE, path=str(path), **names)) for path in files]


def beside_peers(folder: Path) -> None:
    """Print the table of readers: times, and what is right."""
    titles = "".join(f"{f'ms x{size}':>9}" for size in SIZES)
    print(f"{'format':10}{'reader':26}{titles}{'peer / ours':>12}{'sections right':>16}{'paragraphs whole':>18}")
    missing = why_missing()
    for format, peers in SPLITTERS.items():
        documents: list[Made] = [made(format, copies) for copies in SIZES]
        files = [folder / f"{size}{document.file}" for size, document in zip(SIZES, documents, strict=True)]
        for path, document in zip(files, documents, strict=True):
            path.write_bytes(document.content)
        own = 0.0
        for name in [None, *peers]:
            title = name or "this project"
            try:
                if title in missing:
                    raise PeerError(missing[title])
                results = split(format, name, files)
            except PeerError as error:
                print(f"{format:10}{title:26}{error}")
                continue
            own = own or results[-1][0]
            sections, whole = right(documents[0].known, results[0][1])
            paragraphs = f"{whole:.0%}" if format != "RFC text" else ""  # nobody but its own reader knows them there
            times = "".join(f"{1000 * seconds:>9.1f}" for seconds, _ in results)
            print(f"{format:10}{title:26}{times}{results[-1][0] / own:>12.1f}{sections:>16.0%}{paragraphs:>18}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path, help="texts to repeat instead of the made-up ones")
    files = parser.parse_args().files
    units = {path.name: path.read_text(encoding="utf-8") for path in files} or made_up()
    with tempfile.TemporaryDirectory() as folder:
        beside_peers(Path(folder))
    print()
    print(f"RFC 7519 cold, imports included: {cold():.0f} ms")
    print(f"{'text':24}{'MB':>6}  {'s at x1':>8}{'x2':>9}{'x4':>9} {'x2/x1':>8}{'x4/x2':>8} {'parts':>9}")
    for name, unit in units.items():
        measure(name, unit)


if __name__ == "__main__":
    main()
