"""Scripts that set no blanks between words, and the words of a text in any script.

Patterns with these ranges take milliseconds to compile, so they are kept as text until a source has such characters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# Han and kana with their punctuation, also the full-width punctuation. Not Hangul, which has blanks, and not full-width
# letters, where dropping a blank would join two words.
CJK = (
    "\u2e80-\u2fff\u3001-\u312f\u31a0-\u4dbf\u4e00-\ua4cf\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe4f"
    "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f\U00020000-\U0003ffff"
)
# South-East Asian scripts set blanks between sentences only: their blanks count, but words have no edges.
UNSPACED = CJK + "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"
FIRST_UNSPACED = "\u0e00"

# Vowel points of Hebrew and Arabic and signs of recitation, which most texts leave out. Not the hamza of أ.
POINTS = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed"
)
# Vowel signs and accents inside words, which Python does not count as letters: most words of Hindi have some.
FIRST_MARK = "\u0300"
MARKS = "".join(chr(code) for code in range(0x0300, 0x0E00) if unicodedata.category(chr(code)) in ("Mn", "Mc"))

_WORD = r"\w+"
_MARKED_WORD = f"\\w[\\w{MARKS}]*"
_WORD_OR_CHARACTER = f"[{UNSPACED}]|[^\\W{UNSPACED}]+"
_EDITED_WORD = r"\[[^\W\d_]+\]\w*"  # an editor's "[t]he" or "[token]" is one word
_TOKEN = rf"\.{{3,}}|{_EDITED_WORD}|\w+(?:['.,]\w+)*|[^\w\s]"
_MARKED_TOKEN = rf"\.{{3,}}|{_EDITED_WORD}|{_MARKED_WORD}(?:['.,]{_MARKED_WORD})*|[^\w\s]"
_TOKEN_OR_CHARACTER = f"\\.{{3,}}|{_EDITED_WORD}|[{UNSPACED}]|[^\\W{UNSPACED}]+(?:['.,][^\\W{UNSPACED}]+)*|[^\\w\\s]"


def is_cjk(char: str) -> bool:
    """Tell whether one character (or none) is Chinese or Japanese writing."""
    return char >= "\u2e80" and re.match(f"[{CJK}]", char) is not None


def is_hangul(char: str) -> bool:
    """Tell whether one character (or none) is a Korean syllable: lines may end inside Korean words."""
    return "\uac00" <= char <= "\ud7a3"


def is_unspaced(char: str) -> bool:
    """Tell whether one character (or none) belongs to a script without blanks between words."""
    return char >= FIRST_UNSPACED and re.match(f"[{UNSPACED}]", char) is not None


def words(text: str) -> Iterator[re.Match[str]]:
    """Yield the words of a text; in scripts without blanks a character counts as a word."""
    last = _last(text)
    pattern = _WORD_OR_CHARACTER if last >= FIRST_UNSPACED else _MARKED_WORD if last >= FIRST_MARK else _WORD
    return re.finditer(pattern, text)


def words_and_signs(text: str) -> Iterator[re.Match[str]]:
    """Yield words, numbers with their points ("1,500.5"), words in brackets, ellipses and single signs."""
    last = _last(text)
    pattern = _TOKEN_OR_CHARACTER if last >= FIRST_UNSPACED else _MARKED_TOKEN if last >= FIRST_MARK else _TOKEN
    return re.finditer(pattern, text)


def _last(text: str) -> str:
    """Return the last character in the order of Unicode, or none where all are ASCII."""
    return "" if text.isascii() else max(text)
