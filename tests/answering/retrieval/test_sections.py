"""What is read around the hits."""

from __future__ import annotations

import msgspec
import pytest

from service.answering.retrieval import sections
from service.blocks import Block, BlockKind
from service.corpus.document_access import Viewer
from service.corpus.index import Chunk, Hit
from tests.answering.doubles import ScriptedIndex, hit

pytestmark = pytest.mark.anyio

HEADING = (Block(BlockKind.HEADING, 0, 1, level=2),)
TEXT = (Block(BlockKind.TEXT, 0, 1),)


def chunk(number: int, heading: str, *, opens: bool, document: int = 1, size: int = 10) -> Hit:
    """Return a chunk under *heading*, which it *opens* or goes on with."""
    found = hit(number, "x" * size, document=document)
    made = msgspec.structs.replace(
        found.chunk, number=number, headings=(heading,), blocks=HEADING if opens else TEXT
    )
    return msgspec.structs.replace(found, chunk=made)


VIEWER = Viewer()
PAGE = (
    chunk(0, "Fees", opens=True),
    *(chunk(n, "Steps", opens=n == 1) for n in range(1, 5)),
    chunk(5, "Offices", opens=True),
    chunk(6, "Offices", opens=False),
)


def numbers(found: list[Chunk]) -> list[int]:
    return sorted(one.number for one in found)


async def test_the_rest_of_the_section_of_a_hit_is_read_and_the_opening_of_its_page() -> None:
    assert numbers(await sections.around(ScriptedIndex(*PAGE), PAGE[2:3], VIEWER)) == [0, 1, 3, 4]


async def test_nothing_is_read_twice() -> None:
    assert numbers(await sections.around(ScriptedIndex(*PAGE), PAGE[:4], VIEWER)) == [4]


async def test_what_is_read_is_bounded() -> None:
    long = [chunk(n, "Steps", opens=n == 0, size=4_000) for n in range(9)]
    assert len(await sections.around(ScriptedIndex(*long), long[4:5], VIEWER)) == 3
    pages = [chunk(n, "All", opens=False, document=d) for d in range(9) for n in range(9)]
    found = await sections.around(ScriptedIndex(*pages), pages[::9], VIEWER)
    assert len(found) <= 10
    assert len({one.document for one in found}) <= 3


async def test_the_rest_of_a_list_that_a_hit_begins_comes_before_other_sections() -> None:
    best = [chunk(n, "Steps", opens=n == 0, size=3_000) for n in range(5)]
    item = (Block(BlockKind.ITEM, 0, 1, whole=7),)
    listed = [
        msgspec.structs.replace(one, chunk=msgspec.structs.replace(one.chunk, blocks=item))
        for one in (chunk(n, "Prices", opens=False, document=2, size=3_000) for n in range(2))
    ]
    found = await sections.around(ScriptedIndex(*best, *listed), (best[0], listed[0]), VIEWER)
    assert listed[1].chunk in found
    assert len(found) == 4


async def test_a_hit_that_is_gone_again_has_nothing_around_it() -> None:
    assert await sections.around(ScriptedIndex(), PAGE[2:3], VIEWER) == []
    assert await sections.around(ScriptedIndex(), (), VIEWER) == []


async def test_a_list_is_read_from_its_beginning() -> None:
    rows = (Block(BlockKind.ROW, 0, 1, whole=7),)
    table = [chunk(0, "All", opens=True), chunk(1, "All", opens=False)] + [
        msgspec.structs.replace(one, chunk=msgspec.structs.replace(one.chunk, blocks=rows))
        for one in (chunk(n, "Signs", opens=False) for n in range(2, 10))
    ]
    found = await sections.around(ScriptedIndex(*table), table[7:8], VIEWER)
    assert {2, 3} <= {one.number for one in found}
