"""How many streaming answers replicas carry together over one Redis, and how many idle sockets.

Each replica is a process of the server that `tests.bench.bench_websocket` measures, with a reader
of its own. Answers of 50 pieces a second are added until one piece of a hundred comes 50 ms late.
Replicas, readers and Redis share the cores of this machine, which the first row tells: on as few
as there are replicas nothing can grow.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from tests import redis_servers
from tests.bench import bench_websocket
from tests.bench.bench_websocket import Server
from tests.bench.measuring import Row, cpu_seconds, informs
from tests.redis_servers import Server as RedisServer

REPLICAS: Final = (1, 2, 4)
STEPS: Final = (100, 200, 300, 400, 600, 800, 1200, 1600)
"""Answers of all replicas together."""
LATE: Final = 50.0
"""Milliseconds within which 99 of 100 pieces have to be there."""


class Carried(NamedTuple):
    """What replicas carried together."""

    answers: int
    p99_ms: float
    server_us: float
    """CPU of the replicas for a piece."""
    redis_us: float


@contextlib.contextmanager
def fleet(replicas: int) -> Generator[tuple[list[Server], RedisServer]]:
    """Run so many replicas over a Redis of their own."""
    program = redis_servers.binary()
    if program is None:
        raise FileNotFoundError("no redis-server to measure with")
    with (
        tempfile.TemporaryDirectory() as folder,
        redis_servers.standalone(program, Path(folder)) as redis,
        contextlib.ExitStack() as stack,
    ):
        run = bench_websocket.server
        yield [stack.enter_context(run("log", redis.url)) for _ in range(replicas)], redis


def carry(servers: Sequence[Server], redis: RedisServer, answers: int) -> Carried:
    """Read *answers*, shared out evenly, from all *servers* at once."""
    if redis.process is None:
        raise AssertionError("it runs")
    each = answers // len(servers)
    before = cpu_seconds(redis.process.pid)
    with ThreadPoolExecutor(len(servers)) as threads:
        found = list(threads.map(bench_websocket.read, servers, [each] * len(servers)))
    spent = cpu_seconds(redis.process.pid) - before
    pieces = sum(one.deltas for one in found)
    return Carried(
        answers=each * len(servers),
        p99_ms=max(one.p99_ms for one in found),
        server_us=sum(one.server_us * one.deltas for one in found) / pieces,
        redis_us=spent * 1e6 / pieces,
    )


def most(replicas: int) -> Carried:
    """Return the largest step that *replicas* carried in time; each has two tries."""
    best = Carried(0, 0.0, 0.0, 0.0)
    with fleet(replicas) as (servers, redis):
        for answers in STEPS:
            tries = (carry(servers, redis, answers) for _ in range(2))
            carried = next((one for one in tries if one.p99_ms < LATE), None)
            if carried is None:
                break
            best = carried
    return best


def run() -> list[Row]:
    """Measure each number of replicas."""
    rows = [informs("cores for replicas, readers and Redis", os.cpu_count() or 1, "")]
    for replicas in REPLICAS:
        subject = f"{replicas} {'replica' if replicas == 1 else 'replicas'}"
        found = most(replicas)
        with fleet(replicas) as (servers, _):
            held = [bench_websocket.idle_bytes(server) for server in servers]
        rows += [
            informs(f"{subject}: answers × 50/s with p99 < {LATE:g} ms", found.answers, ""),
            informs("  p99", found.p99_ms, "ms"),
            informs("  CPU of the replicas", found.server_us, "µs a piece"),
            informs("  CPU of Redis, with the beginnings", found.redis_us, "µs a piece"),
            informs(f"  {bench_websocket.IDLE} idle sockets in each", max(held) / 1024, "KB each"),
        ]
    return rows
