"""Files that once stopped the service for seconds or took its memory, and others of their kind."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable
from typing import Final

import docx

from tests.corpus import texts

_GIGABYTE: Final = 1 << 30


def word_file(table: str) -> bytes:
    """Build a Word document of a single table, given as the rows of its XML."""
    body = io.BytesIO()
    docx.Document().save(body)
    written = io.BytesIO()
    with zipfile.ZipFile(body) as plain, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as own:
        for part in plain.namelist():
            data = plain.read(part)
            if part == "word/document.xml":
                head, _, _ = data.partition(b"<w:sectPr")
                data = head + f"<w:tbl>{table}</w:tbl></w:body></w:document>".encode()
            own.writestr(part, data)
    return written.getvalue()


def cell(properties: str, text: str = "x") -> str:
    """Return a cell of a table of Word."""
    return f"<w:tc><w:tcPr>{properties}</w:tcPr><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>"


def nested_flate(layers: int = 2, size: int = _GIGABYTE) -> bytes:
    """Build a PDF whose page is *size* spaces, compressed again and again."""
    packer = zlib.compressobj(9)
    content = b"".join(packer.compress(b" " * (1 << 20)) for _ in range(size >> 20))
    content += packer.flush()
    for _ in range(layers - 1):
        content = zlib.compress(content, 9)
    filters = " ".join(["/FlateDecode"] * layers)
    return texts.pdf_of_stream(f"/Filter [{filters}]", content)


def merged(rows: int) -> bytes:
    """Build a Word document whose columns are one cell each, over *rows* rows."""
    first, more = cell('<w:vMerge w:val="restart"/>'), cell("<w:vMerge/>", "")
    return word_file(f"<w:tr>{first * 2}</w:tr>" + f"<w:tr>{more * 2}</w:tr>" * rows)


def spanned(columns: int) -> bytes:
    """Build a Word document with one cell over *columns* columns."""
    span = cell(f'<w:gridSpan w:val="{columns}"/>')
    return word_file(f"<w:tr>{span}</w:tr>")


def many_elements(count: int) -> bytes:
    """Build a small Word document of so many elements, each of which takes memory."""
    return word_file("<a/>" * count)


HOSTILE: Final[dict[str, Callable[[], bytes]]] = {
    "tags.md": lambda: b"{%" * 300_000,
    "elements.html": lambda: b"<b></x>" * 80_000,
    "merged.docx": lambda: merged(250),
    "spanned.docx": lambda: spanned(200_000_000),
    "nested.pdf": nested_flate,
    "lines.txt": lambda: b"a\n" * 500_000,
    "brackets.md": lambda: b"![" * 300_000,
    "quotes.md": lambda: b"> " * 300_000,
    "stars.md": lambda: b"*a_ " * 200_000,
    "ticks.md": lambda: b" ".join(b"`" * (n % 3000 + 1) for n in range(1_000)),
    "tables.html": lambda: b"<table><tr><td>" * 1_900 + b"x",
    "attributes.html": lambda: b"<p " + b"a=b " * 300_000 + b">x",
    "long.txt": lambda: b"a" * 5_000_000,
    "stops.txt": lambda: b"a. " * 1_000_000,
    "lists.json": lambda: b'{"a":[' + b"[]," * 5_000_000 + b"1]}",
    "headings.md": lambda: (
        b"".join(b"#" * level + b" " + b"h " * 50_000 + b"\n\n" for level in range(1, 7))
        + b"Some words and more of them.\n\n" * 50_000
    ),
}
"""What makes each file, by its name."""
