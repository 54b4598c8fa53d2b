"""Folding: one form for all the ways in which printers, PDFs and chat windows set the same words.

Every folded character keeps the offset of the character it came from, so a hit in folded text is a place in the source.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from .scripts import CJK, POINTS, is_cjk

QUOTES = dict.fromkeys("“”„‟«»″״", '"') | dict.fromkeys("‘’‚‛‹›′ʼ´׳", "'")
DASHES = "‐‑‒–—―−־"
WAVES = "〜"  # the same key of a Japanese keyboard gives it or the full-width tilde
# Compatibility forms that are only another way to set the same letters. Not super, sub, fraction, circle and square:
# 10² is not 102, and neither are ½ and 1/2 the same characters to a reader of a formula.
SAME_LETTERS = {
    "<wide>",
    "<narrow>",
    "<small>",
    "<vertical>",
    "<compat>",
    "<font>",
    "<initial>",
    "<medial>",
    "<final>",
    "<isolated>",
}
RADICALS = [chr(code) for code in range(0x2E80, 0x2FE0)]  # PDFs give these for the Chinese characters they look like
# Variation selectors choose a glyph, not a character; a tatweel stretches a word; a joiner of graphemes shows nothing.
# Vowel points may be left out: where both sides have them, `pointing` compares them.
UNSEEN = re.compile(f"[\ufe00-\ufe0f\u0640\u034f{POINTS}]")

BLANKS = re.compile(r"(?<=[^\W_])(--?)[^\S\n]*\n\s*(?=[^\W_])|\s{2,}|[^\S ]")
DOUBLE_DASH = re.compile(r"(?<![^ ])--(?![^ ])|(?<=\w)--(?=\w)")
TEX_QUOTES = re.compile(r"(``)[^`']+('')")
CJK_BLANKS = f"(?<=[{CJK}])\\s+(?=[{CJK}])"
# French sets blanks inside « »; German points them »inwards«, where the blanks outside must stay.
GUILLEMET_BLANKS = re.compile(r"(?:(?<![\w.,;:!?])[«‹])(\s+)|(?<!\s)(\s+)[»›](?!\w)")


class Folded(NamedTuple):
    """Hold folded text; `text[i]` came from `raw[starts[i]]`, and `starts` has one entry more, the end of the text."""

    text: str
    starts: array[int]
    raw: str

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return the half-open span of `raw` that `text[start:end]` came from, without white space at its end."""
        first, last = self.starts[start], max(self.starts[end], self.starts[end - 1] + 1)
        return first, first + len(self.raw[first:last].rstrip())

    def part(self, start: int, end: int) -> Folded:
        """Return `text[start:end]` with its places."""
        return Folded(self.text[start:end], self.starts[start : end + 1], self.raw)

    def broken(self, at: int) -> bool:
        """Tell whether the hyphen at `text[at]` ends a line in the source, between two letters."""
        first, last = self.starts[at], self.starts[at + 1]
        return self.raw[first] in "-‐" and last - first > 1 and "\n" in self.raw[first:last]


def fold(text: str, *, marks: bool = True) -> Folded:
    """Return text as it is searched; without `marks`, paired Markdown marks go too.

    Case, accents and alphabets stay. A hyphen at a line end is read as part of the word: `case-` + `sensitive`.
    """
    folded = Folded(text, array("I", range(len(text) + 1)), text)
    if not marks:
        folded = _without_marks(folded)
    if not text.isascii():
        folded = _fold_characters(folded)
    elif not text.isprintable():
        folded = _drop(folded, [c for c in set(text) if not fold_character(c)])
    folded = _replace(folded, BLANKS, lambda spot: spot[1] or " ")
    if "``" in folded.text:
        folded = _edit(folded, ((*spot.span(g), '"') for spot in TEX_QUOTES.finditer(folded.text) for g in (1, 2)))
    if "--" in folded.text:
        folded = _replace(folded, DOUBLE_DASH, lambda _: "-")
    return _strip(folded)


@lru_cache(maxsize=4096)
def fold_character(char: str) -> str:
    """Return what one character is searched as; white space and line ends are not its business."""
    category = unicodedata.category(char)
    if char.isspace():
        return char
    if category in ("Cf", "Cc") or UNSEEN.match(char):
        return ""
    if char.isascii():
        return char
    if char in DASHES:
        return "-"
    if char in WAVES:
        return "~"
    if char in QUOTES or char == "…":
        return QUOTES.get(char, "...")
    form: Literal["NFC", "NFKC"] = "NFC"
    if unicodedata.decomposition(char).split(" ")[0] in SAME_LETTERS and (
        category not in ("So", "No", "Nl") or char in RADICALS
    ):
        form = "NFKC"
    plain = unicodedata.normalize(form, char)
    if plain == char or plain.isdigit() != char.isdigit() or any(map(str.isspace, plain)):
        return char
    return "".join(map(fold_character, plain))  # a compatibility form of a dash is a dash


