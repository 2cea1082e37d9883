"""Appending to the log while sockets break, servers restart and masters lose entries."""

from __future__ import annotations

import asyncio
import signal
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from streaming.log import event_log, events, write_buffer
from streaming.log.positions import Position
from streaming.running.runner import Timing
from tests import redis_servers
from tests.redis_servers import Server
from tests.streaming import doubles
from tests.streaming.doubles import Puppet, Reader, Replica
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def durable(redis_binary: str) -> Iterator[Server]:
    """A server of our own, to be killed, that loses nothing when it is."""
    options = ("--appendonly", "yes", "--appendfsync", "always")
    with (
        tempfile.TemporaryDirectory(prefix="colloquy-") as folder,
        redis_servers.standalone(redis_binary, Path(folder), *options) as server,
    ):
        yield server


@pytest.fixture
async def mine(durable: Server) -> AsyncIterator[Redis]:
    async with connection.connect(durable.url) as redis:
        yield redis


@pytest.fixture
async def one(mine: Redis, keys: Keys) -> AsyncIterator[Replica]:
    async with doubles.replica(mine, keys, Puppet()) as replica:
        yield replica


async def test_nothing_is_told_before_it_is_in_the_log(one: Replica) -> None:
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    one.puppet.say(accepted.answer, "text")
    await reader.until("text")
    assert doubles.text_of(await one.told(accepted.answer)) == "text"


async def test_pieces_that_wait_together_become_one_entry(one: Replica) -> None:
    """They would be told in the same instant: the source is faster than the log."""
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    one.puppet.say(accepted.answer, *"abc")
    await reader.until("abc")
    assert len(reader.entries) < 3


async def test_an_answer_goes_on_after_redis_restarted(one: Replica, durable: Server) -> None:
    """Nothing lost, nothing twice, though Redis was killed while pieces were on their way."""
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    one.puppet.say(accepted.answer, "before ")
    await reader.until("before ")
    one.puppet.say(accepted.answer, "dying ")
    await asyncio.to_thread(durable.stop)
    one.puppet.say(accepted.answer, "during ")
    await asyncio.to_thread(durable.start)
    one.puppet.say(accepted.answer, "after", None)
    await reader.ended()
    assert reader.text == "before dying during after"
    assert doubles.text_of(await one.told(accepted.answer)) == reader.text
    assert (await one.stored(accepted.answer)).answer_text == reader.text


async def test_sockets_that_break_all_the_time_cost_nothing(one: Replica, mine: Redis) -> None:
    """It is unknown what became of what was in flight; its id tells."""
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    words = [f"{n} " for n in range(300)]
    for n, word in enumerate(words):
        one.puppet.say(accepted.answer, word)
        if n % 20 == 10 and (node := mine.connection(b"")):
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            node.drop()
        await asyncio.sleep(0)
    one.puppet.say(accepted.answer, None)
    await reader.ended()
    assert reader.text == "".join(words)
    assert doubles.text_of(await one.told(accepted.answer)) == reader.text


async def _fail_over(one: Replica, answer: str, lost: int) -> None:
    """Have the log be what a promoted replica has of it, and the socket lead there."""
    key = one.keys.log(answer)
    entries = await one.redis.execute(key, "XRANGE", key, "-", "+")
    script = (
        "redis.call('DEL', KEYS[1])"
        "for i = 1, #ARGV, 3 do redis.call('XADD', KEYS[1], ARGV[i], ARGV[i+1], ARGV[i+2]) end"
    )
    kept = [part for name, fields in entries[: len(entries) - lost] for part in (name, *fields)]
    await one.redis.execute(key, "EVAL", script, 1, key, *kept)
    node = one.redis.connection(key)
    assert node is not None
    before = node.socket
    node.drop()
    await eventually(lambda: node.socket not in (None, before))


