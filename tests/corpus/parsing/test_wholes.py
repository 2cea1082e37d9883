"""What of a text stands or falls together."""

from __future__ import annotations

from service.blocks import BlockKind
from service.corpus.parsing.formats import plain

TEXT = """Renew a passport

You need three things:
- the old passport
- a photo
- 20 euros

It takes two weeks."""


class TestNumber:
    def test_keeps_a_list_with_its_lead(self) -> None:
        found = plain.blocks(TEXT)
        kinds = [(block.kind, block.whole) for block in found]
        assert kinds == [
            (BlockKind.HEADING, 1),
            (BlockKind.LEAD, 2),
            (BlockKind.ITEM, 2),
            (BlockKind.ITEM, 2),
            (BlockKind.ITEM, 2),
            (BlockKind.TEXT, 3),
        ]

    def test_begins_a_list_behind_a_paragraph_that_leads_nowhere(self) -> None:
        found = plain.blocks("It takes two weeks.\n- one\n- two")
        assert [block.whole for block in found] == [1, 2, 2]
