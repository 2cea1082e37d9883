"""Clients that take a streamed response slowly, or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections.abc import AsyncGenerator
from typing import Any

import msgspec
import pytest
import uvicorn
from litestar import Litestar, Response, get
from litestar.datastructures import State

from service.api.http import chunked_response, response_streams
from service.api.pending_requests import PendingRequests
from service.security.principals import Principal, PrincipalKind
from service.server.http_protocol import BoundedHttpProtocol
from tests.api.http.stream_doubles import Client, known
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
    async with served(known(app), brisk, send_buffer=1 << 16) as address:
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


def user(**changes: Any) -> Principal:
    return Principal(kind=PrincipalKind.USER, id="user:p:ada", subject="ada", **changes)


async def whole(documents: int, then: asyncio.Event) -> AsyncGenerator[bytes]:
    """Yield so many documents, and one more *then*."""
    for number in range(documents):
        yield b'{"number":%d}' % number
    await then.wait()
    yield b'{"late":true}'


async def test_a_stream_ends_with_the_credential_of_who_asked() -> None:
    ends = asyncio.get_running_loop().time()
    principal = user(expires=time.time() + 0.05)
    response = response_streams.array_of(whole(2, asyncio.Event()))
    client = await Client(response, principal=principal).read()
    *told, refusal = msgspec.json.decode(client.body)
    assert told == [{"number": 0}, {"number": 1}]
    assert refusal["error"]["details"][0]["reason"] == "TOKEN_EXPIRED"
    assert asyncio.get_running_loop().time() - ends < 0.5


async def test_a_stream_ends_when_the_credential_is_revoked() -> None:
    requests, then = PendingRequests(), asyncio.Event()
    mine, other = (
        Client(response_streams.array_of(whole(1, then)), requests, user(credential=credential))
        for credential in ("k1", "k2")
    )
    async with asyncio.TaskGroup() as tasks:
        for client in (mine, other):
            tasks.create_task(client.read())
        await eventually(lambda: bool(mine.chunks and other.chunks))
        requests.revoke("k1")
        await eventually(lambda: mine.ended)
        assert not other.ended
        then.set()
    assert b"TOKEN_REVOKED" in mine.body
    assert b"late" not in mine.body
    assert b"late" in other.body
