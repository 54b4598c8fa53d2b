"""Follow a quote's words through the source where only the typesetting differs."""

from __future__ import annotations

from .folding import Folded
from .notes import mark_at, same_mark
from .scripts import is_cjk, is_hangul, is_unspaced

BESIDE = set("()[]{}\"'!?;:%‰°٪€£§/؟؛،।")  # a blank beside these is layout: "foo (bar)", "prêt !", "5 %"
LONG_DASHES = "–—―"


def follow(source: Folded, at: int, quote: Folded, *, fold_case: bool) -> int | None:
    """Return the end of the quote's words that begin at `source.text[at]`, or None where another word stands.

    A line-end hyphen reads as `x-y`, `xy` and `x- y`, on either side; blanks may differ only where they join no words;
    the mark of a footnote may be left out.
    """
    ours, theirs, i, j = source.text, quote.text, at, 0
    while j < len(theirs):
        if i < len(ours) and (ours[i] == theirs[j] or (fold_case and _same_letter(ours[i], theirs[j]))):
            i, j = i + 1, j + 1
        elif 0 < i < len(ours) and ours[i] in " -" and i > at and _optional(source, i, quote, j):
            i += 1
        elif i > at and (mark := mark_at(ours, i)):
            i, j = i + len(mark), j + same_mark(mark, theirs, j)
        elif theirs[j] in " -" and j > 0 and _optional(quote, j, source, i):
            j += 1
        else:
            return None
    return i + len(mark_at(ours, i))


def _same_letter(a: str, b: str) -> bool:
    return a.lower()[:1] == b.lower()[:1]  # "İ" has two, an i and a dot


def _optional(one: Folded, k: int, other: Folded, m: int) -> bool:
    """Tell whether the blank or hyphen `one.text[k]` may be missing on the other side, which stands at `m`."""
    left, right = one.text[k - 1], one.text[k + 1 : k + 2]
    if one.text[k] == "-":
        return one.broken(k) and left.isalpha() and right.isalpha()
    if m > 0 and other.text[m - 1] == "-" and left == "-" and other.broken(m - 1):
        return True
    if _line_end(one, k) and (_option(one, k) or all(is_hangul(char) or is_unspaced(char) for char in (left, right))):
        return True
    if "-" in (left, right):
        if right == "-" and one.text[k + 2 : k + 3].isdigit():  # a minus sign
            return False
        return _long_dash(one, k + 1 if right == "-" else k - 1) or _long_dash(other, m if right == "-" else m - 1)
    return _layout(left, right, one.text[k + 2 : k + 3])


def _line_end(folded: Folded, k: int) -> bool:
    return "\n" in folded.raw[folded.starts[k] : folded.starts[k + 1]]


def _option(folded: Folded, k: int) -> bool:
    """Tell whether the hyphen before the blank `text[k]` begins a word of the next line: `-` + `-force`."""
    before, after = folded.text[max(0, k - 2) : k], folded.text[k + 1 : k + 2]
    return before in (" -", "--", "*-", "-") and not after.isdigit() and not after.isspace()


def _layout(left: str, right: str, following: str) -> bool:
    """Tell whether a blank between these two is layout: it joins no words and no digits when it goes."""
    if is_cjk(left) or is_cjk(right) or left in BESIDE or right in BESIDE:
        return not (left.isdigit() and right.isdigit())
    if right in ".,":  # code in a PDF has a blank after it: "like i32 , the"
        return not following.isdigit()
    return left in ".," and not right.isdigit()


def _long_dash(folded: Folded, k: int) -> bool:
    if not 0 <= k < len(folded.text) or folded.text[k] != "-":
        return False
    origin = folded.starts[k]
    return folded.raw[origin] in LONG_DASHES or folded.raw[origin : origin + 2] == "--"
