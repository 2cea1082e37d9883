"""What a durable delta costs from its source to a client, beside the same socket without any log.

Server, reader and Redis are processes of their own. Both servers run the same loop
(`tests.bench.websocket_server`): in one a piece goes straight to the socket, in the other through
the runner, the machine, the log and the tail. Times count from when a piece was due.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Subprotocol

from streaming.client.client import Client
from streaming.protocol import frames
from tests import redis_servers
from tests.bench.measuring import Row, at_least, at_most, informs, quantile, resident_bytes, rounds
from tests.bench.websocket_reader import CONFIG, Found, Task, read_idle

ROUNDS: Final = 3
SIZES: Final = (100, 400, 1000, 2000)
COSTS: Final = {100: 1.2, 400: 1.1}
"""How many times the CPU of no log a delta may cost; above that pieces join, and it costs less."""
LATE: Final = {1000: 60.0}
"""Milliseconds after which 99 of 100 deltas have come at the latest."""
KEPT_UP: Final = 0.97
"""Share of the deltas that have to come in time: with less a server falls ever farther behind."""
IDLE: Final = 1000
CALM: Final = 10.0
"""Milliseconds that the loop without a log may take at p99 on a machine that can be judged by."""
JOINED: Final = 1.2
"""Deltas in a frame above which the log was behind: then a delta costs too little, not too much."""
READER: Final = 0.9
"""Share of a core above which it is the reader that is measured."""
BUSY: Final = "the machine was too busy to tell"
LONG: Final = 2000
"""Deltas of the answer that is resumed."""


class Server(NamedTuple):
    """One server that runs."""

    pid: int
    port: int


@contextlib.contextmanager
def server(
    kind: str, redis: str, environment: Mapping[str, str] | None = None
) -> Generator[Server]:
    """Run a server of that kind, in this process' *environment* or in it with more."""
    command = [sys.executable, "-m", "tests.bench.websocket_server", kind, redis]
    more = os.environ | dict(environment or {})
    with subprocess.Popen(command, env=more, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout is None:
            raise AssertionError("it is piped")
        try:
            yield Server(process.pid, int(process.stdout.readline()))
        finally:
            process.terminate()


def read(server: Server, answers: int) -> Found:
    """Read so many answers from *server*, in a process of its own."""
    task = msgspec.json.encode(Task(port=server.port, pid=server.pid, answers=answers)).decode()
    command = [sys.executable, "-m", "tests.bench.websocket_reader", task]
    done = subprocess.run(command, check=True, capture_output=True, timeout=120)
    return msgspec.json.decode(done.stdout, type=Found)


def run() -> list[Row]:
    """Compare the two servers at each size; then look at idle sockets and long resumptions."""
    rows: list[Row] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        redis_servers.standalone(redis_servers.binary() or "redis-server", Path(folder)) as redis,
        server("memory", redis.url) as memory,
        server("log", redis.url) as log,
    ):
        for size in SIZES:
            rows += compare(memory, log, size)
        rows += uvloop.run(resumptions(log))
        with server("log", redis.url) as fresh:
            rows.append(at_most("idle socket", idle_bytes(fresh) / 1024, 25, "KB"))
    return rows


def compare(memory: Server, log: Server, size: int) -> list[Row]:
    """Let both servers tell *size* answers, by turns."""
    found: dict[str, list[Found]] = {"memory": [], "log": []}

    def contender(name: str, server: Server) -> Callable[[], float]:
        def once() -> float:
            found[name].append(read(server, size))
            return found[name][-1].server_us

        return once

    cpu = rounds({"memory": contender("memory", memory), "log": contender("log", log)}, ROUNDS)
    p50 = {name: middle([one.p50_ms for one in all_[1:]]) for name, all_ in found.items()}
    p99 = {name: middle([one.p99_ms for one in all_[1:]]) for name, all_ in found.items()}
    subject = f"{size} answers × 50/s"
    rows = [
        informs(f"{subject}: without a log", cpu["memory"], "µs CPU a delta"),
        informs(f"{subject}: durable", cpu["log"], "µs CPU a delta"),
        informs(f"{subject}: durable, a frame tells", joined(found["log"]), "deltas"),
        informs(f"{subject}: p50 / p99 without a log", p50["memory"], f"/ {p99['memory']:.3g} ms"),
        informs(f"{subject}: p50 / p99 durable", p50["log"], f"/ {p99['log']:.3g} ms"),
    ]
    told = promises(subject, size, cpu["log"] / cpu["memory"], p50, p99)
    if size > max(COSTS):
        share = middle([one.share for one in found["log"]])
        told.append(at_least(f"{subject}: deltas in time, of one that was due", share, KEPT_UP))
    if can_judge(size, found, p99["memory"]):
        return rows + told
    return rows + [row._replace(promise=BUSY, holds=None) if row.promise else row for row in told]


