"""An embedder that needs no model, and an endpoint that uses it."""

from __future__ import annotations

import asyncio
import functools
import zlib
from array import array
from collections.abc import Sequence

import msgspec
import pytest
from aiohttp import web

from service.embeddings import local
from service.embeddings.embedder import TextKind, unit
from service.embeddings.local import LocalEmbedder
from sessions.errors import ServiceError
from tests.doubles import Reply

DIMENSIONS = 256


class HashingEmbedder:
    """Counts the parts of words, three letters each: "swim" lies near "swimming".

    *asked* has the texts of each call. *fails*, where it is set, is raised instead,
    and *waits* waited for first.
    """

    def __init__(self, name: str = "hashing", share: float | None = 0.5) -> None:
        self.name = name
        self.share = share
        self.asked: list[tuple[TextKind, list[str]]] = []
        self.fails: ServiceError | None = None
        self.waits: asyncio.Event | None = None

    async def embed(self, texts: Sequence[str], kind: TextKind) -> list[array[float]]:
        """Return the vectors of *texts*."""
        if self.waits is not None:
            await self.waits.wait()
        if self.fails is not None:
            raise self.fails
        self.asked.append((kind, list(texts)))
        return [hashed(text) for text in texts]


def local_embedder() -> LocalEmbedder:
    """Return the local model, one for all tests: to read it takes two seconds."""
    if not local.is_installed():
        pytest.skip("the extra embeddings is not installed")
    return _local_embedder()


@functools.cache
def _local_embedder() -> LocalEmbedder:
    return LocalEmbedder()


def hashed(text: str) -> array[float]:
    """Return the vector of *text*."""
    counts = [0.0] * DIMENSIONS
    for word in text.lower().split():
        for at in range(len(word) - 2):
            part = word[at : at + 3].encode(errors="replace")
            counts[zlib.crc32(part) % DIMENSIONS] += 1.0
    return unit(counts)


def embeddings(*, backwards: bool = False) -> Reply:
    """Answer with the vectors of `hashed`; *backwards* with the last one first."""

    async def reply(request: web.Request) -> web.StreamResponse:
        asked = await request.json()
        data = [
            {"object": "embedding", "index": at, "embedding": list(hashed(text))}
            for at, text in enumerate(asked["input"])
        ]
        return _response({"object": "list", "data": data[::-1] if backwards else data})

    return reply


def answering(document: object) -> Reply:
    """Answer with *document*, whatever is asked."""

    async def reply(_: web.Request) -> web.StreamResponse:
        return _response(document)

    return reply


def _response(document: object) -> web.Response:
    return web.Response(body=msgspec.json.encode(document), content_type="application/json")
