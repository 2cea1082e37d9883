"""Leases that run out because Redis was away: their owners live, and keep their answers."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import time
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
import redis

from sessions import names
from sessions.errors import ServiceError
from sessions.redis.connection import connect
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import RedisTimeouts
from streaming.running import reaper
from streaming.running.runner import Timing
from tests import redis_servers
from tests.redis_servers import Sentinels, Server
from tests.streaming import doubles
from tests.streaming.doubles import SILENT, Puppet, Reader, Replica
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

HASTY = RedisTimeouts(deadline=0.3, patience=0.1, opening=0.3, backoff=0.5)
PATIENT = RedisTimeouts(deadline=30)
EAGER = Timing(ttl=2, renew_every=0.5, reap_every=0.02)
"""Looks for expired leases far more often than it renews its own."""

Way = Callable[[Server], None]


@pytest.fixture
def server(redis_binary: str) -> Iterator[Server]:
    """Run a server that forgets nothing when it is killed."""
    durable = ("--appendonly", "yes", "--appendfsync", "always")
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder, *durable) as server,
    ):
        yield server


def freeze(server: Server) -> None:
    server.signal(signal.SIGSTOP)


def thaw(server: Server) -> None:
    server.signal(signal.SIGCONT)


def fill(server: Server) -> None:
    server.call("CONFIG", "SET", "maxmemory", 1)


def empty(server: Server) -> None:
    server.call("CONFIG", "SET", "maxmemory", 0)


@pytest.mark.parametrize(
    ("limits", "away", "back"),
    [
        pytest.param(HASTY, Server.stop, Server.start, id="restarted"),
        pytest.param(HASTY, freeze, thaw, id="frozen"),
        pytest.param(PATIENT, freeze, thaw, id="late"),
        pytest.param(HASTY, fill, empty, id="full"),
    ],
)
async def test_an_answer_stays_with_its_owner(
    server: Server, keys: Keys, limits: RedisTimeouts, away: Way, back: Way
) -> None:
    """Though others look for expired leases all the time, and readers attach."""
    async with (
        connect(server.url, limits=limits) as here,
        connect(server.url, limits=limits) as there,
        doubles.replica(here, keys, Puppet(), EAGER) as one,
        doubles.replica(there, keys, Puppet(), EAGER) as other,
    ):
        accepted = await one.submit()
        reader = Reader(one.tail, accepted.answer)
        one.puppet.say(accepted.answer, "first, ")
        await reader.until("first, ")
        await asyncio.to_thread(away, server)
        async with asyncio.TaskGroup() as tasks:
            attaching = tasks.create_task(_attach(other, accepted.answer))
            await _elapsed(2 * EAGER.ttl)
            await asyncio.to_thread(back, server)
            await eventually(lambda: _runs(one, accepted.answer))
            attaching.cancel()
        one.puppet.say(accepted.answer, "then", None)
        await reader.ended()
        assert reader.text == "first, then"
        assert await one.field(accepted.answer, "epoch") == b"1"
        assert other.puppet.assignments == []


async def test_an_owner_that_died_meanwhile_is_replaced(server: Server, keys: Keys) -> None:
    """A little later than if Redis had been there."""
    async with (
        connect(server.url, limits=HASTY) as here,
        connect(server.url, limits=HASTY) as there,
        doubles.replica(there, keys, Puppet(), EAGER) as other,
        doubles.replica(here, keys, Puppet(), SILENT) as dead,
    ):
        accepted = await dead.submit()
        await asyncio.to_thread(server.stop)
        await eventually(lambda: not there.available)
        await asyncio.to_thread(server.start)
        await eventually(lambda: other.runner.running == 1)
        other.puppet.say(accepted.answer, "text", None)
        assert (await other.runner.finished(accepted.answer)).answer_text == "text"


async def test_nobody_waits_for_an_owner_that_dies_while_redis_is_there(
    server: Server, keys: Keys
) -> None:
    async with (
        connect(server.url) as shared,
        doubles.replica(shared, keys, Puppet(), EAGER) as other,
        doubles.replica(shared, keys, Puppet(), SILENT) as dead,
    ):
        began = time.monotonic()
        await dead.submit()
        await eventually(lambda: other.runner.running == 1)
        assert SILENT.ttl <= time.monotonic() - began < SILENT.ttl + reaper.GRACE


@pytest.fixture
async def failing(sentinels: Sentinels, keys: Keys) -> AsyncIterator[tuple[Replica, Replica]]:
    """Run two replicas over a master that is replaced once the leases have run out."""
    patience = ("down-after-milliseconds", round(EAGER.ttl * 1000))
    sentinels.sentinel.call("SENTINEL", "SET", "main", *patience)
    async with (
        connect(sentinels.url) as here,
        connect(sentinels.url) as there,
        doubles.replica(here, keys, Puppet(), EAGER) as one,
        doubles.replica(there, keys, Puppet(), EAGER) as other,
    ):
        yield one, other


@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
async def test_an_answer_stays_with_its_owner_under_the_next_master(
    sentinels: Sentinels, failing: tuple[Replica, Replica], fault: signal.Signals
) -> None:
    one, other = failing
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    one.puppet.say(accepted.answer, "first, ")
    await reader.until("first, ")
    await eventually(lambda: sentinels.replica.call("EXISTS", one.keys.log(accepted.answer)) == 1)
    sentinels.master.signal(fault)
    await eventually(lambda: _leads(sentinels.replica))
    async with asyncio.TaskGroup() as tasks:
        attaching = tasks.create_task(_attach(other, accepted.answer))
        await eventually(lambda: _runs(one, accepted.answer))
        attaching.cancel()
    one.puppet.say(accepted.answer, "then", None)
    await reader.ended()
    assert reader.text == "first, then"
    assert await one.field(accepted.answer, "epoch") == b"1"
    assert other.puppet.assignments == []


async def _attach(replica: Replica, answer: str) -> None:
    """Do what is done for readers, one after the other, for ever."""

    async def attach() -> bool:
        with contextlib.suppress(ServiceError):
            await replica.runner.adopt(answer)
        return False

    await eventually(attach, within=60)


def _leads(server: Server) -> bool:
    """Tell whether *server*, which breaks all connections when it is promoted, is the master."""
    try:
        return b"role:master" in server.call("INFO", "replication")
    except redis.ConnectionError:
        return False


async def _elapsed(seconds: float) -> None:
    end = time.monotonic() + seconds
    await eventually(lambda: time.monotonic() > end, within=seconds + LONG)


async def _runs(one: Replica, answer: str) -> bool:
    """Tell whether the lease of *answer* runs."""
    key = one.keys.leases(one.keys.partition(names.parent(answer)))
    try:
        until = float(await one.redis.execute(key, "ZSCORE", key, answer))
        return until > await one.redis.now_ms()
    except ServiceError:
        return False
