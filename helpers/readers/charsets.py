"""Guess in which old encoding a text was written: the one in which its bytes look most like writing."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

# The usual encodings before Unicode. Of equally good ones the first is taken, so the more common stand first.
ENCODINGS = (
    *("cp1252", "cp1251", "gb18030", "big5", "cp932", "euc_jp", "cp949", "koi8_r", "koi8_u", "cp1250", "iso8859_2"),
    *("cp1253", "iso8859_7", "cp1254", "cp1255", "cp1256", "cp874", "cp1257", "cp1258", "cp866", "iso8859_5"),
    *("mac_roman", "mac_cyrillic", "cp437", "cp850", "cp852", "iso8859_15", "latin_1"),
)
JAPANESE = ("cp932", "euc_jp")  # the Chinese and Korean sets hold kana too, at the same codes
RARITY = 0.01  # what each place further down costs: the rarer encoding must be clearly the better one
SAMPLE = 20_000  # bytes with the high bit set, and their neighbours, are plenty to tell encodings apart
TELLING = re.compile(rb"[\x80-\xff][^\n\r]*")  # the rest of a line from its first byte outside ASCII on
LINE_END = re.compile(rb"[\r\n]")
WORD_BEFORE = 20  # bytes

# The most frequent characters of texts in these scripts: a wrong decoding yields them only by chance.
FREQUENT = frozenset(
    "的一是不了在人有我他这這个個们中来上大为和国國地到以说時时要就出会會可也你对對生能而子那得于着下自之年过過发發后後作里用道行所然家"
    "种種事成方多经經么去法学學如都同现現当當没沒动動面起看定天分还還进進好小部其些主样樣理心她本前开開但因只从從想实實為來說們這與与必須须"
    "이다는을를의에가고지하한기로사은도리서나자인어니아해대시일과수만정그전구있부장스보라주것여"
    "のにはをたがでてとしれさいあるなこらもすりまくっかスントイルラアリ、。，"
    "оеаинтсрвлкмдпуі" + "αοιετσνηυρπκμλς" + "יוהלאתרבמשנחדקפע" + "اليمنتربعدهوةىأ" + "านรกเงอมยลวดทส่้ัิีุ"
    "äöüßéèàâêçñáíóúãåøæëïîôûùœ" + "ąęłżśćńźěščřžýůőűğışţ" + "’“”„«»–—…°§£€©®±²³½·"
)
EAST_ASIAN = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "IDEOGRAPHIC"}
# Encoding, first and end code of its everyday part: frequent Chinese characters, kana, Hangul syllables.
USUAL = (
    ("gb2312", b"\xb0", b"\xd8"),
    ("big5", b"\xa4", b"\xc7"),
    ("cp932", b"\x82\x9f", b"\x83\x97"),
    ("cp932", b"\x88", b"\x99"),
    ("euc_kr", b"\xb0", b"\xca"),
)


def likeliest_encoding(content: bytes) -> str:
    """Return the Python codec name; `latin_1` reads anything, so there always is one."""
    sample = telling_part(content)
    costs: dict[str, float] = {}
    for rank, encoding in enumerate(ENCODINGS):
        text = read(sample, encoding)
        if text is not None:
            kana = any("\u3040" < c < "\u3100" for c in text) and encoding not in JAPANESE
            costs[encoding] = strangeness(text) + RARITY * rank + kana
    return min(costs, key=lambda encoding: costs[encoding])


def telling_part(content: bytes) -> bytes:
    """Return the lines that hold bytes outside ASCII, from a word before the first of these on, SAMPLE bytes in all."""
    parts: list[bytes] = []
    size = 0
    for found in TELLING.finditer(content):
        word = LINE_END.split(content[max(0, found.start() - WORD_BEFORE) : found.start()])[-1]
        parts.append(word + found[0][: SAMPLE - size])
        size += len(parts[-1]) + 1
        if size >= SAMPLE:
            break
    return b"\n".join(parts)


def read(sample: bytes, encoding: str) -> str | None:
    """Decode, allowing for a stray byte in a thousand; None when it does not fit."""
    text = sample.decode(encoding, errors="replace")
    return text if text.count("\ufffd") * 1000 <= len(text) else None


def strangeness(text: str) -> float:
    """Return how unlike writing a decoded text is: the mean over its bytes outside ASCII, lower is better."""
    total, count = 0.0, 1
    before = " "
    for here in text:
        if here > "\x7f":
            count += 1 + (here > "\u2e80")  # characters of two bytes count twice, so that encodings compare
            total += oddness(here) * (1 + (here > "\u2e80")) + clash(before, here)
        elif before > "\x7f":
            total += clash(before, here)
        before = here
    return total / count


@cache
def oddness(character: str) -> float:
    """Return what a character costs by itself: frequent ones are a gain, unprintable ones dear."""
    if character in FREQUENT:
        return -1.0
    category = unicodedata.category(character)
    if category in ("Cc", "Cn", "Co", "Cs"):
        return 4.0
    if script(character) in EAST_ASIAN:
        return -0.5 if is_usual(character) else 2.0
    return {"L": 0.0, "P": 0.0, "Z": 0.0, "M": 0.0}.get(category[0], 1.0)


@cache
def script(character: str) -> str:
    """Return the first word of the character's Unicode name, which names its script."""
    return unicodedata.name(character, "").split(" ")[0]


@cache
def is_usual(character: str) -> bool:
    """Tell whether it is in the part of an East Asian character set that everyday writing uses."""
    codes = ((character.encode(encoding, errors="ignore"), low, high) for encoding, low, high in USUAL)
    return any(low <= code < high for code, low, high in codes)


def clash(before: str, here: str) -> float:
    """Return what two neighbours cost together: a word keeps to one script, small letters, and has no symbols in it."""
    if not here.isalpha():
        return 0.5 * (before.isalpha() and unicodedata.category(here)[0] in "SN" and here > "\x7f")
    if not before.isalpha():
        lonely = here > "\x7f" and script(here) not in EAST_ASIAN and script(here) != "LATIN"
        return 0.7 * lonely + 0.5 * (unicodedata.category(before)[0] in "SN" and before > "\x7f")
    apart = script(before) != script(here) and not {script(before), script(here)} <= EAST_ASIAN - {"HANGUL"}
    foreign = before > "\x7f" and here > "\x7f" and script(here) == "LATIN"
    return 2.0 * apart + here.isupper() + foreign
