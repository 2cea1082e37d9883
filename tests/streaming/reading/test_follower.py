"""Readers on one replica of what another one writes."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from sessions import names
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.log import event_log, events
from streaming.log.event_log import EventLog
from streaming.reading.tail import Tail
from tests.redis_servers import Server
from tests.streaming import doubles
from tests.streaming.doubles import QUICK, SILENT, Puppet, Reader, Replica
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

NEVER = 3600.0


@pytest.fixture
async def writer(redis: Redis, keys: Keys) -> AsyncIterator[Replica]:
    async with doubles.replica(redis, keys, Puppet()) as replica:
        yield replica


@pytest.fixture
async def tail(redis_server: Server, keys: Keys) -> AsyncIterator[Tail]:
    """The tail of a replica whose readers live by the channel alone: it never looks at logs."""
    async with (
        connection.connect(redis_server.url) as redis,
        Tail(redis, keys, EventLog(redis, keys), check_every=NEVER) as tail,
    ):
        yield tail


async def _follow(tail: Tail, answer: str) -> Reader:
    reader = Reader(tail, answer)
    await tail.ready(answer)
    return reader


async def test_what_nobody_else_follows_is_not_published(writer: Replica, redis: Redis) -> None:
    """A delta that is only read where it is written costs one command."""
    accepted = await writer.submit()
    heard: list[bytes] = []
    channel = writer.keys.channel(accepted.answer)
    redis.channels.listen(channel, heard.append)
    await redis.channels.ready(channel)
    reader = Reader(writer.tail, accepted.answer)
    writer.puppet.say(accepted.answer, "text", None)
    await reader.ended()
    await eventually(lambda: len(heard) == 1)
    assert event_log.decode_payload(heard[0]) == reader.entries[-1]  # the end alone


async def test_a_reader_elsewhere_hears_all_that_follows(writer: Replica, tail: Tail) -> None:
    accepted = await writer.submit()
    here = Reader(writer.tail, accepted.answer)
    writer.puppet.say(accepted.answer, "before ")
    await here.until("before ")
    there = await _follow(tail, accepted.answer)
    for word in ("and ", "after"):
        writer.puppet.say(accepted.answer, word)
        await there.until(here.text.removeprefix("before "))
    writer.puppet.say(accepted.answer, None)
    await there.ended()
    assert there.text == "and after"


async def test_what_was_said_while_the_owner_was_asked_is_not_missed(
    writer: Replica, tail: Tail
) -> None:
    """The owner goes on while it learns of its first reader, and then thinks for long."""
    accepted = await writer.submit()
    here, there = Reader(writer.tail, accepted.answer), await _follow(tail, accepted.answer)
    words = [f"{n} " for n in range(200)]
    for word in words:
        writer.puppet.say(accepted.answer, word)
    await here.until("".join(words))
    await there.until("".join(words))


async def test_a_reader_of_an_answer_that_waits_hears_it_from_its_start(
    writer: Replica, tail: Tail
) -> None:
    first = await writer.submit()
    second = await writer.submit(names.parent(first.answer))
    there = await _follow(tail, second.answer)
    writer.puppet.say(second.answer, "text", None)
    writer.puppet.say(first.answer, None)
    await there.ended()
    assert there.text == "text"


async def test_a_reader_hears_the_next_owner_as_well(tail: Tail, redis: Redis, keys: Keys) -> None:
    async with doubles.replica(redis, keys, Puppet(continues=True), QUICK) as other:
        async with doubles.replica(redis, keys, Puppet()) as writer:
            accepted = await writer.submit()
            there = await _follow(tail, accepted.answer)
            writer.puppet.say(accepted.answer, "first")
            await there.until("first")
        other.puppet.say(accepted.answer, ", then", None)
        await there.ended()
    assert there.text == "first, then"


async def test_nobody_hears_what_the_log_refused(tail: Tail, redis: Redis, keys: Keys) -> None:
    """Its owner is frozen, another takes over, and the first wakes before that is announced."""
    async with doubles.replica(redis, keys, Puppet(), SILENT) as writer:
        accepted = await writer.submit()
        there = await _follow(tail, accepted.answer)
        writer.puppet.say(accepted.answer, "first")
        await there.until("first")
        key = keys.log(accepted.answer)
        await redis.execute(
            key, "XADD", key, "2-0", *event_log.encode(events.Started(at=doubles.AT))
        )
        writer.puppet.say(accepted.answer, "zombie")
        await eventually(lambda: accepted.answer in writer.puppet.closed)
        await redis.publish(keys.channel(accepted.answer), b"1-2 dmark")
        await there.until("firstmark")
