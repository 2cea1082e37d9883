"""Run the whole service, or a Redis alone, as a process to be measured."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Generator, Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tests import redis_servers
from tests.redis_servers import Server

ROOT: Final = Path(__file__).parents[2]
_ADDRESS: Final = re.compile(r"WebSocket +ws://127\.0\.0\.1:(\d+)/")


class Running(NamedTuple):
    """A process that serves."""

    pid: int
    port: int


@contextlib.contextmanager
def fresh_redis() -> Generator[Server]:
    """Run a Redis of our own that keeps nothing.

    Raises:
        FileNotFoundError: there is no redis-server to measure with.
    """
    program = redis_servers.binary()
    if program is None:
        raise FileNotFoundError("no redis-server to measure with")
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(program, folder) as server,
    ):
        yield server


@contextlib.contextmanager
def service(redis: str, settings: Mapping[str, str] | None = None) -> Generator[Running]:
    """Serve on a free port from the Redis at *redis*, without the sample."""
    own = {"COLLOQUY_REDIS_URL": redis, "COLLOQUY_PORT": "0", "COLLOQUY_SAMPLE": "off"}
    command = [sys.executable, "-m", "service", "serve"]
    environment = os.environ | own | dict(settings or {})
    pipe, none = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=pipe, stderr=none, text=True
    ) as process:
        if process.stdout is None:
            raise AssertionError("it is piped")
        try:
            yield Running(process.pid, _port(process.stdout))
        finally:
            process.kill()


def _port(lines: Iterable[str]) -> int:
    for line in lines:
        if found := _ADDRESS.search(line):
            return int(found[1])
    raise RuntimeError("the service ended before it was up")
