"""A model endpoint that fails, stalls or lingers, and readers that leave it."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from aiohttp import web

from service.generation.generator import Piece
from sessions.errors import (
    DeadlineExceeded,
    FailedPrecondition,
    Internal,
    ResourceExhausted,
    ServiceError,
    Unavailable,
)
from tests import doubles
from tests.doubles import OpenAIServer
from tests.generation.chat_model.asking import PROMPT, Make, failure, told
from tests.waiting import LONG

pytestmark = pytest.mark.anyio


# --- Failing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("cut_off", [True, False])
async def test_a_break_half_way_keeps_the_text_and_is_not_tried_again(
    server: OpenAIServer, make: Make, cut_off: bool
) -> None:
    """Asked again, the model would write another text."""
    server.script(doubles.chunks(doubles.completion("x", "y")[:3], cut_off=cut_off))
    text, error = await failure(make())
    assert (text, error.reason) == ("xy", "MODEL_UNAVAILABLE")
    assert len(server.asked) == 1


def garbled(then: asyncio.Event, *pieces: bytes) -> doubles.Reply:
    """Send *pieces* and, once *then* is set, a chunk header that is none; stay connected."""

    async def reply(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for piece in pieces:
            await response.write(piece)
        await then.wait()
        assert request.transport is not None
        request.transport.write(b"no length\r\nrest\r\n")
        await asyncio.get_running_loop().create_future()
        raise AssertionError("nothing sets the future")

    return reply


async def test_a_framing_that_breaks_half_way_is_noticed_at_once(
    server: OpenAIServer, make: Make
) -> None:
    """The connection is closed by then, and nothing more comes that one could wait for."""
    was_told, text = asyncio.Event(), ""
    server.script(garbled(was_told, doubles.data(doubles.event("x"))))
    with pytest.raises(Unavailable) as caught:
        async with asyncio.timeout(LONG):
            async for piece in make().generate(PROMPT):
                text += piece.text
                was_told.set()
    assert (text, caught.value.reason) == ("x", "MODEL_UNAVAILABLE")


async def test_a_framing_that_breaks_while_the_reader_is_busy_is_the_same(
    server: OpenAIServer, make: Make
) -> None:
    was_told = asyncio.Event()
    server.script(garbled(was_told, doubles.data(doubles.event("x"))))
    pieces = make().generate(PROMPT)
    assert await anext(pieces) == Piece("x")
    was_told.set()
    await left(server)
    with pytest.raises(Unavailable) as caught:
        await anext(pieces)
    assert caught.value.reason == "MODEL_UNAVAILABLE"


async def test_a_framing_that_breaks_before_the_first_text_is_tried_again(
    server: OpenAIServer, make: Make
) -> None:
    at_once = asyncio.Event()
    at_once.set()
    server.script(garbled(at_once), doubles.stream("Hello"))
    async with asyncio.timeout(LONG):
        assert await told(make()) == "Hello"


async def test_a_framing_that_breaks_after_the_text_does_no_harm(
    server: OpenAIServer, make: Make
) -> None:
    was_told, text = asyncio.Event(), ""
    server.script(garbled(was_told, *doubles.completion("x")))
    async for piece in make().generate(PROMPT):
        text += piece.text
        was_told.set()
    assert text == "x"


async def test_a_refusal_counts_even_where_its_document_breaks_off(
    server: OpenAIServer, make: Make
) -> None:
    async def reply(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(status=401, headers={"Content-Length": "1000"})
        await response.prepare(request)
        await response.write(b'{"error": {"code":')
        assert request.transport is not None
        request.transport.close()
        return response

    server.script(reply)
    _, error = await failure(make())
    assert error.reason == "MODEL_REFUSED"


@pytest.mark.parametrize(
    "garbage", [b'{"error": "\xff"}', b'{"x": ' + b"[" * 100_000], ids=["not UTF-8", "nested"]
)
async def test_bytes_that_are_no_text_end_the_text(
    server: OpenAIServer, make: Make, garbage: bytes
) -> None:
    events = doubles.completion("x", "y")
    server.script(doubles.chunks([*events[:2], b"data: " + garbage + b"\n\n", *events[2:]]))
    text, error = await failure(make())
    assert (text, type(error), error.reason) == ("x", Internal, "MODEL_MALFORMED")


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (401, "MODEL_REFUSED"),
        (403, "MODEL_REFUSED"),
        (400, "MODEL_REQUEST_INVALID"),
        (404, "MODEL_REQUEST_INVALID"),
        (307, "MODEL_REQUEST_INVALID"),
    ],
)
async def test_a_refusal_is_not_tried_again_and_tells_no_secret(
    server: OpenAIServer, make: Make, code: int, reason: str
) -> None:
    error = {"message": "Incorrect API key provided: sk-secret", "code": "sk secret?"}
    server.script(doubles.status(code, error=error, headers={"Location": "/elsewhere"}))
    _, refused = await failure(make(api_key="sk-secret"))
    assert (type(refused), refused.reason) == (Internal, reason)
    assert len(server.asked) == 1
    assert "secret" not in f"{refused.message} {refused.metadata}"


async def test_the_endpoint_s_own_code_is_told(server: OpenAIServer, make: Make) -> None:
    server.script(doubles.status(400, error={"code": "context_length_exceeded"}))
    _, error = await failure(make())
    assert error.metadata == {"status": "400", "upstream": "context_length_exceeded"}


async def test_an_endpoint_that_does_not_stream_is_told_apart(
    server: OpenAIServer, make: Make
) -> None:
    server.script(doubles.chunks([b"<html>"], content_type="text/html"))
    _, error = await failure(make())
    assert (type(error), error.reason) == (Internal, "MODEL_MALFORMED")


async def test_an_event_that_is_no_completion_ends_the_text(
    server: OpenAIServer, make: Make
) -> None:
    events = doubles.completion("x", "y")
    server.script(doubles.chunks([*events[:2], b"data: {oops\n\n", *events[2:]]))
    text, error = await failure(make())
    assert (text, error.reason) == ("x", "MODEL_MALFORMED")


@pytest.mark.parametrize(
    ("finish_reason", "kind", "reason"),
    [
        ("length", ResourceExhausted, "MODEL_TRUNCATED"),
        ("content_filter", FailedPrecondition, "MODEL_FILTERED"),
    ],
)
async def test_a_text_that_is_not_whole_is_no_success(
    server: OpenAIServer,
    make: Make,
    finish_reason: str,
    kind: type[ServiceError],
    reason: str,
) -> None:
    server.script(doubles.stream("half", finish_reason=finish_reason))
    text, error = await failure(make())
    assert (text, type(error), error.reason) == ("half", kind, reason)


@pytest.mark.parametrize("base_url", ["nonsense", "ftp://host/v1"])
async def test_an_impossible_address_is_told_as_such(make: Make, base_url: str) -> None:
    _, error = await failure(make(base_url=base_url))
    assert error.reason == "MODEL_REQUEST_INVALID"


# --- Waiting and leaving -----------------------------------------------------------------------


async def left(server: OpenAIServer) -> None:
    """Wait until the server saw its client go."""
    async with asyncio.timeout(LONG):
        await server.left.wait()


async def test_an_endpoint_that_never_answers_is_left(server: OpenAIServer, make: Make) -> None:
    server.script(doubles.silence())
    _, error = await failure(make(first_piece=0.5))
    assert (type(error), error.reason) == (DeadlineExceeded, "MODEL_TIMEOUT")
    await left(server)
    assert len(server.asked) == 1


def stalling(*pieces: bytes) -> doubles.Reply:
    """Send *pieces*, then only comments, for ever."""

    async def comments(number: int) -> None:
        if number >= len(pieces):
            await asyncio.sleep(0.005)  # the pace of the comments, nothing is awaited by it

    return doubles.chunks([*pieces, *[b": working\n\n"] * 2000], before_each=comments)


@pytest.mark.parametrize("patience", [{"gap": 0.1}, {"total": 0.2}])
async def test_comments_do_not_count_as_pieces(
    server: OpenAIServer, make: Make, patience: dict[str, float]
) -> None:
    server.script(stalling(doubles.data(doubles.event("x"))))
    text, error = await failure(make(**patience))
    assert (text, error.reason) == ("x", "MODEL_TIMEOUT")
    await left(server)


async def test_a_slow_reader_does_not_use_up_the_model_s_time(
    server: OpenAIServer, make: Make
) -> None:
    was_told = asyncio.Semaphore(2)

    async def before(_: int) -> None:
        await was_told.acquire()

    server.script(doubles.chunks(doubles.completion("x", "y", "z"), before_each=before))
    texts: list[str] = []
    async with contextlib.aclosing(make(gap=0.05).generate(PROMPT)) as pieces:
        async for piece in pieces:
            texts.append(piece.text)
            was_told.release()
            if piece.text == "z":
                was_told.release()
            await asyncio.sleep(0.1)  # a slow reader: longer than the gap
    assert texts == ["x", "y", "z"]


async def test_closing_the_iterator_closes_the_socket(server: OpenAIServer, make: Make) -> None:
    server.script(stalling(doubles.data(doubles.event("x"))))
    pieces = make().generate(PROMPT)
    assert await anext(pieces) == Piece("x")
    await pieces.aclose()
    await left(server)


async def test_cancelling_the_reader_closes_the_socket(server: OpenAIServer, make: Make) -> None:
    server.script(stalling(doubles.data(doubles.event("x"))))
    reading = asyncio.Event()

    async def read() -> None:
        async for _ in make().generate(PROMPT):
            reading.set()

    async with asyncio.TaskGroup() as tasks:
        task = tasks.create_task(read())
        await reading.wait()
        task.cancel()
    await left(server)


async def test_a_connection_serves_one_answer_after_another(
    server: OpenAIServer, make: Make
) -> None:
    generator = make()
    for _ in range(3):
        await told(generator)
    assert len(server.connections) == 1
    assert not server.left.is_set()


async def test_an_endpoint_that_lingers_after_its_text_does_not_hold_up_the_end(
    server: OpenAIServer, make: Make
) -> None:
    server.script(stalling(*doubles.completion("x")))
    assert await told(make()) == "x"
    await left(server)
