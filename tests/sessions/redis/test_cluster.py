"""A cluster is one Redis to its callers, while its slots move and its nodes fail."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncIterator, Generator
from typing import NamedTuple

import anyio
import pytest
from redis.crc import key_slot
from redis.exceptions import ResponseError

from sessions.errors import FailedPrecondition, Unavailable
from sessions.redis.connection import Redis, Script, check_install, connect
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import RedisTimeouts, pack
from tests import redis_servers
from tests.redis_servers import Cluster, Server
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

HASTY = RedisTimeouts(deadline=0.2, patience=0.15, opening=0.2, backoff=0.02)
INSTALL = Script("sessions.redis", "scripts/install.lua")


@pytest.fixture
async def redis(redis_cluster: Cluster) -> AsyncIterator[Redis]:
    async with connect(redis_cluster.url) as redis:
        yield redis


class Move(NamedTuple):
    """A slot that belongs to *source* and is on its way to *target*."""

    cluster: Cluster
    slot: int
    source: Server
    target: Server

    def carry(self, *keys: bytes) -> None:
        """Move some of the keys."""
        self.cluster.move_keys(self.source, self.target, *keys)

    def finish(self) -> None:
        """Move what is left and hand the slot over."""
        self.carry(*self.source.call("CLUSTER", "GETKEYSINSLOT", self.slot, 1000))
        self.cluster.close_move(self.slot, self.target)


@contextlib.contextmanager
def moving(cluster: Cluster, key: bytes) -> Generator[Move]:
    """Begin to move the slot of *key* to the next node; bring it back home in the end."""
    slot = key_slot(key)
    home = slot * 3 // 16384
    there = Move(cluster, slot, cluster.nodes[home], cluster.nodes[(home + 1) % 3])
    back = Move(cluster, slot, there.target, there.source)
    cluster.open_move(slot, there.source, there.target)
    try:
        yield there
    finally:
        there.finish()
        cluster.open_move(slot, back.source, back.target)
        back.finish()


@pytest.mark.every_redis
async def test_keys_of_all_nodes_are_reached(redis: Redis, keys: Keys) -> None:
    names = [keys.session(f"s{number}") for number in range(200)]
    for name in names:
        await redis.execute(name, "SET", name, name)
    assert await redis.batch([(name, pack("GET", name)) for name in names]) == names


async def test_a_batch_over_nodes_keeps_the_order_within_a_key(redis: Redis, keys: Keys) -> None:
    names = [keys.log(f"s/sessions/{number}/answers/1") for number in range(20)]
    batch = [(name, pack("RPUSH", name, n)) for n in range(5) for name in names]
    assert await redis.batch(batch) == [n + 1 for n in range(5) for _ in names]
    for name in names:
        assert await redis.execute(name, "LRANGE", name, 0, -1) == [b"0", b"1", b"2", b"3", b"4"]


async def test_scripts_run_where_their_keys_are(redis: Redis, keys: Keys) -> None:
    for name in (keys.session("a"), keys.session("b"), keys.session("c")):
        assert await redis.run(INSTALL, [name], [1, 2]) == [b"1", b"2"]
    await check_install(redis, keys)


async def test_a_slot_on_the_move_is_served_without_a_break(
    redis: Redis, redis_cluster: Cluster, keys: Keys
) -> None:
    """ASK while it moves, MOVED when it has: callers notice neither."""
    old, new = keys.session("x"), keys.turns("x")
    await redis.execute(old, "RPUSH", old, 0)
    commands = [("RPUSH", old, 1), ("RPUSH", new, 1), ("RPUSH", new, 2), ("LLEN", old)]
    packed = [(old, pack(*command)) for command in commands]
    with moving(redis_cluster, old) as move:
        assert await redis.batch(packed) == [2, 1, 2, 2]
        move.carry(old)
        assert await redis.execute(old, "RPUSH", old, 2) == 3
        move.finish()
        assert await redis.batch(packed) == [4, 3, 4, 4]
        assert await redis.execute(old, "LRANGE", old, 0, -1) == [b"0", b"1", b"2", b"1"]
        assert await redis.execute(new, "LRANGE", new, 0, -1) == [b"1", b"2", b"1", b"2"]
    assert await redis.execute(old, "LLEN", old) == 4


async def test_keys_that_are_half_moved_are_waited_for(redis_cluster: Cluster, keys: Keys) -> None:
    """TRYAGAIN is repeated, and Unavailable when it does not pass."""
    here, there = keys.session("x"), keys.turns("x")
    async with connect(redis_cluster.url, limits=HASTY) as redis:
        await redis.batch([(key, pack("SET", key, "v")) for key in (here, there)])
        with moving(redis_cluster, here) as move:
            move.carry(there)
            with pytest.raises(Unavailable):
                await redis.execute(here, "MGET", here, there)
            async with asyncio.TaskGroup() as tasks:
                both = tasks.create_task(redis.execute(here, "MGET", here, there))
                await asyncio.sleep(0)
                move.carry(here)
                assert await both == [b"v", b"v"]


async def test_an_error_of_one_node_leaves_the_others_alone(redis: Redis, keys: Keys) -> None:
    names = [keys.session(f"s{number}") for number in range(6)]
    commands = [(name, pack("SET", name, "text")) for name in names]
    commands[2] = (names[2], pack("NOSUCH"))
    replies = await redis.batch(commands)
    assert isinstance(replies.pop(2), ResponseError)
    assert replies == [b"OK"] * 5


async def test_a_frozen_node_is_away_alone(redis_cluster: Cluster, keys: Keys) -> None:
    async with connect(redis_cluster.url, limits=HASTY) as redis:
        names = [keys.session(f"s{number}") for number in range(30)]
        frozen = redis_cluster.nodes[1]
        frozen.signal(signal.SIGSTOP)
        try:
            replies = await redis.batch([(name, pack("EXISTS", name)) for name in names])
        finally:
            frozen.signal(signal.SIGCONT)
        for name, reply in zip(names, replies, strict=True):
            assert (reply == 0) is (key_slot(name) * 3 // 16384 != 1)
        await eventually(lambda: redis.available)
        assert await redis.batch([(name, pack("EXISTS", name)) for name in names]) == [0] * 30


@pytest.mark.every_redis  # before Redis 7 channels have no slots
async def test_a_channel_follows_its_slot(redis: Redis, redis_cluster: Cluster, keys: Keys) -> None:
    channel, heard, back = keys.channel("s/sessions/x/answers/1"), list[bytes](), anyio.Event()
    redis.channels.listen(channel, heard.append)
    await redis.channels.ready(channel)
    await redis.publish(channel, b"1")
    await eventually(lambda: heard == [b"1"])
    redis.channels.on_reconnect(back.set)
    with moving(redis_cluster, channel) as move:
        move.finish()
        if redis.channels.publish_command == b"SPUBLISH":
            with anyio.fail_after(LONG):
                await back.wait()
        await redis.publish(channel, b"2")
        await eventually(lambda: heard == [b"1", b"2"])


async def test_a_plain_url_to_a_cluster_is_refused(redis_cluster: Cluster) -> None:
    with pytest.raises(FailedPrecondition, match=r"write redis\+cluster://"):
        async with connect(redis_cluster.nodes[0].url):
            pass


async def test_a_cluster_url_to_a_single_server_is_refused(redis_binary: str) -> None:
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(redis_binary, folder, tcp=True) as server,
        pytest.raises(FailedPrecondition, match="cluster support disabled"),
    ):
        async with connect(f"redis+cluster://127.0.0.1:{server.port}"):
            pass


async def test_a_replica_takes_over_for_a_master_that_died(redis_binary: str) -> None:
    key = b"{06S}"  # slot 0
    with (
        redis_servers.folder() as folder,
        redis_servers.cluster(redis_binary, folder, replicas=1) as cluster,
    ):
        async with connect(cluster.url) as redis:
            heard = list[bytes]()
            redis.channels.listen(key, heard.append)
            await redis.channels.ready(key)
            await redis.execute(key, "SET", key, "kept")
            cluster.nodes[0].stop()

            async def is_back() -> bool:
                with contextlib.suppress(Unavailable):
                    return await redis.execute(key, "GET", key) == b"kept"
                return False

            await eventually(is_back)
            await redis.channels.ready(key)
            await redis.publish(key, b"again")
            await eventually(lambda: heard == [b"again"])
