"""Scripts that set no blanks between words, and the words of a text in any script.

Patterns with these ranges take milliseconds to compile, so they are kept as text until a source has such characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# Han and kana with their punctuation, also the full-width punctuation. Not Hangul, which has blanks, and not full-width
# letters, where dropping a blank would join two words.
CJK = (
    "\u2e80-\u2fff\u3001-\u312f\u31a0-\u4dbf\u4e00-\ua4cf\uf900-\ufaff\ufe30-\ufe4f"
    "\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff9f\U00020000-\U0003ffff"
)
# South-East Asian scripts set blanks between sentences only: their blanks count, but words have no edges.
UNSPACED = CJK + "\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff"
FIRST_UNSPACED = "\u0e00"

_WORD = r"\w+"
_WORD_OR_CHARACTER = f"[{UNSPACED}]|[^\\W{UNSPACED}]+"
_EDITED_WORD = r"\[[^\W\d_]+\]\w*"  # an editor's "[t]he" or "[token]" is one word
_TOKEN = rf"\.{{3,}}|{_EDITED_WORD}|\w+(?:['.,]\w+)*|[^\w\s]"
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
    return re.finditer(_WORD_OR_CHARACTER if _has_unspaced(text) else _WORD, text)


def words_and_signs(text: str) -> Iterator[re.Match[str]]:
    """Yield words, numbers with their points ("1,500.5"), words in brackets, ellipses and single signs."""
    return re.finditer(_TOKEN_OR_CHARACTER if _has_unspaced(text) else _TOKEN, text)


def _has_unspaced(text: str) -> bool:
    return not text.isascii() and max(text) >= FIRST_UNSPACED
