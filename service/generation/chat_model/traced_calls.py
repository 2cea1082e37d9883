"""Trace the calls of a model by OpenTelemetry's conventions for generative AI.

Neither the prompt nor the text is an attribute, as these conventions advise: both quote callers.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from urllib.parse import urlsplit

from service.generation.chat_model.chat_bodies import Endpoint
from service.generation.chat_model.chat_events import ChatEvent, Finished, TextDelta
from service.generation.chat_model.chat_requests import ChatRequest
from service.generation.generator import Usage
from sessions import spans
from sessions.spans import SpanKind


async def traced(
    events: AsyncGenerator[ChatEvent, None], endpoint: Endpoint, request: ChatRequest
) -> AsyncGenerator[ChatEvent, None]:
    """Yield *events* of a completion, whose retries are one span with it."""
    with spans.part(f"chat {endpoint.model}", _asked(endpoint, request), SpanKind.CLIENT) as span:
        has_text = False
        async with contextlib.aclosing(events):
            async for event in events:
                if isinstance(event, Usage):
                    span.set(
                        {
                            "gen_ai.usage.input_tokens": event.prompt,
                            "gen_ai.usage.output_tokens": event.completion,
                        }
                    )
                elif isinstance(event, Finished):
                    span.set({"gen_ai.response.finish_reasons": (event.reason,)})
                elif not has_text and isinstance(event, TextDelta):
                    has_text = True
                    span.note("first text")
                yield event


def _asked(endpoint: Endpoint, request: ChatRequest) -> dict[str, str | int | float]:
    address = urlsplit(endpoint.base_url)
    asked: dict[str, str | int | float] = {
        "gen_ai.operation.name": "chat",
        # The conventions know endpoints that speak as OpenAI's by that name.
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": endpoint.model,
        "gen_ai.request.temperature": (
            endpoint.temperature if request.temperature is None else request.temperature
        ),
        "gen_ai.request.max_tokens": min(
            request.max_tokens or endpoint.max_tokens, endpoint.max_tokens
        ),
        "server.address": address.hostname or "",
    }
    port = address.port or {"http": 80, "https": 443}.get(address.scheme)
    return asked if port is None else asked | {"server.port": port}
