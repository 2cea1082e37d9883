from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import email.utils
from collections.abc import AsyncIterator, Callable
from typing import Any

import openai
import pytest
from aiohttp import web

from service.generation.generator import Piece, Prompt, Source
from service.generation.openai import Endpoint, OpenAIGenerator, Patience, client
from service.generation.prompts import NO_ANSWER
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

pytestmark = pytest.mark.anyio

PROMPT = Prompt(query="How long?", sources=(Source(title="Returns", text="30 days."),))
Make = Callable[..., OpenAIGenerator]


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    """Run an endpoint that a test scripts."""
    async with OpenAIServer() as server:
        yield server


@pytest.fixture
def waits() -> list[float]:
    """Collect the seconds that a generator would have slept between attempts."""
    return []


@pytest.fixture
async def make(server: OpenAIServer, waits: list[float]) -> AsyncIterator[Make]:
    """Build generators for the endpoint, which do not really sleep."""

    async def sleep(seconds: float) -> None:
        waits.append(seconds)

    async with client() as http:

        def build(*, base_url: str = "", api_key: str = "", **patience: Any) -> OpenAIGenerator:
            endpoint = Endpoint(
                base_url=base_url or server.base_url, model="scripted", api_key=api_key
            )
            return OpenAIGenerator(http, endpoint, Patience(**patience), sleep=sleep)

        yield build


async def told(generator: OpenAIGenerator) -> str:
    """Return the whole text."""
    return "".join([piece.text async for piece in generator.generate(PROMPT)])


async def failure(generator: OpenAIGenerator) -> tuple[str, ServiceError]:
    """Return the text that came first, and the error that then came."""
    text = ""
    with pytest.raises(ServiceError) as caught:
        async for piece in generator.generate(PROMPT):
            text += piece.text
    return text, caught.value


async def test_the_text_of_the_model_is_told(server: OpenAIServer, make: Make) -> None:
    server.script(doubles.stream("You have ", "30 days", " [1]."))
    assert await told(make()) == "You have 30 days [1]."


async def test_the_request_is_a_streamed_chat_completion(server: OpenAIServer, make: Make) -> None:
    await told(make(api_key="sk-secret"))
    headers, body = server.asked[0]
    assert (body["model"], body["stream"]) == ("scripted", True)
    assert [message["role"] for message in body["messages"]] == ["system", "user"]
    assert headers["Authorization"] == "Bearer sk-secret"


async def test_without_a_key_no_credentials_are_sent(server: OpenAIServer, make: Make) -> None:
    await told(make())
    assert "Authorization" not in server.asked[0].headers


async def test_the_openai_sdk_reads_the_same_from_our_server(
    server: OpenAIServer, make: Make
) -> None:
    """What our connector is tested against is what the field's own client understands."""
    server.script(doubles.stream("You have ", "30 días", " [1]."))
    async with openai.AsyncOpenAI(base_url=server.base_url, api_key="k") as sdk:
        stream = await sdk.chat.completions.create(
            model="scripted", messages=[{"role": "user", "content": "How long?"}], stream=True
        )
        said = [chunk.choices[0].delta.content or "" async for chunk in stream]
    assert "".join(said) == await told(make()) == "You have 30 días [1]."


@pytest.mark.parametrize(("code", "error"), [(429, openai.RateLimitError), (401, openai.APIError)])
async def test_the_openai_sdk_sees_our_server_refuse(
    server: OpenAIServer, code: int, error: type[openai.APIError]
) -> None:
    server.script(doubles.status(code, error={"message": "no", "code": "x"}))
    async with openai.AsyncOpenAI(base_url=server.base_url, api_key="k", max_retries=0) as sdk:
        with pytest.raises(error):
            await sdk.chat.completions.create(
                model="scripted", messages=[{"role": "user", "content": "?"}], stream=True
            )


async def test_pieces_are_told_as_they_come(server: OpenAIServer, make: Make) -> None:
    """The server holds each piece back until the one before was told."""
    was_told = asyncio.Semaphore(2)

    async def before(_: int) -> None:
        await was_told.acquire()

    server.script(doubles.chunks(doubles.completion("a", "b", "c"), before_each=before))
    texts: list[str] = []
    async for piece in make().generate(PROMPT):
        texts.append(piece.text)
        was_told.release()
        if len(texts) == 3:
            was_told.release()
    assert texts == ["a", "b", "c"]


