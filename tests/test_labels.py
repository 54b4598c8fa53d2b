"""Reading how people write a section, and whether a passage lies in it."""

import pytest

from helpers.documents import Document, Section
from helpers.matching.labels import holds, look_up


def document(*parts: tuple[str, str], heading: str = "{}", pages: list[int] | None = None) -> Document:
    """Make a document of parts (label, title), ten characters of body each."""
    text, outline = "", []
    for label, title in parts:
        body = f"{heading.format(label)}  {title}\n\n   0123456789\n\n"
        outline.append(Section(label, title, len(text), len(text) + len(body), label[0].isdigit()))
        text += body
    return Document("source", text, outline, page_marks=pages)


RFC = document(
    ("Abstract", ""),
    ("1", "Introduction"),
    ("2", "Tokens"),
    ("2.1", "Lifetime"),
    ("2.2", "Audience"),
    ("3", "Security Considerations"),
    ("4", "Claims"),
    ("4.1", "Names"),
    ("4.1.3", "Audience Claim"),
    ("4.2", "First"),
    ("4.2 (2)", "Second"),
    ("A", "Examples"),
    ("A.2", "More"),
    ("Authors’ Addresses", ""),
)
GUIDE = document(
    ("Install", ""),
    ("Install > Linux", ""),
    ("Install > Windows", ""),
    ("Use", ""),
    ("Use > Windows", ""),
    ("Use > 4.1 Login", ""),
    ("FAQ", ""),
)
ROMAN = document(("I", "Scope"), ("II", "Rules"), ("III", "End"))
ZERO = document(("1.0", "Scope"), ("2.0", "Rules"), ("2.1", "Night"), ("10.0", "Tail"))
CHAPTERS = document(("1", "Scope"), ("2", "Rules"), ("3", "End"), heading="Chapter {}")
PAGES = document(("p. 1", ""), ("p. 2", ""), ("p. 3", ""), pages=[0, 23, 46])
HEADED_PAGES = document(("Scope", ""), ("Rules", ""), pages=[0, 12, 24])


def says(source: Document, cited: str | None, label: str) -> bool | None:
    part = next(part for part in source.outline if part.label == label)
    return holds(source, look_up(source, cited), part.start, part.start + 5)


@pytest.mark.parametrize(
    "cited",
    [
        "4.1.3",
        "4.1.3.",
        "## 4.1.3 Audience Claim",
        " 4.1.3 ",
        "§4.1.3",
        "§ 4.1.3",
        "Section 4.1.3",
        "section\u00a04.1.3",
        "SECTION 4.1.3",
        "Sections 4.1.3",
        "Sec 4.1.3",
        "sec. 4.1.3 (Title)",
        "(Section 4.1.3)",
        "Section 4.1.3: Audience",
        "4.1.3 Audience Claim",
        "Section 4.1.3, second paragraph",
        "RFC 7519, Section 4.1.3",
        "RFC 7519 4.1.3",
        "RFC7519 §4.1.3",
        "[RFC7519], Section 4.1.3",
        "Section 4.1.3 of RFC 7519",
        "Abschnitt 4.1.3",
        "Ziffer 4.1.3",
        "Kapitel 4.1.3",
        "раздел 4.1.3",
        "Раздела 4.1.3",
        "п. 4.1.3",
        "第4.1.3节",
        "第 4.1.3 節",
        "4.1.3 节",
        "4.1",
        "4",
        "Audience Claim",
        "audience claim",
        "Sections 2.1 and 4.1.3",
        "4.1.3, 4.2",
        "4.1-4.2",
        "§§ 2.1, 4.1.3",
    ],
)
def test_every_way_of_writing_a_section_is_read(cited: str) -> None:
    assert says(RFC, cited, "4.1.3") is True


@pytest.mark.parametrize(
    "cited", ["A", "A.", "Appendix A", "appendix a", "App. A", "Annex A", "Anhang A", "приложение A", "附录 A", "附录A"]
)
def test_every_way_of_writing_an_appendix_is_read(cited: str) -> None:
    assert says(RFC, cited, "A") is True
    assert says(RFC, cited, "A.2") is True
    assert says(RFC, cited, "1") is False


