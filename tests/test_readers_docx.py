"""DOCX: headings, tables, footnotes, and archives that are none."""

import io
import zipfile

import pytest
from made_documents import make_docx, word_paragraph

from helpers.errors import SourceError
from helpers.readers.docx import read_docx


def test_heading_styles_give_labels():
    content = make_docx(
        word_paragraph("Scope", "Heading1"),
        word_paragraph("A gate must refuse a stale token."),
        word_paragraph("Linux", "Heading2"),
        word_paragraph("Porters read &amp; sign."),
    )
    document = read_docx("gates.docx", content)
    assert document.format == "docx"
    assert dict(document.sections) == {
        "Scope": "Scope\n\nA gate must refuse a stale token.",
        "Scope > Linux": "Linux\n\nPorters read & sign.",
    }


def test_a_word_in_several_runs_stays_one_word_and_table_cells_do_not_join():
    runs = "<w:p><w:r><w:t>sta</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>le</w:t></w:r></w:p>"
    cells = "".join(f"<w:tc>{word_paragraph(text)}</w:tc>" for text in ("gate", "porter"))
    document = read_docx("gates.docx", make_docx(runs, f"<w:tbl><w:tr>{cells}</w:tr></w:tbl>"))
    assert document.text == "stale\n\ngate\tporter\n"


def archive(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as out:
        for name, data in files.items():
            out.writestr(name.replace("__", "/"), data)
    return packed.getvalue()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (archive(mimetype=b"application/vnd.oasis.opendocument.text"), "is an OpenDocument or EPUB file"),
        (archive(readme=b"x"), "is a ZIP archive, not a DOCX file"),
        (make_docx(word_paragraph("x"))[:700], "is a broken DOCX or ZIP file; save it anew"),
        (archive(word__document_xml=b""), "is a ZIP archive, not a DOCX file"),
        (make_docx("<w:p>"), "is a broken DOCX file"),
        (make_docx(word_paragraph("")), "shows no text"),
    ],
    ids=["odt", "zip", "cut off", "other name", "broken xml", "empty"],
)
def test_what_cannot_be_read_is_told_in_one_line(content, says):
    with pytest.raises(SourceError) as told:
        read_docx("gates.docx", content)
    assert str(told.value).startswith("gates.docx: ")
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_an_archive_that_unpacks_to_gigabytes_is_refused(monkeypatch):
    monkeypatch.setattr("helpers.readers.docx.UNPACKED_LIMIT", 1000)
    with pytest.raises(SourceError, match="unpacks to over"):
        read_docx("gates.docx", make_docx(word_paragraph("x" * 2000)))
