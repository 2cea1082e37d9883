"""Data directories whose bundled server tests start, kill and leave behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Final

from tests import redis_servers

_SERVICE: Final = """
import asyncio, sys
from pathlib import Path
from sessions.redis import bundled_server

async def main():
    async with bundled_server.server(Path(sys.argv[1]), programs=sys.argv[2:] or None) as url:
        print(url, flush=True)
        await asyncio.to_thread(sys.stdin.readline)

asyncio.run(main())
"""


@contextlib.contextmanager
def folder() -> Generator[Path]:
    """Make a data directory; whatever still serves it in the end is killed."""
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


def fake(data: Path, version: str, *, kind: str = "Redis", does: str = "exit 1") -> str:
    """Write a program that says it is a server of that *kind* and *version*."""
    program = data / f"{kind}-{version}"
    asked = f'if [ "$1" = --version ]; then echo "{kind} server v={version}"; exit; fi'
    program.write_text(f"#!/bin/sh\n{asked}\n{does}\n")
    program.chmod(0o755)
    return str(program)


async def abandoned(data: Path, *programs: str) -> tuple[str, int]:
    """Kill a service that runs one of *programs*; return the URL and process of what it left."""
    service = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _SERVICE, str(data), *programs),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert service.stdout
    told = b""
    while not told.startswith(b"unix://"):  # log lines come first
        told = await service.stdout.readline()
        assert told, "the service ended before it told where its server is"
        assert told, "the service ended before it told the address of its server"
    service.kill()
    await service.wait()
    return told.decode().strip(), alive(data)