async def test_a_character_may_be_split_between_packets(server: OpenAIServer, make: Make) -> None:
    whole = b"".join(doubles.completion("né 版本 🎉"))
    server.script(doubles.chunks([whole[i : i + 1] for i in range(len(whole))]))
    assert await told(make()) == "né 版本 🎉"


async def test_line_ends_comments_and_other_fields_are_as_the_standard_has_them(
    server: OpenAIServer, make: Make
) -> None:
    events = [e.replace(b"\n", b"\r\n") for e in doubles.completion("a", "b")]
    server.script(doubles.chunks([b": keep\r\n\r\n", b"event: message\r\n", *events]))
    assert await told(make()) == "ab"


async def test_nothing_is_told_where_the_model_finds_no_answer(
    server: OpenAIServer, make: Make
) -> None:
    endless = [doubles.data(doubles.event(t)) for t in (NO_ANSWER[:4], NO_ANSWER[4:], " as ")]
    never = asyncio.Event()

    async def before(number: int) -> None:
        if number == len(endless):
            await never.wait()

    server.script(doubles.chunks([*endless, b""], before_each=before))
    assert await told(make()) == ""
    async with asyncio.timeout(5):
        await server.left.wait()


async def test_a_short_text_that_begins_like_the_marker_is_told(
    server: OpenAIServer, make: Make
) -> None:
    server.script(doubles.stream("N", "o"))
    assert await told(make()) == "No"


# --- Trying again ------------------------------------------------------------------------------


async def test_retry_after_is_honoured(
    server: OpenAIServer, make: Make, waits: list[float]
) -> None:
    server.script(doubles.status(429, headers={"Retry-After": "2"}), doubles.stream("Hello"))
    assert await told(make()) == "Hello"
    assert len(waits) == 1
    assert 2 <= waits[0] <= 2.5


async def test_retry_after_may_be_a_date(
    server: OpenAIServer, make: Make, waits: list[float]
) -> None:
    date = email.utils.format_datetime(
        dt.datetime.now(dt.UTC) + dt.timedelta(seconds=4), usegmt=True
    )
    server.script(doubles.status(503, headers={"Retry-After": date}), doubles.stream("Hello"))
    assert await told(make()) == "Hello"
    assert 2 <= waits[0] <= 4.5


async def test_an_unreadable_retry_after_is_as_none(
    server: OpenAIServer, make: Make, waits: list[float]
) -> None:
    server.script(doubles.status(429, headers={"Retry-After": "soon"}), doubles.stream("Hello"))
    assert await told(make(backoff=0.1)) == "Hello"
    assert waits[0] <= 0.2


async def test_nobody_waits_for_a_long_retry_after(
    server: OpenAIServer, make: Make, waits: list[float]
) -> None:
    server.script(doubles.status(429, headers={"Retry-After": "60"}))
    _, error = await failure(make())
    assert isinstance(error, ResourceExhausted)
    assert (error.reason, error.retry_after, waits) == ("MODEL_RATE_LIMITED", 60, [])


async def test_a_spent_quota_is_not_tried_again(server: OpenAIServer, make: Make) -> None:
    server.script(doubles.status(429, error={"code": "insufficient_quota"}))
    _, error = await failure(make())
    assert (error.reason, error.metadata["upstream"]) == (
        "MODEL_RATE_LIMITED",
        "insufficient_quota",
    )
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    "bad", [doubles.status(500), doubles.status(503), doubles.lost(), doubles.chunks([])]
)
async def test_what_fails_before_the_first_text_is_tried_again(
    server: OpenAIServer, make: Make, bad: doubles.Reply
) -> None:
    server.script(bad, bad, doubles.stream("Hello"))
    assert await told(make()) == "Hello"
    assert len(server.asked) == 3


async def test_attempts_are_bounded_and_further_and_further_apart(
    server: OpenAIServer, make: Make, waits: list[float]
) -> None:
    server.script(doubles.status(502))
    _, error = await failure(make(attempts=4, backoff=1.0, longest_wait=3.0))
    assert isinstance(error, Unavailable)
    assert error.reason == "MODEL_UNAVAILABLE"
    assert len(server.asked) == 4
    assert [1 <= waits[0] <= 2, 2 <= waits[1] <= 3, waits[2] == 3] == [True] * 3


async def test_an_endpoint_that_is_not_there_is_unavailable(make: Make) -> None:
    async with OpenAIServer() as gone:
        address = gone.base_url
    _, error = await failure(make(base_url=address))
    assert (type(error), error.reason) == (Unavailable, "MODEL_UNAVAILABLE")


