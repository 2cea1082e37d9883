"""When the next batch of a node is sent, where telling the one before held up the loop."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from time import monotonic, thread_time
from typing import Final

import pytest

from sessions import names
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.log import event_log, events, node_writer
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.positions import Position
from streaming.log.write_buffer import WriteBuffer
from streaming.log.writer import Writer
from tests.streaming import doubles
from tests.waiting import LONG

pytestmark = pytest.mark.anyio

HELD: Final = 0.02
"""Seconds for which telling holds up the loop: many times what it may without consequences."""


class Replica:
    """Writes answers whose readers take long to be told."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._writer = Writer(redis, keys, EventLog(redis, keys))
        self.told: list[tuple[float, LogEntry]] = []

    async def begin(self) -> WriteBuffer:
        answer = names.answer(names.session(doubles.PARENT, "1"), names.new_id())
        key = self._keys.log(answer)
        field, value = event_log.encode(events.Started(at=doubles.AT))
        await self._redis.execute(key, "XADD", key, "1-0", field, value)
        return self._writer.open(
            answer, Position(1, 0), on_acknowledged=self._tell, on_lost=lambda: None
        )

    def _tell(self, entries: Sequence[LogEntry]) -> None:
        self.told += [(monotonic(), entry) for entry in entries]
        began = thread_time()
        while thread_time() < began + HELD:
            pass


async def write(buffer: WriteBuffer, *pieces: str) -> None:
    """Write *pieces*, each in a turn of its own, and wait for them."""
    for piece in pieces:
        buffer.add(events.TextAppended(text=piece))
        await asyncio.sleep(0)
    async with asyncio.timeout(LONG):
        assert await buffer.flushed()


async def test_the_loop_is_left_to_others_for_longer_than_it_was_held_up(
    redis: Redis, keys: Keys
) -> None:
    replica = Replica(redis, keys)
    buffer = await replica.begin()
    await write(buffer, "0")  # from here on it is measured
    await write(buffer, "a")
    await write(buffer, "b", "c")
    _, (first, _), (second, entry) = replica.told
    assert second - first > HELD * node_writer.PAUSES
    assert entry.event == events.TextAppended(text="bc")


async def test_the_first_text_of_an_answer_does_not_wait_for_that(
    redis: Redis, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor does what then goes with it."""
    monkeypatch.setattr(node_writer, "PAUSES", 1e6)
    monkeypatch.setattr(node_writer, "LONGEST", 1e6)
    replica = Replica(redis, keys)
    waiting, fresh = await replica.begin(), await replica.begin()
    await write(waiting, "0")
    await write(waiting, "a")
    waiting.add(events.TextAppended(text="b"))
    await asyncio.sleep(0)  # from here on the next batch waits
    await write(fresh, "x")
    assert [entry.event for _, entry in replica.told] == [
        events.TextAppended(text=text) for text in "0abx"
    ]
