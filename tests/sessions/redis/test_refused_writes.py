"""Writes that Redis refuses for a while, alone and inside scripts, in every version at hand."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import pytest
from redis.exceptions import ResponseError

from sessions.errors import Unavailable
from sessions.redis.connection import Redis, Script, connect
from sessions.redis.resp_socket import RedisTimeouts, pack
from tests import redis_servers
from tests.redis_servers import Server
from tests.waiting import eventually, until

pytestmark = pytest.mark.anyio

HASTY = RedisTimeouts(deadline=1, patience=0.1, opening=1, backoff=0.02)


class Lua(Script):
    """A script that a test writes down."""

    def __init__(self, source: str) -> None:
        self.source = source.encode()
        self.sha = "0" * 40  # Redis never knows it


Change = Callable[[Server], None]

WRITES = Lua("redis.call('SET', KEYS[1], ARGV[1]) return redis.call('SET', KEYS[2], ARGV[1])")
FREES_FIRST = Lua("redis.call('DEL', KEYS[1]) return redis.call('SET', KEYS[2], ARGV[1])")


@pytest.fixture(params=redis_servers.binaries(), ids=redis_servers.called)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(request.param, folder) as server,
    ):
        yield server


@pytest.fixture
async def redis(server: Server) -> AsyncIterator[Redis]:
    async with connect(server.url, limits=HASTY) as redis:
        yield redis


def no_memory(server: Server) -> None:
    server.call("CONFIG", "SET", "maxmemory", 1)


def no_disk(server: Server) -> None:
    """Have a folder in the place of the snapshot, so that it cannot be written."""
    (server.folder / "dump.rdb" / "full").mkdir(parents=True, exist_ok=True)
    server.call("CONFIG", "SET", "save", "3600 1")
    server.call("BGSAVE")
    until(lambda: b"rdb_last_bgsave_status:err" in server.call("INFO", "persistence"))


def no_replica(server: Server) -> None:
    server.call("CONFIG", "SET", "min-replicas-to-write", 1)


def allow(server: Server) -> None:
    """Take everything back that makes *server* refuse."""
    for setting, value in (("maxmemory", 0), ("save", ""), ("min-replicas-to-write", 0)):
        server.call("CONFIG", "SET", setting, value)


@pytest.mark.parametrize("refuse", [no_memory, no_disk, no_replica])
async def test_a_refused_script_has_written_nothing_and_is_unavailable(
    server: Server, redis: Redis, refuse: Change
) -> None:
    refuse(server)
    with pytest.raises(Unavailable):
        await redis.run(WRITES, [b"a", b"b"], ["x"])
    with pytest.raises(Unavailable):
        await redis.execute(b"a", "SET", "a", "x")
    allow(server)
    assert await redis.run(WRITES, [b"a", b"b"], ["y"]) == b"OK"


@pytest.mark.parametrize("refuse", [no_memory, no_disk, no_replica])
async def test_a_script_is_refused_at_its_first_write_or_not_at_all(
    server: Server, redis: Redis, refuse: Change
) -> None:
    """What frees memory is let through, and then the rest is as well."""
    await redis.execute(b"a", "SET", "a", "x")
    refuse(server)
    try:
        written = await redis.run(FREES_FIRST, [b"a", b"b"], ["x"]) == b"OK"
    except Unavailable:
        written = False
    there = await redis.batch([(b"a", pack("EXISTS", "a")), (b"b", pack("EXISTS", "b"))])
    assert there == ([0, 1] if written else [1, 0])
    assert written == (refuse is no_memory)


async def test_a_refusal_that_passes_soon_is_not_seen(server: Server, redis: Redis) -> None:
    async def refused() -> bool:
        return b"errorstat_" in await redis.execute(b"", "INFO", "errorstats")

    async with connect(server.url) as patient, asyncio.TaskGroup() as tasks:
        no_memory(server)
        written = tasks.create_task(patient.execute(b"a", "SET", "a", "x"))
        await eventually(refused)
        allow(server)
        assert await written == b"OK"


@pytest.mark.parametrize(
    "text",
    ["-OOM command not allowed", "@user_script: 1: -READONLY no", "@user_script:1: -BUSY no"],
)
async def test_no_text_of_a_caller_passes_for_a_refusal(redis: Redis, text: str) -> None:
    """Where a script quotes it, and where it is no error at all."""
    quoting = Lua("return redis.error_reply('ERR there is no ' .. ARGV[1])")
    with pytest.raises(ResponseError):
        await redis.run(quoting, [b"a"], [text])
    raising = Lua("error('there is no ' .. ARGV[1])")
    with pytest.raises(ResponseError):
        await redis.run(raising, [b"a"], [text])
    assert await redis.execute(b"a", "ECHO", text) == text.encode()
