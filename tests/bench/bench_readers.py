"""What a delta costs for each of 1, 3 and 10 readers of the same answer, ours and rivals.

Every reader has a socket of its own, and all are in the process that writes. CPU is that of the
server for each delta that arrived at a reader: it falls with their number where what is done once
for an answer is shared.
"""

from __future__ import annotations

from typing import Final

from tests.bench.bench_rivals import NAMES, commands, compare, row
from tests.bench.measuring import Row, informs, quantile
from tests.bench.service_process import fresh_redis
from tests.redis_servers import Server

ANSWERS: Final = 30
READERS: Final = (1, 3, 10)


def told(redis: Server, readers: int) -> list[Row]:
    """Let every server tell the same answers to so many readers each, by turns."""
    pid = redis.process.pid if redis.process else 0
    found = compare(commands(redis.url, None), ANSWERS, pid, readers)
    cpu = {kind: quantile([one.server_us for one in all_], 0.5) for kind, all_ in found.items()}
    subject = f"{ANSWERS} answers × {readers} readers"
    rows = [row(f"{subject}: {NAMES[kind]}", all_) for kind, all_ in found.items()]
    for kind in found:
        if kind != "log":
            ratio = cpu[kind] / cpu["log"]
            rows.append(informs(f"{subject}: CPU of {NAMES[kind]} : ours", ratio, "×"))
    return rows


def run() -> list[Row]:
    """Compare all servers, with more and more readers."""
    with fresh_redis() as redis:
        return [each for readers in READERS for each in told(redis, readers)]
