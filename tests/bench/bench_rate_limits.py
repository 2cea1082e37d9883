"""How exactly quotas hold where two replicas are flooded, and what a limited request costs.

Requests go to both replicas in turn, as from a proxy that is listed: each says which address it
comes from. What is counted is what passes the limits, whatever becomes of it behind them.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from tempfile import mkdtemp
from typing import Final, NamedTuple

import aiohttp
import uvloop

from tests.bench.measuring import Row, at_most, cpu_seconds, informs
from tests.bench.service_process import ROOT, Running, fresh_redis, service

OFFERED: Final = 3_000
AT_ONCE: Final = 64
_STORE: Final = "locations/global/collections/default_collection/dataStores/none"
_RATES: Final = {"address": 300, "key": 600, "project": 900}
_KEY: Final = re.compile(r"colloquy_\S+")


class Flood(NamedTuple):
    """What became of requests that came as fast as they were answered."""

    offered: int
    accepted: int
    seconds: float


async def flood(
    project: str, replicas: Sequence[Running], headers: Sequence[dict[str, str]]
) -> Flood:
    """Send `OFFERED` requests about *project* to the replicas in turn, with *headers* in turn."""
    accepted, numbers, began = 0, iter(range(OFFERED)), time.monotonic()

    async def ask(http: aiohttp.ClientSession) -> None:
        nonlocal accepted
        for number in numbers:
            port = replicas[number % len(replicas)].port
            url = f"http://127.0.0.1:{port}/v1/projects/{project}/{_STORE}/servingConfigs/default_search:search"
            asked = headers[number // len(replicas) % len(headers)]
            async with http.post(url, json={"query": "x"}, headers=asked) as response:
                await response.read()
                accepted += response.status != 429

    async with aiohttp.ClientSession() as http, asyncio.TaskGroup() as tasks:
        for _ in range(AT_ONCE):
            tasks.create_task(ask(http))
    return Flood(OFFERED, accepted, time.monotonic() - began)


def row(kind: str, told: Flood, holders: int = 1) -> list[Row]:
    """Return what was offered, accepted and refused, and by how much too many passed."""
    due = holders * _RATES[kind] * (1 + told.seconds / 60)
    counts = f"{told.offered} offered, {told.accepted} accepted, "
    counts += f"{told.offered - told.accepted} refused in {told.seconds:.1f} s"
    overrun = max(0.0, (told.accepted - due) / due * 100)
    return [
        Row(f"{kind}: {holders} × {_RATES[kind]} a minute", counts),
        at_most(f"{kind}: overrun", overrun, 1, "%"),
    ]


def addresses(count: int) -> list[dict[str, str]]:
    """Return what a proxy says of so many clients, who make up another address each time."""
    return [{"X-Forwarded-For": f"203.0.113.{n % 250}, 192.0.2.{n + 1}"} for n in range(count)]


def api_key(redis: str, scope: str = "server") -> str:
    """Create a key of a back end, or of another *scope*."""
    command = [sys.executable, "-m", "service", "keys", "create", "--scope", scope]
    environment = os.environ | {"COLLOQUY_REDIS_URL": redis}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    if (found := _KEY.search(done.stdout)) is None:
        raise RuntimeError("no key was printed")
    return found[0]


async def measure(redis: str, replicas: Sequence[Running]) -> list[Row]:
    """Flood the replicas as one address, as many, and as a program; then without any limit."""
    rows = row("address", await flood("one", replicas, addresses(1)))
    rows += row("address", await flood("two", replicas, addresses(2)), holders=2)
    rows += row("project", await flood("many", replicas, addresses(100)))
    before = [cpu_seconds(replica.pid) for replica in replicas]
    free = await flood("free", replicas, [{}])
    spent = sum(cpu_seconds(r.pid) for r in replicas) - sum(before)
    rows.append(
        informs("a request of this machine, which has no limit", spent / OFFERED * 1e6, "µs")
    )
    if free.accepted != OFFERED:
        raise RuntimeError("this machine was refused")
    key = {"x-goog-api-key": api_key(redis)}
    return rows + row("key", await flood("keyed", replicas, [key]))


def run() -> list[Row]:
    """Return the table."""
    rates = ",".join(f"{kind}={rate}" for kind, rate in _RATES.items())
    settings = {"COLLOQUY_RATE_LIMITS": rates, "COLLOQUY_PROXIES": "127.0.0.1"}
    with (
        fresh_redis() as redis,
        service(redis.url, settings | {"COLLOQUY_DATA_DIR": mkdtemp()}) as first,
        service(redis.url, settings | {"COLLOQUY_DATA_DIR": mkdtemp()}) as second,
    ):
        return uvloop.run(measure(redis.url, [first, second]))
