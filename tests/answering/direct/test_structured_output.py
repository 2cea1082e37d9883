"""Text in a form: asked for, held to it, and asked for once more."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

import pytest

from service.answering.direct import structured_output
from service.answering.requests import json_schemas
from service.answering.requests.response_formats import Misfit, ResponseFormat
from service.generation.chat_model.chat_events import (
    ChatEvent,
    Finished,
    TextDelta,
    ThoughtDelta,
    ToolCallDelta,
    Usage,
)
from service.generation.chat_model.chat_requests import ChatMessage, ChatRequest, JsonObjectFormat
from service.thread_pools import ThreadPool
from sessions.errors import Internal, ServiceError, Unavailable

pytestmark = pytest.mark.anyio

FORM = ResponseFormat(json_schemas.checked({"type": "object", "required": ["fee"]}, field="fee"))
REQUEST = FORM.asked_in(ChatRequest(messages=(ChatMessage("user", "How much?"),)))
GOOD = '{"fee": 80}'


class Model:
    """Answers with events, or fails; *asked* has the requests."""

    def __init__(self, *replies: Sequence[ChatEvent] | ServiceError) -> None:
        self._replies = list(replies)
        self.asked: list[ChatRequest] = []

    async def events(self, request: ChatRequest) -> AsyncGenerator[ChatEvent]:
        self.asked.append(request)
        reply = self._replies.pop(0)
        if isinstance(reply, ServiceError):
            raise reply
        for event in reply:
            yield event

    async def told(self) -> list[ChatEvent | Misfit]:
        pool = ThreadPool("reading", 1)
        events = structured_output.events(self.events, REQUEST, FORM, pool)
        return [event async for event in events]


def said(*texts: str, reason: str = "stop") -> list[ChatEvent]:
    return [*map(TextDelta, texts), Finished("length" if reason == "length" else "stop")]


def refused(**metadata: str) -> Internal:
    return Internal("refused", reason="MODEL_REQUEST_INVALID", **({"status": "400"} | metadata))


async def test_text_that_fits_is_told_in_one_piece() -> None:
    model = Model([ThoughtDelta("Hm."), *said("```json\n", '{"fee":', " 80}", "\n```")])
    assert await model.told() == [ThoughtDelta("Hm."), TextDelta(GOOD), Finished("stop")]
    assert model.asked == [REQUEST]
    assert "required" in model.asked[0].messages[0].text


async def test_a_misfit_is_asked_for_once_more_with_what_is_wrong() -> None:
    model = Model(said("Eighty."), said(GOOD))
    assert await model.told() == [TextDelta(GOOD), Finished("stop")]
    *_, said_before, correction = model.asked[1].messages
    assert said_before == ChatMessage("assistant", "Eighty.")
    assert correction.role == "user"
    assert "it is no JSON" in correction.text


async def test_a_second_misfit_is_told_as_one() -> None:
    model = Model(said("Eighty."), said("{}"))
    assert await model.told() == [TextDelta("{}"), Misfit('"fee" is a required property')]


async def test_the_usage_is_that_of_all_that_was_asked() -> None:
    usages = [Usage(prompt=9, completion=2, cached=3), Usage(prompt=20, completion=5)]
    model = Model(*([*said(text)[:-1], usage, Finished("stop")] for text, usage in zip(
        ("Eighty.", GOOD), usages, strict=True
    )))  # fmt: skip
    assert (await model.told())[1] == Usage(
        prompt=29, completion=7, cached=3, reasoning=0, prompt_image=0, prompt_audio=0
    )


async def test_a_text_that_was_cut_short_is_as_it_is() -> None:
    model = Model(said('{"fee', reason="length"))
    assert await model.told() == [TextDelta('{"fee'), Finished("length")]


async def test_a_call_is_no_text_to_be_held_to_the_form() -> None:
    call = ToolCallDelta(0, "a", "hours", "{}")
    assert await Model([call, Finished("tool_calls")]).told() == [
        call,
        TextDelta(""),
        Finished("tool_calls"),
    ]


async def test_an_endpoint_that_refuses_is_asked_for_less_of_a_form() -> None:
    model = Model(refused(), refused(), said(GOOD))
    assert TextDelta(GOOD) in await model.told()
    asked = [request.response_format for request in model.asked]
    assert asked == [FORM.wire, JsonObjectFormat(), None]


@pytest.mark.parametrize(
    "error",
    [
        refused(upstream="context_length_exceeded"),
        refused(status="404"),
        Unavailable("away", reason="MODEL_UNAVAILABLE"),
    ],
)
async def test_what_has_nothing_to_do_with_the_form_is_not_asked_again(
    error: ServiceError,
) -> None:
    model = Model(error)
    with pytest.raises(ServiceError):
        await model.told()
    assert len(model.asked) == 1
