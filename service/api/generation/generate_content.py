"""The generation methods over REST: whole, streamed, and counting."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from typing import Any, Final

from litestar import Controller, Response, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.methods.count_tokens import TokenMethods
from service.answering.methods.generate_content import GenerateContentMethods
from service.api.generation.models import operation
from service.api.http import response_streams, routes, versions
from service.api.http.json_bodies import MessageRequest, wants_numbers
from sessions.codec import json_codec
from sessions.resources.candidates import GenerateContentResponse
from sessions.resources.generate_content import (
    ComputeTokensRequest,
    ComputeTokensResponse,
    CountTokensRequest,
    CountTokensResponse,
    GenerateContentRequest,
)

_MODELS: Final = (
    "/v1/publishers/{publisher:str}/models/{model:str}",
    routes.LOCATION + "/publishers/{publisher:str}/models/{model:str}",
    routes.LOCATION + "/endpoints/{endpoint:str}",
)


def _under(verb: str) -> list[str]:
    return [f"{model}/:{verb}" for model in _MODELS]


class GenerateContentController(Controller):
    """``…/models/*:generateContent`` and its like."""

    tags = ("Generation",)
    opt = {"versions": versions.GENERATION, "ignore_unknown": True}  # noqa: RUF012 - it is copied

    @post(_under("generateContent"), status_code=200, operation_id=operation("GenerateContent"))
    async def generate_content(
        self,
        request: MessageRequest,
        data: JSONBody[GenerateContentRequest],
        generate_content_methods: NamedDependency[GenerateContentMethods],
    ) -> GenerateContentResponse:
        """Write the next content."""
        return await request.answer(
            generate_content_methods.generate(request.name, data, request.viewer)
        )

    @post(
        _under("streamGenerateContent"),
        status_code=200,
        operation_id=operation("StreamGenerateContent"),
    )
    async def stream_generate_content(
        self,
        request: MessageRequest,
        data: JSONBody[GenerateContentRequest],
        generate_content_methods: NamedDependency[GenerateContentMethods],
    ) -> Response[Any]:
        """Write the next content piece by piece: a JSON array, with ``alt=sse`` events."""
        request.pending_requests.admit()
        numbers = wants_numbers(request)
        pieces = _encoded(
            generate_content_methods.stream(request.name, data, request.viewer),
            request.shown,
            numbers=numbers,
        )
        if request.query_params.get("alt") == "sse":
            return response_streams.events_of(pieces)
        return response_streams.array_of(pieces)

    @post(
        _under("countTokens"),
        status_code=200,
        operation_id=operation("CountTokens"),
    )
    async def count_tokens(
        self,
        request: MessageRequest,
        data: JSONBody[CountTokensRequest],
        token_methods: NamedDependency[TokenMethods],
    ) -> CountTokensResponse:
        """Count the tokens of contents."""
        return await token_methods.count_tokens(request.name, data)

    @post(
        _under("computeTokens"),
        status_code=200,
        operation_id=operation("ComputeTokens"),
    )
    async def compute_tokens(
        self,
        request: MessageRequest,
        data: JSONBody[ComputeTokensRequest],
        token_methods: NamedDependency[TokenMethods],
    ) -> ComputeTokensResponse:
        """Cut contents into tokens."""
        return await token_methods.compute_tokens(request.name, data)


async def _encoded(
    pieces: AsyncGenerator[GenerateContentResponse],
    shown: Callable[[GenerateContentResponse], GenerateContentResponse],
    *,
    numbers: bool,
) -> AsyncGenerator[bytes]:
    async with aclosing(pieces):
        async for piece in pieces:
            yield json_codec.encode(shown(piece), numbers=numbers)
