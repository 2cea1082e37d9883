"""How quickly Redis answers is measured, and how often it is connected to."""

from __future__ import annotations

import asyncio

import pytest

from sessions.redis.connection import Redis, connect
from sessions.redis.resp_socket import pack
from tests.redis_servers import Server
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


def counted(redis: Redis) -> int:
    """Return how many replies were timed."""
    return redis.measures.reply_seconds.cumulative()[-1][1]


async def test_the_reply_to_a_write_is_timed(redis_server: Server) -> None:
    async with connect(redis_server.url) as redis:
        before = counted(redis)
        await redis.execute(b"k", "PING")
        assert counted(redis) == before + 1


async def test_a_slow_redis_is_told_as_such(redis_server: Server) -> None:
    async with connect(redis_server.url) as redis:
        before = redis.measures.reply_seconds.total
        await redis.execute(b"k", "BLPOP", "nothing", 0.2)
        assert redis.measures.reply_seconds.total - before > 0.15


async def test_commands_that_wait_for_their_replies_are_counted(redis_server: Server) -> None:
    async with connect(redis_server.url) as redis, asyncio.TaskGroup() as tasks:
        for _ in range(3):
            tasks.create_task(redis.execute(b"k", "BLPOP", "nothing", 0.1))
        await eventually(lambda: redis.unanswered == 3)
    assert redis.unanswered == 0


async def test_a_connection_that_breaks_is_counted_anew(redis_server: Server) -> None:
    async with connect(redis_server.url) as redis:
        assert (redis.measures.opened, redis.connections()) == (1, {"open": 1, "away": 0})
        connection = redis.connection(b"k")
        assert connection is not None
        connection.drop()
        await eventually(lambda: redis.measures.opened == 2)
        assert await redis.batch([(b"k", pack("PING"))]) == [b"PONG"]


async def test_who_only_listens_is_not_measured(redis_server: Server) -> None:
    async with connect(redis_server.url) as redis:
        redis.channels.listen(b"c", lambda _: None)
        await redis.channels.ready(b"c")
        assert redis.measures.opened == 1
