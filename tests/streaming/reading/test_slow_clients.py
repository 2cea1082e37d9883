"""A client that cannot follow is told less often, and loses nothing; others are not delayed."""

from __future__ import annotations

import asyncio

import pytest

from streaming.reading import send_queue
from tests.streaming.reading.connection_doubles import (
    OTHER,
    WHOLE,
    connected,
    kinds,
    settle,
)
from tests.streaming.reading.reading_doubles import (
    ANSWER,
    STARTED,
    SUCCEEDED,
    Memory,
    text,
    texts,
)
from tests.waiting import LONG

pytestmark = pytest.mark.anyio


class TestSlow:
    """A client that cannot follow is told less often, and loses nothing."""

    async def test_what_waited_too_long_is_merged(self) -> None:
        memory = Memory()
        memory.tell(STARTED)
        async with connected(memory) as client:
            client.ask()
            await settle()
            client.wire.clog()
            pieces = [f"{n} " * 500 for n in range(300)]
            memory.tell(*map(text, pieces))
            await settle()
            assert client.multiplexer.queue.waiting <= send_queue.ROOM
            client.wire.unclog()
            await settle()
            memory.tell(text("live again"))
            told = client.wire.frames()
            assert texts(told) == "".join(pieces) + "live again"
            assert len(told) < 10
            positions = [frame["position"] for frame in told if frame["type"] == "element"]
            assert len(set(positions)) == len(positions)

    async def test_an_end_that_is_behind_is_told_once_there_is_room(self) -> None:
        memory = Memory()
        memory.tell(STARTED)
        async with connected(memory) as client:
            client.ask()
            await settle()
            client.wire.clog()
            memory.tell(*[text("x" * 1000) for _ in range(300)], SUCCEEDED)
            await settle()
            client.wire.unclog()
            await settle()
            told = client.wire.frames()
            assert texts(told) == "x" * 300_000
            assert kinds(told)[-1] == "SUCCEEDED"
            assert kinds(told).count("SUCCEEDED") == 1

    async def test_an_end_while_the_socket_is_clogged_is_not_dropped(self) -> None:
        """Other answers on the same socket overflow its room after the first has ended."""
        memory = Memory()
        async with connected(memory) as client:
            for id, answer in (("1", ANSWER), ("2", OTHER)):  # noqa: A001
                memory.tell(STARTED, answer=answer)
                client.ask(id, answer)
            await settle()
            client.wire.clog()
            memory.tell(text("a"), SUCCEEDED, answer=ANSWER)
            await settle()
            memory.tell(*[text("x" * 1000) for _ in range(300)], answer=OTHER)
            await settle()
            client.wire.unclog()
            await settle()
            told = client.wire.frames()
            assert texts([frame for frame in told if frame.get("id") == "1"]) == "a"
            assert kinds([frame for frame in told if frame.get("id") == "1"])[-1] == "SUCCEEDED"
            assert len(texts([frame for frame in told if frame.get("id") == "2"])) == 300_000

    async def test_one_that_takes_nothing_for_long_is_too_slow(self) -> None:
        memory = Memory()
        memory.tell(STARTED)
        async with connected(memory, patience=0.01) as client:
            client.ask()
            await settle()
            client.wire.clog()
            memory.tell(text("a"))
            async with asyncio.timeout(LONG):
                await client.slow.wait()

    async def test_one_that_takes_nothing_delays_nobody(self) -> None:
        memory = Memory()
        memory.tell(STARTED)
        async with connected(memory, 3) as (clogged, broken, well):
            for client in (clogged, broken, well):
                client.ask()
            await settle()
            clogged.wire.clog()
            broken.wire.broken = True
            well.wire.frames()
            memory.tell(text("a"))
            assert texts(well.wire.frames()) == "a"
            assert broken.multiplexer.queue.lost


async def test_an_answer_that_cannot_be_read_delays_no_other() -> None:
    """The one lives on a node that is away, the other does not."""
    memory = Memory()
    memory.tell(STARTED, answer=OTHER)
    memory.tell(STARTED)
    memory.lost.add(OTHER)
    async with connected(memory) as client:
        client.ask("2", OTHER)
        client.ask()
        await settle()
        memory.tell(*WHOLE[1:])
        await settle()
        told = [frame for frame in client.wire.frames() if frame["id"] == "1"]
        assert kinds(told)[-1] == "SUCCEEDED"
