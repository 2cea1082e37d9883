"""Write the vectors that one model gives to the chunks of one data store.

Whoever writes has the lease of `vectors.vector_store`. That two write at once, as where one was
taken for dead, harms nothing: both write the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from service.corpus.redis_search import engine, entries, fact_tags
from service.corpus.redis_search.engine import EngineQuery
from service.corpus.redis_search.entries import IndexedDocument
from service.corpus.redis_search.entry_keys import EntryKeys
from service.corpus.redis_search.vector_keys import VectorKeys
from service.corpus.redis_search.vectors import vector_engine
from service.corpus.vectors.document_embedding import EmbeddingLeaseLost
from service.corpus.vectors.vector_store import DocumentVectors
from sessions.redis.connection import Redis, Script

PAGE: Final = 50
"""Documents whose vectors are written between two notes of how far that has come."""
GRAPH: Final = 20_000
"""Chunks beyond which the vectors lie on a graph: to look at all of so many takes Redis about as
long as the words of a query do."""
_UNUSED: Final = 600_000
"""Milliseconds after which the vectors of a model are deleted that no replica compares with."""
_AT_ONCE: Final = {False: 50, True: 4}
"""Vectors written in one step, into the flat index and onto the graph: about 5 ms of Redis."""
_READ: Final = 200
_WRITE: Final = Script("service.corpus.redis_search.vectors", "scripts/write_vectors.lua")


class VectorState(NamedTuple):
    """What is known of the vectors of a data store.

    All documents up to the number *position* have theirs, of so many *chunks*; *graph* tells in
    which index they are searched.
    """

    position: int = 0
    chunks: int = 0
    graph: bool = False


class VectorWriter:
    """Writes vectors that have so many *parts*."""

    def __init__(self, redis: Redis, keys: EntryKeys, vectors: VectorKeys, parts: int) -> None:
        self._redis = redis
        self._keys = keys
        self._vectors = vectors
        self._parts = parts
        self._at_once = _AT_ONCE[False]

    async def state(self) -> VectorState:
        """Return what is known now."""
        key = self._vectors.state
        told: list[bytes] = await self._redis.execute(key, "HGETALL", key)
        found = {f.decode(): int(v) for f, v in zip(told[::2], told[1::2], strict=True)}
        graph = bool(found.get("graph"))
        self._at_once = _AT_ONCE[graph]
        return VectorState(found.get("position", 0), found.get("count", 0), graph)

    async def begin(self, chunks: int) -> VectorState:
        """Make the index where it is missing, of a data store with so many *chunks*.

        What it is made over is in it a while later. Vectors of models that no replica compares
        with any more are deleted.
        """
        key, now = self._keys.models, await self._redis.now_ms()
        await self._redis.execute(key, "ZADD", key, now, self._vectors.model)
        for model in await self._redis.execute(key, "ZRANGEBYSCORE", key, 0, now - _UNUSED):
            if (unused := model.decode()) != self._vectors.model:
                await self._drop(self._keys.vectors(unused))
        state = await self.state()
        if not state.chunks and chunks > GRAPH:
            # So many would lie in the flat one for minutes only.
            await self._redis.execute(key, "HSET", self._vectors.state, "graph", 1)
            state = await self.state()
        await self._create(graph=state.graph)
        return state

    async def touch(self) -> None:
        """Say that a replica compares with the vectors."""
        key, now = self._keys.models, await self._redis.now_ms()
        await self._redis.execute(key, "ZADD", key, "XX", now, self._vectors.model)

    async def following(self, position: int) -> list[tuple[str, int]]:
        """Return the ids and numbers of the first documents after *position*, in their order."""
        key = self._keys.numbers
        page = (f"({position}", "+inf", "WITHSCORES", "LIMIT", 0, PAGE)
        found: list[Any] = await self._redis.execute(key, "ZRANGEBYSCORE", key, *page)
        return [(i.decode(), int(n)) for i, n in zip(found[::2], found[1::2], strict=True)]

    async def entries(self, ids: Sequence[str]) -> dict[str, IndexedDocument]:
        """Return those of the documents with these *ids* that can be found."""
        key = self._keys.entries
        found = await self._redis.execute(key, "HMGET", key, *ids)
        there = zip(ids, found, strict=True)
        return {i: entries.DECODER.decode(each) for i, each in there if each is not None}

    async def write(self, entry: IndexedDocument, packed: Sequence[bytes]) -> None:
        """Store the vectors of the chunks of a document, but those that are gone.

        Raises:
            EmbeddingLeaseLost: the vectors were deleted meanwhile.
        """
        for at in range(0, len(packed), self._at_once):
            keys: list[bytes] = []
            args: list[bytes | str] = []
            for place, vector in enumerate(packed[at : at + self._at_once], at):
                own = self._vectors.chunk(entry.number, place)
                keys += [self._keys.chunk(entry.number, place), own]
                tags = "".join(f",{each}" for each in fact_tags.of_samples(own))
                args += [entry.attributes.id, tags, vector]
            await self._run(keys, "", args)

    async def include(self, position: int) -> None:
        """Say that all documents up to the number *position* have their vectors.

        Raises:
            EmbeddingLeaseLost: the vectors were deleted meanwhile.
        """
        await self._run((), str(position), ())

    async def grow(self) -> bool:
        """Move to the graph where there are many; tell whether that is done, or is not needed."""
        state = await self.state()
        if state.graph or state.chunks <= GRAPH:
            return True
        # The engine itself takes over what there is, beside what else it does.
        await self._create(graph=True)
        every = fact_tags.any_of([fact_tags.EVERY])
        asked = [EngineQuery(name, every, 0) for name in (self._vectors.flat, self._vectors.graph)]
        flat, graph = await engine.ask(self._redis, self._keys.entries, asked)
        if graph.total < flat.total:
            return False
        await self._redis.execute(self._keys.models, "HSET", self._vectors.state, "graph", 1)
        await engine.drop(self._redis, self._vectors.flat)
        return True

    async def _create(self, *, graph: bool) -> None:
        await engine.create(
            self._redis, vector_engine.create(self._vectors, self._parts, graph=graph)
        )

    async def _run(self, keys: Sequence[bytes], position: str, args: Sequence[bytes | str]) -> None:
        told = [self._vectors.model, position, *args]
        if not await self._redis.run(_WRITE, [self._keys.models, self._vectors.state, *keys], told):
            raise EmbeddingLeaseLost("the vectors were deleted", reason="INDEX_FAILED")

    async def _drop(self, vectors: VectorKeys) -> None:
        """Delete all vectors of a model."""
        for name in (vectors.flat, vectors.graph):
            await engine.drop(self._redis, name)
        key, cursor = self._keys.entries, b"0"
        while True:
            cursor, page = await self._redis.execute(key, "HSCAN", key, cursor, "COUNT", _READ)
            gone = list(_chunks(vectors, page[1::2]))
            for at in range(0, len(gone), _READ):
                await self._redis.execute(key, "UNLINK", *gone[at : at + _READ])
            if cursor == b"0":
                break
        await self._redis.execute(key, "ZREM", self._keys.models, vectors.model)
        await self._redis.execute(key, "UNLINK", vectors.state)


def _chunks(vectors: VectorKeys, stored: Sequence[bytes]) -> Iterator[bytes]:
    for number, count in map(entries.size, stored):
        yield from (vectors.chunk(number, place) for place in range(count))


def packed(vectors: DocumentVectors) -> list[bytes]:
    """Return the vectors of the chunks of a document as the engine takes them."""
    size = vectors.dimensions
    parts = memoryview(vectors.parts).cast("b")
    scales = memoryview(vectors.scales).cast("f")
    return [
        vector_engine.packed(parts[at * size : (at + 1) * size].tolist(), scales[at])
        for at in range(vectors.count)
    ]
