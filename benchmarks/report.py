"""Measure the report at size: how long 2,000 citations take to write, to show first, and to filter.

    python -m benchmarks.report [CITATIONS]

The times in the browser need selenium, Chromium and chromedriver; without them only the writing is measured.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from shutil import which

from helpers.citations import Citation, Result
from helpers.documents import Document
from helpers.judging import check_citations
from helpers.parsing import read_document
from helpers.reporting import write_report

SOURCE = Path(__file__).parents[1] / "rfc7519.txt"
PAINT = "return performance.getEntriesByName('first-contentful-paint')[0].startTime"
FILTER = """
const box = document.getElementById('search'), begin = performance.now();
box.value = arguments[0];
box.dispatchEvent(new Event('input', {bubbles: true}));
document.body.offsetHeight;
return performance.now() - begin;
"""


def made_citations(document: Document, count: int) -> list[Citation]:
    """Cut quotes out of the document at random; one in ten has a word too many, one in twenty is made up."""
    draw = random.Random(7519)
    parts = [s for s in document.outline if s.numbered and s.end - s.start > 400]
    made: list[Citation] = []
    for n in range(count):
        part = draw.choice(parts)
        words = document.text[part.start : part.end].split()
        begin = draw.randrange(len(words) - 30)
        quote = " ".join(words[begin : begin + 20])
        if n % 20 == 1:
            quote = f"Nobody has ever written sentence {n} of this made-up text about gardens and rivers."
        elif n % 10 == 2:
            quote = quote.replace(" ", " perhaps ", 1)
        made.append({"id": f"c{n}", "claim": f"Claim {n} rests on it.", "quote": quote, "section": part.label})
    return made


def answered(claim: str, section: str) -> dict[str, object]:
    """Answer at random, the same for the same claim; no model is asked."""
    draw = random.Random(claim)
    shares = sorted((draw.random() ** 4 for _ in range(3)), reverse=True)
    names = ["supports", "contradicts", "says_nothing"]
    draw.shuffle(names)
    shares = [s / sum(shares) for s in shares]
    confidence = max(0.0, (shares[0] - 1 / 3) * 1.5)
    numbers = {
        "confidence": round(confidence, 2),
        "seconds": 0.1,
        "input_tokens": len(section) // 4,
        "output_tokens": 39,
    }
    return {"choice": names[0], "probabilities": dict(zip(names, shares, strict=True))} | numbers


def in_browser(path: Path) -> list[tuple[str, float]]:
    """Return (what, milliseconds) as Chromium measures it."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    for flag in ("--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"):
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={tempfile.mkdtemp()}")
    options.binary_location = which("chromium") or which("google-chrome") or ""
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(which("chromedriver")))
    try:
        driver.get(path.as_uri())
        time.sleep(2)
        rows = [("first paint", driver.execute_script(PAINT))]
        rows += [(f"filter by {word!r}", driver.execute_script(FILTER, word)) for word in ("claim 19", "json", "")]
    finally:
        driver.quit()
    return rows


def main(count: int) -> None:
    """Print the table."""
    document = read_document(str(SOURCE))
    results: list[Result] = check_citations(document, made_citations(document, count), answered)  # type: ignore[arg-type]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        begin = time.perf_counter()
        write_report(path, results, document, model="made up", auto_accept=0.8)
        rows = [("write", (time.perf_counter() - begin) * 1000)]
        print(f"{count:,} citations, {path.stat().st_size / 1e6:.1f} MB")
        if which("chromedriver"):
            rows += in_browser(path)
    for what, milliseconds in rows:
        print(f"{what:<24}{milliseconds:>8,.0f} ms")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
