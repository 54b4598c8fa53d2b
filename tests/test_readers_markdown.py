"""Markdown: what a viewer shows, labels from headings, lines of the file."""

import pytest

from helpers.readers.markdown import read_markdown


def shown(text: str) -> str:
    return read_markdown("gates.md", text).text.removesuffix("\n")


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("A gate **MUST** refuse a *stale* ~~old~~ token.", "A gate MUST refuse a stale old token."),
        ("The `until` field, ``a ` b`` too.", "The until field, a ` b too."),
        ("> The seal is checked\n> before the number.", "The seal is checked\nbefore the number."),
        (
            'Read [the rules](https://example.org/r "Rules") and <https://example.org>.',
            "Read the rules and https://example.org.",
        ),
        ("Read [the rules][r].\n\n[r]: https://example.org", "Read the rules."),
        ("A gate[^1] opens.\n\n[^1]: Rarely", "A gate[^1] opens.\n\n[^1]: Rarely"),
        ("![a gate](gate.png) opens", "a gate opens"),
        ("grade 2* and grade 3*; serial_number_v2; 3 * 4 * 5", "grade 2* and grade 3*; serial_number_v2; 3 * 4 * 5"),
        ("see __init__ and __name__ but __never__ this", "see __init__ and __name__ but never this"),
        (r"\*not emphasis\* and 1\. no list", "*not emphasis* and 1. no list"),
        ("4 mm &lt; 5 mm &amp; &copy;", "4 mm < 5 mm & ©"),
        ("press <kbd>Ctrl</kbd>, <!-- not shown -->clone <url>", "press Ctrl, clone <url>"),
        ("one<br>two", "one two"),
        ("hard  \nbreak\\\nhere", "hard\nbreak\nhere"),
        ("- one\n- two\n  1. three\n  2) four", "- one\n- two\n1. three\n\n2) four"),
        ("| a | b |\n|---|---|\n| c **d** | e |", "a\tb\nc d\te"),
        ("```python\n# no heading\n  x = 1\n```", "# no heading\n  x = 1"),
        ("    # no heading either\n", "# no heading either"),
        ("a\n\n---\n\nb", "a\n\nb"),
        ("<div>\n<p>From <b>HTML</b></p>\n</div>", "From HTML"),
        ("<style>p {}</style>\n\ntext", "text"),
    ],
)
def test_text_is_what_a_viewer_shows(markdown, text):
    assert shown(markdown) == text


@pytest.mark.parametrize(
    ("markdown", "labels"),
    [
        ("# Install\n\nx\n\n## Linux\n\ny\n\n## macOS\n", ["Install", "Install > Linux", "Install > macOS"]),
        ("Scope\n=====\n\nx\n\nRules\n-----\n\ny", ["Scope", "Scope > Rules"]),
        ("intro\n\n# Scope\n", ["Front matter", "Scope"]),
        ("# Scope {#scope .wide}\n\n## Rules {: #rules }\n\n## Set {x}", ["Scope", "Scope > Rules", "Scope > Set {x}"]),
        ("# 2 Tokens\n\n## 2.1 Setup\n\n## 2.2 Rest", ["2", "2.1", "2.2"]),
        ("# 1. Scope\n\n# Appendix A. Forms\n\n# 2. Rules\n", ["1", "A", "2"]),
        (
            "# Steps\n## 1. Open\n## 2. Close\n# Again\n## 1. Open",
            ["Steps", "Steps > 1. Open", "Steps > 2. Close", "Again", "Again > 1. Open"],
        ),
        ("# 3 ways to fail\n\nx", ["3 ways to fail"]),
        (
            "# Changes\n## 2.1.0\n## 2.0.0\n## 1.9.0",
            ["Changes", "Changes > 2.1.0", "Changes > 2.0.0", "Changes > 1.9.0"],
        ),
        ("# Notes\n\na\n\n# Notes\n\nb\n\n# Notes", ["Notes", "Notes (2)", "Notes (3)"]),
        ("# The `until` *field* &amp; more #\n", ["The until field & more"]),
        ("<h2 align=center>Centred</h2>\n\ntext", ["Centred"]),
        ("```\n# Not a heading\n```\n\n# Scope", ["Front matter", "Scope"]),
        ("just text", ["Front matter"]),
    ],
)
def test_labels_are_heading_paths_or_numbers(markdown, labels):
    document = read_markdown("gates.md", markdown)
    assert [part.label for part in document.outline] == labels
    assert [part.start for part in document.outline[1:]] == [part.end for part in document.outline[:-1]]
    assert (document.outline[0].start, document.outline[-1].end) == (0, len(document.text))


def test_a_table_of_contents_is_marked_and_a_section_called_contents_is_not():
    toc = "# Gates\n\n## Contents\n\n- [Scope](#s)\n- [Rules of the gate](#r)\n  - [More](#m)\n\n"
    rest = "## Scope\n\nx\n\n## Rules of the gate\n\n### More\n\ny\n\n# Contents\n\nA parcel holds what its lid says.\n"
    parts = read_markdown("gates.md", toc + rest).outline
    assert [part.label for part in parts if part.contents] == ["Gates > Contents"]


def test_yaml_front_matter_is_kept_and_is_no_heading():
    document = read_markdown("gates.md", "---\ntitle: Gates\nlang: en\n---\n\n# Scope\n\ntext\n")
    assert dict(document.sections) == {"Front matter": "title: Gates\nlang: en", "Scope": "Scope\n\ntext"}
    assert document.line_at(document.text.index("lang")) == 3
    assert document.line_at(document.text.index("text")) == 8


def test_a_rule_at_the_start_is_no_front_matter():
    assert shown("---\n\ntext\n\n---\n") == "text"


def test_lines_are_those_of_the_file():
    text = "# Scope\n\n> quoted\n> more\n\n- item one\n- item two\n\n| a | b |\n|---|---|\n| c | d |\n\n"
    text += "```\ncode\n```\n\n<p>\nhtml\n</p>\n\nlast *word*"
    lines = text.split("\n")
    document = read_markdown("gates.md", text)
    for word in ("quoted", "more", "item one", "item two", "c\t", "code", "html", "last word"):
        assert word.strip().split()[0] in lines[document.line_at(document.text.index(word)) - 1], word


def test_lists_nested_a_thousand_deep_are_read():
    assert "x" in shown("".join("  " * depth + "- x\n" for depth in range(1000)))
