"""What reading a text takes, at three sizes and in several forms: `python -m benchmarks.parse [FILE …]`.

Each text is read at one, two and four times its size; time that grows with the size shows a ratio near 2 from one
to the next. Without files: rfc7519.txt as often as needed, and made-up texts without numbers, with pages, and of
nothing but numbered lines.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
SIZES = (1, 2, 4)
BASE = 2_000_000  # characters of the smallest text


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("files", nargs="*", type=Path, help="texts to repeat instead of the made-up ones")
    files = parser.parse_args().files
    units = {path.name: path.read_text(encoding="utf-8") for path in files} or made_up()
    print(f"RFC 7519 cold, imports included: {cold():.0f} ms")
    print(f"{'text':24}{'MB':>6}  {'s at x1':>8}{'x2':>9}{'x4':>9} {'x2/x1':>8}{'x4/x2':>8} {'parts':>9}")
    for name, unit in units.items():
        measure(name, unit)


if __name__ == "__main__":
    main()
