"""Small PDF and DOCX files made for tests, so that each test says what its document holds."""

import io
import zipfile

A4_HEIGHT = 842
Item = tuple[
    float, float, float, str | None
]  # left, distance from the top, type size, text; None: a picture of that size


def make_pdf(pages: list[list[Item]], outline: list[tuple[str, int, float]] = ()) -> bytes:
    """Return a PDF with these pages and an outline of (title, page, distance from the top)."""
    objects = {1: "<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>"}
    objects[3] = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    first = 5 + len(outline)
    kids = " ".join(f"{first + 2 * n} 0 R" for n in range(len(pages)))
    objects[2] = f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>"
    objects[4] = f"<< /Count {len(outline)} /First 5 0 R /Last {4 + len(outline)} 0 R >>" if outline else "<< >>"
    for n, (title, page, top) in enumerate(outline):
        links = (
            f"/Parent 4 0 R{f' /Prev {4 + n} 0 R' if n else ''}{f' /Next {6 + n} 0 R' if n + 1 < len(outline) else ''}"
        )
        where = f"[{first + 2 * page} 0 R /XYZ 0 {A4_HEIGHT - top} 0]"
        objects[5 + n] = f"<< /Title ({title}) {links} /Dest {where} >>"
    for n, page in enumerate(pages):
        drawn = "".join(map(draw, page))
        resources = "<< /Font << /F1 3 0 R >> >>"
        objects[first + 2 * n] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 {A4_HEIGHT}] /Resources {resources}"
            f" /Contents {first + 2 * n + 1} 0 R >>"
        )
        objects[first + 2 * n + 1] = f"<< /Length {len(drawn.encode('cp1252'))} >>\nstream\n{drawn}endstream"
    return written(objects)


def with_character(content: bytes, drawn: str, meant: str) -> bytes:
    """Return the PDF with a font that says which character a drawn one means."""
    says = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <ff>"
        f" endcodespacerange 1 beginbfchar <{ord(drawn):02x}> <{meant.encode('utf-16-be').hex()}>"
        " endbfchar endcmap end end"
    )
    added = f"900 0 obj\n<< /Length {len(says)} >>\nstream\n{says}\nendstream\nendobj\nxref\n"
    font = b"/Encoding /WinAnsiEncoding"
    return content.replace(font, font + b" /ToUnicode 900 0 R").replace(b"xref\n", added.encode(), 1)


def draw(item: Item) -> str:
    left, top, size, text = item
    if text is None:
        return f"q {size} 0 0 {size} {left} {A4_HEIGHT - top} cm BI /W 1 /H 1 /CS /G /BPC 8 ID x EI Q\n"
    escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /F1 {size} Tf {left} {A4_HEIGHT - top} Td ({escaped}) Tj ET\n"


def written(objects: dict[int, str]) -> bytes:
    """Return the file that holds these objects, with its table of their places."""
    content = b"%PDF-1.4\n"
    places = {}
    for number, body in sorted(objects.items()):
        places[number] = len(content)
        content += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    table = "".join(f"{places[number]:010} 00000 n \n" for number in sorted(places))
    count = len(objects) + 1
    tail = f"trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{len(content)}\n%%EOF\n"
    return content + f"xref\n0 {count}\n0000000000 65535 f \n{table}{tail}".encode()


def paragraph(left: float, top: float, text: str) -> list[Item]:
    """Return the lines of a text, one under the other."""
    return [(left, top + 12 * n, 10, line) for n, line in enumerate(text.strip().split("\n"))]


def make_docx(*blocks: str, **more: str) -> bytes:
    """Return a DOCX whose body is these blocks of WordprocessingML; `more` are further files, "/" written as "__"."""
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    main = "application/vnd.openxmlformats-officedocument.wordprocessingml"
    styles = "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{n}"><w:name w:val="heading {n}"/></w:style>' for n in (1, 2)
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/>'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/word/document.xml" ContentType="{main}.document.main+xml"/>'
        f'<Override PartName="/word/styles.xml" ContentType="{main}.styles+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/officeDocument" Target="word/document.xml"/></Relationships>',
        "word/_rels/document.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}/styles" Target="styles.xml"/></Relationships>',
        "word/styles.xml": f'<w:styles xmlns:w="{word}">{styles}</w:styles>',
        "word/document.xml": f'<w:document xmlns:w="{word}"><w:body>{"".join(blocks)}</w:body></w:document>',
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in (files | {key.replace("__", "/"): value for key, value in more.items()}).items():
            archive.writestr(name, text)
    return packed.getvalue()


def word_paragraph(text: str, style: str = "") -> str:
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f'<w:p>{styled}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'
