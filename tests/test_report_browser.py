"""The report in a real browser: nothing executes that should not, and a reviewer gets through it by keyboard alone."""

from __future__ import annotations

import contextlib
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from test_reporting import EIGHT, made

from helpers.citations import Result
from helpers.documents import Document, Section
from helpers.reporting import write_index, write_report
from helpers.reviewing import apply_reviews, load_reviews

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
Keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
CHROMEDRIVER = shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(not (CHROMIUM and CHROMEDRIVER), reason="no chromium with chromedriver on this machine")

ROOT = Path(__file__).parents[1]
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--window-size=1280,900",
    "--proxy-server=127.0.0.1:9",  # whatever asks for the network is refused, and told as an error
)
HOSTILE = [
    "<script>window.executed = 1</script>",
    "</style></script></title></textarea><img src=x onerror='window.executed = 1'>",
    "javascript:window.executed=1",
    "\"' onfocus='window.executed=1' autofocus x=\"",
    "{{ 7 * 7 }} {% raw %} &lt;b&gt; &amp;",
    "a\u2028b\u2029c\x00d\x1b[2Je",
    "\u202eright to left \u05d0\u05d1\u05d2 引用",
]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("browser")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--user-data-dir={folder / 'profile'}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"download.default_directory": str(folder)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(CHROMEDRIVER))
    driver.downloads = folder
    yield driver
    driver.quit()


@pytest.fixture
def opened(browser: Any, tmp_path: Path) -> Callable[..., Any]:
    def open_report(results: list[Result], text: str = "One two three.\n", **more: Any) -> Any:
        document = Document("a.txt", text, [Section("1", "One", 0, len(text), numbered=True)], **more)
        write_report(tmp_path / "report.html", results, document, model="jev-1.12", auto_accept=0.8)
        browser.get((tmp_path / "report.html").as_uri())
        return browser

    return open_report


def press(browser: Any, *keys: str) -> None:
    for key in keys:
        browser.switch_to.active_element.send_keys(key)


def downloaded(browser: Any) -> Path:
    path = browser.downloads / "reviews.json"
    deadline = time.monotonic() + 20
    while not path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return path


def text_of(browser: Any, selector: str) -> str:
    return str(browser.execute_script("return document.querySelector(arguments[0]).textContent", selector))


def reload_until(browser: Any, selector: str, text: str) -> None:
    """Reload until a text shows, for some seconds: a browser may hand storage to the reloaded page a moment late."""
    for _ in range(20):
        browser.refresh()
        if text_of(browser, selector) == text:
            return
        time.sleep(0.2)


