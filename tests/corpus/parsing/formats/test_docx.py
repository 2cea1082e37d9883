"""Word documents are read, and damaged or hostile ones refused."""

from __future__ import annotations

import contextlib
import io
import time
import zipfile
from typing import Any

import docx
import pytest
from docx.document import Document
from docx.oxml.parser import parse_xml

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from service.corpus.parsing.parsed_documents import BodyLimits, ParsedDocument, Unreadable
from tests.corpus import hostile
from tests.corpus.texts import blocks, word_file


def test_a_table_of_word_is_not_larger_than_it_is() -> None:
    """What it claims of columns is not believed, and a cell of many rows is not looked for."""
    started = time.process_time()
    wide = parsing.parse(hostile.spanned(200_000_000), filename="w.docx")
    tall = parsing.parse(hostile.merged(2_000), filename="t.docx")
    assert time.process_time() - started < 3
    assert wide.body == "x"
    assert [text for _, text in blocks(tall)] == ["x: x | x: x"] * 2_000


def test_a_word_document_keeps_headings_lists_and_tables() -> None:
    parsed = parsing.parse(word_file(), filename="permits.docx")
    assert parsed.title == "Parking permits"
    assert blocks(parsed) == [
        (BlockKind.HEADING, "Parking permits"),
        (BlockKind.TEXT, "Everyone who lives here may have one."),
        (BlockKind.HEADING, "Fees"),
        (BlockKind.ITEM, "- Pay once a year."),
        (BlockKind.ROW, "Zone: North | Fee: 30 €"),
    ]


def test_lines_in_bold_and_typed_marks_are_what_they_look_like() -> None:
    document = docx.Document()
    document.add_paragraph().add_run("What it costs").bold = True
    document.add_paragraph("It is cheap.")
    document.add_paragraph("(1) Pay.")
    document.add_paragraph("\u2022  Park.")
    assert blocks(saved(document)) == [
        (BlockKind.HEADING, "What it costs"),
        (BlockKind.LEAD, "It is cheap."),
        (BlockKind.ITEM, "(1) Pay."),
        (BlockKind.ITEM, "\u2022 Park."),
    ]


def test_what_a_text_box_says_is_read_once() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Beside it:")
    box = "<w:txbxContent><w:p><w:r><w:t>Bring a card.</w:t></w:r></w:p></w:txbxContent>"
    names = (
        'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" '
        'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    )
    run: Any = paragraph.add_run()
    run._r.append(
        parse_xml(
            f"<mc:AlternateContent {names}><mc:Choice Requires='wps'>{box}</mc:Choice>"
            f"<mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
        )
    )
    assert saved(document).body.count("Bring a card.") == 1


def saved(document: Document) -> ParsedDocument:
    """Read *document* back."""
    written = io.BytesIO()
    document.save(written)
    return parsing.parse(written.getvalue(), filename="a.docx")


def test_an_archive_that_expands_without_measure_is_not_expanded() -> None:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/document.xml", b" " * 3_000_000)
    with pytest.raises(Unreadable, match="expand"):
        parsing.parse(
            written.getvalue(), filename="a.docx", limits=BodyLimits(expanded_bytes=2_000_000)
        )


def test_a_damaged_word_file_is_refused_wherever_the_damage_is() -> None:
    """Its readers raise what they like, of zlib and zipfile; an import must go on after it."""
    whole = word_file()
    for at in range(30, len(whole), 101):
        damaged = whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :]
        with contextlib.suppress(Unreadable):
            parsing.parse(damaged, filename="f.docx")


def test_pages_are_those_that_word_has_noted() -> None:
    document = docx.Document()
    document.add_heading("Loans", 1)
    note_page_end(document.add_paragraph("A book is lent for").add_run())
    document.paragraphs[-1].add_run(" four weeks.")
    table = document.add_table(rows=2, cols=2)
    for cell, text in zip(
        [*table.rows[0].cells, *table.rows[1].cells],
        ["What", "How long", "Films", "one week"],
        strict=True,
    ):
        cell.text = text
    note_page_end(document.add_paragraph().add_run())
    document.paragraphs[-1].add_run("Ask at the desk.")
    found = saved(document)
    pages = {found.body[block.start : block.end]: block.page for block in found.blocks}
    assert pages == {
        "Loans": 1,
        "A book is lent for four weeks.": 1,
        "What: Films | How long: one week": 2,
        "Ask at the desk.": 3,
    }
    assert [(found.body[at:][:10], page) for at, page in found.turns] == [("four weeks", 2)]


def note_page_end(run: Any) -> None:
    """Note, as Word does, that a page ended behind *run* when it was last laid out."""
    names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    run._r.append(parse_xml(f"<w:lastRenderedPageBreak {names}/>"))


def test_breaks_alone_do_not_tell_the_page() -> None:
    """What flows over between two of them is not counted."""
    document = docx.Document()
    document.add_paragraph("A book is lent for four weeks.")
    document.add_page_break()
    document.add_paragraph("Ask at the desk.")
    assert {block.page for block in saved(document).blocks} == {0}
