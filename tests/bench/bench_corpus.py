"""How fast documents are imported, and found among 10,000 chunks."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import uvloop

from service.corpus.documents import document_import
from service.corpus.index import SearchScope
from service.corpus.isolation.pool import ParsingPool
from service.corpus.storage.document_store import DocumentStore
from service.corpus.tantivy.index import TantivyIndex
from sessions.redis.connection import connect
from sessions.redis.keys import Keys
from tests import redis_servers
from tests.bench.measuring import Row, at_least, at_most, informs, quantile

DOCUMENTS: Final = 5_000
SECTIONS: Final = 2
WORDS: Final = 110
VOCABULARY: Final = 20_000
QUERIES: Final = 300
STORE: Final = "projects/p/locations/global/collections/default_collection/dataStores/bench"


def corpus(path: Path) -> None:
    """Write documents whose words are as unevenly spread as those of a language."""
    chance = random.Random(7)
    words = [f"w{chance.getrandbits(32):x}" for _ in range(VOCABULARY)]
    weights = [1 / rank for rank in range(10, VOCABULARY + 10)]
    with path.open("wb") as file:
        for number in range(DOCUMENTS):
            sections: list[str] = []
            for section in range(SECTIONS):
                drawn = chance.choices(words, weights, k=WORDS)
                lines = [" ".join(drawn[at : at + 11]).capitalize() for at in range(0, WORDS, 11)]
                sections.append(f"## Section {section} {drawn[0]}\n\n{'. '.join(lines)}.")
            line = {"id": f"d{number}", "mime": "text/markdown", "text": "\n\n".join(sections)}
            file.write(msgspec.json.encode(line) + b"\n")


def questions() -> list[str]:
    """Return queries of three to eight words, common and rare ones."""
    chance = random.Random(8)
    same = random.Random(7)
    words = [f"w{same.getrandbits(32):x}" for _ in range(VOCABULARY)]
    return [
        " ".join(words[int(VOCABULARY ** chance.random()) - 1] for _ in range(chance.randint(3, 8)))
        for _ in range(QUERIES)
    ]


def run() -> list[Row]:
    """Import, search, start anew."""
    return uvloop.run(_run())


async def _run() -> list[Row]:
    binary = redis_servers.binary()
    if binary is None:
        raise RuntimeError("no redis-server")
    with tempfile.TemporaryDirectory(prefix="colloquy-") as folder:
        path = Path(folder)
        corpus(path / "all.jsonl")
        with redis_servers.standalone(binary, path) as server:
            async with connect(server.url) as redis:
                return await _measure(DocumentStore(redis, Keys("bench")), path / "all.jsonl")


async def _measure(store: DocumentStore, file: Path) -> list[Row]:
    async with TantivyIndex(store) as index, ParsingPool() as parsers:
        await index.wait_ready()
        seconds = await _timed_import(store, parsers, index, file)
        again = await _timed_import(store, parsers, index, file)
        chunks = sum(
            [len(p.chunks) async for page in store.all_contents(STORE) for p in page.values()]
        )
        latencies = await _search(index, questions())
    started = time.perf_counter()
    async with TantivyIndex(store) as late:
        await late.wait_ready()
        ready = time.perf_counter() - started
    return [
        at_least("documents imported, read to found", DOCUMENTS / seconds, 500, "/s"),
        informs("documents imported again, unchanged", DOCUMENTS / again, "/s"),
        informs("chunks searched", chunks, ""),
        at_most("search, p50", quantile(latencies, 0.5) * 1e3, 10, "ms"),
        informs("search, p99", quantile(latencies, 0.99) * 1e3, "ms"),
        informs("a new process has read them all after", ready, "s"),
    ]


async def _timed_import(
    store: DocumentStore, parsers: ParsingPool, index: TantivyIndex, file: Path
) -> float:
    started = time.perf_counter()
    report = await document_import.import_path(store, parsers, index, file, STORE)
    if report.succeeded != DOCUMENTS:
        raise RuntimeError(f"only {report.succeeded} documents were imported")
    return time.perf_counter() - started


async def _search(index: TantivyIndex, queries: Sequence[str]) -> list[float]:
    scope = SearchScope(data_stores=(STORE,))
    latencies: list[float] = []
    for query in queries:
        started = time.perf_counter()
        await index.search(query, scope, limit=10)
        latencies.append(time.perf_counter() - started)
        await asyncio.sleep(0)
    return latencies
