"""An HTTP client by hand, for what no library would send or leave undone, and what serves it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import time
from collections.abc import AsyncGenerator
from typing import Any, Final

from tests.streaming.raw_websocket import Raw
from tests.waiting import LONG

LARGE: Final = 24 << 20
GET: Final = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class App:
    """Answers with the length of a body, or with what the path says."""

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.running = 0
        self.answered = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.running += 1
        try:
            if scope["type"] == "websocket":
                await self._listen(receive, send)
            else:
                await self._answer(scope["path"], receive, send)
        finally:
            self.running -= 1

    async def _listen(self, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (said := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": said["text"]})

    async def _answer(self, path: str, receive: Any, send: Any) -> None:
        if path == "/refused":
            await self._respond(send, b"refused")
            return
        if path == "/held":
            await receive()
            await receive()
            return
        if path == "/late":
            await self.go_on.wait()
        size, more = 0, True
        while more:
            event = await receive()
            if event["type"] == "http.disconnect":
                return
            size, more = size + len(event["body"]), event["more_body"]
        if path == "/stream":
            await self._stream(send)
        else:
            await self._respond(send, bytes(LARGE) if path == "/large" else b"%d" % size)

    async def _respond(self, send: Any, body: bytes) -> None:
        length = (b"content-length", b"%d" % len(body))
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": body})
        self.answered += 1

    async def _stream(self, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"begun", "more_body": True})
        await self.go_on.wait()
        await send({"type": "http.response.body", "body": b"ended"})


class Client:
    """One connection to be written to by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    def write(self, data: bytes) -> None:
        self.writer.write(data)

    async def write_during_sleep(self, data: bytes) -> None:
        """Write *data* while this process sleeps, as one that is stopped, longer than any wait.

        It falls asleep behind the look for what came; timers run before the next.
        """
        loop, slept = asyncio.get_running_loop(), asyncio.Event()

        def sleep() -> None:
            loop.remove_reader(alarm)
            if data:
                assert os.write(self.writer.get_extra_info("socket").fileno(), data) == len(data)
            time.sleep(0.5)
            slept.set()

        alarm, bell = socket.socketpair()
        with alarm, bell:
            loop.add_reader(alarm, sleep)
            bell.send(b"!")
            await slept.wait()

    def is_reset(self) -> bool:
        """Whether the other side gave the connection up."""
        return self.reader.exception() is not None or Raw(self.reader, self.writer).is_reset()

    @contextlib.asynccontextmanager
    async def writing(self, piece: bytes, *, pace: float = 0) -> AsyncGenerator[None]:
        """Meanwhile write *piece* again and again, as fast as it is taken or at a *pace*."""

        async def write() -> None:
            with contextlib.suppress(ConnectionError):
                while True:
                    self.writer.write(piece)
                    await self.writer.drain()
                    await asyncio.sleep(pace)

        async with asyncio.TaskGroup() as tasks:
            task = tasks.create_task(write())
            yield
            task.cancel()

    async def response(self) -> tuple[int, bytes]:
        """Read a response; 0 where there is none before the end."""
        async with asyncio.timeout(LONG):
            try:
                head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
            except (asyncio.IncompleteReadError, ConnectionError):
                return 0, b""
            length = int(head.partition(b"content-length: ")[2].partition(b"\r\n")[0])
            return int(head.split()[1]), await self.reader.readexactly(length)

    async def reason(self) -> tuple[int, str]:
        """Read a response, and the end of the connection; return its status and reason."""
        code, body = await self.response()
        async with asyncio.timeout(LONG):
            assert await self.reader.read() == b""
        error = json.loads(body)["error"]
        assert error["code"] == code
        return code, error["details"][0]["reason"]


@contextlib.asynccontextmanager
async def dialled(address: str) -> AsyncGenerator[Client]:
    host, _, port = address.partition(":")
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
    line.connect((host, int(port)))
    reader, writer = await asyncio.open_connection(sock=line, limit=1 << 16)
    try:
        yield Client(reader, writer)
    finally:
        writer.transport.abort()


async def wait_out(address: str) -> None:
    """Wait for as long as others are waited for, twice."""
    for _ in range(2):
        async with dialled(address) as silent:
            assert await silent.response() == (0, b"")
