"""The label of a note stands before what it labels, whatever a page makes it of."""

from __future__ import annotations

import pytest

from service.blocks import BlockKind
from service.corpus.parsing import parsing
from tests.corpus.texts import blocks


@pytest.mark.parametrize(
    "page",
    [
        "<div class=note><p class=title>Note<p>Bring coins.</div>",
        "<div class=note><table><tr><td rowspan=2><th>Note<tr><td>Bring coins.</table></div>",
        "<div class=NOTE><table border=1><tr><td><b>Note</b><tr><td><p>Bring coins.</table></div>",
        "<p><b>Note:</b><p>Bring coins.",
        "<ul><li>Pay.<div class=note><h3 hidden>x</h3><p>Note<p>Bring coins.</div></ul>",
    ],
)
def test_a_label_is_joined_with_what_it_labels(page: str) -> None:
    found = blocks(parsing.parse(page.encode(), mime="text/html"))
    assert found[-1] == (BlockKind.NOTE, "Note: Bring coins.")
    assert len(found) == 1 + ("<ul>" in page)


def test_a_label_before_a_list_leads_to_it() -> None:
    page = "<p>Notes:<ul><li>Bring coins.<li>Come early.</ul>"
    parsed = parsing.parse(page.encode(), mime="text/html")
    assert [kind for kind, _ in blocks(parsed)] == [BlockKind.NOTE, *[BlockKind.ITEM] * 2]
    assert len({block.whole for block in parsed.blocks}) == 1
