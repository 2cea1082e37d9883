"""Masters that are frozen for longer than a failover takes: what they say then is not believed."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
from redis.crc import key_slot
from redis.exceptions import ConnectionError as Broken

from sessions.errors import Unavailable
from sessions.redis.connection import Redis, connect
from sessions.redis.resp_socket import RedisTimeouts
from tests import redis_servers
from tests.chaos.proxies import Proxy
from tests.redis_servers import Sentinels, Server
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

KEYS = [b"{k}%d" % n for n in range(20)]
"""In one slot, so that a cluster has them on one node."""

Write = Callable[[bytes], Awaitable[None]]


async def acknowledged(write: Write, while_frozen: Awaitable[None], frozen: Server) -> list[bytes]:
    """Freeze a master with every one of `KEYS` on its way; return what was acknowledged."""
    done: list[bytes] = []

    async def one(key: bytes) -> None:
        with contextlib.suppress(Unavailable):
            await write(key)
            done.append(key)

    frozen.signal(signal.SIGSTOP)
    try:
        async with asyncio.timeout(LONG), asyncio.TaskGroup() as tasks:
            for key in KEYS:
                tasks.create_task(one(key))
            await while_frozen
            frozen.signal(signal.SIGCONT)
    finally:
        frozen.signal(signal.SIGCONT)
    return done


def writing(redis: Redis) -> Write:
    async def write(key: bytes) -> None:
        await redis.execute(key, "SET", key, "v")
        await redis.replicated(key)

    return write


def stored(server: Server, keys: list[bytes]) -> list[bytes]:
    return [key for key in keys if server.call("GET", key) == b"v"]


async def promoted(sentinels: Sentinels) -> None:
    """Wait until the sentinel names the replica; whoever asks once a second may not know yet."""

    async def is_named() -> bool:
        named = await asyncio.to_thread(
            sentinels.sentinel.call, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", "main"
        )
        return int(named[1]) == sentinels.replica.port

    await eventually(is_named)


@pytest.mark.parametrize("replicas", [0, 1])
async def test_what_a_deposed_master_acknowledges_when_it_thaws_is_not_believed(
    sentinels: Sentinels, replicas: int
) -> None:
    """It executes what had been sent to it, and has nobody left to give it to."""
    async with connect(sentinels.url, replicas=replicas) as redis:
        said = await acknowledged(writing(redis), promoted(sentinels), sentinels.master)
        assert stored(sentinels.replica, said) == said
        await eventually(lambda: goes_on(redis))
        assert sentinels.replica.call("GET", "on") == b"v"


async def goes_on(redis: Redis) -> bool:
    with contextlib.suppress(Unavailable):
        await redis.execute(b"on", "SET", "on", "v")
        return True
    return False


async def test_what_a_deposed_master_knows_is_not_told(sentinels: Sentinels) -> None:
    """What the next one was told is missing there, and what was deleted is not."""
    async with connect(sentinels.url) as redis:
        read: list[object] = []

        async def write(key: bytes) -> None:
            read.append(await redis.execute(key, "GET", "k"))

        async def replaced() -> None:
            await promoted(sentinels)
            await eventually(lambda: told(sentinels.replica))

        await acknowledged(write, replaced(), sentinels.master)
        assert set(read) <= {b"new"}


async def told(server: Server) -> bool:
    with contextlib.suppress(Broken):
        return await asyncio.to_thread(server.call, "SET", "k", "new") == b"OK"
    return False


async def test_replicas_that_are_gone_have_the_address_asked_again(redis_binary: str) -> None:
    """Nobody froze: the replica was promoted, and the name turned to it."""
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(
            redis_binary, folder / "1", "--repl-diskless-sync", "no", tcp=True
        ) as first,
        redis_servers.standalone(
            redis_binary, folder / "2", "--replicaof", "127.0.0.1", str(first.port), tcp=True
        ) as second,
    ):
        named = [first]
        async with (
            Proxy(lambda: named[-1].port).opened() as proxy,
            connect(f"redis://127.0.0.1:{proxy.port}", replicas=1) as redis,
        ):
            await eventually(lambda: b"state=online" in first.call("INFO", "replication"))
            write = writing(redis)
            connection = redis.connection(b"k")
            assert connection is not None
            replicas = connection.replication.replicas

            async def is_waited_for() -> bool:
                await write(b"k")
                return not replicas.away  # as they count when they need a second, on a busy machine

            await eventually(is_waited_for, within=60)
            named.append(second)
            second.call("REPLICAOF", "NO", "ONE")
            # Refused by who sees no replica and asks the address; or, where this process slept
            # meanwhile and so doubted the first one already, told to the second.
            with contextlib.suppress(Unavailable):
                await write(b"on")
                assert stored(second, [b"on"]) == [b"on"]
            await eventually(lambda: goes_on(redis))
            assert stored(second, [b"k", b"on"]) == [b"k", b"on"]


@pytest.fixture
async def clustered(redis_binary: str) -> AsyncIterator[redis_servers.Cluster]:
    with (
        redis_servers.folder() as folder,
        redis_servers.cluster(redis_binary, folder, replicas=1) as cluster,
    ):
        yield cluster


async def test_what_a_deposed_master_of_a_cluster_acknowledges_is_not_believed(
    clustered: redis_servers.Cluster,
) -> None:
    master, other, replica = clustered.nodes[0], clustered.nodes[1], clustered.nodes[-1]

    async def replaced() -> None:
        def ports() -> list[int]:
            return [slots[2][1] for slots in other.call("CLUSTER", "SLOTS")]

        async def is_replaced() -> bool:
            return replica.port in await asyncio.to_thread(ports)

        await eventually(is_replaced)

    slots = range(16384 // 3)  # of the first master
    tag = next(key for key in (b"{%d}" % n for n in range(99)) if key_slot(key) in slots)
    async with connect(clustered.url) as redis:
        said: list[bytes] = []

        async def write(key: bytes) -> None:
            await redis.execute(tag, "SET", tag + key, "v")
            said.append(tag + key)

        await acknowledged(write, replaced(), master)
        assert stored(replica, said) == said


async def test_a_server_that_was_only_frozen_is_believed(own_server: Server) -> None:
    """Alone it has no deputy: the socket stays, and so does what it acknowledges."""
    patient = RedisTimeouts(deadline=30.0, patience=30.0)  # or a busy machine makes it hang
    async with connect(own_server.url, limits=patient) as redis:
        connection = redis.connection(b"k")
        assert connection is not None
        before = connection.socket
        assert before is not None

        async def lull() -> None:
            since = asyncio.get_running_loop().time()
            await eventually(lambda: asyncio.get_running_loop().time() > since + 0.6)

        said = await acknowledged(writing(redis), lull(), own_server)
        assert sorted(said) == sorted(KEYS)
        assert before.doubts > 0
        assert connection.socket is before


async def test_an_address_that_leads_elsewhere_meanwhile_is_followed(
    redis_binary: str, own_server: Server
) -> None:
    """As a name or a proxy does that is turned to the next master while this one is frozen."""
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder / "1", tcp=True) as first,
        redis_servers.standalone(redis_binary, folder / "2", tcp=True) as second,
    ):
        named = [first]
        async with (
            Proxy(lambda: named[-1].port).opened() as proxy,
            connect(f"redis://127.0.0.1:{proxy.port}") as redis,
        ):

            async def turned() -> None:
                named.append(second)
                since = asyncio.get_running_loop().time()
                await eventually(lambda: asyncio.get_running_loop().time() > since + 0.6)

            said = await acknowledged(writing(redis), turned(), first)
            assert stored(second, said) == said
            await eventually(lambda: goes_on(redis))
            assert second.call("GET", "on") == b"v"
