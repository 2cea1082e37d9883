"""Each type of key is the same after a backup and a restore, on each server at hand."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from typing import Any, Final

import pytest

from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.backups.copying import backed_up, restored
from tests.redis_servers import Server

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]

BYTES: Final = bytes(range(256))
MANY: Final = 1_200  # more than are read or written at once
WRITTEN: Final[dict[str, list[tuple[Any, ...]]]] = {
    "string": [("SET", BYTES)],
    "empty string": [("SET", b"")],
    "hash": [("HSET", "f", BYTES, "g", "")],
    "large hash": [("HSET", *(part for n in range(MANY) for part in (f"f{n}", n)))],
    "list": [("RPUSH", *range(MANY))],
    "set": [("SADD", *range(MANY))],
    "zset": [("ZADD", 1764000000123456, "a", 0.1, BYTES, "-inf", "c")],
    "stream": [("XADD", "1-0", "e", "x"), ("XADD", "7-3", "r", "y", "s", BYTES)],
    "large stream": [("XADD", f"{n}-1", "e", n) for n in range(1, MANY)],
    "cut stream": [("XADD", "1-1", "e", "x"), ("XADD", "2-1", "e", "y"), ("XDEL", "2-1")],
}
READ: Final = {
    "string": ("GET",),
    "hash": ("HGETALL",),
    "list": ("LRANGE", 0, -1),
    "set": ("SMEMBERS",),
    "zset": ("ZRANGE", 0, -1, "WITHSCORES"),
    "stream": ("XRANGE", "-", "+"),
}


@pytest.fixture
async def redis(redis_server: Server) -> AsyncIterator[Redis]:
    async with connection.connect(redis_server.url) as redis:
        yield redis


async def copied(redis: Redis, keys: Keys) -> Keys:
    to = Keys(prefix=f"t{secrets.token_hex(6)}")
    await restored(redis, to, await backed_up(redis, keys))
    return to


@pytest.mark.parametrize("kind", WRITTEN)
async def test_a_key_comes_back_as_it_was(redis: Redis, keys: Keys, kind: str) -> None:
    key = f"{keys.prefix}:{kind}".encode()
    for command, *rest in WRITTEN[kind]:
        await redis.execute(key, command, key, *rest)
    copy = f"{(await copied(redis, keys)).prefix}:{kind}".encode()
    command, *rest = READ[kind.rsplit(maxsplit=1)[-1]]
    before, after = [await redis.execute(each, command, each, *rest) for each in (key, copy)]
    if kind.endswith("hash"):
        before, after = [dict(zip(x[::2], x[1::2], strict=True)) for x in (before, after)]
    if kind == "set":
        before, after = set(before), set(after)
    assert after == before
    assert await redis.execute(copy, "PTTL", copy) == -1


@pytest.mark.parametrize("kind", ["stream", "large stream", "cut stream"])
async def test_a_stream_goes_on_where_it_ended(redis: Redis, keys: Keys, kind: str) -> None:
    """No id comes twice, and what was taken off the end shows."""
    key = f"{keys.prefix}:{kind}".encode()
    for command, *rest in WRITTEN[kind]:
        await redis.execute(key, command, key, *rest)
    copy = f"{(await copied(redis, keys)).prefix}:{kind}".encode()
    told = [await redis.execute(each, "XINFO", "STREAM", each) for each in (key, copy)]
    before, after = [dict(zip(each[::2], each[1::2], strict=True)) for each in told]
    for field in (b"length", b"last-generated-id", b"entries-added", b"max-deleted-entry-id"):
        assert after.get(field) == before.get(field)


async def test_lives_end_when_they_would_have(redis: Redis, keys: Keys) -> None:
    key, ended = f"{keys.prefix}:lives".encode(), f"{keys.prefix}:ended".encode()
    await redis.execute(key, "SET", key, "x", "PX", 500_000)
    await redis.execute(ended, "SET", ended, "x", "PX", 30)
    before = await redis.now_ms() + await redis.execute(key, "PTTL", key)
    backup = await backed_up(redis, keys)
    while await redis.execute(ended, "EXISTS", ended):
        pass
    to = Keys(prefix=f"t{secrets.token_hex(6)}")
    await restored(redis, to, backup)
    copy = f"{to.prefix}:lives".encode()
    after = await redis.now_ms() + await redis.execute(copy, "PTTL", copy)
    assert abs(after - before) < 50
    gone = f"{to.prefix}:ended".encode()
    assert not await redis.execute(gone, "EXISTS", gone)
