"""A PDF is read page by page."""

from __future__ import annotations

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from tests.corpus.texts import blocks, pdf_file


def test_a_pdf_keeps_pages_headings_and_whole_words() -> None:
    foot = (8, "City of Example, page 1")
    parsed = parsing.parse(
        pdf_file(
            [
                (20, "Permits"),
                (10, "Everyone who lives in the city may have a park-"),
                (10, "ing permit."),
                foot,
            ],
            [(14, "Fees"), (10, "Each permit costs thirty euro for one year."), foot],
            [(10, "Nothing else is needed for it at all."), foot],
        )
    )
    assert blocks(parsed) == [
        (BlockKind.HEADING, "Permits"),
        (BlockKind.TEXT, "Everyone who lives in the city may have a parking permit."),
        (BlockKind.HEADING, "Fees"),
        (BlockKind.TEXT, "Each permit costs thirty euro for one year."),
        (BlockKind.TEXT, "Nothing else is needed for it at all."),
    ]
    assert [block.page for block in parsed.blocks] == [1, 1, 2, 2, 3]
    assert [block.level for block in parsed.blocks] == [1, 0, 2, 0, 0]
