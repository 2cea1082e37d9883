"""What documents cost as they grow: imported, kept, ready after a start, found alone and meanwhile.

A service of its own stands over so many chunks, with each search index. Asked over HTTP, one after
the other, is for documents by their numbers with common words around them; ``GET /livez`` is the
floor. Without a Redis that has the Query Engine the embedded index is measured alone. By itself it
measures as many chunks as it is told, with the indexes that it is told, or all:

    python -m tests.bench.bench_corpus 1000000 embedded
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import aiohttp
import uvloop

from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.storage.document_store import DocumentStore
from sessions.redis.connection import connect
from sessions.redis.keys import Keys
from sessions.stores.store_set import ConversationStore, SessionStore
from tests import query_engine, redis_servers
from tests.bench import bench_start, capacity_model
from tests.bench.loaded_service import NO_LIMITS
from tests.bench.measuring import Row, at_most, informs, quantile, table
from tests.bench.service_process import Running, fresh_redis, service
from tests.redis_servers import Server

SIZES: Final = (10_000, 100_000)
"""In chunks, two of them a document."""
INDEXES: Final = ("embedded", "redis")
"""As `COLLOQUY_INDEX` names them."""
STORE: Final = bench_start.STORE
QUERIES: Final = 300
LATE: Final = 2_000
"""Documents that a client sends, in portions, while another asks."""
PORTION: Final = 100
FRESH: Final = 20
"""Documents whose way from the reply of a client to the search of the next one is timed."""


class Kept(NamedTuple):
    """Bytes that documents take."""

    memory: float
    disk: float
    redis: float


class Refused(Exception):
    """The service did not do what it was asked; the message is what it said."""


class Place:
    """A service over many documents, as its callers reach it."""

    def __init__(self, running: Running, redis: Server, index: Path, http: aiohttp.ClientSession):
        self._running, self._redis, self._index, self._http = running, redis, index, http

    async def call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Call a method of the service.

        Raises:
            Refused: it did not succeed.
        """
        url = f"http://127.0.0.1:{self._running.port}/{path}"
        async with self._http.request(method, url, json=body) as reply:
            told = await reply.json()
            if reply.status >= 300:
                raise Refused(f"{path}: {told}")
            return told

    async def search(self, query: str) -> list[str]:
        """Return the ids of the first ten documents."""
        path = f"v1/{STORE}/servingConfigs/default_config:search"
        found = await self.call("POST", path, {"query": query, "pageSize": 10})
        return [result["document"]["id"] for result in found.get("results", ())]

    def kept(self) -> Kept:
        """Return what is held now."""
        told = Path(f"/proc/{self._running.pid}/status").read_text()
        files = [path for path in self._index.rglob("*") if path.is_file()]
        used: bytes = self._redis.call("INFO", "memory")
        return Kept(
            memory=int(told.partition("RssAnon:")[2].split()[0]) << 10,
            disk=sum(path.stat().st_size for path in files),
            redis=float(used.partition(b"used_memory:")[2].split()[0]),
        )

    async def send(self, documents: Sequence[dict[str, Any]]) -> None:
        """Import *documents*, and return when that is done."""
        begun = await self.call(
            "POST",
            f"v1/{STORE}/branches/default_branch/documents:import",
            {"inlineSource": {"documents": documents}},
        )
        while not begun.get("done"):
            begun = await self.call("POST", f"v1/{begun['name']}:wait", {"timeout": "10s"})
        if int(begun["metadata"]["successCount"]) != len(documents):
            raise RuntimeError(begun)


async def _put(url: str, documents: int) -> None:
    """Store so many documents as an import leaves them, in a data store that is known."""
    async with connect(url) as redis:
        keys = Keys()
        store = DocumentStore(redis, keys)
        kept = (SessionStore(redis, keys), ConversationStore(redis, keys))
        await Catalogue(redis, keys, store, kept).ensure_data_store(STORE)
    await bench_start.put(url, range(documents), 1)


def late_documents() -> list[dict[str, Any]]:
    """Return documents as clients send them."""
    chance = random.Random(9)

    def encoded(number: int) -> str:
        words = " ".join(f"w{int(20_000 ** chance.random()):x}" for _ in range(220))
        return base64.b64encode(f"# Late paper {number}\n\n{words}.".encode()).decode()

    return [
        {
            "id": f"late{number}",
            "content": {"mimeType": "text/markdown", "rawBytes": encoded(number)},
        }
        for number in range(LATE)
    ]


