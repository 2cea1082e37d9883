"""What readers who do not read cost those who do, and the server's memory.

A tenth of the connections follow as many answers as one may, and either read them or never read
at all; the others are the same in both, and are measured once the system's buffers are full.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tests.bench.bench_rivals import commands, read, serving
from tests.bench.measuring import Row, at_most, informs, quantile, rounds
from tests.bench.rival_reader import Found, Task
from tests.bench.service_process import fresh_redis

READERS: Final = 20
EACH: Final = 4
SLOW: Final = 2
SLOW_EACH: Final = 16
ROUNDS: Final = 4
WARM: Final = 8.0
"""Seconds after which who does not read is behind by more than the system and we keep for it."""
SPAN: Final = 3.0


def run() -> list[Row]:
    """Compare a server whose clients all read with one of whose clients some do not."""
    found: dict[str, list[Found]] = {"all read": [], "some do not": []}
    with fresh_redis() as redis:
        command = commands(redis.url, None)["log"]

        def contender(name: str) -> Callable[[], float]:
            def once() -> float:
                with serving(command) as server:
                    task = Task(
                        port=server.port,
                        pid=server.pid,
                        answers=READERS * EACH,
                        each=EACH,
                        others=SLOW,
                        others_each=SLOW_EACH,
                        warm=WARM,
                        mute=name == "some do not",
                        span=SPAN,
                    )
                    found[name].append(read(task))
                return found[name][-1].p99_ms

            return once

        p99 = rounds({name: contender(name) for name in found}, ROUNDS)
    grown = {name: quantile([one.grown for one in all_[1:]], 0.5) for name, all_ in found.items()}
    p50 = {name: quantile([one.p50_ms for one in all_[1:]], 0.5) for name, all_ in found.items()}
    held = (grown["some do not"] - grown["all read"]) / SLOW / 1024
    subject = f"{SLOW} of {READERS + SLOW} connections do not read"
    return [
        informs(f"{subject}: p50 of the others", p50["some do not"], "ms"),
        informs("  and where all read", p50["all read"], "ms"),
        informs(f"{subject}: p99 of the others", p99["some do not"], "ms"),
        informs("  and where all read", p99["all read"], "ms"),
        at_most(f"{subject}: p99 of the others", p99["some do not"] / p99["all read"], 1.3),
        at_most("memory that a slow reader holds", held, 300, "KB"),
    ]
