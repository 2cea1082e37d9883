"""Serve the same answers as others do, as processes to be measured.

``python -m tests.bench.rival_servers KIND REDIS-URL`` prints its port and serves until it is
terminated. Each answers at ``/v1/ws`` with the frames that Colloquy sends, a piece every 20 ms:

=========  =======================================================================================
xadd       one XADD a piece; each socket reads the stream of its answer, with a connection for it
publish    one PUBLISH a piece; each socket has a subscription of its own: the tutorial's way
channels   Litestar's Channels on its Redis stream backend, a channel for each answer
=========  =======================================================================================

None of them resumes, takes over or fences; what that costs they do not pay.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import socket
import sys
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any, Final

import redis.asyncio
import uvicorn
import uvloop
from litestar import Litestar, WebSocket, websocket
from litestar.channels import ChannelsPlugin
from litestar.channels.backends.redis import RedisChannelsStreamBackend
from litestar.exceptions import WebSocketDisconnect

from service.server import http_server
from streaming.log import events
from tests.bench.websocket_server import pieces

_CONNECTIONS: Final = 4000
_LAST: Final = b'"SUCCEEDED"'

Tell = Callable[[str, float], AsyncGenerator[bytes]]
"""Yields the frames of the answer of that name; for 0 seconds it was begun by another."""


def frame(text: str, state: str) -> bytes:
    """Write a frame of about the size and form of ours."""
    answer = {"name": "projects/p/sessions/1/answers/2", "state": state, "answerText": text}
    told = {"type": "element", "id": "1", "position": "1-1", "response": {"answer": answer}}
    return json.dumps(told, separators=(",", ":")).encode()


async def frames(seconds: float) -> AsyncIterator[bytes]:
    """Yield the frames of one answer as they are due."""
    async for event in pieces(seconds):
        if isinstance(event, events.TextAppended):
            yield frame(event.text, "STREAMING")
    yield frame("", "SUCCEEDED")


def by_xadd(client: Any) -> Tell:
    """Keep each piece in a stream, and read it again for each socket."""

    async def write(name: str, seconds: float) -> None:
        if not seconds:
            return
        async for data in frames(seconds):
            await client.xadd(name, {"d": data}, maxlen=10_000, approximate=True)
        await client.expire(name, 60)

    async def tell(name: str, seconds: float) -> AsyncGenerator[bytes]:
        writing = asyncio.create_task(write(name, seconds))
        last: Any = "0"
        try:
            while True:
                for _, entries in await client.xread({name: last}, block=5000):
                    for _, fields in entries:
                        yield fields[b"d"]
                    last = entries[-1][0]
        finally:
            writing.cancel()

    return tell


def by_publish(client: Any) -> Tell:
    """Publish each piece to whoever listens at the moment."""

    async def write(name: str, seconds: float) -> None:
        if not seconds:
            return
        async for data in frames(seconds):
            await client.publish(name, data)

    async def tell(name: str, seconds: float) -> AsyncGenerator[bytes]:
        async with client.pubsub() as pubsub:
            await pubsub.subscribe(name)
            writing = asyncio.create_task(write(name, seconds))
            try:
                async for message in pubsub.listen():
                    if message["type"] == "message":
                        yield message["data"]
            finally:
                writing.cancel()

    return tell


def by_channels(channels: Any) -> Tell:
    """Let Litestar's plugin publish and subscribe."""

    async def write(name: str, seconds: float) -> None:
        if not seconds:
            return
        async for data in frames(seconds):
            await channels.wait_published(data, name)

    async def tell(name: str, seconds: float) -> AsyncGenerator[bytes]:
        async with channels.start_subscription(name) as subscriber:
            writing = asyncio.create_task(write(name, seconds))
            try:
                async for data in subscriber.iter_events():
                    yield data
            finally:
                writing.cancel()

    return tell


async def serve(kind: str, url: str) -> None:
    """Serve until a signal; say the port first."""
    pool: Any = redis.asyncio.BlockingConnectionPool
    connections = pool.from_url(url, max_connections=_CONNECTIONS, protocol=2, timeout=None)
    client: Any = redis.asyncio.Redis(connection_pool=connections)
    channels: Any = ChannelsPlugin(
        backend=RedisChannelsStreamBackend(history=1, redis=client),
        arbitrary_channels_allowed=True,
    )
    tellers: dict[str, Callable[[], Tell]] = {
        "xadd": lambda: by_xadd(client),
        "publish": lambda: by_publish(client),
        "channels": lambda: by_channels(channels),
    }
    tell = tellers[kind]()
    names = (f"{os.getpid()}-{number}" for number in itertools.count())

    @websocket("/v1/ws")
    async def follow(socket: WebSocket[Any, Any, Any]) -> None:
        await socket.accept(subprotocols="colloquy.v1")
        with contextlib.suppress(WebSocketDisconnect):
            asked = json.loads(await socket.receive_text())
            name, seconds = asked.get("answer", ""), 0.0
            if not name:
                name, seconds = next(names), float(asked["request"]["query"]["text"])
            await socket.send_json({"type": "accepted", "id": "1", "answer": name})
            async with contextlib.aclosing(tell(name, seconds)) as told:
                async for data in told:
                    await socket.send_data(data, mode="text")
                    if _LAST in data:
                        break

    plugins = [channels] if kind == "channels" else []
    app = Litestar([follow], plugins=plugins, openapi_config=None, logging_config=None)
    config = http_server.configuration(app)
    config.lifespan = "on"
    server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as listener:
        print(listener.getsockname()[1], flush=True)
        await server.serve([listener])


if __name__ == "__main__":
    logging.disable()
    uvloop.run(serve(sys.argv[1], sys.argv[2]))
