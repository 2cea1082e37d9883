"""A master that sentinels name may change; callers stay."""

from __future__ import annotations

import contextlib
import signal

import anyio
import pytest
from redis.exceptions import ConnectionError as Broken

from sessions.errors import Unavailable
from sessions.redis.connection import Redis, connect
from sessions.redis.resp_socket import RedisTimeouts, pack
from sessions.redis.sentinels import Sentinels as Locator
from sessions.redis.urls import parse
from tests import redis_servers
from tests.redis_servers import Sentinels, Server
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

HASTY = RedisTimeouts(deadline=0.3, patience=0.2, opening=0.3, backoff=0.05)


async def write(redis: Redis, at: Sentinels) -> bool:
    """Write a key; tell whether the replica, which breaks connections when promoted, has it."""
    with contextlib.suppress(Unavailable, Broken):
        await redis.execute(b"k", "INCR", "k")
        return b"role:master" in at.replica.call("INFO", "replication")
    return False


@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
async def test_the_next_master_is_found(sentinels: Sentinels, fault: signal.Signals) -> None:
    """Killed or frozen: only Unavailable is seen meanwhile, and channels come back too."""
    heard, back = list[bytes](), anyio.Event()
    async with connect(sentinels.url, limits=HASTY) as redis:
        redis.channels.on_reconnect(back.set)
        redis.channels.listen(b"c", heard.append)
        await redis.channels.ready(b"c")
        assert await redis.execute(b"k", "INCR", "k") == 1
        sentinels.master.signal(fault)
        await eventually(lambda: write(redis, sentinels))
        with anyio.fail_after(LONG):
            await back.wait()
        await redis.publish(b"c", b"again")
        await eventually(lambda: heard == [b"again"])


async def test_an_attempt_to_reach_a_frozen_master_ends_with_its_rule(
    sentinels: Sentinels,
) -> None:
    """However long it takes to open a socket: others are with the next master already."""
    back = anyio.Event()
    patient = RedisTimeouts(deadline=60, patience=0.2, opening=60, backoff=0.05)
    async with connect(sentinels.url, limits=patient) as redis:
        redis.channels.on_reconnect(back.set)
        redis.channels.listen(b"c", lambda _: None)
        await redis.channels.ready(b"c")
        for kind in ("pubsub", "normal"):
            sentinels.master.call("CLIENT", "KILL", "TYPE", kind)
        sentinels.master.signal(signal.SIGSTOP)
        await eventually(lambda: write(redis, sentinels))
        with anyio.fail_after(LONG):
            await back.wait()


async def test_a_sentinel_that_has_not_heard_of_a_failover_is_not_believed(
    redis_binary: str,
) -> None:
    """It was frozen meanwhile, and is the only one that the URL names: the others are asked too."""
    with (
        redis_servers.folder() as folder,
        redis_servers.sentinels(redis_binary, folder, count=3) as sentinels,
    ):
        deployment = parse(sentinels.url)
        async with contextlib.aclosing(Locator(deployment, RedisTimeouts())) as locator:
            assert (await locator.locate()).port == sentinels.master.port
            sentinels.sentinel.signal(signal.SIGSTOP)
            try:
                sentinels.others[0].call("SENTINEL", "FAILOVER", "main")
                await eventually(lambda: names_replica(sentinels.others[0], sentinels))
            finally:
                sentinels.sentinel.signal(signal.SIGCONT)
            assert (await locator.locate()).port == sentinels.replica.port


def names_replica(sentinel: Server, sentinels: Sentinels) -> bool:
    named = sentinel.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main")
    return int(named[1]) == sentinels.replica.port


async def test_a_master_that_is_being_replaced_is_nobody(sentinels: Sentinels) -> None:
    """Until the sentinel knows the next one: what the old one still takes would be lost."""
    async with contextlib.aclosing(Locator(parse(sentinels.url), RedisTimeouts())) as locator:
        sentinels.replica.signal(signal.SIGSTOP)  # it cannot say that it was promoted
        try:
            sentinels.sentinel.call("SENTINEL", "FAILOVER", "main")
            with pytest.raises(Unavailable):
                await locator.locate()
        finally:
            sentinels.replica.signal(signal.SIGCONT)


async def test_a_deposed_master_is_left_without_an_error(sentinels: Sentinels) -> None:
    """READONLY never comes out: batches and commands go on with the new master."""
    async with connect(sentinels.url) as redis:
        sentinels.sentinel.call("SENTINEL", "FAILOVER", "main")

        async def moved() -> bool:
            batch = [(b"k", pack("INCR", "k")), (b"k", pack("INCR", "k"))]
            assert all(isinstance(reply, int | Unavailable) for reply in await redis.batch(batch))
            return await write(redis, sentinels)

        await eventually(moved)