@pytest.mark.parametrize("goes_on", [True, False])
async def test_entries_lost_in_a_failover_are_appended_again(one: Replica, goes_on: bool) -> None:
    """Under their ids, before anything that comes later, be it only the end; nobody hears twice."""
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    for word in ("a ", "b ", "c "):
        one.puppet.say(accepted.answer, word)
        await reader.until(reader.text + word)
    before = await one.told(accepted.answer)
    await _fail_over(one, accepted.answer, lost=2)
    if goes_on:
        one.puppet.say(accepted.answer, "d")
    one.puppet.say(accepted.answer, None)
    await reader.ended()
    after = await one.told(accepted.answer)
    assert after[: len(before)] == before
    assert reader.text == doubles.text_of(after) == ("a b c d" if goes_on else "a b c ")


async def test_a_silent_answer_mends_its_log_after_a_failover(one: Replica) -> None:
    """Its generator thinks for long; whoever reads the log meanwhile finds all that was told."""
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    one.puppet.say(accepted.answer, "text")
    await reader.until("text")
    await _fail_over(one, accepted.answer, lost=1)

    async def mended() -> bool:
        return doubles.text_of(await one.told(accepted.answer)) == "text"

    await eventually(mended)


async def test_an_answer_whose_log_lost_too_much_is_written_anew_at_once(
    mine: Redis, keys: Keys
) -> None:
    """More than its writer keeps: nobody waits for a lease, and it does not count as a failure."""
    patient = Timing(ttl=30, reap_every=3600)
    async with (
        doubles.replica(mine, keys, Puppet(), patient) as one,
        doubles.replica(mine, keys, Puppet(), patient) as other,
    ):
        accepted = await one.submit()
        reader = Reader(one.tail, accepted.answer)
        for _ in range(4):
            one.puppet.say(accepted.answer, "x" * write_buffer.KEPT)
            await reader.until(reader.text + "x" * write_buffer.KEPT)
        await _fail_over(one, accepted.answer, lost=3)
        await eventually(lambda: len(one.puppet.assignments + other.puppet.assignments) == 2)
        assert (one.puppet.assignments + other.puppet.assignments)[-1].attempts == 0
        for each in (one, other):
            each.puppet.say(accepted.answer, "anew", None)
        assert (await other.runner.finished(accepted.answer)).answer_text == "anew"


async def test_a_generator_waits_while_redis_is_away(one: Replica, durable: Server) -> None:
    """A bounded tail is kept in memory; the rest is not even asked for."""
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    piece = "x" * 4096
    durable.signal(signal.SIGSTOP)
    try:
        for _ in range(64):
            one.puppet.say(accepted.answer, piece)
        waiting = one.puppet.waiting(accepted.answer)
        await eventually(lambda: waiting.qsize() < 64)
        await asyncio.sleep(0.05)  # the wait is the fact: nothing more may be taken
        assert (64 - waiting.qsize()) * 4096 <= 2 * write_buffer.ROOM
    finally:
        durable.signal(signal.SIGCONT)
    one.puppet.say(accepted.answer, None)
    await reader.ended()
    assert reader.text == piece * 64


async def test_an_append_of_an_epoch_that_is_over_is_refused(one: Replica) -> None:
    accepted = await one.submit()
    key = one.keys.log(accepted.answer)
    await one.redis.execute(key, "XADD", key, "2-0", "r", _started())
    one.puppet.say(accepted.answer, "zombie")
    await eventually(lambda: one.puppet.closed == [accepted.answer])
    assert [e.position for e in await one.told(accepted.answer)] == [
        Position(1, 0),
        Position(2, 0),
    ]


async def test_a_log_that_is_gone_is_not_revived(one: Replica) -> None:
    accepted = await one.submit()
    key = one.keys.log(accepted.answer)
    await one.redis.execute(key, "DEL", key)
    one.puppet.say(accepted.answer, "late")
    await eventually(lambda: one.puppet.closed == [accepted.answer])
    assert await one.redis.execute(key, "EXISTS", key) == 0


def _started() -> bytes:
    return event_log.encode(events.Started(at=doubles.AT))[1]