def _fold_characters(folded: Folded) -> Folded:
    """Fold the characters that are present: a text has few different ones, whatever its length."""
    present = {char: fold_character(char) for char in set(folded.text)}
    folded = _drop(folded, [char for char, plain in present.items() if not plain])
    if not QUOTES.keys().isdisjoint(present) or "«" in present:
        folded = _edit(
            folded, ((*spot.span(spot.lastindex or 0), "") for spot in GUILLEMET_BLANKS.finditer(folded.text))
        )
    if any(map(is_cjk, present)):
        folded = _replace(folded, re.compile(CJK_BLANKS), lambda _: "")
    one = {ord(char): plain for char, plain in present.items() if len(plain) == 1 and plain != char}
    if one:
        folded = folded._replace(text=folded.text.translate(one))
    several = [char for char, plain in present.items() if len(plain) > 1]
    if several:
        folded = _replace(folded, re.compile(f"…+|{_any_of(several)}"), lambda spot: present[spot[0][0]])
    return _compose(folded)


def _compose(folded: Folded) -> Folded:
    """Compose letters and their accents (NFC)."""
    if unicodedata.is_normalized("NFC", folded.text):
        return folded
    joining = [c for c in set(folded.text) if unicodedata.category(c)[0] == "M" or "\u1160" <= c <= "\u11ff"]
    if not joining:
        return folded
    cluster = re.compile(f".{_any_of(joining)}+", re.S)
    return _replace(folded, cluster, lambda spot: unicodedata.normalize("NFC", spot[0]))


def _drop(folded: Folded, chars: list[str]) -> Folded:
    """Drop invisible characters; a soft hyphen at a line end takes the break along."""
    if not chars:
        return folded
    return _replace(folded, re.compile(f"\u00ad[^\\S\n]*\n\\s*|{_any_of(chars)}"), lambda _: "")


# Only pairs are marks: a lone star is a footnote, 2**3**4 is arithmetic, serial_number_v2 and __init__ are names.
MARKS = {
    ">": r"(?m)^[ \t]*((?:> ?)+)",
    "](": r"(!?\[)[^\[\]\n]+(\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\))",
    "`": r"(?<![\w`])(`{1,3})(?![`\s])[^`]+?(?<!\s)(\1)(?!`)",
    "*": r"(?<![0-9A-Za-z_*])(\*{1,3})(?=[^\s*])(?:[^*\n]|\n(?!\s*\n))+?(?<=[^\s*])(\1)(?![0-9A-Za-z_*])",
    "_": (
        r"(?<!\w)(_)(?=[^\s_])(?:[^_\n]|\n(?!\s*\n))+?(?<=[^\s_])(_)(?!\w)"
        r"|(?<!\w)(__)(?=[^\s_])[^_\n]*?[^\S\n][^_\n]*(?<=[^\s_])(__)(?!\w)"
    ),
}


def marks_of(text: str, sign: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of Markdown marks of one sign: halves of a pair, the target of a link, the `> ` of a block."""
    if sign not in text:
        return
    pattern = re.compile(MARKS[sign])
    for spot in pattern.finditer(text):
        if sign != ">" or _in_quoted_block(text, spot.start()):
            yield from (spot.span(group) for group in range(1, pattern.groups + 1) if spot[group] is not None)


def _in_quoted_block(text: str, line: int) -> bool:
    """Tell whether the `>` of a line quotes it: the line before is empty or quoted too; else it may mean "greater"."""
    before = text[text.rfind("\n", 0, max(0, line - 1)) + 1 : max(0, line - 1)].strip()
    return not before or before.startswith(">")


def _without_marks(folded: Folded) -> Folded:
    for sign in MARKS:
        folded = _edit(folded, ((*span, "") for span in marks_of(folded.text, sign)))
    return folded


def _strip(folded: Folded) -> Folded:
    text = folded.text.strip(" ")
    if len(text) == len(folded.text):
        return folded
    first = len(folded.text) - len(folded.text.lstrip(" "))
    return folded.part(first, first + len(text))


def _replace(folded: Folded, pattern: re.Pattern[str], put: Callable[[re.Match[str]], str]) -> Folded:
    return _edit(folded, ((spot.start(), spot.end(), put(spot)) for spot in pattern.finditer(folded.text)))


def _edit(folded: Folded, edits: Iterable[tuple[int, int, str]]) -> Folded:
    """Replace the spans `[start, end)` of the text, given in order, and carry the offsets along."""
    text, starts, raw = folded
    parts: list[str] = []
    places, done = array("I"), 0
    for start, end, new in edits:
        parts += (text[done:start], new)
        places += starts[done:start]
        places.extend([starts[start]] * len(new))
        done = end
    if not parts:
        return folded
    return Folded("".join(parts) + text[done:], places + starts[done:], raw)


def _any_of(chars: list[str]) -> str:
    return "[" + re.escape("".join(sorted(chars))) + "]"