def helpers(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "helpers", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8")


def fingerprinted(results: list[Result]) -> list[Result]:
    return [{**r, "fingerprint": f"{n:064x}"} for n, r in enumerate(results)]


def test_all_eight_are_reviewed_by_keyboard_and_the_download_merges(browser: Any, tmp_path: Path) -> None:
    helpers("check", "--offline", "--report", str(tmp_path / "report.html"))
    browser.get((tmp_path / "report.html").as_uri())
    press(browser, "j", "v", "j", "v", "j", "f", "j", "v", "j", "c", "j", "c", "n")
    press(browser, "it says so at the end", Keys.ESCAPE, "j", "u", "j", "v", "d")
    assert text_of(browser, "#progress") == "2 of 2 reviewed, 6 more"
    path = downloaded(browser)
    assert [(r["id"], r["verdict"], r["note"]) for r in load_reviews(path)] == [
        ("epoch_seconds", "verified", ""),
        ("aud_reject", "verified", ""),
        ("sig_reporting", "fabricated", ""),
        ("clock_skew", "verified", ""),
        ("exp_required", "contradicted", ""),
        ("pii_encryption", "contradicted", "it says so at the end"),
        ("iat_future", "unsupported", ""),
        ("duplicate_names", "verified", ""),
    ]
    merged = helpers("check", "--offline", "--reviews", str(path), "--fail-on", "review")
    assert merged.stdout.split("\n")[6] == "pii_encryption    found         says_nothing    0.27  contradicted   human"
    assert merged.stdout.count("review") == 0
    path.write_text(
        path.read_text(encoding="utf-8").replace('"fingerprint": "', '"fingerprint": "0', 1), encoding="utf-8"
    )
    stale = helpers("check", "--offline", "--reviews", str(path), "--json", "-")
    path.unlink()
    assert "the decision on epoch_seconds is stale" in stale.stderr
    assert json.loads(stale.stdout)["results"][0]["review"] is None
    assert json.loads(stale.stdout)["counts"] == {
        "verified": 4,
        "contradicted": 2,
        "unsupported": 1,
        "fabricated": 1,
        "unjudged": 0,
        "review": 0,
    }


def test_decisions_outlive_a_reload_and_are_undone(opened: Callable[..., Any]) -> None:
    browser = opened(fingerprinted(EIGHT)[:6])
    press(browser, "r", "v")
    assert text_of(browser, ".current .id") == "pii_encryption"
    assert text_of(browser, ".current .decision") == "verified, changed from unsupported"
    reload_until(browser, "#c6 .decision", "verified, changed from unsupported")
    assert text_of(browser, "#c6 .decision") == "verified, changed from unsupported"
    press(browser, "r", "u")
    assert text_of(browser, "#status") == "That was the last one."
    browser.execute_script("document.getElementById('c6').focus()")
    press(browser, "u")
    assert text_of(browser, "#c6 .decision") == "unsupported, confirmed"
    press(browser, "z")
    assert text_of(browser, "#c6 .decision") == "verified, changed from unsupported"
    press(browser, "v")
    assert text_of(browser, "#progress") == "0 of 1 reviewed"


def test_a_loaded_file_continues_and_stale_decisions_are_refused(opened: Callable[..., Any], tmp_path: Path) -> None:
    results = fingerprinted(EIGHT[4:7])
    browser = opened(results)
    reviews = [
        {"id": "exp_required", "verdict": "contradicted", "note": "yes", "fingerprint": f"{0:064x}"},
        {"id": "pii_encryption", "verdict": "verified", "note": "", "fingerprint": "f" * 64},
        {"id": "nobody", "verdict": "verified", "note": "", "fingerprint": "f" * 64},
    ]
    path = tmp_path / "before.json"
    path.write_text(json.dumps({"schema": 1, "reviews": reviews}), encoding="utf-8")
    browser.find_element("id", "file").send_keys(str(path))
    wait_until(lambda: "loaded" in text_of(browser, "#status"))
    assert text_of(browser, "#status") == (
        "1 review loaded from before.json. Stale, not applied: pii_encryption. Not of this report: nobody."
    )
    assert text_of(browser, "#c1 .decision") == "contradicted, confirmed"
    assert text_of(browser, "#c2 .decision") == ""
    path.write_text("not JSON", encoding="utf-8")
    browser.find_element("id", "file").send_keys(str(path))
    wait_until(lambda: "nothing" in text_of(browser, "#status"))


def test_merged_reviews_show_and_are_downloaded_again(opened: Callable[..., Any]) -> None:
    results = fingerprinted(EIGHT[5:7])
    review = {"id": "pii_encryption", "verdict": "verified", "note": "n", "at": "then", "fingerprint": f"{0:064x}"}
    merged, _ = apply_reviews(results, [review])
    browser = opened(merged)
    assert text_of(browser, "#c1 .action") == "Changed by a human from unsupported."
    assert text_of(browser, "#c1 .decision") == "verified, changed from unsupported"
    press(browser, "d")
    path = downloaded(browser)
    assert load_reviews(path) == [review]
    path.unlink()


def test_filters_show_what_they_say(opened: Callable[..., Any]) -> None:
    browser = opened([{**r, "claim": f"claim of {r['id']}"} for r in EIGHT])

    def shown() -> list[str]:
        return list(
            browser.execute_script(
                "return [...document.querySelectorAll('.card:not([hidden])')].map(c => c.dataset.id)"
            )
        )

    browser.find_element("css selector", "[data-show=unsupported]").click()
    assert shown() == ["pii_encryption", "iat_future"]
    browser.find_element("css selector", "[data-show=review]").click()
    browser.find_element("id", "search").send_keys("CLAIM iat")
    assert shown() == ["iat_future"]
    assert text_of(browser, "#status") == "1 of 8 shown"
    browser.find_element("css selector", "[data-show=verified]").click()
    assert shown() == []
    assert browser.find_element("id", "none").is_displayed()


def test_keys_that_are_typed_into_a_field_or_switched_off_decide_nothing(opened: Callable[..., Any]) -> None:
    browser = opened(EIGHT[:2])
    press(browser, "j", "n", "vcufz")
    assert text_of(browser, "#c1 .decision") == ""
    press(browser, Keys.ESCAPE)
    browser.execute_script("document.getElementById('keys').checked = false")
    press(browser, "v")
    assert text_of(browser, "#c1 .decision") == ""


@pytest.mark.parametrize(
    "hostile", HOSTILE, ids=["script", "closing-tags", "address", "attribute", "template", "controls", "bidi"]
)
def test_hostile_text_is_shown_as_text_everywhere(opened: Callable[..., Any], hostile: str) -> None:
    text = f"Before {hostile} after.\n"
    at = text.index(hostile)
    change = {"source": hostile, "quote": hostile, "risk": None}
    match = {
        "kind": "words",
        "start": at,
        "end": at + len(hostile),
        "text": hostile,
        "changes": [change],
        "similarity": 0.9,
    }
    row = made(hostile, "altered", claim=hostile, quote=hostile, match=match, auto=False, reason=hostile, found_in="1")
    row |= {"section": hostile, "section_ok": False, "review": {"verdict": "verified", "note": hostile, "at": hostile}}  # type: ignore[assignment]
    browser = opened(
        [row, made("b", verdict=None, answer=None, confidence=None, error=hostile)], text, doubts=[hostile]
    )
    expected = hostile.replace("\x00", "\ufffd")
    for selector in (".id", ".claim", "blockquote", "mark", ".changes td"):
        assert text_of(browser, selector) == expected
    assert browser.execute_script("return document.querySelector('textarea').value") == expected
    assert browser.execute_script("return window.executed === undefined")
    assert browser.execute_script("return document.querySelectorAll('img, script').length") == 1
    for link in browser.find_elements("css selector", "a"):
        assert link.get_attribute("href").startswith("https://")


def test_a_megabyte_is_shown_and_the_page_stays_small(opened: Callable[..., Any], tmp_path: Path) -> None:
    words = "word " * 200_000
    text = f"{words}The passage.{words}"
    match = {
        "kind": "exact",
        "start": len(words),
        "end": len(words) + 12,
        "text": "The passage.",
        "changes": [],
        "similarity": 1,
    }
    browser = opened([made("a", claim=words, quote="The passage.", match=match)], text)
    assert text_of(browser, "mark") == "The passage."
    assert text_of(browser, ".claim") == words
    assert browser.find_element("css selector", ".claim").size["height"] < 400
    assert (tmp_path / "report.html").stat().st_size < 1_400_000


def test_no_request_leaves_the_page_and_no_error_is_logged(opened: Callable[..., Any]) -> None:
    browser = opened(EIGHT)
    browser.get_log("performance")
    browser.get_log("browser")
    browser.refresh()
    press(browser, "j", "v", "j", "r")
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    asked = [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]
    assert [url for url in asked if not url.startswith("file:")] == []
    assert len(asked) <= 1
    assert browser.get_log("browser") == []


def test_a_page_without_storage_still_reviews(opened: Callable[..., Any]) -> None:
    browser = opened(EIGHT[:1])
    script = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('refused'); }})"
    source = browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    try:
        browser.refresh()
        press(browser, "j", "v")
        assert text_of(browser, "#c1 .decision") == "verified, confirmed"
    finally:
        browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", source)


