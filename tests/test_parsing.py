"""Choosing the reader, and the four functions that the notebook uses."""

import json
from pathlib import Path

import pytest
from made_documents import make_docx, make_pdf, paragraph, word_paragraph

from helpers.documents import Source
from helpers.errors import SourceError
from helpers.locating import trace
from helpers.parsing import load_source, outline, read_document, split_sections
from helpers.readers.formats import read_bytes

ROOT = Path(__file__).parents[1]
DATA = Path(__file__).parent / "data"


def test_the_shipped_source_is_read_as_published():
    source = load_source(ROOT / "rfc7519.txt")
    assert isinstance(source, Source)
    assert len(source) == 58_365
    assert len(split_sections(source)) == 45
    assert split_sections(source) == split_sections(str(source))
    assert outline(source) == source.document.outline


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("a.md", b"# Scope", "markdown"),
        ("a.MARKDOWN", b"# Scope", "markdown"),
        ("a.html", b"<p>x", "html"),
        ("a.xhtml", b"<p>x", "html"),
        ("a.txt", b"\n<!DOCTYPE html>\n<p>x", "html"),
        ("a.txt", b"<!-- saved -->\n<HTML lang=en><p>x", "html"),
        ("a.txt", b"The <html> tag comes first.", "text"),
        ("a.md", b"<!DOCTYPE html>", "markdown"),
        ("a.txt", b"1.  Scope\n\n   text\n\n2.  Rules\n\n   text\n", "rfc"),
        ("a.rst", b"Scope\n=====\n\ntext", "text"),
        ("a", b"text", "text"),
        ("a.txt", make_pdf([paragraph(70, 100, "text")]), "pdf"),
        ("a.bin", make_docx(word_paragraph("text")), "docx"),
        ("https://example.org/a.md?raw=1#top", b"# Scope", "markdown"),
        ("https://example.org/", b"<html><p>x", "html"),
    ],
)
def test_content_and_name_choose_the_reader(name, content, format):
    assert read_bytes(name, content).format == format


@pytest.mark.parametrize(
    ("kind", "format"),
    [("text/html", "html"), ("text/markdown", "markdown"), ("text/plain", "markdown"), (None, "markdown")],
)
def test_what_the_server_says_comes_first(kind, format):
    assert read_bytes("https://example.org/a.md", b"# Scope", kind=kind).format == format


def test_a_page_declares_its_charset_and_the_server_has_the_last_word():
    page = '<meta charset="windows-1251"><p>ЖЖЖ'.encode("cp1251")
    assert read_bytes("a.html", page).text == "ЖЖЖ\n"
    assert read_bytes("a.html", page.replace(b"1251", b"1252"), charset="windows-1251").text == "ЖЖЖ\n"


def test_every_part_but_the_contents_is_a_section_where_nothing_is_numbered(tmp_path):
    page = tmp_path / "gates.html"
    page.write_text("<nav><a href=#s>Scope</a></nav>intro<h1>Scope</h1>text", encoding="utf-8")
    source = load_source(page)
    assert dict(split_sections(source)) == {"Front matter": "intro", "Scope": "Scope\n\ntext"}
    assert [part.label for part in outline(source)] == ["Front matter", "Scope", "Contents"]


def test_a_plain_string_is_read_as_text():
    assert dict(split_sections("1.  Scope\n\n   A gate.\n\n2.  Rules\n\n   None.\n")) == {
        "1": "1.  Scope\n\n   A gate.",
        "2": "2.  Rules\n\n   None.",
    }


def test_a_document_knows_the_bytes_it_came_from(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"text\r\n")
    document = read_document(tmp_path / "a.txt")
    assert document.sha256 == "7830b26b0ee6f35d118457f44e61961a44d8893ff51b02f8fcf08e188af77b0e"
    assert document.name == "a.txt"


@pytest.mark.parametrize(
    ("prepare", "says"),
    [
        (Path.exists, "does not exist; check the name"),
        (Path.mkdir, "is a folder; name a document in it"),
        (lambda path: path.symlink_to("nowhere"), "is a link to a file that does not exist"),
        (lambda path: path.write_bytes(b""), "the file is empty"),
    ],
    ids=["absent", "folder", "dangling link", "empty"],
)
def test_a_path_that_cannot_be_read_is_told_in_one_line(tmp_path, prepare, says):
    path = tmp_path / "gates.txt"
    prepare(path)
    with pytest.raises(SourceError) as told:
        load_source(path)
    assert str(told.value).startswith(f"{path}: ")
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_a_name_that_no_file_can_have_is_told():
    with pytest.raises(SourceError, match="cannot be read"):
        load_source("a\0b")


def test_html_beyond_the_limit_is_refused(monkeypatch):
    monkeypatch.setattr("helpers.readers.formats.HTML_LIMIT", 10)
    with pytest.raises(SourceError, match=r"^a\.html: is over 0 MB of HTML; "):
        read_bytes("a.html", b"<p>twelve bytes")


def test_the_handbook_holds_what_its_citations_are_meant_to_show():
    sections = split_sections(load_source(DATA / "handbook.md"))
    citations = json.loads((DATA / "handbook.citations.json").read_text(encoding="utf-8"))
    traces = {citation["id"]: trace(sections, citation) for citation in citations}
    book = "The Gatekeeper's Handbook > "
    assert {name: (t.status, t.found_in, t.section_ok) for name, t in traces.items()} == {
        "seal_first": ("found", f"{book}Checking tickets", True),
        "watch_limit": ("altered", f"{book}Clocks", True),
        "gate_book": ("found", f"{book}When something goes wrong", False),
        "night_pass": ("missing", None, None),
    }
