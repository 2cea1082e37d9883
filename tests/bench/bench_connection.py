"""What a Redis command costs us in CPU: redis-py, the shared connection, batches over it.

Commands come from 100 tasks at once, as they do from the answers of a busy process; a batch holds
50, as a flush does.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import redis.asyncio
import uvloop

from sessions.redis.connection import Redis, connect
from sessions.redis.resp_socket import pack
from tests.bench.measuring import Row, at_least, cpu_seconds, informs, rounds
from tests.bench.service_process import fresh_redis

TASKS: Final = 100
COMMANDS: Final = 10_000
SLOW: Final = 2_000
"""Commands through redis-py: enough, at twenty times the cost."""
BATCH: Final = 50
ROUNDS: Final = 5
ENTRY: Final = b"x" * 150
KEY: Final = b"bench:key"
LOG: Final = b"bench:log"
COMMAND: Final[dict[str, tuple[bytes | str, ...]]] = {
    "GET": ("GET", KEY),
    "XADD": ("XADD", LOG, "MAXLEN", "~", "1000", "*", "d", ENTRY),
}

Work = Callable[[], Awaitable[Any]]


async def measured(work: Work, commands: int, each: int = 1) -> float:
    """Return the CPU microseconds a command, where each *work* sends *each*."""
    shares = commands // each // TASKS

    async def task() -> None:
        for _ in range(shares):
            await work()

    before = cpu_seconds()
    async with asyncio.TaskGroup() as tasks:
        for _ in range(TASKS):
            tasks.create_task(task())
    return (cpu_seconds() - before) / (shares * each * TASKS) * 1e6


def by_redis_py(url: str, command: tuple[bytes | str, ...]) -> float:
    """Send through a redis-py client, whose pool has a connection for every task."""

    async def run() -> float:
        client: Any = redis.asyncio.Redis.from_url(url, protocol=2)  # pyright: ignore[reportUnknownMemberType] - its **kwargs have no type
        async with client:
            await measured(lambda: client.execute_command(*command), TASKS)  # fill the pool
            return await measured(lambda: client.execute_command(*command), SLOW)

    return uvloop.run(run())


def by(url: str, work: Callable[[Redis], Work], each: int = 1) -> float:
    """Send over the shared connection."""

    async def run() -> float:
        async with connect(url) as redis:
            return await measured(work(redis), COMMANDS, each)

    return uvloop.run(run())


def contenders(url: str, command: tuple[bytes | str, ...]) -> dict[str, Callable[[], float]]:
    """Name the three ways to send *command*."""
    key, packed = (KEY, pack(*command))
    batch = [(key, packed)] * BATCH
    return {
        "redis-py": lambda: by_redis_py(url, command),
        "execute": lambda: by(url, lambda redis: lambda: redis.execute(key, *command)),
        "batch": lambda: by(url, lambda redis: lambda: redis.batch(batch), BATCH),
    }


def run() -> list[Row]:
    """Measure GET and XADD, each in three ways, in turns."""
    rows: list[Row] = []
    with fresh_redis() as server:
        server.call("SET", KEY, ENTRY)
        for name, command in COMMAND.items():
            costs = rounds(contenders(server.url, command), ROUNDS)
            rows += [informs(f"{name} by {way}", cost, "µs") for way, cost in costs.items()]
            cheaper = costs["redis-py"] / costs["execute"]
            rows.append(at_least(f"{name}: redis-py costs more than execute", cheaper, 10))
            cheaper = costs["redis-py"] / costs["batch"]
            rows.append(at_least(f"{name}: redis-py costs more than a batch", cheaper, 30))
    return rows
