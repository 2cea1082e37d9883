"""What a connection costs the whole service that says nothing.

The floor is a bare ASGI application under the same uvicorn.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
from collections.abc import Generator
from typing import Any, Final

import uvicorn
import uvloop

from service.server import http_server
from tests.bench.measuring import Row, at_most, informs, resident_bytes
from tests.bench.service_process import Running, fresh_redis, service
from tests.bench.websocket_reader import Counts, Reader

CONNECTIONS: Final = 3000
FIRST: Final = 100
"""Connections that come before those that count, so that all is loaded."""


async def bare(scope: Any, receive: Any, send: Any) -> None:
    """Accept a connection and listen to it."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept", "subprotocol": "colloquy.v1"})
        while (await receive())["type"] != "websocket.disconnect":
            pass


async def serve() -> None:
    """Serve the bare application, as a process of its own."""
    server = uvicorn.Server(http_server.configuration(bare))
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        print(listener.getsockname()[1], flush=True)
        await server.serve([listener])


@contextlib.contextmanager
def floor() -> Generator[Running]:
    """Run the bare application."""
    command = [sys.executable, "-m", "tests.bench.bench_idle"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout is None:
            raise AssertionError("it is piped")
        try:
            yield Running(process.pid, int(process.stdout.readline()))
        finally:
            process.kill()


async def connected(port: int, many: int) -> list[Reader]:
    """Open so many connections."""
    loop = asyncio.get_running_loop()
    readers: list[Reader] = []
    for _ in range(many):
        reader = Reader(Counts())
        await loop.create_connection(lambda reader=reader: reader, "127.0.0.1", port)
        readers.append(reader)
    while not all(reader.open for reader in readers):  # noqa: ASYNC110 - a look is enough
        await asyncio.sleep(0.05)  # not in the way of the server
    return readers


async def each(running: Running) -> float:
    """Return the KiB by which the server grows with each connection."""
    first = await connected(running.port, FIRST)
    await asyncio.sleep(0.5)  # what a connection leaves for later is done as well
    before = resident_bytes(running.pid)
    readers = await connected(running.port, CONNECTIONS)
    await asyncio.sleep(1.0)  # the same, for many
    grown = resident_bytes(running.pid) - before
    for reader in (*first, *readers):
        reader.transport.abort()
    return grown / CONNECTIONS / 1024


def run() -> list[Row]:
    """Compare the service with the bare application."""
    with fresh_redis() as redis:
        with floor() as running:
            least = uvloop.run(each(running))
        with service(redis.url) as running:
            ours = uvloop.run(each(running))
    return [
        informs(f"{CONNECTIONS:,} idle sockets, bare ASGI", least, "KB each"),
        at_most(f"{CONNECTIONS:,} idle sockets, the service", ours, 25, "KB each"),
        informs("  service : bare", ours / least, "×"),
    ]


if __name__ == "__main__":
    uvloop.run(serve())
