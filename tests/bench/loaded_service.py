"""A service with documents under a load, and what it and its Redis take of the machine."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from sessions.redis.connection import Redis, connect
from tests import redis_servers
from tests.bench import bench_stream
from tests.bench.measuring import cpu_seconds
from tests.bench.service_process import Running, service
from tests.bench.websocket_reader import Counts, Reader

NO_LIMITS: Final = {
    "COLLOQUY_RATE_LIMITS": "visitor=0,user=0,address=0,key=0,project=0",
    "COLLOQUY_CONCURRENT_REQUESTS": "visitor=0,user=0,address=0,key=0,project=0",
}
WARM: Final = 100
"""Questions that are not counted."""
PIECES: Final = 600
"""Of an answer of the model."""
PACE: Final = 0.02
"""Seconds between two of them."""
PIECE: Final = "the fence is red, "


class Line(Reader):
    """A connection that asks a store of documents, again and again."""

    def __init__(self, counts: Counts) -> None:
        super().__init__(counts)
        self.bytes = self.pieces = 0
        self.ended = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self.bytes += len(data)
        super().data_received(data)

    def _frame(self, buffer: bytes, start: int, end: int) -> None:
        if buffer.find(b'"SUCCEEDED"', start, end) > 0:
            self.ended.set()
        elif buffer.find(b'"FAILED"', start, end) > 0:
            raise RuntimeError(buffer[start:end])
        else:
            self.pieces += buffer.count(PIECE.strip().encode(), start, end)

    async def ask_to_end(self, number: int, text: str) -> None:
        """Ask, and wait for the last element."""
        self.ended.clear()
        request = {"query": {"text": text}, "session": f"{bench_stream.STORE}/sessions/-"}
        frame: dict[str, Any] = {"type": "answer", "id": f"q{number}", "request": request}
        self.say(frame | {"servingConfig": bench_stream.CONFIG})
        await self.ended.wait()


class Spent(NamedTuple):
    """What the processes took within so many seconds, and what was told."""

    seconds: float
    cpu: float
    redis_cpu: float
    network: float
    pieces: float


class Place:
    """A service with its Redis."""

    def __init__(
        self, running: Running, redis: redis_servers.Server, client: Redis, index: Path
    ) -> None:
        if redis.process is None:
            raise AssertionError("it runs")
        self.pids = running.pid, redis.process.pid
        self._port = running.port
        self._client = client
        self._index = index

    async def lines(self, many: int) -> list[Line]:
        """Open so many connections."""
        loop = asyncio.get_running_loop()
        opened: list[Line] = []
        for _ in range(many):
            line = Line(Counts())
            await loop.create_connection(lambda line=line: line, "127.0.0.1", self._port)
            opened.append(line)
        while not all(line.open for line in opened):  # noqa: ASYNC110 - a look is enough
            await asyncio.sleep(0.05)
        await asyncio.sleep(1)  # what a connection leaves for later is done as well
        return opened

    def memory(self) -> int:
        """Return the bytes of memory that are the service's own, without those of mapped files."""
        told = Path(f"/proc/{self.pids[0]}/status").read_text()
        return int(told.partition("RssAnon:")[2].split()[0]) << 10

    def disk(self) -> int:
        """Return the bytes of the service's search index."""
        return sum(file.stat().st_size for file in self._index.rglob("*") if file.is_file())

    async def redis_bytes(self) -> float:
        """Return the memory of all that is in Redis."""
        told: bytes = await self._client.execute(b"any", "INFO", "memory")
        return float(told.partition(b"used_memory:")[2].split()[0])

    async def log_bytes(self) -> float:
        """Return the memory of the logs of answers."""
        cursor, total = b"0", 0
        while True:
            scan = ("SCAN", cursor, "COUNT", 1000, "TYPE", "stream")
            cursor, keys = await self._client.execute(b"any", *scan)
            for key in keys:
                total += await self._client.execute(key, "MEMORY", "USAGE", key, "SAMPLES", 0)
            if cursor == b"0":
                return total

    @contextlib.asynccontextmanager
    async def spending(self, lines: Sequence[Line]) -> AsyncGenerator[list[Spent]]:
        """Put what is spent in the block into the list."""
        clock, found = time.perf_counter, list[Spent]()

        def so_far() -> list[float]:
            told = [float(sum(line.bytes for line in lines)), sum(line.pieces for line in lines)]
            return [clock(), *map(cpu_seconds, self.pids), *told]

        before = so_far()
        yield found
        found.append(Spent(*(now - then for now, then in zip(so_far(), before, strict=True))))

    async def ask(self, lines: Sequence[Line], texts: Sequence[str]) -> Spent:
        """Ask all *texts*, the next on each line when the last was answered."""

        async def by(line: Line, own: Sequence[str]) -> None:
            for number, text in enumerate(own):
                await line.ask_to_end(number, text)

        async with self.spending(lines) as found, asyncio.TaskGroup() as tasks:
            for at, line in enumerate(lines):
                tasks.create_task(by(line, texts[at :: len(lines)]))
        return found[0]

    async def stream(self, lines: Sequence[Line]) -> Spent:
        """Let the model answer on all *lines* at once; count while all of them stream."""
        (question,) = questions(1, 1)
        async with asyncio.TaskGroup() as tasks:
            for line in lines:
                tasks.create_task(line.ask_to_end(0, question))
            await asyncio.sleep(PIECES * PACE / 3)
            async with self.spending(lines) as found:
                await asyncio.sleep(PIECES * PACE / 3)
        return found[0]


@contextlib.asynccontextmanager
async def place(documents: int, **settings: str) -> AsyncGenerator[Place]:
    """Run a service over so many documents, and answer a few questions from them."""
    with _server() as (redis, folder):
        await bench_stream.prepare(redis.url, folder, documents)
        own = NO_LIMITS | {"COLLOQUY_DATA_DIR": str(folder / "data")} | settings
        with service(redis.url, own) as running:
            async with connect(redis.url) as client:
                where = Place(running, redis, client, folder / "data" / "index")
                (line,) = await where.lines(1)
                for number, text in enumerate(questions(documents, WARM)):
                    await line.ask_to_end(number, text)
                line.transport.abort()
                yield where


@contextlib.contextmanager
def _server() -> Generator[tuple[redis_servers.Server, Path]]:
    program = redis_servers.binary()
    if program is None:
        raise FileNotFoundError("no redis-server")
    with (
        tempfile.TemporaryDirectory() as folder,
        redis_servers.standalone(program, Path(folder)) as redis,
    ):
        yield redis, Path(folder)


def questions(documents: int, many: int) -> list[str]:
    """Return so many questions that so many documents answer."""
    about = bench_stream.things(documents)
    return [
        f"How do I return a {kind} {thing} to the {place}?"
        for kind, thing, place in (about[n % len(about)] for n in range(many))
    ]