@pytest.mark.parametrize("text", [True, False])
async def test_an_error_event_is_tried_again_only_before_the_first_text(
    server: OpenAIServer, make: Make, text: bool
) -> None:
    events = [doubles.data(doubles.event("a"))] * text + [doubles.data({"error": {"code": 500}})]
    server.script(doubles.chunks(events), doubles.stream("Hello"))
    if text:
        assert (await failure(make()))[0] == "a"
    else:
        assert await told(make()) == "Hello"
    assert len(server.asked) == (1 if text else 2)


# --- Failing -----------------------------------------------------------------------------------


@pytest.mark.parametrize("cut_off", [True, False])
async def test_a_break_half_way_keeps_the_text_and_is_not_tried_again(
    server: OpenAIServer, make: Make, cut_off: bool
) -> None:
    """Asked again, the model would write another text."""
    server.script(doubles.chunks(doubles.completion("a", "b")[:3], cut_off=cut_off))
    text, error = await failure(make())
    assert (text, error.reason) == ("ab", "MODEL_UNAVAILABLE")
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
    server.script(garbled(was_told, doubles.data(doubles.event("a"))))
    with pytest.raises(Unavailable) as caught:
        async with asyncio.timeout(5):
            async for piece in make().generate(PROMPT):
                text += piece.text
                was_told.set()
    assert (text, caught.value.reason) == ("a", "MODEL_UNAVAILABLE")


async def test_a_framing_that_breaks_while_the_reader_is_busy_is_the_same(
    server: OpenAIServer, make: Make
) -> None:
    was_told = asyncio.Event()
    server.script(garbled(was_told, doubles.data(doubles.event("a"))))
    pieces = make().generate(PROMPT)
    assert await anext(pieces) == Piece("a")
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
    async with asyncio.timeout(5):
        assert await told(make()) == "Hello"


async def test_a_framing_that_breaks_after_the_text_does_no_harm(
    server: OpenAIServer, make: Make
) -> None:
    was_told, text = asyncio.Event(), ""
    server.script(garbled(was_told, *doubles.completion("a")))
    async for piece in make().generate(PROMPT):
        text += piece.text
        was_told.set()
    assert text == "a"


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
    events = doubles.completion("a", "b")
    server.script(doubles.chunks([*events[:2], b"data: " + garbage + b"\n\n", *events[2:]]))
    text, error = await failure(make())
    assert (text, type(error), error.reason) == ("a", Internal, "MODEL_MALFORMED")


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
    events = doubles.completion("a", "b")
    server.script(doubles.chunks([*events[:2], b"data: {oops\n\n", *events[2:]]))
    text, error = await failure(make())
    assert (text, error.reason) == ("a", "MODEL_MALFORMED")


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
    async with asyncio.timeout(5):
        await server.left.wait()


async def test_an_endpoint_that_never_answers_is_left(server: OpenAIServer, make: Make) -> None:
    server.script(doubles.silence())
    _, error = await failure(make(first_piece=0.05))
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
    server.script(stalling(doubles.data(doubles.event("a"))))
    text, error = await failure(make(**patience))
    assert (text, error.reason) == ("a", "MODEL_TIMEOUT")
    await left(server)


async def test_a_slow_reader_does_not_use_up_the_model_s_time(
    server: OpenAIServer, make: Make
) -> None:
    was_told = asyncio.Semaphore(2)

    async def before(_: int) -> None:
        await was_told.acquire()

    server.script(doubles.chunks(doubles.completion("a", "b", "c"), before_each=before))
    texts: list[str] = []
    async with contextlib.aclosing(make(gap=0.05).generate(PROMPT)) as pieces:
        async for piece in pieces:
            texts.append(piece.text)
            was_told.release()
            if piece.text == "c":
                was_told.release()
            await asyncio.sleep(0.1)  # a slow reader: longer than the gap
    assert texts == ["a", "b", "c"]


async def test_closing_the_iterator_closes_the_socket(server: OpenAIServer, make: Make) -> None:
    server.script(stalling(doubles.data(doubles.event("a"))))
    pieces = make().generate(PROMPT)
    assert await anext(pieces) == Piece("a")
    await pieces.aclose()
    await left(server)


async def test_cancelling_the_reader_closes_the_socket(server: OpenAIServer, make: Make) -> None:
    server.script(stalling(doubles.data(doubles.event("a"))))
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
    server.script(stalling(*doubles.completion("a")))
    assert await told(make()) == "a"
    await left(server)
