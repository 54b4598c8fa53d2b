"""Numbers as they are written: signs, groups, decimals, ranges, fractions, what is set right before and behind them."""

from __future__ import annotations

import re

from .folding import Folded

LOOK = 24  # characters on each side of a border: more than the longest number that is written out
SIGN = r"(?:(?<![^\s(\[])[-+±<>≤≥≠≈~]+|(?<![\w)\]}>+.…-])[-+±])?"  # "x-6", "x->5" and "x>5" have none, "x=-6" has
CURRENCY = "$£¥€¢₩₪₫₱₴₹₺₽"
VULGAR = "¼-¾⅐-⅞"
POWER = "⁰¹²³⁴-⁹"
JOINT = (
    r"(?:[-.,/:^'·×±⁄∕٫٬~]|\.{2,3}|分[之の]|[eE])[-+]?"  # decimals, groups, ranges, times, dates, fractions, versions
)
# Blanks group digits in threes. A single plain blank also stands between two numbers, so there the first group must be
# a number by itself and short: not "HTTP/1.1 200", "RFC 7519 100", "2019-10-12 300". In front of "000" a line may end.
# A blank that never breaks was set by somebody who meant one number.
GROUPS = (
    r"(?:(?<![\w.,/:^])(?<!\d-\d\d-)\d{1,3}|(?<=\d[.,])\d{3})(?:[ \xa0]\d{3}|\n0\d\d)+(?!\d|\.\d+\.)"
    r"|\d+(?:\xa0\d{2,4})+(?!\d)"
    rf"|(?<![\w.,/:^-])\d{{1,2}}[ \xa0](?:\d/\d{{1,2}}(?![\d/])|[{VULGAR}])"
)
# 3千 is three thousand, 3千克 three kilograms, as good as "3 kg".
HAN_SIZES = "十百千万萬亿億兆〇零"
HAN_DIGITS = "一二两兩三四五六七八九"
HAN = (
    f"[{HAN_DIGITS}{HAN_SIZES}]+分[之の][{HAN_DIGITS}{HAN_SIZES}]+"
    f"|(?<![唯统統])(?=[{HAN_DIGITS}]*[{HAN_SIZES}])[{HAN_DIGITS}{HAN_SIZES}]{{2,}}"
)
BEHIND = rf"(?:[⁺⁻]?[{POWER}]+|[{VULGAR}]|(?:千(?![克米瓦卡])|[十百万萬亿億兆])+)?[%‰٪°{CURRENCY}]?"
RAISED = rf"(?<![^\W\d_])[^\W\d_]+[⁺⁻]?[{POWER}]+"  # m²; what `notes` takes for the mark of a footnote is walked over
# Kept as text until a hit stands beside a number: it takes milliseconds to compile.
NUMBER = rf"{SIGN}[{CURRENCY}]?(?:{GROUPS}|\d+)(?:{JOINT}(?:{GROUPS}|\d+))*{BEHIND}|{HAN}|{RAISED}"
NEVER_BREAKS = "\xa0\u2007\u2009\u202f"


def number_at(folded: Folded, at: int) -> tuple[int, int] | None:
    """Return the span of the number that has the border before `text[at]` inside, or None."""
    if not any(map(str.isnumeric, folded.text[max(0, at - 2) : at + 2])):
        return None
    first = max(0, at - LOOK)
    for spot in re.finditer(NUMBER, _with_kinds_of_blanks(folded, first, at + LOOK)):
        if first + spot.start() < at < first + spot.end():
            return first + spot.start(), first + spot.end()
    return None


def _with_kinds_of_blanks(folded: Folded, start: int, end: int) -> str:
    """Return `text[start:end]` its blanks as they were: no-break, a line end, or a tab for a wide gap."""
    text = folded.text[start:end]
    if folded.raw.startswith(text, folded.starts[start]):
        return text
    chars = list(text)
    for k, char in enumerate(chars, start):
        if char == " ":
            blank = folded.raw[folded.starts[k] : folded.starts[k + 1]]
            if blank != " ":
                chars[k - start] = "\xa0" if blank in NEVER_BREAKS else "\n" if blank.count("\n") == 1 else "\t"
    return "".join(chars)
