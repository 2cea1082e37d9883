"""The pictures of a Word document stand beside their paragraphs, with their captions."""

from __future__ import annotations

import io
from typing import Any

import docx
from docx.document import Document

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from service.corpus.parsing.parsed_documents import ParsedDocument
from tests.corpus import pictures
from tests.corpus.texts import blocks


def saved(document: Document) -> ParsedDocument:
    written = io.BytesIO()
    document.save(written)
    return parsing.parse(written.getvalue(), filename="a.docx")


def picture(place: Any, colour: str, text: str = "", kind: str = "PNG") -> None:
    """Add a picture to a paragraph, with the *text* that stands for it."""
    data = pictures.saved(pictures.drawing(colour=colour), kind)
    shape = place.add_run().add_picture(io.BytesIO(data))
    shape._inline.docPr.set("descr", text)


def test_pictures_stand_beside_their_paragraphs() -> None:
    document = docx.Document()
    document.sections[0].header.paragraphs[0].add_run().add_picture(
        io.BytesIO(pictures.png("navy"))
    )
    document.add_heading("Pump", 1)
    picture(document.add_paragraph("Fill the housing."), "red", "Filler plug")
    picture(document.add_paragraph(), "blue", "Pump from above")
    document.add_paragraph("Figure 1: the pump.", style="Caption")
    document.add_paragraph("Open it.", style="List Number")
    picture(document.add_paragraph(), "green", "lid.png", "JPEG")
    document.add_paragraph("Close it.", style="List Number")
    document.add_paragraph("Table 1: parts.", style="Caption")
    table = document.add_table(rows=2, cols=2)
    for at, text in enumerate(["Part", "View", "Valve"]):
        table.cell(at // 2, at % 2).text = text
    picture(table.cell(1, 1).paragraphs[0], "gray", "The valve")
    parsed = saved(document)
    assert blocks(parsed) == [
        (BlockKind.HEADING, "Pump"),
        (BlockKind.LEAD, "Fill the housing."),
        (BlockKind.FIGURE, "Filler plug"),
        (BlockKind.FIGURE, "Figure 1: the pump. Pump from above"),
        (BlockKind.ITEM, "1. Open it."),
        (BlockKind.ITEM, "2. Close it."),
        (BlockKind.LEAD, "Table 1: parts."),
        (BlockKind.ROW, "Part: Valve"),
        (BlockKind.FIGURE, "The valve"),
    ]
    beside = [parsed.body[figure.start :].split("\n")[0] for figure in parsed.figures]
    told = [text for _, text in blocks(parsed)]
    assert beside == [told[2], told[3], told[4], told[8]]


def test_a_picture_that_is_shown_again_and_again_is_read_once() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Bring the card.")
    for _ in range(20):
        picture(paragraph, "red", "Mark")
    document.add_paragraph("Pay.")
    assert saved(document).figures == ()
