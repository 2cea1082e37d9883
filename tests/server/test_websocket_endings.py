"""Walk the drawing of `service.server.websocket_protocol`: each end, and each behind another."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import AsyncGenerator
from typing import Any, Final

import pytest
import uvicorn
from uvicorn.server import ServerState
from websockets.frames import Close, Frame, Opcode

from service.server import websocket_protocol
from service.server.websocket_protocol import LINGER, BoundedWebSocketProtocol
from tests import drawings
from tests.server.memory_transport import Clock, MemoryTransport, settle
from tests.streaming.raw_websocket import handshake

pytestmark = pytest.mark.anyio

ENDS: Final = drawings.table(websocket_protocol, "event")
PINGED: Final = 40.0
"""Seconds after which a client that answers nothing was sent a ping, and waited for."""
OWN: Final = 4242
"""The code of whoever has one of its own."""


class Connection:
    """A protocol over a connection of memory, and an application that does what it is told."""

    def __init__(self, *, reads: bool) -> None:
        self.clock = Clock()
        self.told: list[int] = []
        self._orders: asyncio.Queue[str] = asyncio.Queue()
        config = uvicorn.Config(
            self._serve, interface="asgi3", log_config=None, ws_per_message_deflate=False
        )
        config.load()
        loop: Any = self.clock
        self.protocol = BoundedWebSocketProtocol(config, ServerState(), {}, loop)
        self.transport = MemoryTransport(self.protocol, reads=reads)
        self.protocol.connection_made(self.transport)
        self.protocol.data_received(handshake("ws://x/"))

    async def _serve(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        async with asyncio.TaskGroup() as tasks:
            listening = tasks.create_task(self._listen(receive))
            ordering = tasks.create_task(self._obey(send))
            await asyncio.wait([listening, ordering], return_when=asyncio.FIRST_COMPLETED)
            listening.cancel()
            ordering.cancel()

    async def _listen(self, receive: Any) -> None:
        while (message := await receive())["type"] != "websocket.disconnect":
            pass
        self.told.append(message["code"])

    async def _obey(self, send: Any) -> None:
        while await self._orders.get() == "farewell":
            with contextlib.suppress(RuntimeError):  # of an application that closes twice
                await send({"type": "websocket.close", "code": OWN})

    async def happen(self, event: str) -> None:
        """Let *event* happen, unless the connection is there no more."""
        if self.transport.lost:
            return
        match event:
            case "close":
                self.say(Opcode.CLOSE, Close(OWN, "").serialize())
            case "eof":
                if not self.protocol.eof_received():
                    self.transport.close()  # as every transport does
            case "silence":
                await self.clock.pass_by(PINGED)
            case "breach":
                self.protocol.data_received(b"\x83\x80\0\0\0\0")
            case "farewell" | "leave":
                self._orders.put_nowait(event)
            case "stop":
                self.protocol.shutdown()
            case _:
                raise AssertionError(event)
        await settle()

    def say(self, opcode: Opcode, payload: bytes) -> None:
        """Let the client send a frame."""
        self.protocol.data_received(Frame(opcode, payload).serialize(mask=True))

    def codes(self) -> list[int]:
        """Return the codes of the close frames that were written."""
        head, _, frames = self.transport.written.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 ")
        found: list[int] = []
        while frames:
            size, opcode = frames[1], frames[0] & 15
            if opcode == Opcode.CLOSE:
                found.append(int.from_bytes(frames[2:4], "big"))
            frames = frames[2 + size :]
        return found


@contextlib.asynccontextmanager
async def opened(*, reads: bool) -> AsyncGenerator[Connection]:
    """Open a connection to a client that *reads*, or does not."""
    connection = Connection(reads=reads)
    await settle()
    try:
        yield connection
    finally:
        connection.transport.abort()
        await settle()


def codes(drawn: str) -> list[int]:
    """Return the codes that a cell of the drawing names."""
    return [] if drawn == "–" else [OWN if drawn == "its own" else int(drawn)]


@pytest.mark.parametrize("event", ENDS)
async def test_each_event_ends_a_connection_as_it_is_drawn(event: str) -> None:
    drawn = ENDS[event]
    async with opened(reads=True) as connection:
        await connection.happen(event)
        assert connection.codes() == codes(drawn["code sent"])
        assert connection.transport.lost == (drawn["closed"] == "at once")
        if drawn["closed"] == "by echo":
            await connection.clock.pass_by(LINGER)
        await settle()
        assert connection.transport.lost
        assert connection.told == codes(drawn["application"])


@pytest.mark.parametrize("event", ENDS)
async def test_a_client_that_reads_nothing_is_given_up(event: str) -> None:
    async with opened(reads=False) as connection:
        await connection.happen(event)
        await connection.clock.pass_by(LINGER - 0.1)
        assert not connection.transport.is_reset
        await connection.clock.pass_by(0.2)
        assert connection.transport.is_reset


@pytest.mark.parametrize(("first", "second"), [*itertools.permutations(ENDS, 2)])
@pytest.mark.parametrize("reads", [True, False])
async def test_what_ends_it_first_is_final(first: str, second: str, *, reads: bool) -> None:
    async with opened(reads=reads) as connection:
        await connection.happen(first)
        await connection.happen(second)
        await connection.clock.pass_by(LINGER + 0.1)
        assert connection.transport.lost
        assert len(connection.codes()) <= 1
        assert codes(ENDS[first]["code sent"]) in ([], connection.codes())
