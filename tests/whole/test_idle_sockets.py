"""Crowds of clients that connect and say nothing."""

from __future__ import annotations

import asyncio
import contextlib
import mmap
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest

from tests.streaming.raw_websocket import handshake
from tests.waiting import eventually
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio

CROWD: Final = 1000
EACH: Final = 25 << 10
"""Bytes that a client may cost (a promise of the design; it takes about 17 KB)."""


def resident(service: Service) -> int:
    """Return the memory of the process (Linux)."""
    if service.process is None:
        raise AssertionError("it runs")
    return int(Path(f"/proc/{service.process.pid}/statm").read_text().split()[1]) * mmap.PAGESIZE


async def open_sockets(service: Service) -> int:
    """Return how many sockets the service counts."""
    async with aiohttp.ClientSession() as client, client.get(f"{service.rest}/metrics") as reply:
        lines = (await reply.text()).splitlines()
    counts = [line.split()[1] for line in lines if line.startswith("colloquy_open_sockets{")]
    return sum(int(float(count)) for count in counts)


class Silent(asyncio.Protocol):
    """Asks for a WebSocket, and says nothing more."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._heard = b""
        self.transport: Any = None
        self.ready = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.transport.write(handshake(self._url))

    def data_received(self, data: bytes) -> None:
        self._heard += data
        if b'"ready"' in self._heard:
            self.ready.set()


@contextlib.asynccontextmanager
async def crowd(service: Service, number: int) -> AsyncGenerator[None]:
    """Have so many clients connected; return when the service knows that they are gone."""
    loop = asyncio.get_running_loop()
    clients = [Silent(service.websocket) for _ in range(number)]
    try:
        for client in clients:
            await loop.create_connection(lambda client=client: client, "127.0.0.1", service.port)
        for client in clients:
            await client.ready.wait()
        yield
    finally:
        for client in clients:
            if client.transport:
                client.transport.abort()
    await eventually(lambda: _is(service, 0))


async def _is(service: Service, number: int) -> bool:
    return await open_sockets(service) == number


async def test_they_cost_little_and_leave_nothing(tmp_path: Path) -> None:
    """What was taken is used again: no further crowd makes the process larger.

    CPython keeps the arenas in which anything at all lives on, so that the process does not shrink.
    """
    async with services(tmp_path / "data") as (service,):
        await service.start()
        async with crowd(service, 100):
            await open_sockets(service)
        before = resident(service)
        async with crowd(service, CROWD):
            assert await open_sockets(service) == CROWD
            first = resident(service)
        assert (first - before) / CROWD < EACH
        async with crowd(service, CROWD):
            pass
        assert resident(service) < first * 1.03
