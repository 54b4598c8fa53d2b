"""Bytes to text: UTF-8, declared and guessed encodings, and what is no text."""

import pytest

from helpers.errors import SourceError
from helpers.readers.charsets import likeliest_encoding
from helpers.readers.decoding import decode

RUSSIAN = "Токен, срок действия которого истёк, должен быть отклонён."
CHINESE = "令牌过期后，门必须拒绝。守门人先检查印章，然后检查编号。"
TAIWANESE = "權杖過期後，門必須拒絕。守門人先檢查印章，然後檢查編號。"
JAPANESE = "期限切れのトークンは拒否しなければならない。"
KOREAN = "만료된 토큰은 거부해야 한다."
GERMAN = "Der Pförtner prüft das Siegel. Die Uhren dürfen abweichen; so steht es im „Torbuch“."
FRENCH = "Un jeton périmé doit être refusé. L’écart d’horloge est de « deux » secondes."
POLISH = "Żeton, którego ważność wygasła, musi zostać odrzucony."
GREEK = "Ένα ληγμένο κουπόνι πρέπει να απορρίπτεται."
HEBREW = "יש לדחות אסימון שפג תוקפו. השוער בודק את החותם לפני המספר."


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        (b"\xef\xbb\xbf1.  Scope\n", "1.  Scope\n"),
        (b"pad\0ded\0\n", "padded\n"),
        (b"N\x08NA\x08A_\x08M_\x08E\n", "NAME\n"),
        ("Naïve “porters” 令牌\u2028x\x0cy".encode(), "Naïve “porters” 令牌\u2028x\x0cy"),
    ],
    ids=["line ends", "byte order mark", "NUL", "overstruck", "other separators"],
)
def test_utf8_is_read_without_a_doubt(content, text):
    assert decode("gates.txt", content) == (text, [])


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((RUSSIAN, encoding) for encoding in ("cp1251", "koi8_r", "cp866", "iso8859_5")),
        *((JAPANESE, encoding) for encoding in ("cp932", "euc_jp")),
        (CHINESE, "gb18030"),
        (TAIWANESE, "big5"),
        (KOREAN, "cp949"),
        (GERMAN, "cp1252"),
        (FRENCH, "cp1252"),
        (POLISH, "cp1250"),
        (GREEK, "cp1253"),
        (HEBREW, "cp1255"),
        ("The café of the porters is open.", "latin-1"),
        ("It isn’t “open” – £3 or €4.", "cp1252"),
        ("Für Züge gilt:", "cp1252"),
        ("20 °C ± 2, § 4", "cp1252"),
        ("门必须", "gb18030"),
        ("Глава", "cp1251"),
    ],
)
def test_old_encodings_are_recognized_and_told(text, encoding):
    read, doubts = decode("gates.txt", text.encode(encoding))
    assert read == text
    assert len(doubts) == 1
    assert doubts[0].startswith("not UTF-8: read as ")


def test_a_long_text_is_judged_by_its_lines_outside_ascii():
    assert likeliest_encoding(b"plain line\n" * 10_000 + GERMAN.encode("cp1252")) == "cp1252"


def test_a_text_without_line_ends_is_judged_by_a_sample():
    content = b"plain words " * 10_000 + RUSSIAN.encode("cp1251") * 20_000
    assert likeliest_encoding(content) == "cp1251"


@pytest.mark.parametrize(
    ("declared", "encoding", "text"),
    [
        ("windows-1251", "cp1251", "ЖЖЖ"),
        ("ISO-8859-1", "cp1252", "“so”"),
        ("gb2312", "gb18030", "朱镕基"),
        ("iso-2022-jp", "iso2022_jp", JAPANESE),
    ],
)
def test_a_declared_charset_is_believed(declared, encoding, text):
    assert decode("gates.html", text.encode(encoding), declared) == (
        text,
        [f"not UTF-8: read as {declared}, as declared"],
    )


@pytest.mark.parametrize("declared", ["klingon", "utf-16", "hex", "unicode_escape", "utf-7", "", "\0"])
def test_a_declared_charset_that_cannot_be_is_not_believed(declared):
    assert decode("gates.html", b"caf\xe9 \\u0041 +AGE-", declared)[0] == "café \\u0041 +AGE-"
    assert decode("gates.html", "café".encode(), declared) == ("café", [])


def test_sound_utf8_beats_what_is_declared():
    assert decode("gates.html", "café".encode(), "iso-8859-1") == ("café", [])


def test_a_damaged_byte_in_utf8_is_shown_and_told():
    text, doubts = decode("gates.txt", RUSSIAN.encode() + b" \xff end")
    assert text == RUSSIAN + " \ufffd end"
    assert doubts == ["1 undecodable character (shown as U+FFFD)"]


def test_replacement_characters_in_the_file_are_a_doubt():
    assert decode("gates.txt", "caf\ufffd".encode())[1] == ["1 undecodable character (shown as U+FFFD)"]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the file is empty"),
        (b" \n\r\n\0", "has no text in it"),
        ("1.  Scope".encode("utf-16"), "is UTF-16, not UTF-8; save it as UTF-8"),
        ("1.  Scope".encode("utf-16-be"), "is UTF-16 or binary, not UTF-8; save it as UTF-8"),
        ("1.  Scope".encode("utf-32"), "is UTF-32, not UTF-8; save it as UTF-8"),
        (b"\x89PNG\r\n\x1a\n", "is a PNG image, not a text"),
        (b"{\\rtf1 text}", "is an RTF file, not a text"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "is an old binary Office file, not a text"),
        (bytes(range(1, 256)) * 20, "is a binary file, not a text"),
    ],
    ids=["empty", "blank", "utf-16", "utf-16 without mark", "utf-32", "png", "rtf", "doc", "binary"],
)
def test_what_is_no_text_is_refused_in_one_line(content, says):
    with pytest.raises(SourceError) as told:
        decode("gates.txt", content)
    assert str(told.value).startswith("gates.txt: ")
    assert says in str(told.value)
    assert "\n" not in str(told.value)
