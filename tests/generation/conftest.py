"""An endpoint that a test scripts, and generators that ask it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from service.generation.chat_model.chat_bodies import Endpoint
from service.generation.chat_model.chat_completions import (
    ChatCompletions,
    EndpointPolicy,
    client,
)
from service.generation.chat_model.openai import OpenAIGenerator
from tests.doubles import OpenAIServer
from tests.generation.chat_model.asking import Make


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

        def build(*, base_url: str = "", **options: Any) -> OpenAIGenerator:
            asked = {
                name: options.pop(name) for name in {*Endpoint.__struct_fields__} & options.keys()
            }
            asked |= {"base_url": base_url or server.base_url, "model": "scripted"}
            endpoint = Endpoint(**asked)
            policy = EndpointPolicy(**options)
            return OpenAIGenerator(ChatCompletions(http, endpoint, policy, sleep=sleep))

        yield build
