"""What compressing frames (RFC 7692) would cost: CPU for each frame, memory for each connection.

A bare ASGI application tells pieces of text under the uvicorn of the service, with
permessage-deflate as uvicorn offers it and without.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from typing import Any, Final

import uvicorn
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from service import serving
from sessions import names
from streaming import elements
from streaming.positions import Position
from tests.bench.measuring import Row, cpu_seconds, informs, resident_bytes

CONNECTIONS: Final = 200
FRAMES: Final = 500
_ANSWER: Final = f"{names.SAMPLE_DATA_STORE}/sessions/1234567890123456789/answers/987654321"
_TEMPLATE: Final = elements.Template("0123456789abcdef", elements.envelope(_ANSWER))
_WORDS: Final = "one reads what the others wrote before it was told to anybody at all".split()


async def tell(scope: Any, receive: Any, send: Any) -> None:
    """Accept a connection, and tell it an answer whenever it says something."""
    await receive()
    await send({"type": "websocket.accept"})
    while (await receive())["type"] != "websocket.disconnect":
        for n in range(FRAMES):
            frame = _TEMPLATE.text(Position(1, n), f"{_WORDS[n * 7 % 13]} {n * n % 97} more ")
            await send({"type": "websocket.send", "text": frame})
            await asyncio.sleep(0)


async def serve(deflate: bool) -> None:
    """Serve the application, as a process of its own."""
    config = serving.configuration(tell)
    config.ws_per_message_deflate = deflate
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        print(listener.getsockname()[1], flush=True)
        await uvicorn.Server(config).serve([listener])


@contextlib.contextmanager
def server(how: str) -> Generator[tuple[int, int]]:
    """Run the application; give its process id and its port."""
    command = [sys.executable, "-m", "tests.bench.bench_deflate", how]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout is None:
            raise AssertionError("it is piped")
        try:
            yield process.pid, int(process.stdout.readline())
        finally:
            process.kill()


@contextlib.asynccontextmanager
async def connections(port: int, number: int) -> AsyncGenerator[list[ClientConnection]]:
    """Open so many connections, which offer to compress."""
    async with contextlib.AsyncExitStack() as stack:
        url = f"ws://127.0.0.1:{port}/"
        yield [await stack.enter_async_context(connect(url)) for _ in range(number)]


async def measure(how: str) -> tuple[float, float]:
    """Return µs of CPU a frame and KB a connection."""

    async def told(line: ClientConnection) -> None:
        await line.send("tell")
        for _ in range(FRAMES):
            await line.recv()

    with server(how) as (pid, port):
        async with connections(port, 10) as first:
            await asyncio.wait_for(told(first[0]), 10)
            before = resident_bytes(pid)
            async with connections(port, CONNECTIONS) as lines:
                started = cpu_seconds(pid)
                async with asyncio.TaskGroup() as tasks:
                    for line in lines:
                        tasks.create_task(told(line))
                spent = cpu_seconds(pid) - started
                grown = resident_bytes(pid) - before
    return spent / CONNECTIONS / FRAMES * 1e6, grown / CONNECTIONS / 1024


def run() -> list[Row]:
    """Compare compressed and plain frames."""
    plain, packed = (uvloop.run(measure(how)) for how in ("plain", "deflate"))
    return [
        informs("a frame, plain", plain[0], "µs"),
        informs("a frame, deflated", packed[0], "µs"),
        informs("  deflated : plain", packed[0] / plain[0], "×"),
        informs("a connection that was told an answer, plain", plain[1], "KB"),
        informs("a connection that was told an answer, deflated", packed[1], "KB"),
    ]


if __name__ == "__main__":
    uvloop.run(serve(sys.argv[1] == "deflate"))
