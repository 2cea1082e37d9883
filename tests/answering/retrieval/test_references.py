"""Which hits are entries of a reference that hide what explains."""

from __future__ import annotations

import pytest

from service.answering.retrieval import references
from service.blocks import Block, BlockKind
from service.corpus.index import Chunk, Hit


def hit(heading: str, text: str) -> Hit:
    """Return a hit with one section."""
    whole = f"{heading}\n\n{text}"
    blocks = (
        Block(BlockKind.HEADING, 0, len(heading), level=1),
        Block(BlockKind.TEXT, len(heading) + 2, len(whole)),
    )
    chunk = Chunk(
        name=heading,
        document=heading,
        title=heading,
        text=whole,
        start_byte=0,
        end_byte=len(whole),
        blocks=blocks,
    )
    return Hit(chunk=chunk, score=1.0, relevance=1.0)


ENTRY = hit("load_permit", "Returns the permit of a pier.")
PROSE = hit("Permits", "A permit is a paper that lets its holder land.")


@pytest.mark.parametrize(
    ("hits", "query"),
    [
        ([ENTRY, ENTRY, PROSE], "What is a permit?"),
        ([ENTRY], "How do I get a permit?"),
    ],
)
def test_entries_hide_where_they_are_most(hits: list[Hit], query: str) -> None:
    assert references.hide(hits, query)


@pytest.mark.parametrize(
    ("hits", "query"),
    [
        ([ENTRY, PROSE, PROSE], "What is a permit?"),
        ([ENTRY], "What is load_permit?"),
        ([ENTRY], "Who sells a permit?"),
    ],
)
def test_nothing_is_hidden_by_few_entries_or_those_that_are_asked(
    hits: list[Hit], query: str
) -> None:
    assert not references.hide(hits, query)