@pytest.mark.parametrize(
    ("source", "cited", "label", "expected"),
    [
        (RFC, "4.1.3", "4.1", False),
        (RFC, "4.1.99", "4.1.3", False),
        (RFC, "2.10", "2.1", False),
        (RFC, "Appendix B", "A", False),
        (RFC, "Abschnitt 2.1", "4.1.3", False),
        (RFC, "第4.2节", "4.1.3", False),
        (RFC, "4.2", "4.2", True),
        (RFC, "4.2", "4.2 (2)", True),
        (RFC, "4.2 (2)", "4.2 (2)", True),
        (RFC, "4.2 (2)", "4.2", False),
        (RFC, "Abstract", "Abstract", True),
        (RFC, "Abstract", "1", False),
        (RFC, "the Introduction", "1", True),
        (RFC, "Security Considerations section", "3", True),
        (RFC, "Authors' Addresses", "Authors’ Addresses", True),
        (RFC, "Nonsense Words", "1", False),
        (RFC, "2.0", "2", True),
        (RFC, "II", "2", True),
        (RFC, "2.1 and 2.2", "3", False),
        (RFC, "Sections 2.1 to 3", "2.2", True),
        (RFC, None, "1", None),
        (RFC, "", "1", None),
        (RFC, "Chapter 2", "2.1", None),
        (RFC, "Figure 3", "2", None),
        (RFC, "p. 12", "2", None),
        (RFC, "第 3 章", "3", True),
        (RFC, "第三章", "3", True),
        (RFC, "第 3 章", "2.1", None),
        (GUIDE, "Install > Linux", "Install > Linux", True),
        (GUIDE, "Linux", "Install > Linux", True),
        (GUIDE, "## Linux", "Install > Linux", True),
        (GUIDE, '"Linux"', "Install > Linux", True),
        (GUIDE, "Linux section", "Install > Linux", True),
        (GUIDE, "Install/Linux", "Install > Linux", True),
        (GUIDE, "Install → Linux", "Install > Linux", True),
        (GUIDE, "Install", "Install > Linux", True),
        (GUIDE, "Install > Linux", "Install", False),
        (GUIDE, "Windows", "Use > Windows", True),
        (GUIDE, "Windows", "FAQ", False),
        (GUIDE, "Section 4.1", "Use > 4.1 Login", True),
        (GUIDE, "Missing", "FAQ", False),
        (ROMAN, "Section II", "II", True),
        (ROMAN, "2", "II", True),
        (ROMAN, "ii", "II", True),
        (ROMAN, "III", "II", False),
        (ROMAN, "IV", "II", False),
        (ZERO, "2", "2.0", True),
        (ZERO, "2", "2.1", True),
        (ZERO, "2.0", "2.0", True),
        (ZERO, "10", "10.0", True),
        (ZERO, "1", "10.0", False),
        (CHAPTERS, "Chapter 3", "3", True),
        (CHAPTERS, "Chapter 3", "2", False),
        (PAGES, "p. 2", "p. 2", True),
        (PAGES, "Page 2", "p. 2", True),
        (PAGES, "S. 2", "p. 2", True),
        (PAGES, "стр. 2", "p. 2", True),
        (PAGES, "第 2 页", "p. 2", True),
        (PAGES, "pp. 1–2", "p. 2", True),
        (PAGES, "p. 3", "p. 2", False),
        (PAGES, "p. 99", "p. 2", False),
        (PAGES, "Section 4.1", "p. 2", None),
        (PAGES, "Introduction", "p. 2", None),
        (HEADED_PAGES, "p. 3", "Rules", True),
        (HEADED_PAGES, "p. 1", "Rules", False),
    ],
)
def test_a_label_is_right_wrong_or_of_another_kind(
    source: Document, cited: str | None, label: str, expected: bool | None
) -> None:
    assert says(source, cited, label) is expected


@pytest.mark.parametrize("cited", ["9" * 5000, "p. " + "9" * 5000, "§" + "1." * 5000, "I" * 5000])
def test_a_number_of_any_length_is_only_unknown(cited: str) -> None:
    assert look_up(RFC, cited).parts == []


def test_articles_run_through_all_chapters_so_their_numbers_are_no_section_numbers():
    text = "第一章 总则\n\n第二条 门卫应当检查票证上的印章。\n\n第二章 检查\n\n第三条 门卫必须拒绝过期的票证。\n"
    start = text.index("第二章")
    outline = [Section("1", "总则", 0, start, True), Section("2", "检查", start, len(text), True)]
    made = Document("z.txt", text, outline)
    quote = text.index("门卫应当")
    assert holds(made, look_up(made, "第二条"), quote, quote + 4) is None
    assert holds(made, look_up(made, "第一章"), quote, quote + 4) is True
    assert look_up(made, "第二条").parts == []
