"""What a paragraph of Word is follows from its style, whatever that is based on."""

from __future__ import annotations

from typing import Any, Final

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE
from docx.oxml.parser import parse_xml

from service.corpus.parsing.formats.word.styles import ParagraphStyle, WordStyles, is_fixed_pitch

NAMES: Final = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def outline(properties: Any, level: int) -> None:
    """Let a paragraph or a style with these *properties* be of a *level*, 0 the outermost."""
    properties.append(parse_xml(f'<w:outlineLvl {NAMES} w:val="{level}"/>'))


def test_a_style_of_ones_own_is_a_heading_by_what_it_is_based_on_or_by_its_outline() -> None:
    document = docx.Document()
    styles: Any = document.styles
    based = styles.add_style("Chapter", WD_STYLE_TYPE.PARAGRAPH)
    based.base_style = styles["Heading 2"]
    outlined = styles.add_style("Part", WD_STYLE_TYPE.PARAGRAPH)
    outline(outlined.element.get_or_add_pPr(), 0)
    unlisted = styles.add_style("Box title", WD_STYLE_TYPE.PARAGRAPH)
    unlisted.base_style = styles["Heading 1"]
    outline(unlisted.element.get_or_add_pPr(), 9)
    of = WordStyles().of
    assert of(document.add_paragraph("Fees", "Chapter")) == ParagraphStyle("Chapter", 2)
    assert of(document.add_paragraph("Fees", "Part")) == ParagraphStyle("Part", 1)
    assert of(document.add_paragraph("Fees", "Box title")) == ParagraphStyle("Box title", 0)
    own: Any = document.add_paragraph("Fees")
    outline(own._p.get_or_add_pPr(), 2)
    assert of(own) == ParagraphStyle("Normal", 3)


def test_styles_that_are_based_on_each_other_end() -> None:
    document = docx.Document()
    styles: Any = document.styles
    one = styles.add_style("One", WD_STYLE_TYPE.PARAGRAPH)
    other = styles.add_style("Other", WD_STYLE_TYPE.PARAGRAPH)
    one.base_style, other.base_style = other, one
    assert WordStyles().of(document.add_paragraph("Fees", "One")) == ParagraphStyle("One", 0)


@pytest.mark.parametrize(
    ("name", "is_code", "is_contents", "is_item", "goes_on"),
    [
        ("Source Code", True, False, False, False),
        ("HTML Preformatted", True, False, False, False),
        ("Preformatted Text", True, False, False, False),
        ("Code Block", True, False, False, False),
        ("Code of Conduct", False, False, False, False),
        ("toc 1", False, True, False, False),
        ("TOC Heading", False, True, False, False),
        ("List Bullet", False, False, True, False),
        ("List Paragraph", False, False, False, True),
        ("List Continue 2", False, False, False, True),
        ("List Contents", False, False, False, False),
        ("Normal", False, False, False, False),
    ],
)
def test_names_of_styles_tell_what_they_set(
    name: str, is_code: bool, is_contents: bool, is_item: bool, goes_on: bool
) -> None:
    style = ParagraphStyle(name)
    found = (style.is_code, style.is_contents, style.is_item, style.goes_on)
    assert found == (is_code, is_contents, is_item, goes_on)


@pytest.mark.parametrize(
    ("fonts", "expected"),
    [
        (("Consolas", "Courier New"), True),
        (("DejaVu Sans Mono",), True),
        (("Consolas", None), False),
        (("Cambria",), False),
        ((), False),
    ],
)
def test_code_is_all_of_one_width(fonts: tuple[str | None, ...], expected: bool) -> None:
    paragraph = docx.Document().add_paragraph()
    for font in fonts:
        paragraph.add_run("ls -l").font.name = font
    assert is_fixed_pitch(paragraph) is expected
