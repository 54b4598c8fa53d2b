"""HTML: what a browser shows, in reading order; labels from headings; broken pages."""

import pytest

from helpers.errors import SourceError
from helpers.locating import trace
from helpers.readers.html import declared_charset, read_html
from helpers.readers.tags import tokens


def shown(markup: str) -> str:
    return read_html("gates.html", markup).text.removesuffix("\n")


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        (
            "<p>The &quot;gate&quot; &amp; &lt;4&nbsp;mm&gt; &#8220;x&#8221; &unknown;",
            'The "gate" & <4\xa0mm> “x” &unknown;',
        ),
        ("<p>a&amp;lt;b", "a&lt;b"),
        ("<p>sta<b>le</b> <i>to</i>ken", "stale token"),
        ("<p>one\n   two\t three", "one two three"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<p>one<p>two", "one\n\ntwo"),
        ("<div>one</div><div>two</div>", "one\ntwo"),
        ("one<br>two<br/><br>three", "one\ntwo\n\nthree"),
        ("<ul><li>one<li>two</ul>", "one\ntwo"),
        ("<table><tr><th>a<th>b<tr><td><p>c</p><td>d</table>", "a\tb\nc\td"),
        ("<dl><dt>gate<dd>opens</dl>", "gate\nopens"),
        ("<pre>  x = 1\n    y</pre>", "  x = 1\n    y"),
        ("a<script>if (x < 1) { y = '<p>no</p>' }</script>b<style>p{}</style>c", "abc"),
        ("a<template><p>no</template>b<noscript>no</noscript>c", "abc"),
        ("a<!-- no -->b<!DOCTYPE x>c<?php no ?>d", "abcd"),
        ("<head><title>no</title></head><p>yes", "yes"),
        ("<p hidden>no<p>yes", "yes"),
        ("<div style='display: none'>no<div>no</div></div>yes", "yes"),
        ("<p style='color:red'>yes", "yes"),
        ("10<sup>2</sup> and 1<sup>st</sup>, H<sub>2</sub>O", "10² and 1st, H2O"),
        ("tokens<sup><a href='#n1'>1</a></sup> and<sup><a href='#n2'>[2]</a></sup>", "tokens⁽¹⁾ and⁽²⁾"),
        ("tokens<sup><a href='#n'><i>[</i>12<i>]</i></a></sup> too", "tokens⁽¹²⁾ too"),
        ("tokens<sup><a href='#n'>[note 1]</a></sup>, <a href='#n'>10<sup>2</sup></a>", "tokens[note 1], 10²"),
        ("<q>cited</q>", "“cited”"),
        ("a < b and 5 <6", "a < b and 5 <6"),
        ("<p>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp>", "漢字"),
        ("<p title='a > b'>yes", "yes"),
        ("<P CLASS=x>yes</P>", "yes"),
        ("<textarea>a <b>c</textarea>", "a <b>c"),
    ],
)
def test_text_is_what_a_browser_shows(markup, text):
    assert shown(markup) == text


def test_headings_give_labels_as_in_markdown():
    page = "<h1>Scope<a href=#s>¶</a></h1>x<h2><span>1.2</span> Tokens</h2>y<h2>1.3&nbsp;Rest</h2>z<h3>More</h3>w"
    parts = read_html("gates.html", page).outline
    assert [(part.label, part.title) for part in parts] == [
        ("Scope", "Scope"),
        ("1.2", "Tokens"),
        ("1.3", "Rest"),
        ("Scope > Rest > More", "More"),
    ]


def test_navigation_is_contents_and_is_not_searched():
    page = "<nav><h2>On this page</h2><a href=#a>Scope</a> <a href=#b>Rules</a></nav><h1>Scope</h1>text"
    document = read_html("gates.html", page)
    assert [(part.label, part.contents) for part in document.outline] == [("Scope", False), ("Contents", True)]
    assert document.outline[-1].end == len(document.text)


