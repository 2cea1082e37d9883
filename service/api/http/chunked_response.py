"""Send chunks as they come, fill the silences between them, and end with the client.

The status is decided when the first chunk is there: what fails before is an ordinary error
response. A client that goes away closes the generator that the chunks come from; so does the end of
its credential.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, Final, TypeVar

import msgspec
from litestar import Request, Response
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from service.api.pending_requests import PendingRequest, PendingRequests
from service.security import principals
from sessions.supervision import PASSING

KEEP_ALIVE: Final = 15.0
"""Seconds of silence after which something is sent that means nothing.

Proxies give up a reply that is silent for long: nginx, by default, after a minute.
"""

_T = TypeVar("_T")


class Framing(msgspec.Struct, frozen=True):
    """What stands around documents, and between two of them; *silence* means nothing."""

    media_type: str
    opening: bytes
    separator: bytes
    closing: bytes
    silence: bytes


class ChunkedResponse(Response[bytes]):
    """What a generator yields, made into chunks, in a framing."""

    def __init__(
        self,
        source: AsyncIterator[_T],
        chunks: Callable[[AsyncIterator[_T]], AsyncGenerator[bytes]],
        framing: Framing,
    ) -> None:
        super().__init__(b"", media_type=framing.media_type, status_code=200)
        self._chunks: Callable[[PendingRequest], AsyncGenerator[bytes]] = lambda pending: chunks(
            pending.through(source)
        )
        self._framing = framing

    def to_asgi_response(self, app: Any, request: Request[Any, Any, Any], **_: Any) -> ASGIResponse:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return what sends the chunks; nothing of a handler's settings applies to it."""
        requests: PendingRequests = request.app.state.pending_requests
        pending = requests.new(principals.of(request.scope))
        return _ChunkSender(pending, self._chunks(pending), self._framing)


class _ChunkSender(ASGIResponse):
    """Sends the chunks of one response to one client."""

    _should_set_content_length = False

    def __init__(
        self, pending: PendingRequest, chunks: AsyncGenerator[bytes], framing: Framing
    ) -> None:
        # A proxy must neither keep nor hold back what is sent.
        headers = {"cache-control": "no-store, no-transform", "x-accel-buffering": "no"}
        headers["content-type"] = framing.media_type
        super().__init__(headers=headers)
        self._pending = pending
        self._chunks = chunks
        self._framing = framing
        # Held while the server takes something, which may wait: no silence may come behind the end.
        self._lock = asyncio.Lock()
        self._sent_at: float | None = None
        self._ended = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream, until its end or until the client is gone.

        Raises:
            Exception: it failed before its first chunk; nothing was sent.
        """
        # Raised outside the group, which would wrap it: the handlers of errors know no groups.
        refusal: list[BaseException] = []
        with self._pending:
            async with asyncio.TaskGroup() as tasks:
                sending = tasks.create_task(self._send(send, refusal), name="stream")
                others = [
                    tasks.create_task(self._stop(sending, receive), name="stream client"),
                    tasks.create_task(self._fill(send), name="stream silences"),
                ]
                sending.add_done_callback(lambda _: [other.cancel() for other in others])
                self._pending.give_up = sending.cancel
        if refusal:
            raise refusal[0]

    async def _send(self, send: Send, refusal: list[BaseException]) -> None:
        """Send everything, or put why it cannot begin into *refusal*."""
        framing = self._framing
        async with aclosing(self._chunks) as chunks:
            try:
                first = await anext(chunks, b"")
            except PASSING:
                raise
            except BaseException as exc:  # noqa: BLE001 - raised by the caller, not in a group
                refusal.append(exc)
                return
            await self.start_response(send)
            await self._write(send, framing.opening + first)
            async for chunk in chunks:
                await self._write(send, framing.separator + chunk)
        await self._write(send, framing.closing, more=False)

    async def _write(self, send: Send, body: bytes, *, more: bool = True) -> None:
        """Send *body*; behind the end there is nothing, not even a silence."""
        message: Any = {"type": "http.response.body", "body": body, "more_body": more}
        async with self._lock:
            if not self._ended:
                await send(message)  # the server gives up a client that takes nothing
                self._ended = not more
        self._sent_at = asyncio.get_running_loop().time()

    async def _fill(self, send: Send) -> None:
        """Send something whenever nothing was sent for long; between chunks it means nothing."""
        clock = asyncio.get_running_loop().time
        while True:
            silent = 0.0 if self._sent_at is None else clock() - self._sent_at
            if silent >= KEEP_ALIVE:
                await self._write(send, self._framing.silence)
            await asyncio.sleep(KEEP_ALIVE - silent if silent < KEEP_ALIVE else KEEP_ALIVE)

    async def _stop(self, sending: asyncio.Task[None], receive: Receive) -> None:
        """Stop as soon as the client is gone."""
        while (await receive())["type"] != "http.disconnect":
            pass
        sending.cancel()
