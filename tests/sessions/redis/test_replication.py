"""Replicas that are waited for: while they are there, while they are not, and again."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from sessions.redis.connection import Redis, connect
from sessions.redis.node_connection import NodeConnection
from sessions.redis.replication import AGAIN, PROBE, WAIT, Replicas
from sessions.redis.resp_socket import RedisTimeouts, away, pack
from tests import redis_servers
from tests.redis_servers import Server
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

FULL, SHORT = pack("WAIT", 1, WAIT), pack("WAIT", 1, PROBE)


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.time = 1000.0

    def __call__(self) -> float:
        return self.time


def _miss(replicas: Replicas) -> None:
    assert replicas.lacking(0)
    replicas.missed(0)


def test_who_waits_for_none_sends_nothing() -> None:
    assert Replicas(0).command() == b""


def test_replicas_that_are_there_are_waited_for() -> None:
    replicas = Replicas(1)
    for _ in range(3):
        assert replicas.command() == FULL
        assert not replicas.lacking(1)


def test_replicas_that_are_away_are_asked_for_from_time_to_time_and_shortly() -> None:
    clock = Clock()
    replicas = Replicas(1, clock)
    _miss(replicas)
    assert [replicas.command() for _ in range(3)] == [b"", b"", b""]
    clock.time += AGAIN
    assert [replicas.command() for _ in range(3)] == [SHORT, b"", b""]
    _miss(replicas)
    clock.time += AGAIN
    assert replicas.command() == SHORT
    assert not replicas.lacking(1)
    assert [replicas.command() for _ in range(2)] == [FULL, FULL]


def test_a_question_that_is_lost_is_asked_again() -> None:
    clock = Clock()
    replicas = Replicas(1, clock)
    _miss(replicas)
    clock.time += AGAIN
    assert replicas.command() == SHORT
    assert not replicas.lacking(away())
    clock.time += AGAIN
    assert replicas.command() == SHORT


def test_what_fails_says_nothing_of_the_replicas() -> None:
    replicas = Replicas(1)
    assert not replicas.lacking(away())
    assert not replicas.away


def test_it_is_said_once_that_they_are_away_and_that_they_are_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    replicas = Replicas(2)
    for found in (2, 1, 0, 1, 2, 2):
        if replicas.lacking(found):
            replicas.missed(found)
    said = [record.message for record in caplog.records]
    assert said == ["redis_replicas_away", "redis_replicas_back"]


@pytest.fixture
def master(redis_binary: str) -> Iterator[Server]:
    with redis_servers.master(redis_binary) as server:
        yield server


@pytest.fixture
def replica(master: Server) -> Iterator[Server]:
    with redis_servers.replica_of(master) as server:
        yield server


@pytest.fixture
async def redis(master: Server) -> AsyncIterator[Redis]:
    async with connect(master.url, replicas=1) as redis:
        yield redis


def _connection(redis: Redis) -> NodeConnection:
    connection = redis.connection(b"k")
    assert connection is not None
    return connection


def _waits(master: Server) -> int:
    """Tell how often WAIT was sent."""
    (line,) = [
        line
        for line in master.call("INFO", "commandstats").splitlines() or [b""]
        if line.startswith(b"cmdstat_wait:")
    ] or [b"calls=0,"]
    return int(line.partition(b"calls=")[2].partition(b",")[0])


async def test_what_is_replicated_is_with_the_replica(
    redis: Redis, replica: Server, master: Server
) -> None:
    await eventually(lambda: b"state=online" in master.call("INFO", "replication"))
    for number in range(100):
        await redis.execute(b"k", "SET", "k", number)
        await redis.replicated(b"k")
        assert replica.call("GET", "k") == b"%d" % number
    assert not _connection(redis).replication.replicas.away


@pytest.mark.every_redis
async def test_what_others_wrote_is_waited_for_before_it_is_told(
    replica: Server, master: Server
) -> None:
    """By who has written nothing: newer servers have WAIT look at the writes of its own socket."""
    await eventually(lambda: b"state=online" in master.call("INFO", "replication"))
    patient = RedisTimeouts(deadline=2 * LONG)
    async with connect(master.url, limits=patient, replicas=1) as redis:
        _connection(redis).replication.replicas.wait = pack("WAIT", 1, int(1000 * LONG))
        replica.signal(signal.SIGSTOP)
        try:
            master.call("SET", "k", "v")
            there = asyncio.ensure_future(redis.replicated(b"k"))
            await eventually(lambda: there.done() or b"blocked_clients:1" in master.call("INFO"))
            assert not there.done()
        finally:
            replica.signal(signal.SIGCONT)
        await there


async def test_without_a_replica_nothing_fails_and_soon_nothing_waits(
    redis: Redis, master: Server
) -> None:
    """However many ask at once: two WAITs are sent, and what comes behind them outlasts them."""
    began = time.monotonic()
    async with asyncio.TaskGroup() as tasks:
        for _ in range(20):
            tasks.create_task(redis.replicated(b"k"))
        other = tasks.create_task(redis.execute(b"k", "ECHO", "still here"))
    assert other.result() == b"still here"
    for _ in range(20):
        await redis.replicated(b"k")
    assert time.monotonic() - began < RedisTimeouts().deadline
    assert _waits(master) == 2


async def test_a_replica_that_comes_is_waited_for_again(redis: Redis, master: Server) -> None:
    connection = _connection(redis)
    connection.replication.replicas = Replicas(1, lambda: 50 * time.monotonic())
    await redis.replicated(b"k")
    assert connection.replication.replicas.away

    async def back() -> bool:
        await redis.replicated(b"k")
        return not connection.replication.replicas.away

    with redis_servers.replica_of(master) as replica:
        await eventually(back)
        await redis.execute(b"k", "SET", "k", "v")
        await redis.replicated(b"k")
        assert replica.call("GET", "k") == b"v"


async def test_a_caller_who_gives_up_does_not_end_the_wait_of_others(redis: Redis) -> None:
    callers = [asyncio.ensure_future(redis.replicated(b"k")) for _ in range(2)]
    await asyncio.sleep(0)
    callers[0].cancel()
    await callers[1]
    with pytest.raises(asyncio.CancelledError):
        await callers[0]
