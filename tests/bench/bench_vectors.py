"""What finding by meaning costs with each search index, as documents grow.

Both stand on one Redis with the Query Engine, over the same chunks with the same made-up vectors of
512 parts, as many as the local model gives. Each index is opened in a process of its own, with
vectors and without. By itself it measures as many chunks as it is told:

    python -m tests.bench.bench_vectors 10000 100000
"""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import sys
import time
import zlib
from array import array
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import uvloop

from service.corpus.index import SearchScope
from service.corpus.redis_search.entry_keys import EntryKeys
from service.corpus.redis_search.index import RedisIndex
from service.corpus.redis_search.vector_keys import model_id
from service.corpus.redis_search.vectors import vector_engine
from service.corpus.redis_search.vectors.shared_vectors import SharedVectors
from service.corpus.storage.document_store import DocumentStore
from service.corpus.stored_documents import unpack
from service.corpus.tantivy.index import TantivyIndex
from service.corpus.vectors import vector_store
from service.corpus.vectors.document_embedding import texts_of
from service.corpus.vectors.vector_search import VectorSearch
from service.corpus.vectors.vector_store import VectorStore
from service.embeddings.embedder import TextKind
from sessions.redis.connection import Redis, connect
from sessions.redis.keys import Keys
from tests import query_engine, redis_servers
from tests.bench import bench_start
from tests.bench.bench_corpus import INDEXES, queries
from tests.bench.bench_start import STORE
from tests.bench.measuring import Row, cpu_seconds, informs, quantile, table
from tests.redis_servers import Server

SIZES: Final = (10_000, 100_000)
PARTS: Final = 512
CENTRES: Final = 300
"""Topics of which each chunk and each question has one."""
ASKED: Final = 200


class Topics:
    """An embedder whose vectors lie around the centres of topics."""

    name = "topics"
    share = 0.5

    def __init__(self) -> None:
        self._centres: Any = np.random.default_rng(1).normal(size=(CENTRES, PARTS))

    async def embed(self, texts: Sequence[str], kind: TextKind) -> list[array[float]]:
        """Return vectors that the *texts* decide."""
        return [array("f", self.vector(text).tobytes()) for text in texts]

    def vector(self, text: str) -> Any:
        """Return the vector of *text*, of length 1."""
        chance = zlib.crc32(text.encode())
        noise: Any = np.random.default_rng(chance).normal(size=PARTS)
        found: Any = 0.6 * self._centres[chance % CENTRES] + noise
        return (found / np.linalg.norm(found)).astype("f4")


class Opened(NamedTuple):
    """What an index took, opened over so many documents and asked."""

    ready: float
    memory: float
    seconds: Sequence[float]
    redis_cpu: float


async def fill(url: str, documents: int) -> None:
    """Store so many documents, and the vectors of their chunks."""
    await bench_start.put(url, range(documents), 1)
    async with connect(url) as redis:
        store, topics = DocumentStore(redis, Keys()), Topics()
        vectors = VectorStore(redis, Keys(), topics.name)
        async for ids in store.all_ids(STORE):
            made: dict[str, vector_store.DocumentVectors] = {}
            for i, value in (await store.packed_contents(STORE, ids)).items():
                if (content := unpack(value)) is not None:
                    embedded = await topics.embed(texts_of(content), TextKind.DOCUMENT)
                    digest = vector_store.document_digest(value)
                    made[i] = vector_store.compress(digest, embedded)
            await vectors.keep(STORE, made)


def opened(url: str, pid: int, documents: int, index: str, meant: bool) -> Opened:
    """Open an index in this process, and ask it."""
    return uvloop.run(_opened(url, pid, documents, index, meant=meant))


async def _opened(url: str, pid: int, documents: int, index: str, *, meant: bool) -> Opened:
    before, began = _own_bytes(), time.perf_counter()
    async with connect(url) as redis:
        store = DocumentStore(redis, Keys())
        if index == "embedded":
            vectors = VectorSearch(Topics(), redis, Keys(), store) if meant else None
            made = TantivyIndex(store, vectors=vectors)
        else:
            vectors = SharedVectors(Topics(), redis, Keys(), store) if meant else None
            made = RedisIndex(redis, Keys(), store, vectors=vectors)
        async with made:
            await made.wait_ready()
            while vectors is not None and vectors.count < 2 * documents:  # noqa: ASYNC110
                await asyncio.sleep(0.2)  # not in the way
            await _settled(redis, graph=meant and index == "redis")
            ready, memory = time.perf_counter() - began, _own_bytes() - before
            scope, seconds = SearchScope(data_stores=(STORE,)), list[float]()
            asked = [query for query, _ in itertools.islice(queries(documents), ASKED)]
            for query in asked[:20]:
                await made.search(query, scope, limit=10)
            spent = cpu_seconds(pid)
            for query in asked:
                at = time.perf_counter()
                await made.search(query, scope, limit=10)
                seconds.append(time.perf_counter() - at)
            return Opened(ready, memory, seconds, (cpu_seconds(pid) - spent) / len(asked))


