"""What the tests of the connector ask, and how they hear what comes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service.generation.chat_model.openai import OpenAIGenerator
from service.generation.generator import Prompt, Source
from sessions.errors import (
    ServiceError,
)

PROMPT = Prompt(query="How long?", sources=(Source(title="Returns", text="30 days."),))
Make = Callable[..., OpenAIGenerator]


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
