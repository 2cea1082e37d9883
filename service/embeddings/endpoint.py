"""Embed texts at any OpenAI-compatible endpoint: ``POST /v1/embeddings``."""

from __future__ import annotations

import asyncio
from array import array
from collections.abc import Mapping, Sequence
from typing import Final

import aiohttp
import msgspec

from service.embeddings.embedder import LONGEST, TextKind, unit
from service.generation.chat_model import endpoint_errors
from service.generation.chat_model.endpoint_errors import RetryableError
from sessions.errors import DeadlineExceeded, Internal, ServiceError

_LARGEST_REPLY: Final = 64 * 1024 * 1024
"""Bytes of a reply that are read: 64 vectors of 4,096 numbers in text take 6 MB."""
_PREFIXES: Final[Mapping[str, Mapping[TextKind, str]]] = {
    "e5": {TextKind.QUERY: "query: ", TextKind.DOCUMENT: "passage: "},
    "nomic": {TextKind.QUERY: "search_query: ", TextKind.DOCUMENT: "search_document: "},
}
"""What models of these families were trained to see before a text."""
_ENCODER: Final = msgspec.json.Encoder()


class EmbeddingEndpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where the model is, *base_url* up to and with ``/v1``, and how long to wait for it.

    Who asks waits *query* seconds and goes on without; a batch of documents may take *documents*.
    """

    base_url: str
    model: str
    api_key: str = ""
    query: float = 1.0
    documents: float = 60.0


class _Request(msgspec.Struct, frozen=True):
    model: str
    input: Sequence[str]
    encoding_format: str = "float"


class _IndexedVector(msgspec.Struct, frozen=True):
    index: int
    embedding: list[float]


class _Reply(msgspec.Struct, frozen=True):
    data: list[_IndexedVector]


_DECODER: Final = msgspec.json.Decoder(_Reply)


class EndpointEmbedder:
    """Embeds with the model of an endpoint; nothing is tried again here.

    Reasons of what it raises: as `OpenAIGenerator`, and EMBEDDING_MALFORMED.
    """

    share = None

    def __init__(self, http: aiohttp.ClientSession, endpoint: EmbeddingEndpoint) -> None:
        self._http = http
        self._endpoint = endpoint
        self._url = f"{endpoint.base_url.rstrip('/')}/embeddings"
        self._headers = {"Content-Type": "application/json"}
        if endpoint.api_key:
            self._headers["Authorization"] = f"Bearer {endpoint.api_key}"
        model = endpoint.model.lower()
        families = [family for family in _PREFIXES if family in model]
        self._prefixes = _PREFIXES[families[0]] if families else {}

    @property
    def name(self) -> str:
        """The model that the endpoint is asked for."""
        return self._endpoint.model

    async def embed(self, texts: Sequence[str], kind: TextKind) -> list[array[float]]:
        """Return the vectors of *texts*, in one request."""
        if not texts:
            return []
        prefix = self._prefixes.get(kind, "")
        # An empty text is refused by some endpoints, and by all with the others of its request.
        shown = [prefix + (text[:LONGEST].strip() or "-") for text in texts]
        body = _ENCODER.encode(_Request(model=self._endpoint.model, input=shown))
        limit = self._endpoint.query if kind is TextKind.QUERY else self._endpoint.documents
        try:
            async with asyncio.timeout(limit):
                reply = await self._post(body)
        except (aiohttp.InvalidURL, aiohttp.NonHttpUrlClientError) as exc:
            raise _misconfigured("its address cannot be used") from exc
        except aiohttp.ClientError as exc:
            raise endpoint_errors.connection_lost().error from exc
        except TimeoutError as exc:
            raise DeadlineExceeded(
                "the embedding endpoint took too long", reason="MODEL_TIMEOUT"
            ) from exc
        return _vectors(reply, len(texts))

    async def _post(self, body: bytes) -> bytes:
        async with self._http.post(
            self._url, data=body, headers=self._headers, allow_redirects=False
        ) as response:
            reply = bytearray()
            async for chunk in response.content.iter_any():
                reply += chunk
                if len(reply) > _LARGEST_REPLY:
                    raise _malformed("its reply has no end")
            if response.status != 200:
                raise _failure(response.status, response, bytes(reply))
            return bytes(reply)


def _failure(status: int, response: aiohttp.ClientResponse, body: bytes) -> ServiceError:
    error = endpoint_errors.error_of_response(status, response.headers, body)
    if isinstance(error, RetryableError):
        return error.error
    return _misconfigured(f"it answers {status} {endpoint_errors.code_of(body)}".rstrip())


def _vectors(reply: bytes, count: int) -> list[array[float]]:
    """Return the vectors of a *reply*, in the order of what was asked."""
    try:
        embeddings = _DECODER.decode(reply).data
    except endpoint_errors.NOT_JSON as exc:
        raise _malformed("its reply is no list of embeddings") from exc
    found = {each.index: unit(each.embedding) for each in embeddings}
    lengths = {len(vector) for vector in found.values()}
    if found.keys() != set(range(count)) or len(lengths) != 1 or not lengths.pop():
        raise _malformed("its embeddings are too few, or of several lengths")
    return [found[at] for at in range(count)]


def _malformed(what: str) -> Internal:
    return Internal(
        f"the embedding endpoint cannot be read, {what}; check COLLOQUY_EMBEDDING_BASE_URL",
        reason="EMBEDDING_MALFORMED",
    )


def _misconfigured(what: str) -> Internal:
    return Internal(
        f"the embedding endpoint does not take our request, {what}; check "
        "COLLOQUY_EMBEDDING_BASE_URL, COLLOQUY_EMBEDDING_MODEL and COLLOQUY_EMBEDDING_API_KEY",
        reason="MODEL_REQUEST_INVALID",
    )