def test_labels_differ_even_where_headings_look_like_numbered_repeats():
    page = "<h1>A</h1>x<h1>A (2)</h1>y<h1>A</h1>z<h1>Contents</h1>w<nav><a href=#a>A</a></nav>"
    assert list(read_html("gates.html", page).sections) == ["A", "A (2)", "A (3)", "Contents", "Contents (2)"]


def test_a_chapter_that_is_called_contents_is_text():
    page = "<h1>Parcels</h1><div class=contents><p>The contents of a parcel are <a href=#x>listed</a> on its lid.</div>"
    document = read_html("gates.html", page)
    assert not any(part.contents for part in document.outline)
    assert "listed on its lid" in document.text


ANCHORED = """<nav><a id="menu" href="#late">Late</a></nav>
<h1>Gates</h1><p>All of them.</p><section id="early"><h2>Early</h2><p id="early.rule">Open at six.</p></section>
<a name="late"></a><h2>Late</h2><p>Shut at nine.</p><h3 id="übung">Drill</h3><p>Twice.</p>"""


def test_an_id_names_what_it_stands_on_or_before():
    page = read_html("gates.html", ANCHORED)
    assert {name: page.text[offset:].split("\n")[0] for name, offset in page.anchors.items()} == {
        "early": "Early",
        "early.rule": "Open at six.",
        "late": "Late",
        "übung": "Drill",
    }


@pytest.mark.parametrize(
    ("cited", "quote", "right"),
    [
        ("#early", "Open at six.", True),
        ("#early.rule", "Open at six.", True),
        ("#late", "Open at six.", False),
        ("https://gates.test/a/gates.html#late", "Shut at nine.", True),
        ("gates.html#late", "Twice.", True),
        ("#%C3%BCbung", "Twice.", True),
        ("#nowhere", "Twice.", False),
        ("# Late", "Shut at nine.", True),
    ],
)
def test_a_section_may_be_cited_by_the_id_of_its_place(cited, quote, right):
    assert trace(read_html("gates.html", ANCHORED), {"quote": quote, "section": cited}).section_ok is right


def test_a_cited_id_without_a_quote_is_its_section():
    found = trace(read_html("gates.html", ANCHORED), {"quote": None, "section": "#early.rule"})
    assert (found.status, found.found_in) == ("section-only", "Gates > Early")


def test_lines_are_those_of_the_file():
    page = "<!DOCTYPE html>\n<!-- two\nlines -->\n<p\n  class=x>first\nsecond</p>\n"
    page += "<script>\n\n</script>\n<pre>\nthird\n</pre>fourth"
    document = read_html("gates.html", page)
    at = {word: document.line_at(document.text.index(word)) for word in ("first", "second", "third", "fourth")}
    assert at == {"first": 5, "second": 6, "third": 11, "fourth": 12}


@pytest.mark.parametrize(
    "markup",
    [
        "<a ",
        "</a ",
        "<!--",
        "<a href='",
        "<",
        "<p>",
        "<div>",
        "<b><i>",
        "<nav>",
        "<title>",
        "<![CDATA[",
        "<a a = ",
        "&#",
    ],
)
def test_a_page_of_unfinished_tags_is_read_in_linear_time(markup):
    """The standard library's parser needs minutes for some of these; a test run would not end."""
    assert len(list(tokens("x" + markup * 10_000, 1))) <= 20_001
    assert "x" in shown("<p>x" + markup * 10_000)


@pytest.mark.parametrize("markup", ["<title>only</title>", "<script>x()</script>", "<p hidden>x</p>"])
def test_a_page_without_text_is_told(markup):
    with pytest.raises(SourceError, match=r"^gates\.html: shows no text; "):
        read_html("gates.html", markup)


@pytest.mark.parametrize(
    ("start", "charset"),
    [
        (b'<meta charset="koi8-r">', "koi8-r"),
        (b"<META http-equiv=Content-Type content='text/html; charset=windows-1251'>", "windows-1251"),
        (b'<?xml version="1.0" encoding="gb2312"?>', "gb2312"),
        (b"<p>charset=utf-8", None),
    ],
)
def test_the_charset_is_read_from_the_head(start, charset):
    assert declared_charset(start) == charset
