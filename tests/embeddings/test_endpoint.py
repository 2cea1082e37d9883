"""An endpoint that embeds: what it is asked, and what becomes of its failures."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from service.embeddings.embedder import TextKind
from service.embeddings.endpoint import EmbeddingEndpoint, EndpointEmbedder
from service.generation.chat_model import chat_completions
from sessions.errors import DeadlineExceeded, Internal, ServiceError, Unavailable
from tests.doubles import OpenAIServer, Reply, lost, silence, status
from tests.embeddings.doubles import answering, embeddings

pytestmark = pytest.mark.anyio

Make = Callable[..., EndpointEmbedder]


@pytest.fixture
async def server() -> AsyncIterator[OpenAIServer]:
    """Run an endpoint that a test scripts."""
    async with OpenAIServer(embeddings()) as server:
        yield server


@pytest.fixture
async def make(server: OpenAIServer) -> AsyncIterator[Make]:
    """Build embedders for the endpoint."""
    async with chat_completions.client() as http:

        def made(**given: Any) -> EndpointEmbedder:
            where: dict[str, Any] = {"base_url": server.base_url + "/", "model": "m", **given}
            return EndpointEmbedder(http, EmbeddingEndpoint(**where))

        yield made


async def test_the_model_the_texts_and_the_key_are_sent(server: OpenAIServer, make: Make) -> None:
    await make(model="text-embedding-3-small", api_key="sk-1").embed(["a", ""], TextKind.QUERY)
    [asked] = server.asked
    assert asked.headers["Authorization"] == "Bearer sk-1"
    assert asked.body == {
        "model": "text-embedding-3-small",
        "input": ["a", "-"],
        "encoding_format": "float",
    }


@pytest.mark.parametrize(
    ("model", "kind", "sent"),
    [
        ("intfloat/multilingual-e5-small", TextKind.QUERY, "query: pool"),
        ("intfloat/multilingual-e5-small", TextKind.DOCUMENT, "passage: pool"),
        ("nomic-embed-text", TextKind.QUERY, "search_query: pool"),
        ("all-minilm", TextKind.QUERY, "pool"),
    ],
)
async def test_a_model_sees_what_it_was_trained_to_see(
    server: OpenAIServer, make: Make, model: str, kind: TextKind, sent: str
) -> None:
    await make(model=model).embed(["pool"], kind)
    assert server.asked[0].body["input"] == [sent]


@pytest.mark.parametrize(
    ("reply", "error", "reason"),
    [
        (status(500), Unavailable, "MODEL_UNAVAILABLE"),
        (status(429), ServiceError, "MODEL_RATE_LIMITED"),
        (status(401), Internal, "MODEL_REQUEST_INVALID"),
        (status(404), Internal, "MODEL_REQUEST_INVALID"),
        (lost(), Unavailable, "MODEL_UNAVAILABLE"),
        (answering({"data": []}), Internal, "EMBEDDING_MALFORMED"),
        (answering({"text": "hello"}), Internal, "EMBEDDING_MALFORMED"),
        (answering({"data": [{"index": 1, "embedding": [1.0]}]}), Internal, "EMBEDDING_MALFORMED"),
        (answering({"data": [{"index": 0, "embedding": ()}]}), Internal, "EMBEDDING_MALFORMED"),
        (
            answering({"data": [{"index": 0, "embedding": [1e300, 1]}]}),
            Internal,
            "EMBEDDING_MALFORMED",
        ),
    ],
)
async def test_a_failure_says_what_it_is(
    server: OpenAIServer, make: Make, reply: Reply, error: type[ServiceError], reason: str
) -> None:
    server.script(reply)
    with pytest.raises(error) as raised:
        await make(api_key="sk-secret").embed(["a"], TextKind.DOCUMENT)
    assert raised.value.reason == reason
    assert "sk-secret" not in raised.value.message


async def test_who_asks_does_not_wait_for_long(server: OpenAIServer, make: Make) -> None:
    server.script(silence())
    with pytest.raises(DeadlineExceeded):
        await make(query=0.02).embed(["a"], TextKind.QUERY)


async def test_an_address_that_is_none_is_said(make: Make) -> None:
    with pytest.raises(Internal, match="COLLOQUY_EMBEDDING_BASE_URL"):
        await make(base_url="nonsense").embed(["a"], TextKind.QUERY)
