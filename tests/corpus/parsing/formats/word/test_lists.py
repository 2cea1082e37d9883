"""Items of Word's lists get the numbers that Word shows, and it does not write."""

from __future__ import annotations

from typing import Any

import docx
from docx.document import Document
from docx.oxml.parser import parse_xml
from docx.text.paragraph import Paragraph

from service.corpus.parsing.formats.word.lists import ListItem, WordLists

NAMES = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def numbered(document: Document, list_: int, level: int = 0) -> Paragraph:
    """Add a paragraph that is an item of the list with the number *list_*."""
    paragraph: Any = document.add_paragraph("Item")
    paragraph._p.get_or_add_pPr().append(
        parse_xml(f'<w:numPr {NAMES}><w:ilvl w:val="{level}"/><w:numId w:val="{list_}"/></w:numPr>')
    )
    return paragraph


def document_of(*formats: str) -> Document:
    """Return a document with a list 90 whose levels are of these *formats*."""
    document = docx.Document()
    levels = "".join(
        f'<w:lvl w:ilvl="{at}"><w:numFmt w:val="{name}"/></w:lvl>'
        for at, name in enumerate(formats)
    )
    root: Any = document.part.numbering_part.element
    root.append(parse_xml(f'<w:abstractNum {NAMES} w:abstractNumId="90">{levels}</w:abstractNum>'))
    root.append(parse_xml(f'<w:num {NAMES} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
    return document


def test_items_are_counted_level_by_level() -> None:
    document = document_of("decimal", "lowerLetter", "bullet")
    lists = WordLists(document)
    levels = [0, 1, 1, 2, 0, 1]
    found = [lists.item(numbered(document, 90, level)) for level in levels]
    assert found == [
        ListItem("1. ", 1),
        ListItem("a. ", 2),
        ListItem("b. ", 2),
        ListItem("- ", 3),
        ListItem("2. ", 1),
        ListItem("a. ", 2),
    ]


def test_a_style_makes_items_and_a_paragraph_may_take_it_away() -> None:
    document = docx.Document()
    lists = WordLists(document)
    styled = [document.add_paragraph("Item", style="List Number") for _ in range(2)]
    assert [lists.item(one) for one in styled] == [ListItem("1. ", 1), ListItem("2. ", 1)]
    assert lists.item(document.add_paragraph("No item")) is None
    assert lists.item(numbered(document, 0)) is None


def test_unknown_lists_are_bullets_and_unmarked_levels_no_items() -> None:
    document = document_of("none")
    lists = WordLists(document)
    assert lists.item(numbered(document, 90)) is None
    assert lists.item(numbered(document, 4711, 70)) == ListItem("- ", 9)


def test_what_has_a_bullet_that_cannot_be_seen_belongs_to_the_item_before() -> None:
    """So other programs write the second paragraph of an item."""
    document = docx.Document()
    root: Any = document.part.numbering_part.element
    level = '<w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val=" "/></w:lvl>'
    root.append(parse_xml(f'<w:abstractNum {NAMES} w:abstractNumId="90">{level}</w:abstractNum>'))
    root.append(parse_xml(f'<w:num {NAMES} w:numId="90"><w:abstractNumId w:val="90"/></w:num>'))
    assert WordLists(document).item(numbered(document, 90)) == ListItem("", 1)
