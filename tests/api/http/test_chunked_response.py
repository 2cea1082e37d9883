"""Clients that take a streamed response slowly, or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncGenerator
from typing import Any

import pytest
import uvicorn
from litestar import Litestar, Response, get
from litestar.datastructures import State

from service.api.http import chunked_response, response_streams
from service.api.pending_requests import PendingRequests
from service.server.http_protocol import BoundedHttpProtocol
from tests.streaming.sockets import served
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


class Brisk(BoundedHttpProtocol):
    """A front that gives up soon who takes nothing."""

    stuck = linger = 1.0


def brisk(config: uvicorn.Config) -> None:
    config.http = Brisk


@contextlib.asynccontextmanager
async def reading_by_hand(
    documents: AsyncGenerator[bytes],
) -> AsyncGenerator[asyncio.StreamReader]:
    """Ask for a stream of *documents*; nothing of it is read but what is asked for."""

    @get("/stream")
    async def stream() -> Response[Any]:
        return response_streams.array_of(documents)

    state = State({"pending_requests": PendingRequests()}, deep_copy=False)
    app = Litestar([stream], state=state, openapi_config=None)
    async with served(app, brisk, send_buffer=1 << 16) as address:
        host, _, port = address.partition(":")
        line = socket.socket()
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 16)
        line.connect((host, int(port)))
        reader, writer = await asyncio.open_connection(sock=line, limit=1 << 14)
        writer.write(b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n")
        try:
            yield reader
        finally:
            writer.transport.abort()


class Library:
    """Large documents, one after the other."""

    SIZE = 4 << 20

    def __init__(self) -> None:
        self.given = 0
        self.closed = False

    async def documents(self) -> AsyncGenerator[bytes]:
        try:
            while True:
                self.given += 1
                yield b'"%b"' % (b"x" * self.SIZE)
        finally:
            self.closed = True


async def test_a_client_that_takes_nothing_is_given_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """By the server, whether a document or a silence waits for it."""
    monkeypatch.setattr(chunked_response, "KEEP_ALIVE", 0.1)
    caplog.set_level(logging.WARNING)
    library = Library()
    async with reading_by_hand(library.documents()):
        await eventually(lambda: library.closed)
    assert library.given == 2
    assert caplog.messages == []


async def test_a_client_that_takes_a_little_is_not() -> None:
    """Here one document takes twice the time after which the server gives up."""
    library = Library()
    async with reading_by_hand(library.documents()) as reader:
        for _ in range(200):
            await reader.readexactly(library.SIZE // 200)
            await asyncio.sleep(0.01)  # the pace of a slow client, which is what is tested
        assert not library.closed
