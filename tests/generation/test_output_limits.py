"""How much a generator may write, and how much of it comes at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

from service.generation.generator import Piece
from service.generation.output_limits import LONGEST, enforce
from sessions.errors import ResourceExhausted

pytestmark = pytest.mark.anyio


async def written(*pieces: Piece) -> AsyncGenerator[Piece]:
    for piece in pieces:
        yield piece


async def forever() -> AsyncGenerator[Piece]:
    while True:
        yield Piece("and " * 10)


async def test_small_pieces_come_as_they_are() -> None:
    pieces = [Piece("a"), Piece(""), Piece("b", (1, 2))]
    assert [piece async for piece in enforce(written(*pieces))] == pieces


async def test_a_large_piece_comes_in_portions_and_its_sources_with_the_last() -> None:
    whole = "".join(map(str, range(1500)))
    told = [piece async for piece in enforce(written(Piece(whole, (0,)), Piece("x")))]
    assert "".join(piece.text for piece in told) == whole + "x"
    assert max(len(piece.text) for piece in told) <= 1000
    assert [piece.sources for piece in told[-3:]] == [(), (0,), ()]


@pytest.mark.parametrize("size", [10, 1_000, 100_000])
async def test_others_have_their_turn_between_portions(size: int) -> None:
    """A model that writes fast, or in large events, never lets its reader wait."""
    pieces = [Piece("x" * size)] * (100_000 // size)
    turns = 0

    async def other() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(other())
        assert sum([len(piece.text) async for piece in enforce(written(*pieces))]) == 100_000
        task.cancel()
    assert turns >= 99


@pytest.mark.parametrize("before", [0, 1234])
async def test_a_text_without_end_is_cut_at_the_bound_and_fails(before: int) -> None:
    """What a takeover found told counts as well."""
    size = 0
    with pytest.raises(ResourceExhausted) as caught:
        async for piece in enforce(forever(), before):
            size += len(piece.text)
    assert caught.value.reason == "MODEL_TOO_LONG"
    assert before + size == LONGEST


async def test_a_text_of_just_the_bound_is_whole() -> None:
    told = [p async for p in enforce(written(Piece("x" * LONGEST, (3,)), Piece("", (4,))))]
    assert sum(len(piece.text) for piece in told) == LONGEST
    assert [piece.sources for piece in told[-2:]] == [(3,), (4,)]


async def test_closing_it_closes_what_it_reads() -> None:
    reading = forever()
    told = enforce(reading)
    await anext(told)
    await told.aclose()
    with pytest.raises(StopAsyncIteration):
        await anext(reading)