def queries(documents: int) -> list[tuple[str, str]]:
    """Return what is asked, each with the document that it is for."""
    chance = random.Random(8)
    asked: list[tuple[str, str]] = []
    for _ in range(QUERIES):
        number = chance.randrange(documents)
        words = " ".join(f"w{int(30 ** chance.random()):x}" for _ in range(3))
        asked.append((f"{words} document {number}", f"d{number}"))
    return asked


class Asked(NamedTuple):
    """Seconds that searches took, how many found what they asked for, and how many were refused."""

    seconds: list[float]
    found: int
    refused: int


async def ask(place: Place, asked: Sequence[tuple[str, str]], until: asyncio.Event) -> Asked:
    """Ask one query after the other, all of them and on until the event."""
    seconds, found, refused, at = list[float](), 0, 0, 0
    while at < len(asked) or not until.is_set():
        query, wanted = asked[at % len(asked)]
        began = time.perf_counter()
        try:
            found += wanted in await place.search(query)
        except Refused:  # as where the engine runs out of the time that it is given
            refused += 1
        seconds.append(time.perf_counter() - began)
        at += 1
    return Asked(seconds, found, refused)


async def timed(work: Coroutine[Any, Any, None]) -> float:
    """Return the seconds that *work* takes."""
    began = time.perf_counter()
    await work
    return time.perf_counter() - began


async def until_found(place: Place, number: int) -> float:
    """Return the seconds from the reply to an import until a search finds the document."""
    word = f"fresh{number}x"
    text = base64.b64encode(f"# Paper on {word}\n\nThe {word} is new.".encode()).decode()
    body = {"content": {"mimeType": "text/markdown", "rawBytes": text}}
    path = f"v1/{STORE}/branches/default_branch/documents?documentId={word}"
    await place.call("POST", path, body)
    began = time.perf_counter()
    while word not in await place.search(word):
        pass
    return time.perf_counter() - began


@contextlib.contextmanager
def _redis() -> Generator[Server]:
    """Run the Redis that both indexes can use, or where it is not here, one for the embedded."""
    if query_engine.missing():
        with fresh_redis() as server:
            yield server
        return
    with redis_servers.folder() as folder, query_engine.server(folder) as server:
        yield server


@contextlib.asynccontextmanager
async def place(redis: Server, data: Path, index: str) -> AsyncGenerator[tuple[Place, float]]:
    """Start a service; give it with the seconds until it was ready."""
    settings = NO_LIMITS | {"COLLOQUY_DATA_DIR": str(data), "COLLOQUY_INDEX": index}
    began = time.perf_counter()
    with service(redis.url, settings) as running:
        ready = time.perf_counter() - began
        async with aiohttp.ClientSession() as http:
            yield Place(running, redis, data / "index", http), ready


class Measured(NamedTuple):
    """What so many chunks in an index take, and the rows that tell it."""

    chunks: int
    kept: Kept
    """Of memory, disk and the index in Redis."""
    rows: list[Row]


