"""What a GET of a session costs, beside a Litestar route that does one redis-py GET of its bytes.

Both are processes of their own under the same uvicorn; the same client asks both, over a few
connections that stay open. CPU is that of the server. The route does nothing else: it asks nobody
who they are, bounds, counts and logs nothing.

What the access log costs is the difference to a service without it, pair by pair.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
from collections.abc import Callable, Generator, Sequence
from typing import Any, Final

import redis.asyncio
import uvicorn
import uvloop
from litestar import Litestar, Response, get

from service.server import http_server
from sessions import names
from sessions.redis import connection
from sessions.redis.keys import Keys
from sessions.resources import sessions
from sessions.stores.store_set import SessionStore
from tests.bench.measuring import (
    Row,
    at_least,
    cpu_seconds,
    informs,
    ratio,
    ratio_at_most,
    rounds,
)
from tests.bench.service_process import Running, fresh_redis, service

TURNS: Final = 20
CONNECTIONS: Final = 8
REQUESTS: Final = 6000
ROUNDS: Final = 5
PAIRS: Final = 12
KEY: Final = "bench:session"


async def serve(url: str) -> None:
    """Serve one key by redis-py: the comparison, as a process of its own."""
    pool: Any = redis.asyncio.BlockingConnectionPool
    client: Any = redis.asyncio.Redis(
        connection_pool=pool.from_url(url, max_connections=100, protocol=2, timeout=None)
    )

    @get("/v1/{path:path}", media_type="application/json")
    async def read(path: str) -> Response[bytes]:
        return Response(await client.get(KEY), media_type="application/json")

    body = await client.get(KEY)

    @get("/floor", media_type="application/json")
    async def floor() -> Response[bytes]:
        return Response(body, media_type="application/json")

    app = Litestar([read, floor], openapi_config=None, logging_config=None)
    server = uvicorn.Server(http_server.configuration(app))
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        print(listener.getsockname()[1], flush=True)
        await server.serve([listener])


async def ask(port: int, path: str, count: int) -> int:
    """Ask for *path* so many times in all; return the length of the body."""
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()

    async def connect() -> int:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        length = 0
        for _ in range(count // CONNECTIONS):
            writer.write(request)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            if b" 200 " not in head[:15]:
                raise AssertionError(head)
            length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
            await reader.readexactly(length)
        writer.close()
        return length

    async with asyncio.TaskGroup() as tasks:
        asking = [tasks.create_task(connect()) for _ in range(CONNECTIONS)]
    return asking[0].result()


async def body(port: int, path: str) -> bytes:
    """Return the body of one GET."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    whole = await reader.read()
    writer.close()
    return whole.partition(b"\r\n\r\n")[2]


async def opened(url: str) -> str:
    """Store a session with its turns; return its name."""
    async with connection.connect(url) as redis:
        store = SessionStore(redis, Keys())
        name = (await store.create(names.SAMPLE_DATA_STORE, sessions.Session())).name
        for number in range(TURNS):
            asked = sessions.Query(text=f"May I renew a loan for the time number {number}?")
            answer = names.answer(name, names.new_id())
            await store.append(name, sessions.Turn(query=asked, answer=answer))
    return name


@contextlib.contextmanager
def comparison(url: str) -> Generator[Running]:
    """Run the route that does one GET."""
    command = [sys.executable, "-m", "tests.bench.bench_gets", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout is None:
            raise AssertionError("it is piped")
        try:
            yield Running(process.pid, int(process.stdout.readline()))
        finally:
            process.kill()


def measured(server: Running, path: str) -> float:
    """Return the CPU microseconds of *server* a request."""
    before = cpu_seconds(server.pid)
    uvloop.run(ask(server.port, path, REQUESTS))
    return (cpu_seconds(server.pid) - before) / REQUESTS * 1e6


def run() -> list[Row]:
    """Let both answer the same bytes, by turns."""
    with (
        fresh_redis() as server,
        service(server.url) as ours,
        service(server.url, {"COLLOQUY_ACCESS_LOG": "0"}) as silent,
    ):
        path = f"/v1/{uvloop.run(opened(server.url))}"
        said = uvloop.run(body(ours.port, path))
        server.call("SET", KEY, said)
        with comparison(server.url) as theirs:
            contenders: dict[str, Callable[[], float]] = {
                "ours": lambda: measured(ours, path),
                "redis-py": lambda: measured(theirs, path),
                "floor": lambda: measured(theirs, "/floor"),
            }
            cpu = rounds(contenders, ROUNDS)
        pairs = [_pair(path, (ours, silent), turn) for turn in range(PAIRS)]
    subject = f"GET of a session with {TURNS} turns, {len(said):,} bytes"
    return [
        informs(f"{subject}: ours", cpu["ours"], "µs CPU"),
        informs("  a Litestar route with one redis-py GET", cpu["redis-py"], "µs CPU"),
        informs("  a Litestar route that has the bytes", cpu["floor"], "µs CPU"),
        at_least("  requests a CPU second, ours : route", cpu["redis-py"] / cpu["ours"], 1.3),
        ratio_at_most("  CPU with the access log : without", ratio(pairs), 1.02),
    ]


def _pair(path: str, servers: Sequence[Running], turn: int) -> Sequence[float]:
    """Measure two servers one after the other, by turns the first or the second before."""
    order = servers if turn % 2 else servers[::-1]
    figures = {each.pid: measured(each, path) for each in order}
    return [figures[each.pid] for each in servers]


if __name__ == "__main__":
    uvloop.run(serve(sys.argv[1]))
