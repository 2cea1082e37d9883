"""What a delta costs for each of 1, 3 and 10 readers of the same answer, ours and rivals.

Every reader has a socket of its own, and all are in the process that writes. CPU is that of the
server for each delta that arrived at a reader: it falls with their number where what is done once
for an answer is shared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.bench.bench_rivals import NAMES, commands, read, row, serving
from tests.bench.measuring import Row, informs, rounds
from tests.bench.rival_reader import Found, Task
from tests.bench.service_process import fresh_redis
from tests.redis_servers import Server

ANSWERS: Final = 30
READERS: Final = (1, 3, 10)
ROUNDS: Final = 2


def compare(redis: Server, readers: int) -> list[Row]:
    """Let every server tell the same answers to so many readers each, by turns."""
    started = commands(redis.url, None)
    pid = redis.process.pid if redis.process else 0
    found: dict[str, list[Found]] = {kind: [] for kind in started}

    def contender(kind: str) -> Callable[[], float]:
        def once() -> float:
            with serving(started[kind]) as server:
                task = Task(
                    port=server.port,
                    pid=server.pid,
                    answers=ANSWERS,
                    readers=readers,
                    redis=pid,
                )
                found[kind].append(read(task))
            return found[kind][-1].server_us

        return once

    cpu = rounds({kind: contender(kind) for kind in started}, ROUNDS)
    subject = f"{ANSWERS} answers × {readers} readers"
    rows = [row(f"{subject}: {NAMES[kind]}", all_[1:]) for kind, all_ in found.items()]
    for kind in started:
        if kind != "log":
            ratio = cpu[kind] / cpu["log"]
            rows.append(informs(f"{subject}: CPU of {NAMES[kind]} : ours", ratio, "×"))
    return rows


def run() -> list[Row]:
    """Compare all servers, with more and more readers."""
    with (
        fresh_redis() as redis,
    ):
        return [told for readers in READERS for told in compare(redis, readers)]
