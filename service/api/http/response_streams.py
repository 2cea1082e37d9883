"""Send documents as they come, as one JSON array or as server-sent events (guide/rest.md).

What fails after the first document is told by the last one, so that the array, or the events, are
whole whatever happens. A process that stops ends a stream as any failure does. A credential that
ends does not: the answer goes on, and its last element says how to come back to it.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import Any, Final, Protocol, TypeVar

import msgspec
from litestar import Response

from service.api.http import errors
from service.api.http.chunked_response import ChunkedResponse, Framing
from sessions.codec import json_codec
from sessions.errors import Internal, PermissionDenied, ServiceError, failure
from sessions.resources import answer_query, answers
from sessions.resources.operations import Status
from sessions.supervision import PASSING
from streaming.protocol import rpc_status
from streaming.reading.elements import PlacedElement

_T = TypeVar("_T")

_log = logging.getLogger(__name__)


ARRAY: Final = Framing("application/json; charset=UTF-8", b"[", b"\n,\n", b"\n]", b"\n")
EVENTS: Final = Framing("text/event-stream; charset=utf-8", b"", b"", b"", b"\n")
"""For the reader of one client library, which knows no comments."""
ANSWER_EVENTS: Final = msgspec.structs.replace(EVENTS, silence=b":\n\n")
"""For browsers. Proxies that count lines, and readers that wait for one, get one."""


class _Writes(Protocol):
    """Writes an element, with more members of its JSON object *beside* what it says."""

    def __call__(self, element: PlacedElement, beside: bytes = b"") -> bytes: ...


Shown = Callable[[answer_query.AnswerQueryResponse], answer_query.AnswerQueryResponse]
"""Writes what an element says in the form of the request."""


def array(
    elements: AsyncIterator[PlacedElement], shown: Shown, *, numbers: bool = False
) -> Response[bytes]:
    """Stream *elements* as the array that the official clients read.

    It cannot say that an answer is written anew: what comes then is told at the end only.
    """

    def document(element: PlacedElement, beside: bytes = b"") -> bytes:
        return _beside(json_codec.encode(shown(element.response), numbers=numbers), beside)

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


def _event(shown: Shown, *, numbers: bool) -> _Writes:
    """Return what writes an element as an event."""

    def event(element: PlacedElement, beside: bytes = b"") -> bytes:
        document = json_codec.encode(shown(element.response), numbers=numbers)
        document = _beside(document, beside)
        if element.reset:
            # Never an event of a type of its own: a reader that listens to messages would miss it,
            # and go on with what is gone.
            document = _beside(document, b'"reset":true')
        return b"id: %b\n%b" % (str(element.position).encode(), data(document))

    return event


def _beside(document: bytes, members: bytes) -> bytes:
    """Return the JSON object *document*, which is not empty, with more *members* in it."""
    return document[:-1] + b"," + members + b"}" if members else document


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


async def _closed(elements: AsyncIterator[PlacedElement], chunk: _Writes) -> AsyncGenerator[bytes]:
    """Let a stream that fails after its first element end with one that FAILED (guide/rest.md).

    Where only the credential has ended, and there is an answer to come back to, it has not failed.
    """
    last: PlacedElement | None = None
    text: list[str] = []
    try:
        async with _closing(elements):
            async for element in elements:
                last = element
                if answer := element.response.answer:
                    text.append(answer.answer_text)
                yield chunk(element, _why(element.error) if element.error else b"")
    except PASSING:
        raise
    except BaseException as exc:
        if last is None:
            raise
        error = _log_failure(exc)
        told = _member(error)
        answer = last.response.answer
        if isinstance(error, PermissionDenied) and answer is not None and answer.name:
            yield chunk(_going_on(last, answer), told)
        else:
            yield chunk(_failed(last, "".join(text)), told)


def _why(status: Status) -> bytes:
    """Return the member that says why an answer has FAILED."""
    return _member(failure(status.code, status.message, reason=rpc_status.reason(status)))


def _member(error: ServiceError) -> bytes:
    """Return the member ``error``, as in an error reply: official clients skip it in an element."""
    return msgspec.json.encode(errors.rest_body(error))[1:-1]


async def each(told: AsyncIterator[list[_T]]) -> AsyncGenerator[_T]:
    """Yield what the lists have, one by one."""
    async with _closing(told):
        async for some in told:
            for one in some:
                yield one


async def _broken_off(
    told: AsyncIterator[list[PlacedElement]], chunk: _Writes
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


def _going_on(last: PlacedElement, answer: answers.Answer) -> PlacedElement:
    """Return an element that says no more than which answer goes on, and where it stood."""
    named = answers.Answer(name=answer.name, state=answer.state)
    response: answer_query.AnswerQueryResponse = msgspec.structs.replace(
        last.response, answer=named
    )
    return msgspec.structs.replace(last, response=response, reset=False)


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
