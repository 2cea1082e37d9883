"""What a start costs with 100,000 documents: building the index, opening it, and mending it."""

from __future__ import annotations

import itertools
import random
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import uvloop

from service.corpus import stored_documents
from service.corpus.storage.document_store import DocumentStore
from service.corpus.stored_documents import IndexContent, StoredChunk, StoredDocument
from sessions import names
from sessions.redis.connection import connect
from sessions.redis.keys import Keys
from sessions.resources.documents import Document
from tests.bench.measuring import Row, at_most, cpu_seconds, informs, resident_bytes
from tests.bench.service_process import fresh_redis, service
from tests.waiting import until

DOCUMENTS: Final = 100_000
CHUNKS: Final = 2
WORDS: Final = 110
VOCABULARY: Final = 20_000
STORE: Final = "projects/p/locations/global/collections/default_collection/dataStores/bench"
_BATCH: Final = 1_000


class Start(NamedTuple):
    """What a process had used when it was ready."""

    cpu: float
    wall: float
    resident: float
    anonymous: float


def documents(numbers: Sequence[int], seed: int) -> Iterator[StoredDocument]:
    """Yield documents whose words are as unevenly spread as those of a language."""
    chance = random.Random(seed)
    words = [f"w{number:x}" for number in range(VOCABULARY)]
    weights = list(itertools.accumulate(1 / rank for rank in range(10, VOCABULARY + 10)))
    for number in numbers:
        drawn = chance.choices(words, cum_weights=weights, k=CHUNKS * WORDS)
        texts = [" ".join(drawn[at : at + WORDS]) for at in range(0, len(drawn), WORDS)]
        yield stored_documents.pack(
            Document(name=names.document(STORE, f"d{number}"), id=f"d{number}"),
            IndexContent(
                title=f"Document {number}",
                uri=f"https://example.org/{number}",
                language="en",
                chunks=tuple(StoredChunk(text, (drawn[0],), 0, 0, len(text)) for text in texts),
            ),
        )


def run() -> list[Row]:
    """Start again and again, on what the start before left."""
    with fresh_redis() as redis, tempfile.TemporaryDirectory(prefix="colloquy-") as folder:
        data, spoilt = Path(folder, "data"), Path(folder, "spoilt")
        spoilt.write_text("no folder")
        uvloop.run(put(redis.url, range(DOCUMENTS), 1))
        memory = _start(redis.url, spoilt)
        first = _start(redis.url, data, leaves=True)
        second = _start(redis.url, data)
        uvloop.run(put(redis.url, range(0, DOCUMENTS, 100), 2))
        changed = _start(redis.url, data, leaves=True)
        largest = max(data.glob("index/*/stores/*/chunks.*"), key=lambda path: path.stat().st_size)
        largest.write_bytes(largest.read_bytes()[:-1])
        damaged = _start(redis.url, data, leaves=True)
        disk = sum(path.stat().st_size for path in data.glob("index/*/stores/*/*"))
    return [
        *_told("no disk", memory),
        *_told("first start", first),
        *_told("second start", second),
        *_told("1 % changed", changed),
        *_told("damaged on disk", damaged),
        informs("size of the snapshot", disk / 1e6, "MB"),
        at_most("1 % changed, CPU until ready", changed.cpu, 2, "s"),
        at_most("second start / first, CPU", second.cpu / first.cpu, 0.1),
        at_most("1 % changed / first, CPU", changed.cpu / first.cpu, 0.1),
        at_most("first start / no disk, CPU", first.cpu / memory.cpu, 1.3),
        at_most("damaged on disk / first, CPU", damaged.cpu / first.cpu, 1.3),
    ]


def _told(subject: str, start: Start) -> list[Row]:
    return [
        informs(f"{subject}, CPU until ready", start.cpu, "s"),
        informs(f"{subject}, time until ready", start.wall, "s"),
        informs(f"{subject}, resident / anonymous", start.resident / 1e6, "MB")._replace(
            measured=f"{start.resident / 1e6:.0f} / {start.anonymous / 1e6:.0f} MB"
        ),
    ]


async def put(url: str, numbers: Sequence[int], seed: int) -> None:
    """Store the documents of *numbers* in the Redis at *url*, as an import leaves them."""
    async with connect(url) as redis:
        store = DocumentStore(redis, Keys())
        for at in range(0, len(numbers), _BATCH):
            await store.put(STORE, list(documents(numbers[at : at + _BATCH], seed + at)))


def _start(redis: str, data: Path, *, leaves: bool = False) -> Start:
    """Start a service, and kill it when it is ready, or *leaves* a new snapshot."""
    began, before = time.perf_counter(), _snapshots(data)
    with service(redis, {"COLLOQUY_DATA_DIR": str(data)}) as running:
        wall, cpu = time.perf_counter() - began, cpu_seconds(running.pid)
        start = Start(cpu, wall, resident_bytes(running.pid), _anonymous_bytes(running.pid))
        if leaves:
            until(lambda: bool(_snapshots(data) - before), within=120)
    return start


def _snapshots(data: Path) -> set[tuple[str, int]]:
    found = data.glob("index/*/stores/*/manifest")
    return {(str(path), path.stat().st_mtime_ns) for path in found}


def _anonymous_bytes(pid: int) -> int:
    """Return the memory of *pid* that is no file's, which nothing can take back (Linux only)."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon:"))