async def measured(chunks: int, index: str) -> Measured:
    """Return what is measured of so many chunks in this index."""
    with _redis() as redis, tempfile.TemporaryDirectory(prefix="colloquy-") as folder:
        data = Path(folder, "data")
        async with place(redis, Path(folder, "empty"), index) as (empty, _):
            none = empty.kept()
        await _put(redis.url, chunks // 2)
        stored = float(redis.call("INFO", "memory").partition(b"used_memory:")[2].split()[0])
        async with place(redis, data, index) as (first, built):
            if index == "embedded":
                await wait_for(lambda: any(data.glob("index/*/stores/*/manifest")))
            kept = first.kept()
        async with place(redis, data, index) as (again, opened):
            rows = await searched(again, chunks)
    each = 1 / chunks / 2**10
    took = Kept(kept.memory - none.memory, kept.disk, kept.redis - stored)
    told = [
        informs("ready after the first start", built, "s"),
        informs("ready after the next one", opened, "s"),
        informs("memory of a chunk", took.memory * each, "KB"),
        informs("  its index on disk", took.disk * each, "KB"),
        informs("  stored in Redis", (stored - none.redis) * each, "KB"),
        informs("  its index in Redis", took.redis * each, "KB"),
        *rows,
    ]
    return Measured(chunks, took, told)


async def searched(place: Place, chunks: int) -> list[Row]:
    """Return the rows of searches, alone and during an import."""
    asked, done = queries(chunks // 2), asyncio.Event()
    floor = [await timed(_nothing(place)) for _ in range(QUERIES)]
    done.set()
    await ask(place, asked[:50], done)
    alone = await ask(place, asked, done)
    done.clear()
    documents = late_documents()
    began = time.perf_counter()
    async with asyncio.TaskGroup() as tasks:
        beside = tasks.create_task(ask(place, asked, done))
        for at in range(0, LATE, PORTION):
            await place.send(documents[at : at + PORTION])
        while f"late{LATE - 1}" not in await place.search(f"late paper {LATE - 1}"):
            pass
        imported = time.perf_counter() - began
        done.set()
    fresh = [await until_found(place, number) for number in range(FRESH)]
    meanwhile = beside.result()
    return [
        informs("GET /livez, p50", quantile(floor, 0.5) * 1e3, "ms"),
        informs("search, p50", quantile(alone.seconds, 0.5) * 1e3, "ms"),
        informs("search, p99", quantile(alone.seconds, 0.99) * 1e3, "ms"),
        informs("  the document of that number is among ten", 100 * alone.found / QUERIES, "%"),
        informs("  refused", alone.refused, ""),
        informs("search during an import, p50", quantile(meanwhile.seconds, 0.5) * 1e3, "ms"),
        informs("search during an import, p99", quantile(meanwhile.seconds, 0.99) * 1e3, "ms"),
        informs("documents imported, sent to found, while others ask", LATE / imported, "/s"),
        at_most("from the reply to found, p99", quantile(fresh, 0.99), 1, "s"),
    ]


async def _nothing(place: Place) -> None:
    await place.call("GET", "livez")


async def wait_for(holds: Callable[[], bool]) -> None:
    """Return when that holds, or after ten minutes: what it waits for may have no disk at all."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(600):
            while not holds():  # noqa: ASYNC110 - a look is enough
                await asyncio.sleep(0.2)  # not in the way of the service


def run(sizes: Sequence[int] = SIZES, named: Sequence[str] = INDEXES) -> list[Row]:
    """Measure each size with each index that is *named* and can run here."""
    indexes, rows = usable(named)
    told: dict[str, list[Measured]] = {index: [] for index in indexes}
    for chunks in sizes:
        for index in indexes:
            told[index].append(uvloop.run(measured(chunks, index)))
        for each in zip(*(told[index][-1].rows for index in indexes), strict=True):
            rows += [
                row._replace(subject=f"{chunks:,} chunks, {index}: {row.subject}")
                for index, row in zip(indexes, each, strict=True)
            ]
    return rows + [row for index in indexes for row in reckoned(index, told[index])]


def usable(indexes: Sequence[str]) -> tuple[Sequence[str], list[Row]]:
    """Return those of *indexes* that can run here, and what there is to say of the others."""
    reason = query_engine.missing()
    if not reason or "redis" not in indexes:
        return indexes, []
    told = Row(f"the index redis is not measured here: {reason}", "")
    return [each for each in indexes if each != "redis"], [told]


def reckoned(index: str, points: Sequence[Measured]) -> list[Row]:
    """Return how far what two sizes tell of the largest is from what that took."""
    rows: list[Row] = []
    if len(points) < 3:
        return rows
    few, many, most = sorted(points)[-3:]
    for what, *sizes in zip(Kept._fields, few.kept, many.kept, most.kept, strict=True):
        line = capacity_model.growth((few.chunks, sizes[0]), (many.chunks, sizes[1]))
        if sizes[2]:
            told, error = line.at(most.chunks) / 2**20, line.at(most.chunks) / sizes[2] - 1
            row = informs(f"{most.chunks:,} chunks, {index}: {what} by the two before", told, "MB")
            rows.append(row._replace(measured=f"{row.measured} ({100 * error:+.0f} %)"))
    return rows


if __name__ == "__main__":
    wanted = [int(each) for each in sys.argv[1:] if each.isdecimal()]
    asked_for = [each for each in sys.argv[1:] if each in INDEXES]
    found = run(wanted or SIZES, asked_for or INDEXES)
    print(table([("corpus", row) for row in found]), flush=True)
