"""Keep the vectors of chunks in Redis, a value for each document and model.

They lie in the slot of their data store. Replicas with different models, as while one is replaced
by another, do not disturb each other: each model has a hash of its own, which goes by itself when
nobody has used it for a month.
"""

from __future__ import annotations

import hashlib
import math
import secrets
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec

from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys

_UNUSED: Final = 30 * 86_400
"""Seconds after which the vectors of a model go that nobody uses."""
_LEASE: Final = 60_000
"""Milliseconds after which another replica goes on with what one has left: a batch takes less."""
_PAGE: Final = 200
"""Documents that are read or dropped at once."""
_STEPS: Final = 127
_KEEP: Final = Script("service.corpus.vectors", "scripts/keep.lua")
_FORGET: Final = Script("service.corpus.vectors", "scripts/forget.lua")
_LEASE_SCRIPT: Final = Script("service.corpus.vectors", "scripts/lease.lua")


class DocumentVectors(msgspec.Struct, frozen=True, array_like=True):
    """The vectors of the chunks of a document, in their order, a byte for each part.

    *digest* is that of what they were made of (`document_digest`). The vector of chunk *i* is
    ``scales[i]`` times *dimensions* of the signed bytes *parts*.
    """

    digest: bytes
    dimensions: int
    scales: bytes
    parts: bytes

    @property
    def count(self) -> int:
        """How many chunks there are vectors of."""
        return len(self.scales) // 4

    def has_length(self, dimensions: int) -> bool:
        """Tell whether the vectors have so many parts; 0 stands for any number."""
        return not (dimensions and self.count) or self.dimensions == dimensions


_DECODER: Final = msgspec.msgpack.Decoder(DocumentVectors)


def document_digest(packed: bytes) -> bytes:
    """Return what tells whether the content of a document, as it is stored, has changed."""
    return hashlib.blake2b(packed, digest_size=16).digest()


def compress(digest: bytes, vectors: Sequence[array[float]]) -> DocumentVectors:
    """Round *vectors*, which have the same length, to a byte for each part."""
    scales, parts = array("f"), array("b")
    for vector in vectors:
        scale = max(map(abs, vector), default=0.0) / _STEPS or 1.0
        scales.append(scale)
        parts.extend(round(part / scale) for part in vector)
    dimensions = len(vectors[0]) if vectors else 0
    return DocumentVectors(digest, dimensions, scales.tobytes(), parts.tobytes())


class VectorStore:
    """The vectors of all data stores that one model made."""

    def __init__(self, redis: Redis, keys: Keys, model: str) -> None:
        self._redis = redis
        self._keys = keys
        self.part: Final = "vectors-" + hashlib.blake2b(model.encode(), digest_size=8).hexdigest()
        self._owner = secrets.token_hex(8)

    async def read(self, data_store: str, ids: Sequence[str]) -> dict[str, DocumentVectors]:
        """Return what there is for the documents with these *ids*, undamaged."""
        found: dict[str, DocumentVectors] = {}
        key = self._keys.corpus(data_store, self.part)
        for at in range(0, len(ids), _PAGE):
            page = ids[at : at + _PAGE]
            values = await self._redis.execute(key, "HMGET", key, *page)
            for document_id, value in zip(page, values, strict=True):
                if value is not None and (vectors := _read(value)) is not None:
                    found[document_id] = vectors
        return found

    async def keep(self, data_store: str, vectors: Mapping[str, DocumentVectors]) -> None:
        """Store *vectors* by the ids of their documents, for those that are still there."""
        args: list[bytes | str | int] = [_UNUSED]
        for document_id, each in vectors.items():
            args += [document_id, msgspec.msgpack.encode(each)]
        await self._redis.run(_KEEP, self._script_keys(data_store), args)

    async def forget(self, data_store: str, ids: Iterable[str]) -> None:
        """Drop the vectors of those of the documents with these *ids* that are gone."""
        gone = list(ids)
        for at in range(0, len(gone), _PAGE):
            await self._redis.run(_FORGET, self._script_keys(data_store), gone[at : at + _PAGE])

    async def count(self, data_store: str) -> int:
        """Return of how many documents there are vectors."""
        key = self._keys.corpus(data_store, self.part)
        return int(await self._redis.execute(key, "HLEN", key))

    async def sweep(self, data_store: str) -> None:
        """Drop the vectors of all documents that are gone."""
        key = self._keys.corpus(data_store, self.part)
        await self.forget(
            data_store, [i.decode() for i in await self._redis.execute(key, "HKEYS", key)]
        )

    async def touch(self, data_store: str) -> None:
        """Say that the vectors of *data_store* are used."""
        key = self._keys.corpus(data_store, self.part)
        await self._redis.execute(key, "EXPIRE", key, _UNUSED)

    async def lease(self, data_store: str) -> bool:
        """Take or keep the right to embed *data_store* for a minute; False where another has it."""
        return await self._lease(data_store, _LEASE)

    async def release(self, data_store: str) -> None:
        """Let another replica embed *data_store*."""
        await self._lease(data_store, 0)

    async def _lease(self, data_store: str, milliseconds: int) -> bool:
        key = self._keys.corpus(data_store, f"{self.part}-lease")
        return bool(await self._redis.run(_LEASE_SCRIPT, [key], [self._owner, milliseconds]))

    def _script_keys(self, data_store: str) -> list[bytes]:
        return [self._keys.corpus(data_store, part) for part in ("documents", self.part)]


def _read(value: bytes) -> DocumentVectors | None:
    """Return what is stored, None where it is damaged."""
    try:
        vectors = _DECODER.decode(value)
    except (msgspec.MsgspecError, ValueError):
        return None
    count, rest = divmod(len(vectors.scales), 4)
    whole = (
        not rest and vectors.dimensions >= 0 and len(vectors.parts) == count * vectors.dimensions
    )
    # What is no number would be the nearest to every query.
    return vectors if whole and all(map(math.isfinite, array("f", vectors.scales))) else None