async def _settled(redis: Redis, *, graph: bool) -> None:
    """Return when the vectors lie where they stay: in one index alone."""
    own = _keys()
    while graph:
        names = await redis.execute(own.flat, "FT._LIST")
        if len({own.flat, own.graph} & set(names)) == 1:
            return
        await asyncio.sleep(0.2)


def _own_bytes() -> int:
    told = Path("/proc/self/status").read_text()
    return int(told.partition("RssAnon:")[2].split()[0]) << 10


def _keys() -> Any:
    return EntryKeys(Keys(), STORE).vectors(model_id(Topics.name, PARTS))


async def recall(url: str, documents: int) -> tuple[float, float]:
    """Return which share of the 50 and of the 10 nearest chunks is found."""
    topics, chunks, at = Topics(), list[Any](), list[tuple[str, int]]()
    async with connect(url) as redis:
        vectors = VectorStore(redis, Keys(), topics.name)
        ids = [f"d{number}" for number in range(documents)]
        for begin in range(0, documents, 1_000):
            for i, each in (await vectors.read(STORE, ids[begin : begin + 1_000])).items():
                parts: Any = np.frombuffer(each.parts, np.int8).reshape(each.count, PARTS)
                scales: Any = np.frombuffer(each.scales, "f4")
                chunks.append(parts * scales[:, None])
                at += [(i, place) for place in range(each.count)]
        matrix: Any = np.concatenate(chunks)
        names = await redis.execute(_keys().flat, "FT._LIST")
        name = _keys().graph if _keys().graph in names else _keys().flat
        shares: list[tuple[float, float]] = []
        for number in range(ASKED):
            query: Any = topics.vector(f"question {number}")
            exact: list[tuple[str, int]] = [
                at[row] for row in np.argsort(-(matrix @ query))[:50].tolist()
            ]
            asked = vector_engine.nearest(name, array("f", query.tobytes()), "")
            (reply,) = await redis.batch([(_keys().flat, asked)])
            found = [
                (one.document_id, int(one.key.rpartition(b":")[2]))
                for one in vector_engine.found(reply)
            ]
            shares.append((len({*exact} & {*found}) / 50, len({*exact[:10]} & {*found}) / 10))
    fifty, ten = (sum(each) / len(shares) for each in zip(*shares, strict=True))
    return fifty, ten


def measured(server: Server, chunks: int) -> list[Row]:
    """Return the rows for so many chunks."""
    assert server.process is not None
    url, pid, documents = server.url, server.process.pid, chunks // 2
    uvloop.run(fill(url, documents))
    rows: list[Row] = []
    held = [_redis_bytes(server)]
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as processes:
        for index in INDEXES:
            took: list[Opened] = []
            for meant in (False, True):
                told = url, pid, documents, index, meant
                took.append(processes.submit(opened, *told).result())
                held.append(_redis_bytes(server))
            words, both = took
            each = 1 / chunks / 2**10
            rows += [
                informs(f"{index}: ready with words", words.ready, "s"),
                informs(f"{index}: ready again, with vectors that are stored", both.ready, "s"),
                informs(
                    f"{index}: memory of a replica for the vector of a chunk",
                    (both.memory - words.memory) * each,
                    "KB",
                ),
                informs(
                    f"{index}: memory of Redis for the vector of a chunk",
                    (held[-1] - held[-2]) * each,
                    "KB",
                ),
                informs(f"{index}: search by words, p50", quantile(words.seconds, 0.5) * 1e3, "ms"),
                informs(f"{index}: search by both, p50", quantile(both.seconds, 0.5) * 1e3, "ms"),
                informs(f"{index}: search by both, p99", quantile(both.seconds, 0.99) * 1e3, "ms"),
                informs(f"{index}: CPU of Redis by words", words.redis_cpu * 1e3, "ms"),
                informs(f"{index}: CPU of Redis by both", both.redis_cpu * 1e3, "ms"),
            ]
    fifty, ten = uvloop.run(recall(url, documents))
    rows.append(informs("redis: the 50 nearest that are found", 100 * fifty, "%"))
    rows.append(informs("redis: the 10 nearest that are found", 100 * ten, "%"))
    return [row._replace(subject=f"{chunks:,} chunks, {row.subject}") for row in rows]


def _redis_bytes(server: Server) -> float:
    used: bytes = server.call("INFO", "memory")
    return float(used.partition(b"used_memory:")[2].split()[0])


def run(sizes: Sequence[int] = SIZES) -> list[Row]:
    """Measure each size on a Redis of its own."""
    if reason := query_engine.missing():
        return [Row(f"not measured here: {reason}", "")]
    rows: list[Row] = []
    for chunks in sizes:
        with redis_servers.folder() as folder, query_engine.server(folder) as server:
            rows += measured(server, chunks)
    return rows


if __name__ == "__main__":
    wanted = [int(each) for each in sys.argv[1:]] or SIZES
    for size in wanted:
        print(table([("vectors", row) for row in run([size])]), flush=True)
