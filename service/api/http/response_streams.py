"""Send documents as they come, as one JSON array or as server-sent events (guide/rest.md).

What fails after the first document is told by the last one, so that the array, or the events, are
whole whatever happens. A process that stops ends a stream as any failure does.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, Final, TypeVar

import msgspec
from litestar import Response

from service.api.http import errors
from service.api.http.chunked_response import ChunkedResponse, Framing
from sessions.codec import json_codec
from sessions.errors import Internal, ServiceError
from sessions.resources import answer_query, answers
from sessions.supervision import PASSING
from streaming.reading.elements import PlacedElement

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


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

    return ChunkedResponse(_steady(elements), lambda told: _closed(told, document), ARRAY)


def events(
    elements: AsyncIterator[PlacedElement], shown: Shown, *, numbers: bool = False
) -> Response[bytes]:
    """Stream *elements* as events whose ids are their positions.

    One that has ``reset`` beside its answer says that what came before must be dropped.
    """
    event = _event(shown, numbers=numbers)
    return ChunkedResponse(elements, lambda told: _closed(told, event), ANSWER_EVENTS)


def events_again(
    told: AsyncIterator[list[PlacedElement]], shown: Shown, *, numbers: bool = False
) -> Response[bytes]:
    """Stream what is *told* of an answer that was asked for before, list by list, as `events`.

    The response begins with the first list, even if that is empty. Where this breaks off the
    answer has not ended: so does the stream then, and a browser goes on from where it was.
    """
    event = _event(shown, numbers=numbers)
    return ChunkedResponse(told, lambda lists: _broken_off(lists, event), ANSWER_EVENTS)


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
    return ChunkedResponse(documents, lambda told: _told(told, lambda document: document), ARRAY)


def events_of(documents: AsyncIterator[bytes]) -> Response[bytes]:
    """Stream JSON objects as events that are nothing but data; what fails becomes the last."""
    return ChunkedResponse(documents, lambda told: _told(told, data), EVENTS)


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
