"""What a frame costs: CPU for each, memory for each connection; ours, uvicorn's and compressed.

A bare ASGI application tells pieces of text under the uvicorn of the service: on our line
(`service.server.websocket_protocol`), on uvicorn's own, and on ours with permessage-deflate (RFC
7692) as uvicorn offers it.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any, Final

import uvicorn
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from service.server import http_server
from sessions import names
from streaming.log.positions import Position
from streaming.reading import element_frames, elements
from tests.bench.measuring import Row, cpu_seconds, informs, resident_bytes, rounds

CONNECTIONS: Final = 200
FRAMES: Final = 500
ROUNDS: Final = 3
_ANSWER: Final = f"{names.SAMPLE_DATA_STORE}/sessions/1234567890123456789/answers/987654321"
_TEMPLATE: Final = element_frames.Template("0123456789abcdef", elements.envelope(_ANSWER))
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


async def serve(how: str) -> None:
    """Serve the application, as a process of its own."""
    config = http_server.configuration(tell)
    config.ws_per_message_deflate = how == "deflate"
    if how == "uvicorn":
        config.ws = "websockets-sansio"
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        print(listener.getsockname()[1], flush=True)
        await uvicorn.Server(config).serve([listener])


@contextlib.contextmanager
def server(how: str) -> Generator[tuple[int, int]]:
    """Run the application; give its process id and its port."""
    command = [sys.executable, "-m", "tests.bench.bench_frames", how]
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
    """Compare the three, by turns."""
    kept: dict[str, float] = {}

    def contender(how: str) -> Callable[[], float]:
        def once() -> float:
            spent, kept[how] = uvloop.run(measure(how))
            return spent

        return once

    cpu = rounds({how: contender(how) for how in ("plain", "uvicorn", "deflate")}, ROUNDS)
    return [
        informs("a frame, ours", cpu["plain"], "µs"),
        informs("a frame, uvicorn's own line : ours", cpu["uvicorn"] / cpu["plain"], "×"),
        informs("a frame, deflated : plain", cpu["deflate"] / cpu["plain"], "×"),
        informs("a connection that was told an answer, plain", kept["plain"], "KB"),
        informs("a connection that was told an answer, deflated", kept["deflate"], "KB"),
    ]


if __name__ == "__main__":
    uvloop.run(serve(sys.argv[1]))
