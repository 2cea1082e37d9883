"""The events of a completion, as whoever generates directly gets them."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio
import msgspec
import pytest

from service.generation.chat_model.chat_bodies import Endpoint
from service.generation.chat_model.chat_completions import (
    ChatCompletions,
    EndpointPolicy,
    client,
)
from service.generation.chat_model.chat_events import (
    ChatEvent,
    Finished,
    FinishReason,
    TextDelta,
    ThoughtDelta,
    ToolCallDelta,
    Usage,
)
from service.generation.chat_model.chat_requests import (
    CalledFunction,
    ChatMessage,
    ChatRequest,
    Function,
    FunctionName,
    FunctionTool,
    ImagePart,
    ImageUrl,
    JsonSchemaFormat,
    NamedSchema,
    TextPart,
    ToolCall,
    ToolChoice,
)
from sessions.errors import Internal, Unavailable
from tests import doubles
from tests.doubles import OpenAIServer
from tests.packages import Package

pytestmark = pytest.mark.anyio
openai = Package("openai")

REQUEST = ChatRequest(messages=(ChatMessage("user", "How long?"),))
USAGE = {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5}
Complete = Callable[..., ChatCompletions]
Used = Callable[[int, int], None]


def _ignore(prompt: int, completion: int) -> None: ...


@pytest.fixture
async def complete(server: OpenAIServer) -> AsyncIterator[Complete]:
    async with client() as http:

        def build(used: Used = _ignore, **fields: Any) -> ChatCompletions:
            endpoint = Endpoint(base_url=server.base_url, model="scripted", **fields)
            return ChatCompletions(http, endpoint, used=used)

        yield build


async def events(completions: ChatCompletions, request: ChatRequest = REQUEST) -> list[ChatEvent]:
    """Return all events of a completion."""
    return [event async for event in completions.events(request)]


def usage(**fields: Any) -> bytes:
    """Return the event that tells the usage."""
    return doubles.data({"choices": [], "usage": USAGE | fields})


async def test_thoughts_text_usage_and_the_end_come_in_order(
    server: OpenAIServer, complete: Complete
) -> None:
    thought = doubles.data(doubles.event(reasoning_content="Hm."))
    said = doubles.completion("30 ", "days")
    server.script(doubles.chunks([thought, *said[:-1], usage(), said[-1]]))
    found = await events(complete())
    assert found[0] == ThoughtDelta("Hm.")
    text = "".join(one.text for one in found if isinstance(one, TextDelta))
    assert text == "30 days"
    assert found[-2:] == [Usage(prompt=3, completion=2), Finished("stop")]
    assert server.asked[0].body["stream_options"] == {"include_usage": True}


@pytest.mark.parametrize("reason", ["length", "content_filter", "tool_calls"])
async def test_each_way_to_finish_is_an_event(
    server: OpenAIServer, complete: Complete, reason: FinishReason
) -> None:
    server.script(doubles.stream("half", finish_reason=reason))
    assert await events(complete()) == [TextDelta("half"), Finished(reason)]


async def test_the_usage_may_come_with_the_end(server: OpenAIServer, complete: Complete) -> None:
    last = doubles.event("x", finish_reason="stop") | {"usage": USAGE}
    server.script(doubles.chunks([doubles.data(last)]))
    used: list[tuple[int, int]] = []

    def count(prompt: int, completion: int) -> None:
        used.append((prompt, completion))

    found = await events(complete(used=count))
    assert found == [TextDelta("x"), Usage(prompt=3, completion=2), Finished("stop")]
    assert used == [(3, 2)]


async def test_an_endpoint_that_knows_no_usage_is_asked_without(
    server: OpenAIServer, complete: Complete
) -> None:
    unknown = {"message": "Unrecognized request argument supplied: stream_options"}
    server.script(doubles.status(400, error=unknown), doubles.stream("x"))
    assert await events(complete()) == [TextDelta("x"), Finished("stop")]
    assert "stream_options" not in server.asked[1].body


async def test_what_one_caller_chose_badly_is_not_left_out_for_all(
    server: OpenAIServer, complete: Complete
) -> None:
    server.script(
        doubles.status(400, error={"code": "invalid_value", "param": "stop", "message": "Too long"})
    )
    with pytest.raises(Internal, match="does not take our request"):
        await events(complete(), ChatRequest(messages=REQUEST.messages, stop=("x" * 999,)))
    assert len(server.asked) == 1


async def test_calls_are_told_piece_by_piece(server: OpenAIServer, complete: Complete) -> None:
    function = {"name": "look_up", "arguments": "{}"}
    calls = [{"index": 0, "id": "c1", "type": "function", "function": function}]
    said = [doubles.data(doubles.event(tool_calls=calls)), *doubles.completion()]
    server.script(doubles.chunks(said))
    found = await events(complete())
    assert found == [ToolCallDelta(0, "c1", "look_up", "{}"), Finished("tool_calls")]


async def test_a_request_is_what_the_openai_sdk_would_send(
    server: OpenAIServer, complete: Complete
) -> None:
    """The SDK checks the names and the nesting of what it is told; ours is compared with it."""
    schema = {"type": "object", "properties": {"days": {"type": "integer"}}}
    await events(
        complete(max_tokens=100),
        ChatRequest(
            messages=(
                ChatMessage("system", "Be brief."),
                ChatMessage("user", (TextPart("What?"), ImagePart(ImageUrl("data:image/png,x")))),
                ChatMessage("assistant", None, (ToolCall("c1", CalledFunction("look_up", "{}")),)),
                ChatMessage("tool", "30", tool_call_id="c1"),
            ),
            temperature=0.5,
            top_p=0.9,
            max_tokens=500,
            stop=("\n",),
            seed=7,
            presence_penalty=0.1,
            frequency_penalty=0.2,
            logprobs=True,
            top_logprobs=3,
            response_format=JsonSchemaFormat(NamedSchema("reply", schema, strict=True)),
            tools=(FunctionTool(Function("look_up", "Looks up.", schema)),),
            tool_choice=ToolChoice(FunctionName("look_up")),
            reasoning_effort="low",
        ),
    )
    asked: Any = {
        "model": "scripted",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "What?"},
                    {"type": "image_url", "image_url": {"url": "data:image/png,x"}},
                ],
            },
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "look_up", "arguments": "{}"},
                    }
                ],
            },
            {"role": "tool", "content": "30", "tool_call_id": "c1"},
        ],
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 100,
        "stop": ["\n"],
        "seed": 7,
        "presence_penalty": 0.1,
        "frequency_penalty": 0.2,
        "logprobs": True,
        "top_logprobs": 3,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "reply", "schema": schema, "strict": True},
        },
        "tools": [
            {
                "type": "function",
                "function": {
                    "name": "look_up",
                    "description": "Looks up.",
                    "parameters": schema,
                },
            }
        ],
        "tool_choice": {"type": "function", "function": {"name": "look_up"}},
        "reasoning_effort": "low",
        "stream": True,
        "stream_options": {"include_usage": True},
    }
    async with openai.AsyncOpenAI(base_url=server.base_url, api_key="k") as sdk:
        await sdk.chat.completions.create(**asked)
    assert server.asked[0].body == server.asked[1].body


@pytest.mark.parametrize(
    "error",
    [
        {
            "param": "response_format",
            "message": "Invalid parameter: 'response_format' of type 'json_schema' is not "
            "supported with this model.",
        },
        {"message": "This response_format type is unavailable now"},
        {"message": "response_format.json_schema: Extra inputs are not permitted"},
    ],
)
async def test_an_endpoint_without_schemas_is_asked_for_json_and_one_without_that_for_text(
    server: OpenAIServer, complete: Complete, error: dict[str, str]
) -> None:
    refused = doubles.status(400, error=error)
    server.script(refused, refused, doubles.stream("{}"))
    completions = complete()
    form = JsonSchemaFormat(NamedSchema("fee", {"type": "object"}))
    request = ChatRequest(messages=REQUEST.messages, response_format=form)
    await events(completions, request)
    await events(completions, request)
    asked = [one.body.get("response_format", {}).get("type") for one in server.asked]
    assert asked == ["json_schema", "json_object", None, None]


async def test_a_way_to_bound_thoughts_that_a_server_is_not_set_up_for_is_left_out(
    server: OpenAIServer, complete: Complete
) -> None:
    """What vLLM says without --reasoning-config."""
    message = "thinking_token_budget is set but reasoning_config is not configured."
    refusal = doubles.status(400, error={"message": message, "code": 400})
    server.script(refusal, doubles.stream("x"))
    request = ChatRequest(messages=REQUEST.messages, thinking_budget=100)
    assert await events(complete(), request) == [TextDelta("x"), Finished("stop")]
    assert "thinking_token_budget" not in server.asked[1].body
    assert server.asked[1].body["reasoning_effort"] == "low"


class Purse:
    """A budget that notes what is done with it."""

    def __init__(self) -> None:
        self.settled: list[tuple[int, int]] = []

    async def reserve(self, tokens: int) -> bytes:
        return b"today"

    async def settle(self, day: bytes, reserved: int, used: int) -> None:
        self.settled.append((reserved, used))


async def test_a_budget_counts_what_the_endpoint_reports(server: OpenAIServer) -> None:
    """Beforehand it is asked for all that the text may cost; unreported, prompt and text count."""
    purse = Purse()
    async with client() as http:
        endpoint = Endpoint(base_url=server.base_url, model="scripted", max_tokens=100)
        completions = ChatCompletions(http, endpoint, budget=purse)
        said = doubles.completion("30 ", "days")
        server.script(doubles.chunks([*said[:-1], usage(), said[-1]]))
        await events(completions)
        server.script(doubles.stream("half a text", finish_reason="length"))
        await events(completions)
        server.script(doubles.stream("more than is asked for " * 10))
        await events(completions, msgspec.structs.replace(REQUEST, max_tokens=10))
        await events(completions, msgspec.structs.replace(REQUEST, max_tokens=1_000_000))
    assert purse.settled == [(105, 5), (105, 5 + 8), (15, 15), (105, 105)]


async def test_a_budget_gets_back_what_nobody_waited_for(server: OpenAIServer) -> None:
    """The prompt counts, and what was written; nothing where the endpoint refused."""
    purse, gate = Purse(), asyncio.Event()
    said = doubles.completion("half ", "a text")
    held = doubles.chunks(said, before_each=lambda number: gate.wait() if number > 1 else _now())
    async with client() as http:
        endpoint = Endpoint(base_url=server.base_url, model="scripted", max_tokens=100)
        policy = EndpointPolicy(attempts=2, backoff=0.001)
        completions = ChatCompletions(http, endpoint, policy, budget=purse)
        server.script(held)
        async with contextlib.aclosing(completions.events(REQUEST)) as told:
            assert await anext(told) == TextDelta("half ")
        server.script(doubles.silence())
        with anyio.move_on_after(0.02):
            await events(completions)
        server.script(doubles.status(503))
        with pytest.raises(Unavailable):
            await events(completions)
        server.script(doubles.chunks(said[:2], cut_off=True))
        with pytest.raises(Unavailable):
            await events(completions)
    assert purse.settled == [(105, 9), (105, 5), (105, 0), (105, 9)]


async def _now() -> None:
    pass