@pytest.mark.parametrize("width", [1280, 390, 320])
def test_nothing_is_wider_than_the_window(opened: Callable[..., Any], width: int) -> None:
    results = [made("x" * 80, claim="y" * 300, section="z" * 90, section_ok=False), *EIGHT]
    browser = opened(results, "w" * 400 + "\n")
    size = {"width": width, "height": 640, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    with contextlib.ExitStack() as after:
        after.callback(browser.execute_cdp_cmd, "Emulation.clearDeviceMetricsOverride", {})
        browser.execute_script("document.querySelectorAll('.card').forEach(c => c.style.contentVisibility = 'visible')")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width


def wait_until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 20
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert condition()


@pytest.mark.parametrize("width", [1100, 700])
def test_the_headings_of_the_index_stay_whole(browser: Any, tmp_path: Path, width: int) -> None:
    fault = "a.txt: does not exist; check the name of the source document, and that of the folder it is in"
    write_index(tmp_path / "index.html", [{"source": "a.txt", "counts": {}, "error": fault}])
    browser.set_window_size(width, 800)
    browser.get((tmp_path / "index.html").as_uri())
    heads = browser.find_elements("css selector", "thead th")
    assert heads and all("\n" not in head.text and head.size["height"] < 40 for head in heads)
    assert browser.execute_script("return document.documentElement.scrollWidth") <= width
