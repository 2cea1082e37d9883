"""Small files of every kind, and the words for what is checked in them."""

from __future__ import annotations

import io

import docx

from service.blocks import BlockKind
from service.corpus.parsing.parsed_documents import ParsedDocument

STORE = "projects/p/locations/global/collections/default_collection/dataStores/help"
OTHER = "projects/p/locations/global/collections/default_collection/dataStores/other"


def blocks(document: ParsedDocument) -> list[tuple[BlockKind, str]]:
    """Return what each block is and says."""
    return [(block.kind, document.body[block.start : block.end]) for block in document.blocks]


def structure(document: ParsedDocument) -> list[tuple[str, int, int, str]]:
    """Return the kind, level and whole of each block, and what it says."""
    return [
        (one.kind.value, one.level, one.whole, document.body[one.start : one.end])
        for one in document.blocks
    ]


def word_file() -> bytes:
    """Build a Word document with a title, headings, a list and a table."""
    document = docx.Document()
    document.add_heading("Parking permits", 0)
    document.add_paragraph("Everyone who lives here may have one.")
    document.add_heading("Fees", 1)
    document.add_paragraph("Pay once a year.", style="List Bullet")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        [cell for row in table.rows for cell in row.cells],
        ["Zone", "Fee", "North", "30 €"],
        strict=True,
    ):
        cell.text = text
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def pdf_file(*pages: list[tuple[int, str]]) -> bytes:
    """Build a PDF: each page is lines of (size of type, text), from the top."""
    return pdf_of_contents([_page_content(lines) for lines in pages])


def pdf_of_pieces(*pages: list[tuple[float, float, int, str]]) -> bytes:
    """Build a PDF: each page is pieces of (x, y, size of type, text), in the order of drawing."""
    return pdf_of_contents(
        [
            "\n".join(
                f"BT /F1 {size} Tf 1 0 0 1 {x} {y} Tm ({text}) Tj ET" for x, y, size, text in pieces
            ).encode("latin-1")
            for pieces in pages
        ]
    )


def pdf_of_contents(contents: list[bytes], *, font: str = "/Subtype /Type1") -> bytes:
    """Build a PDF of pages with these contents: F1 is a font described by *font*, F2 is Courier."""
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
        f"<< /Type /Font {font} /BaseFont /Helvetica >>".encode(),
    ]
    for at, content in enumerate(contents):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {5 + 2 * at} 0 R "
            f"/Resources << /Font << /F1 3 0 R /F2 << {_COURIER} >> >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    return _assembled(objects)


_COURIER = "/Type /Font /Subtype /Type1 /BaseFont /Courier"


def pdf_with_images(images: list[tuple[str, bytes]], *contents: str) -> bytes:
    """Build a PDF of pages with these contents, which may draw ``/Im0`` and so on.

    An image is what its dictionary says beside its length, and its bytes.
    """
    first = 4 + 2 * len(contents)
    kids = " ".join(f"{4 + 2 * at} 0 R" for at in range(len(contents)))
    named = " ".join(f"/Im{at} {first + at} 0 R" for at in range(len(images)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(contents)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for at, content in enumerate(contents):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {5 + 2 * at} 0 R "
            f"/Resources << /Font << /F1 3 0 R >> /XObject << {named} >> >> >>".encode()
        )
        data = content.encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data))
    for described, data in images:
        head = f"<< /Type /XObject /Subtype /Image {described} /Length {len(data)} >>"
        objects.append(b"%s\nstream\n%s\nendstream" % (head.encode(), data))
    return _assembled(objects)


def pdf_of_stream(described: str, content: bytes) -> bytes:
    """Build a PDF with one page, whose content is a stream *described* so."""
    return _assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>",
            b"<< /Length %d %s >>\nstream\n%s\nendstream"
            % (len(content), described.encode(), content),
        ]
    )


def _page_content(lines: list[tuple[int, str]]) -> bytes:
    shown = [
        f"BT /F1 {size} Tf 1 0 0 1 50 {750 - 20 * at} Tm ({text}) Tj ET"
        for at, (size, text) in enumerate(lines)
    ]
    return "\n".join(shown).encode("latin-1")


def _assembled(objects: list[bytes]) -> bytes:
    written = io.BytesIO()
    written.write(b"%PDF-1.4\n")
    offsets: list[int] = []
    for number, content in enumerate(objects, start=1):
        offsets.append(written.tell())
        written.write(b"%d 0 obj\n%s\nendobj\n" % (number, content))
    start = written.tell()
    written.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    for offset in offsets:
        written.write(b"%010d 00000 n \n" % offset)
    size = len(objects) + 1
    written.write(b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (size, start))
    return written.getvalue()
