"""Walk the drawing of `service.server.http_protocol`: each phase, and whatever happens in it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Any, Final

import pytest
import uvicorn
from uvicorn.server import ServerState

from service.server import http_protocol
from service.server.http_protocol import BoundedHttpProtocol
from tests import drawings
from tests.server.memory_transport import Clock, MemoryTransport, settle

pytestmark = pytest.mark.anyio

HEAD: Final = b"PUT / HTTP/1.1\r\nHost: x\r\n"
REQUEST: Final = HEAD + b"\r\n"
UPLOAD: Final = HEAD + b"Content-Length: 4\r\n\r\n"
PHASES: Final = drawings.table(http_protocol, "phase")
NEXT: Final = drawings.table(http_protocol, "from")
WAYS: Final = {
    "SILENT": (),
    "HEADERS": ("part",),
    "BODY": ("upload",),
    "ANSWERING": ("request",),
    "IDLE": ("request", "answer"),
    "UNREAD": ("request", "stall"),
    "LEAVING": ("part", "over"),
}
"""What leads to each phase."""
EDGES: Final = [(phase, event) for phase, row in NEXT.items() for event in row if row[event] != "–"]


class Connection:
    """A protocol over a connection of memory, and an application that answers when it is told."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.go_on = asyncio.Event()
        config = uvicorn.Config(self._answer, interface="asgi3", log_config=None)
        loop: Any = self.clock
        self.protocol = BoundedHttpProtocol(config, ServerState(), {}, loop)
        self.transport = MemoryTransport(self.protocol, reads=False)
        self.protocol.connection_made(self.transport)
        self._begun = 0

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        await self.go_on.wait()
        self.go_on.clear()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def happen(self, event: str) -> str:
        """Let *event* happen; return the phase that it leads to, or that it was a reset."""
        match event:
            case "part":
                part = HEAD[self._begun :][:5]
                self._begun += len(part)
                self.protocol.data_received(part)
            case "request":
                self._send(REQUEST)
            case "upload":
                self._send(UPLOAD)
            case "body":
                self.protocol.data_received(b"body")
            case "answer":
                self.go_on.set()
            case "stall":
                self.protocol.pause_writing()
            case "flow":
                self.protocol.resume_writing()
            case "over":
                await self.clock.pass_by(seconds(self.protocol.phase().name))
            case _:
                raise AssertionError(event)
        await settle()
        return "reset" if self.transport.is_reset else self.protocol.phase().name

    async def end(self) -> None:
        """Leave no task behind."""
        self.transport.abort()
        for _ in range(3):
            self.go_on.set()
            await settle()

    def _send(self, request: bytes) -> None:
        self.protocol.data_received(request[self._begun :])
        self._begun = 0


def seconds(phase: str) -> float:
    """Return how long *phase* may last, and a look more."""
    bound = PHASES[phase]["within"].strip("`")
    if bound.isdigit():
        return float(bound) + 0.5
    return getattr(http_protocol, bound, 1000.0) * 1.3


@contextlib.asynccontextmanager
async def arrived(phase: str) -> AsyncGenerator[Connection]:
    """Bring a connection into *phase*."""
    connection = Connection()
    reached = connection.protocol.phase().name
    for event in WAYS[phase]:
        reached = await connection.happen(event)
    assert reached == phase
    try:
        yield connection
    finally:
        await connection.end()


def test_the_drawing_has_every_phase() -> None:
    phases = {phase.name for phase in http_protocol.HttpPhase}
    assert set(PHASES) == set(NEXT) == set(WAYS) == phases
    assert len(EDGES) == 35


@pytest.mark.parametrize(("phase", "event"), EDGES)
async def test_each_event_leads_where_it_is_drawn(phase: str, event: str) -> None:
    async with arrived(phase) as connection:
        assert await connection.happen(event) == NEXT[phase][event]


@pytest.mark.parametrize(
    ("phase", "said"),
    [("SILENT", b""), ("HEADERS", b"408"), ("BODY", b"408"), ("UNREAD", b""), ("LEAVING", b"408")],
)
async def test_a_wait_that_is_over_ends_as_it_is_drawn(phase: str, said: bytes) -> None:
    async with arrived(phase) as connection:
        await connection.happen("over")
        assert connection.transport.written[9:12] == said
        assert connection.transport.is_reset == (PHASES[phase]["otherwise"] == "reset")


async def test_every_connection_whose_client_does_nothing_ends() -> None:
    """But for one that waits for the application, which is the client's right."""
    for phase in set(NEXT) - {"ANSWERING"}:
        async with arrived(phase) as connection:
            await connection.clock.pass_by(1000)
            assert connection.transport.is_reset
