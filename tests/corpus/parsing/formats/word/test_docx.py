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
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.parser import parse_xml
from docx.shared import Pt
from docx.table import Table

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from service.corpus.parsing.parsed_documents import BodyLimits, ParsedDocument, Unreadable
from tests.corpus import hostile
from tests.corpus.texts import blocks, structure, word_file


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


def test_lines_of_code_are_one_block() -> None:
    document = docx.Document()
    document.add_paragraph("Run this:")
    for line in ("make all", "", "  make install"):
        document.add_paragraph().add_run(line or " ").font.name = "Courier New"
    document.add_paragraph("Then wait.")
    assert blocks(saved(document)) == [
        (BlockKind.LEAD, "Run this:"),
        (BlockKind.CODE, "make all\n \n  make install"),
        (BlockKind.TEXT, "Then wait."),
    ]


def test_what_stands_in_a_frame_is_read_as_outside_of_it() -> None:
    """A table with one cell in each row only draws lines round its content."""
    document = docx.Document()
    cell = document.add_table(rows=1, cols=1).rows[0].cells[0]
    cell.paragraphs[0].text = "Before you start:"
    cell.add_paragraph("Bring a card.", style="List Number")
    cell.add_paragraph("Come early.", style="List Number")
    inner = cell.add_table(rows=2, cols=2)
    fill(inner, "Zone", "Fee", "North", "30 €")
    assert blocks(saved(document)) == [
        (BlockKind.LEAD, "Before you start:"),
        (BlockKind.ITEM, "1. Bring a card."),
        (BlockKind.ITEM, "2. Come early."),
        (BlockKind.ROW, "Zone: North | Fee: 30 €"),
    ]


def test_a_table_in_a_cell_is_told_with_the_cell() -> None:
    document = docx.Document()
    table = document.add_table(rows=2, cols=2)
    fill(table, "Zone", "Fees", "North", "By car:")
    fill(table.rows[1].cells[1].add_table(rows=1, cols=2), "a day", "3 €")
    assert saved(document).body == "Zone: North | Fees: By car: a day 3 €"


@pytest.mark.parametrize(
    ("first", "bold", "expected"),
    [
        (("Zone", "Fee"), (), "Zone: Phone | Fee: 555 0100"),
        (("Opening hours", "9 to 5"), (), "Opening hours | 9 to 5\nPhone | 555 0100"),
        (("Contact:", "Ann Lee"), (), "Contact: | Ann Lee\nPhone | 555 0100"),
        (("Contact", "Ann Lee"), (0,), "Contact | Ann Lee\nPhone | 555 0100"),
        (("Year", "2026"), (0, 1), "Year: Phone | 2026: 555 0100"),
        (("", "Fee"), (), "Phone | Fee: 555 0100"),
    ],
)
def test_the_first_row_names_the_columns_unless_it_is_like_the_others(
    first: tuple[str, str], bold: tuple[int, ...], expected: str
) -> None:
    document = docx.Document()
    table = document.add_table(rows=2, cols=2)
    fill(table, *first, "Phone", "555 0100")
    for at in bold:
        table.rows[0].cells[at].paragraphs[0].runs[0].bold = True
    assert saved(document).body == expected


def test_a_row_that_word_repeats_on_each_page_names_the_columns() -> None:
    document = docx.Document()
    table = document.add_table(rows=2, cols=2)
    fill(table, "Year:", "2026", "Phone", "555 0100")
    first: Any = table.rows[0]
    names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    first._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {names}/>"))
    assert saved(document).body == "Year: Phone | 2026: 555 0100"


def fill(table: Table, *texts: str) -> None:
    """Write *texts* into the cells, row by row."""
    cells = [cell for row in table.rows for cell in row.cells]
    for cell, text in zip(cells, texts, strict=True):
        cell.text = text


def test_what_belongs_to_an_item_stays_with_it() -> None:
    document = docx.Document()
    document.add_paragraph("Pay once a year.", style="List Bullet")
    document.add_paragraph("Cash is not taken.", style="List Continue")
    document.add_paragraph("Come early.", style="List Bullet")
    aside = document.add_paragraph("The desk opens at nine.")
    aside.paragraph_format.left_indent = Pt(18)
    document.add_paragraph("Dogs stay outside.")
    found = [(one.kind, one.level) for one in saved(document).blocks]
    assert found == [
        (BlockKind.ITEM, 0),
        (BlockKind.TEXT, 1),
        (BlockKind.ITEM, 0),
        (BlockKind.TEXT, 1),
        (BlockKind.TEXT, 0),
    ]


def test_a_list_of_contents_is_no_text() -> None:
    document = docx.Document()
    styles: Any = document.styles
    styles.add_style("toc 1", WD_STYLE_TYPE.PARAGRAPH)
    document.add_paragraph("Fees\t3", style="toc 1")
    document.add_heading("Fees", 1)
    assert saved(document).body == "Fees"


def test_terms_are_told_with_their_definitions() -> None:
    document = docx.Document()
    styles: Any = document.styles
    for name in ("Definition Term", "Definition"):
        styles.add_style(name, WD_STYLE_TYPE.PARAGRAPH)
    document.add_paragraph("Zone", style="Definition Term")
    document.add_paragraph("Some streets.", style="Definition")
    document.add_paragraph("Fee", style="Definition Term")
    document.add_paragraph("What a permit costs.", style="Definition")
    document.add_paragraph("Come early.")
    document.add_paragraph("It is full at noon.", style="Definition")
    assert structure(saved(document)) == [
        ("term", 0, 1, "Zone"),
        ("definition", 0, 1, "Some streets."),
        ("term", 0, 2, "Fee"),
        ("definition", 0, 2, "What a permit costs."),
        ("text", 0, 3, "Come early."),
        ("text", 0, 4, "It is full at noon."),
    ]


def test_what_stands_between_steps_belongs_to_the_one_before() -> None:
    document = docx.Document()
    document.add_paragraph("Pay.", style="List Number")
    document.add_paragraph("Cash is not taken.", style="List Continue")
    document.add_paragraph("Park.", style="List Number")
    found = structure(saved(document))
    assert [(level, whole) for _, level, whole, _ in found] == [(0, 1), (1, 1), (0, 1)]
