"""What is sent to an endpoint, and what is left out for one that does not take it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.generation.chat_model.chat_bodies import ChatBodies, Endpoint
from service.generation.chat_model.chat_requests import ChatMessage, ChatRequest

ENDPOINT = Endpoint(base_url="http://localhost/v1", model="m")
THOUGHTFUL = ("reasoning_effort", "thinking_token_budget", "thinking_budget_tokens")


def asked(**fields: Any) -> ChatRequest:
    return ChatRequest(messages=(ChatMessage("user", "Hi"),), **fields)


def sent(bodies: ChatBodies, request: ChatRequest) -> dict[str, Any]:
    return json.loads(bodies.encode(request))


def thinking(bodies: ChatBodies, request: ChatRequest) -> tuple[Any, ...]:
    """Return what *request* says of thinking, as it is sent."""
    body = sent(bodies, request)
    return (*map(body.get, THOUGHTFUL), body.get("chat_template_kwargs"))


def test_without_a_word_of_thinking_nothing_is_said_of_it() -> None:
    assert thinking(ChatBodies(ENDPOINT), asked()) == (None, None, None, None)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"reasoning_effort": "minimal"}, ("minimal", None, None, None)),
        ({"thinking_budget": 0}, ("none", 0, 0, {"enable_thinking": False})),
        ({"thinking_budget": 512}, ("low", 512, 512, None)),
        ({"thinking_budget": 8_192}, ("medium", 8_192, 8_192, None)),
        ({"thinking_budget": 24_576}, ("high", 24_576, 24_576, None)),
    ],
)
def test_each_kind_of_server_is_told_how_long_to_think(
    fields: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    assert thinking(ChatBodies(ENDPOINT), asked(**fields)) == expected


def test_an_effort_that_a_model_refuses_is_left_out_and_others_are_not() -> None:
    bodies = ChatBodies(ENDPOINT)
    none, low = asked(thinking_budget=0), asked(thinking_budget=100)
    assert bodies.leave_out("reasoning_effort", none)
    assert "reasoning_effort" not in sent(bodies, none)
    assert sent(bodies, low)["reasoning_effort"] == "low"
    assert not bodies.leave_out("reasoning_effort", none)


@pytest.mark.parametrize("name", ["thinking_token_budget", "temperature", "stream_options"])
def test_what_is_left_out_once_is_left_out_from_then_on(name: str) -> None:
    bodies = ChatBodies(ENDPOINT)
    assert bodies.leave_out(name, asked())
    assert name not in sent(bodies, asked(thinking_budget=100))


def test_no_request_may_write_more_than_the_installation_allows() -> None:
    bodies = ChatBodies(ENDPOINT)
    assert sent(bodies, asked(max_tokens=100))["max_tokens"] == 100
    assert sent(bodies, asked(max_tokens=1_000_000))["max_tokens"] == ENDPOINT.max_tokens