def promises(
    subject: str, size: int, cost: float, p50: Mapping[str, float], p99: Mapping[str, float]
) -> list[Row]:
    """Return what is promised of the *cost* and the times at this *size*."""
    ratio = f"{subject}: CPU durable : without"
    bound = COSTS.get(size)
    rows = [informs(ratio, cost, "×") if bound is None else at_most(ratio, cost, bound)]
    if size == min(SIZES):
        rows += [
            at_most(f"{subject}: p50 durable : without", p50["log"] / p50["memory"], 2),
            at_most(f"{subject}: p99 durable : without", p99["log"] / p99["memory"], 2),
        ]
    if size in LATE:
        rows.append(at_most(f"{subject}: p99", p99["log"], LATE[size], "ms"))
    return rows


def can_judge(size: int, found: Mapping[str, list[Found]], memory_ms: float) -> bool:
    """Tell whether the machine was quiet enough, by what the loop without a log made of it."""
    if size in COSTS:
        return memory_ms < CALM and joined(found["log"]) < JOINED
    if size in LATE and middle([one.share for one in found["memory"]]) < KEPT_UP:
        return False  # it does not carry the bare loop
    return all(one.reader_share < READER for one in found["log"])


def joined(found: list[Found]) -> float:
    """Return how many pieces went into one frame: near 1, or the machine was too busy."""
    return sum(one.deltas for one in found) / sum(one.frames for one in found)


def middle(figures: list[float]) -> float:
    """Return the median."""
    return quantile(figures, 0.5)


def idle_bytes(server: Server) -> float:
    """Return what a connection costs that says nothing."""
    uvloop.run(read_idle(server.port, 50, lambda: 0))
    before = resident_bytes(server.pid)
    after = uvloop.run(read_idle(server.port, IDLE, lambda: resident_bytes(server.pid)))
    return (after - before) / IDLE


async def resumptions(server: Server) -> list[Row]:
    """Resume one long answer again and again, from its beginning and from its middle."""
    url = f"ws://127.0.0.1:{server.port}/v1/ws"
    seconds = str(LONG / 50)
    positions: list[str] = []
    answer = ""
    async with Client(url) as client:
        async for element in client.ask(seconds, serving_config=CONFIG):
            positions.append(element.position)
            if told := element.response.answer:
                answer = told.name
    protocols = [Subprotocol(frames.SUBPROTOCOL)]
    async with connect(url, subprotocols=protocols, compression=None, max_size=None) as line:
        await line.recv()
        pongs = [await ping(line) for _ in range(20)]
        whole = [await resume(line, f"w{n}", answer, None) for n in range(20)]
        half = [
            await resume(line, f"h{n}", answer, positions[len(positions) // 2]) for n in range(20)
        ]
    there = middle(pongs)
    return [
        informs("ping, round trip p50", there, "ms"),
        informs(f"resume of {LONG} deltas, round trip p50", middle(whole), "ms"),
        at_most("  beyond that of a ping", middle(whole) - there, 5, "ms"),
        informs("  of half of them, beyond that of a ping", middle(half) - there, "ms"),
    ]


async def ping(line: ClientConnection) -> float:
    """Return the milliseconds to the pong: on a machine that slept these are most of a resume."""
    began = time.perf_counter()
    await line.send(frames.encode(frames.Ping()))
    await line.recv(decode=False)
    took = (time.perf_counter() - began) * 1000
    await asyncio.sleep(0.05)
    return took


async def resume(line: ClientConnection, id: str, answer: str, after: str | None) -> float:
    """Return the milliseconds to the replay; the terminal element comes behind it."""
    began = time.perf_counter()
    await line.send(frames.encode(frames.Resume(id, answer, after)))
    accepted = await line.recv(decode=False)
    await line.recv(decode=False)
    took = (time.perf_counter() - began) * 1000
    if b'"accepted"' not in accepted:
        raise AssertionError(accepted[:200])
    await line.recv(decode=False)
    await asyncio.sleep(0.05)  # there is a limit on frames
    return took
