"""Send documents as they come, as one JSON array or as server-sent events (guide/rest.md).

A stream is a response that decides its status when its first document is there: what fails before
is an ordinary error response. After that it is closed properly whatever happens, its silences are
filled, and a client that goes away closes the generator that the documents come from. A process
that stops ends it as any failure does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, Final, TypeVar

import msgspec
from litestar import Request, Response
from litestar.response.base import ASGIResponse
from litestar.types import Receive, Scope, Send

from service.api.http import errors
from service.api.pending_requests import PendingRequest, PendingRequests
from sessions.codec import json_codec
from sessions.errors import Internal, ServiceError
from sessions.resources import answer_query, answers
from sessions.supervision import PASSING
from streaming.reading.elements import PlacedElement

KEEP_ALIVE: Final = 15.0
"""Seconds of silence after which something is sent that means nothing.

Proxies give up a reply that is silent for long: nginx, by default, after a minute.
"""

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


class Framing(msgspec.Struct, frozen=True):
    """What stands around documents, and between two of them; *silence* means nothing."""

    media_type: str
    opening: bytes
    separator: bytes
    closing: bytes
    silence: bytes


ARRAY: Final = Framing("application/json; charset=UTF-8", b"[", b"\n,\n", b"\n]", b"\n")
EVENTS: Final = Framing("text/event-stream; charset=utf-8", b"", b"", b"", b"\n")
"""For the reader of one client library, which knows no comments."""
ANSWER_EVENTS: Final = msgspec.structs.replace(EVENTS, silence=b":\n\n")
"""For browsers. Proxies that count lines, and readers that wait for one, get one."""


Shown = Callable[[answer_query.AnswerQueryResponse], answer_query.AnswerQueryResponse]
"""Writes what an element says in the form of the request."""


def array(
    elements: AsyncIterator[PlacedElement], shown: Shown, *, numbers: bool = False
) -> Response[bytes]:
    """Stream *elements* as the array that the official clients read.

    It cannot say that an answer is written anew: what comes then is told at the end only.
    """

    def document(element: PlacedElement) -> bytes:
        return json_codec.encode(shown(element.response), numbers=numbers)

    return _Stream(_steady(elements), lambda told: _closed(told, document), ARRAY)


def events(
    elements: AsyncIterator[PlacedElement], shown: Shown, *, numbers: bool = False
) -> Response[bytes]:
    """Stream *elements* as events whose ids are their positions.

    One that has ``reset`` beside its answer says that what came before must be dropped.
    """
    event = _event(shown, numbers=numbers)
    return _Stream(elements, lambda told: _closed(told, event), ANSWER_EVENTS)


def events_again(
    told: AsyncIterator[list[PlacedElement]], shown: Shown, *, numbers: bool = False
) -> Response[bytes]:
    """Stream what is *told* of an answer that was asked for before, list by list, as `events`.

    The response begins with the first list, even if that is empty. Where this breaks off the
    answer has not ended: so does the stream then, and a browser goes on from where it was.
    """
    event = _event(shown, numbers=numbers)
    return _Stream(told, lambda lists: _broken_off(lists, event), ANSWER_EVENTS)


def _event(shown: Shown, *, numbers: bool) -> Callable[[PlacedElement], bytes]:
    """Return what writes an element as an event."""

    def event(element: PlacedElement) -> bytes:
        document = json_codec.encode(shown(element.response), numbers=numbers)
        if element.reset:
            document = document[:-1] + b',"reset":true}'  # never an event of a type of its own:
            # a reader that listens to messages would miss it, and go on with what is gone
        return b"id: %b\n%b" % (str(element.position).encode(), data(document))

    return event


def array_of(documents: AsyncIterator[bytes]) -> Response[bytes]:
    """Stream JSON objects as an array; what fails becomes its last one, an error."""
    return _Stream(documents, lambda told: _told(told, lambda document: document), ARRAY)


def events_of(documents: AsyncIterator[bytes]) -> Response[bytes]:
    """Stream JSON objects as events that are nothing but data; what fails becomes the last."""
    return _Stream(documents, lambda told: _told(told, data), EVENTS)


def data(document: bytes) -> bytes:
    """Return the event that is one JSON object, on a single line for any reader."""
    return b"data: %b\n\n" % json_codec.one_line(document)


async def _steady(elements: AsyncIterator[PlacedElement]) -> AsyncGenerator[PlacedElement]:
    """Leave out what is written anew, but for the end."""
    anew = False
    async with _closing(elements):
        async for element in elements:
            anew = anew or element.reset
            if element.is_terminal or not anew:
                yield element


async def _closed(
    elements: AsyncIterator[PlacedElement], chunk: Callable[[PlacedElement], bytes]
) -> AsyncGenerator[bytes]:
    """Let a stream that fails after its first element end with one that FAILED (guide/rest.md)."""
    last: PlacedElement | None = None
    text: list[str] = []
    try:
        async with _closing(elements):
            async for element in elements:
                last = element
                if answer := element.response.answer:
                    text.append(answer.answer_text)
                yield chunk(element)
    except PASSING:
        raise
    except BaseException as exc:
        if last is None:
            raise
        _log_failure(exc)
        yield chunk(_failed(last, "".join(text)))


async def each(told: AsyncIterator[list[_T]]) -> AsyncGenerator[_T]:
    """Yield what the lists have, one by one."""
    async with _closing(told):
        async for some in told:
            for one in some:
                yield one


async def _broken_off(
    told: AsyncIterator[list[PlacedElement]], chunk: Callable[[PlacedElement], bytes]
) -> AsyncGenerator[bytes]:
    """Let a stream that fails after its beginning end as it is."""
    begun = False
    try:
        async with _closing(told):
            async for elements in told:
                begun = True
                yield b"".join(map(chunk, elements)) or ANSWER_EVENTS.silence
    except Exception as exc:
        if not begun:
            raise
        _log_failure(exc)


def _failed(last: PlacedElement, text: str) -> PlacedElement:
    name = last.response.answer.name if last.response.answer else ""
    answer = answers.Answer(name=name, state=answers.State.FAILED, answer_text=text)
    response: answer_query.AnswerQueryResponse = msgspec.structs.replace(
        last.response, answer=answer
    )
    return msgspec.structs.replace(last, response=response, reset=False)


async def _told(
    documents: AsyncIterator[bytes], chunk: Callable[[bytes], bytes]
) -> AsyncGenerator[bytes]:
    """Let a stream that fails after its first document end with it (guide/generate-content.md)."""
    begun = False
    try:
        async with _closing(documents):
            async for document in documents:
                begun = True
                yield chunk(document)
    except PASSING:
        raise
    except BaseException as exc:
        if not begun:
            raise
        yield chunk(msgspec.json.encode(errors.rest_body(_log_failure(exc))))


def _log_failure(exc: BaseException) -> ServiceError:
    """Log why a stream breaks off, and return what may be told of it."""
    if isinstance(exc, ServiceError):
        _log.warning("stream_failed", extra={"reason": exc.reason})
        return exc
    _log.error("stream_failed", exc_info=exc, extra={"reason": "INTERNAL"})
    return Internal("the service failed; its log has the details", reason="INTERNAL")


def _closing(iterator: AsyncIterator[Any]) -> aclosing[Any]:
    """Close *iterator* in the end: every one that is streamed is a generator."""
    generator: Any = iterator
    return aclosing(generator)


class _Stream(Response[bytes]):
    """What a generator yields, made into chunks, in a framing."""

    def __init__(
        self,
        source: AsyncIterator[_T],
        chunks: Callable[[AsyncIterator[_T]], AsyncGenerator[bytes]],
        framing: Framing,
    ) -> None:
        super().__init__(b"", media_type=framing.media_type, status_code=200)
        self._chunks: Callable[[PendingRequest], AsyncGenerator[bytes]] = lambda question: chunks(
            question.through(source)
        )
        self._framing = framing

    def to_asgi_response(self, app: Any, request: Request[Any, Any, Any], **_: Any) -> ASGIResponse:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Return what sends the chunks; nothing of a handler's settings applies to it."""
        pending: PendingRequests = request.app.state.pending_requests
        question = pending.new()
        return _Sending(question, self._chunks(question), self._framing)


class _Sending(ASGIResponse):
    """Sends one stream to one client."""

    _should_set_content_length = False

    def __init__(
        self, question: PendingRequest, chunks: AsyncGenerator[bytes], framing: Framing
    ) -> None:
        # A proxy must neither keep nor hold back what is sent.
        headers = {"cache-control": "no-store, no-transform", "x-accel-buffering": "no"}
        headers["content-type"] = framing.media_type
        super().__init__(headers=headers)
        self._question = question
        self._chunks = chunks
        self._framing = framing
        self._lock = asyncio.Lock()
        self._sent_at: float | None = None
        self._ended = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream, until its end or until the client is gone.

        Raises:
            Exception: it failed before its first chunk; nothing was sent.
        """
        refusal: list[BaseException] = []
        with self._question:
            async with asyncio.TaskGroup() as tasks:
                sending = tasks.create_task(self._send(send, refusal), name="stream")
                others = [
                    tasks.create_task(self._stop(sending, receive), name="stream client"),
                    tasks.create_task(self._fill(send), name="stream silences"),
                ]
                sending.add_done_callback(lambda _: [other.cancel() for other in others])
                self._question.give_up = sending.cancel
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
