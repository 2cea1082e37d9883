"""What a page of Word shows is read however it is wrapped, and what it does not show is not."""

from __future__ import annotations

import time
from typing import Any, Final

import docx
import pytest
from docx.oxml.parser import parse_xml

from service.corpus.parsing import parsing
from tests.corpus import hostile
from tests.corpus.parsing.formats.word.test_docx import saved

NAMES: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def said(text: str) -> str:
    """Return the element of a run."""
    return f"<w:r><w:t>{text}</w:t></w:r>"


def row_of(runs: str) -> str:
    """Return the element of a row whose one cell has one paragraph of *runs*."""
    return f"<w:tr><w:tc><w:p>{runs}</w:p></w:tc></w:tr>"


def body_of(*paragraphs: str) -> str:
    """Return the text of a document with what these elements of its body show."""
    document: Any = docx.Document()
    for one in paragraphs:
        document.element.body.append(parse_xml(one.replace(">", f" {NAMES}>", 1)))
    return saved(document).body


@pytest.mark.parametrize(
    "wrapped",
    [
        f"<w:ins>{said('two')}</w:ins>",
        f"<w:moveTo>{said('two')}</w:moveTo>",
        f"<w:smartTag><w:smartTagPr/>{said('two')}</w:smartTag>",
        f'<w:fldSimple w:instr="NUMPAGES">{said("two")}</w:fldSimple>',
        f"<w:sdt><w:sdtPr/><w:sdtContent>{said('two')}</w:sdtContent></w:sdt>",
        f"<w:ins><w:ins><w:customXml>{said('two')}</w:customXml></w:ins></w:ins>",
        f"{said('two')}<w:del>{said('three')}</w:del>",
        f"{said('two')}<w:moveFrom>{said('three')}</w:moveFrom>",
        f"{said('two')}<w:r><w:rPr><w:vanish/></w:rPr><w:t>three</w:t></w:r>",
        '<w:r><w:rPr><w:vanish w:val="false"/></w:rPr><w:t>two</w:t></w:r>',
    ],
)
def test_what_is_wrapped_is_read_in_its_place(wrapped: str) -> None:
    assert body_of(f"<w:p>{said('Bring ')}{wrapped}{said(' papers.')}</w:p>") == "Bring two papers."


def test_paragraphs_of_a_content_control_are_read() -> None:
    wrapped = f"<w:sdtContent><w:p>{said('Bring a card.')}</w:p></w:sdtContent>"
    after = f"<w:p>{said('Come early.')}</w:p>"
    assert body_of(f"<w:sdt>{wrapped}</w:sdt>", after) == "Bring a card.\n\nCome early."


def test_a_table_of_contents_is_no_text() -> None:
    gallery = '<w:docPartObj><w:docPartGallery w:val="Table of Contents"/></w:docPartObj>'
    contents = f"<w:sdtContent><w:p>{said('Fees 3')}</w:p></w:sdtContent>"
    control = f"<w:sdt><w:sdtPr>{gallery}</w:sdtPr>{contents}</w:sdt>"
    assert body_of(control, f"<w:p>{said('Come early.')}</w:p>") == "Come early."


def test_signs_of_other_fonts_are_characters() -> None:
    arrow = '<w:r><w:sym w:font="Wingdings" w:char="F0E0"/></w:r>'
    unknown = '<w:r><w:sym w:font="Wingdings" w:char="F021"/><w:sym w:font="A" w:char="x"/></w:r>'
    plain = '<w:r><w:sym w:font="Arial" w:char="00B1"/></w:r>'
    shown = f"{said('File ')}{arrow}{unknown}{said(' Save')}{plain}"
    assert body_of(f"<w:p>{shown}</w:p>") == "File → Save±"


def test_a_word_is_read_without_how_it_is_pronounced() -> None:
    pronounced = f"<w:rt>{said('とうきょう')}</w:rt><w:rubyBase>{said('東京')}</w:rubyBase>"
    assert body_of(f"<w:p><w:r><w:ruby>{pronounced}</w:ruby></w:r></w:p>") == "東京"


def test_what_is_wrapped_often_takes_no_longer() -> None:
    """The reader of XML itself refuses what is nested more than 256 deep."""
    started = time.process_time()
    many = said("x") * 20_000
    deep = "<w:ins>" * 200 + many + "</w:ins>" * 200
    parsed = parsing.parse(hostile.word_file(row_of(deep)), filename="d.docx")
    beside = hostile.word_file(row_of(f"<w:ins>{said('x')}</w:ins>" * 20_000))
    assert parsed.body == parsing.parse(beside, filename="b.docx").body == "x" * 20_000
    assert time.process_time() - started < 6
