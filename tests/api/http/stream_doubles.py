"""Streams that a test scripts, and the other side of the response that sends them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any

from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.types import ASGIApp, Receive, Send

from service.api.pending_requests import PendingRequests
from service.security import principals
from service.security.principals import ANONYMOUS, Principal
from sessions.errors import Unavailable
from sessions.resources.answer_query import AnswerQueryResponse
from streaming.log.event_log import LogEntry
from streaming.log.positions import Position
from streaming.reading import element_reader, elements
from streaming.reading.elements import ElementBuilder, PlacedElement
from tests.streaming.reading.reading_doubles import (
    ANSWER,
    STARTED,
    Memory,
    story,
    text,
)

WHOLE = story("Grüße ", "aus Köln.")


def asgi(
    response: Any,
    pending_requests: PendingRequests | None = None,
    principal: Principal = ANONYMOUS,
) -> Any:
    """Return what sends *response* to *principal* in an application of its own."""
    application = Litestar(
        state=state(pending_requests or PendingRequests()), openapi_config=None, logging_config=None
    )
    scope: Any = {"type": "http", "litestar_app": application, principals.SCOPE_KEY: principal}
    return response.to_asgi_response(app=None, request=Request(scope))


def known(app: ASGIApp, principal: Principal = ANONYMOUS) -> ASGIApp:
    """Return *app* behind what names the principal of each request."""

    async def name(scope: Any, receive: Receive, send: Send) -> None:
        await app(scope | {principals.SCOPE_KEY: principal}, receive, send)

    return name


def state(pending_requests: PendingRequests) -> State:
    return State({"pending_requests": pending_requests}, deep_copy=False)


class Client:
    """The other side of one ASGI call."""

    def __init__(
        self,
        response: Response[bytes],
        pending_requests: PendingRequests | None = None,
        principal: Principal = ANONYMOUS,
    ) -> None:
        self._asgi: Any = asgi(response, pending_requests, principal)
        self.start: dict[str, Any] = {}
        self.chunks: list[bytes] = []
        self.ended = False
        self.leave = asyncio.Event()

    @property
    def body(self) -> bytes:
        return b"".join(self.chunks)

    async def read(self) -> Client:
        """Take the response to its end."""
        await self._asgi({"type": "http", "headers": []}, self._receive, self._send)
        return self

    async def _receive(self) -> dict[str, Any]:
        await self.leave.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        assert not self.ended
        if message["type"] == "http.response.start":
            self.start = message
            return
        self.chunks.append(message["body"])
        self.ended = not message["more_body"]


async def told(memory: Memory) -> AsyncGenerator[PlacedElement]:
    async for element in element_reader.elements(memory.sources, ANSWER):
        yield element


async def scripted(*entries: LogEntry | Exception) -> AsyncGenerator[PlacedElement]:
    """Tell entries one by one, and fail where an exception stands."""
    builder = ElementBuilder(elements.envelope(ANSWER))
    for entry in entries:
        if isinstance(entry, Exception):
            raise entry
        for element in builder.live([entry]):
            yield element


async def documents(*items: bytes | Exception) -> AsyncGenerator[bytes]:
    for item in items:
        if isinstance(item, Exception):
            raise item
        yield item


async def listed(
    first: list[PlacedElement], told: AsyncIterator[PlacedElement]
) -> AsyncGenerator[list[PlacedElement]]:
    """Yield *first*, then what is *told*, one by one."""
    yield first
    async for element in told:
        yield [element]


async def failing() -> AsyncGenerator[list[PlacedElement]]:
    raise AWAY
    yield []


async def endless(item: bytes) -> AsyncGenerator[bytes]:
    yield item
    await asyncio.Event().wait()


AWAY = Unavailable("Redis is away", reason="REDIS_AWAY")
BROKEN = ZeroDivisionError("division by zero")
FIRST = LogEntry(Position(1, 0), STARTED)
SECOND = LogEntry(Position(1, 1), text("a\u2028b\u0085"))
ANEW = LogEntry(Position(2, 0), STARTED, reset=True)


def as_it_is(response: AnswerQueryResponse) -> AnswerQueryResponse:
    return response
