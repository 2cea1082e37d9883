"""Walk the drawing of `streaming.reading.local_readers`: where the next entry comes from."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import pytest

from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.log import event_log, events
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.positions import BEGINNING, Position
from streaming.reading import local_readers
from streaming.reading.local_readers import EntrySource, LocalReaders
from streaming.reading.tail import Tail
from tests import drawings

pytestmark = pytest.mark.anyio

ANSWER: Final = "projects/p/locations/l/collections/c/dataStores/d/sessions/1/answers/2"
FAR: Final = event_log.payload(Position(1, 9), b"d", b"far")
DRAWN: Final = drawings.table(local_readers, "event")
WALKS: Final = [
    (source, event) for event, row in DRAWN.items() for source in row if row[source] != "–"
]


class QuietTail(Tail):
    """A tail whose logs are read only when a test says so."""

    async def _watch(self) -> None:
        pass

    def knows(self) -> bool:
        return ANSWER in self._answers

    def readers(self) -> LocalReaders:
        return self._answers[ANSWER]

    async def read(self) -> None:
        """Compare the log, as if it had all that was told."""
        readers = self.readers()
        readers.heard = BEGINNING
        await self.compare(readers.last)

    async def compare(self, top: Position | None) -> None:
        """Compare the log, which ends at *top*."""
        await self._compare(self.readers(), top, b"")


class GrantedLog(EventLog):
    """A log that begins to be written here while it is read."""

    tail: Tail

    async def read(self, answer: str, after: Position | None = None) -> list[LogEntry]:
        self.tail.own(answer)
        return []


def ignore(entries: Sequence[LogEntry]) -> None:
    """Hear, and do nothing."""


@pytest.fixture
async def tail(redis: Redis, keys: Keys) -> AsyncIterator[QuietTail]:
    async with QuietTail(redis, keys, EventLog(redis, keys)) as tail:
        yield tail


async def arrive(tail: QuietTail, source: str) -> Any:
    """Follow an answer whose next entry comes from *source*; return what ends that."""
    if source in ("OWNER", "NOBODY"):
        tail.own(ANSWER)
    unfollow = tail.follow(ANSWER, ignore)
    readers = tail.readers()
    if source == "NOBODY":
        tail.end(ANSWER)
    elif source != "OWNER":
        readers.last = Position(1, 5)
    if source == "LOG":
        readers.hear(FAR)
    assert readers.source.name == source
    return unfollow


async def happen(tail: QuietTail, readers: LocalReaders, event: str, unfollow: Any) -> None:
    match event:
        case "follow":
            tail.follow(ANSWER, ignore)
        case "own":
            tail.own(ANSWER)
        case "disown":
            tail.disown(ANSWER)
        case "end":
            tail.end(ANSWER)
        case "gap":
            readers.hear(FAR)
        case "read":
            await tail.read()
        case "gone":
            await tail.compare(None)
        case "lost":
            readers.last = Position(1, 5)
            await tail.reopen(ANSWER)
        case "leave":
            unfollow()
        case _:
            raise AssertionError(event)


def test_the_drawing_has_every_source() -> None:
    assert all(set(row) == {source.name for source in EntrySource} for row in DRAWN.values())
    assert len(WALKS) == 26


@pytest.mark.parametrize(("source", "event"), WALKS)
async def test_each_event_leads_where_it_is_drawn(tail: QuietTail, source: str, event: str) -> None:
    unfollow = await arrive(tail, source)
    readers = tail.readers()
    await happen(tail, readers, event, unfollow)
    assert readers.source.name == DRAWN[event][source]
    forgotten = event == "leave" and source != "OWNER"
    assert tail.knows() != forgotten


@pytest.mark.parametrize("source", ["CHANNEL", "LOG"])
async def test_what_is_heard_is_told_once_and_never_behind_a_gap(
    tail: QuietTail, source: str
) -> None:
    await arrive(tail, source)
    readers = tail.readers()
    heard: list[LogEntry] = []
    tail.follow(ANSWER, heard.extend)
    for seq in (6, 6, 4, 8, 7):
        readers.hear(event_log.payload(Position(1, seq), b"d", b"text"))
    told = [LogEntry(Position(1, 6), events.TextAppended("text"))]
    assert heard == (told if source == "CHANNEL" else [])
    assert readers.source is EntrySource.LOG


async def test_a_log_that_was_short_and_no_longer_is_may_be_so_once_more(
    redis: Redis, keys: Keys
) -> None:
    """Also where it was only seen to be longer when this process had begun to write it."""
    log = GrantedLog(redis, keys)
    async with QuietTail(redis, keys, log) as tail:
        log.tail = tail
        await arrive(tail, "CHANNEL")
        readers = tail.readers()
        await tail.compare(Position(1, 4))
        assert readers.short
        await tail.compare(Position(1, 6))
        assert readers.source is EntrySource.OWNER
        assert not readers.short
