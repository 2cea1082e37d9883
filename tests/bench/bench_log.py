"""What a durable delta costs, from the source to its reader in the same process.

N answers say 50 pieces a second each, and each has one reader. Contenders: the same loop in memory
only; through the writer and the tail, which tell only what Redis has acknowledged; and one XADD a
piece through redis-py, told when it returned. CPU is that of this process, latency runs from the
moment at which a piece was due.
"""

from __future__ import annotations

import asyncio
import collections
import time
from collections.abc import Callable, Coroutine, Sequence
from statistics import median
from typing import Any, Final, NamedTuple

import redis.asyncio
import uvloop

from sessions import names
from sessions.redis import connection
from sessions.redis.keys import Keys
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.events import TextAppended
from streaming.log.positions import Position
from streaming.log.write_buffer import WriteBuffer
from streaming.log.writer import Writer
from streaming.reading.tail import Tail
from tests.bench.measuring import Row, at_least, informs, quantile, rounds
from tests.bench.service_process import fresh_redis

RATE: Final = 50
SECONDS: Final = 2.0
SLOW: Final = 0.25
"""Share of the time for redis-py: enough, at many times the cost."""
PIECE: Final = " word5"
ROUNDS: Final = 3

Emit = Callable[[int, float], None]


class Figures(NamedTuple):
    """CPU in µs a delta, latencies in ms."""

    cpu: float
    p50: float
    p99: float


class Reader:
    """Takes pieces and notes how late they come."""

    __slots__ = ("due", "late")

    def __init__(self) -> None:
        self.due: collections.deque[float] = collections.deque()
        self.late: list[float] = []

    def hear(self, told: Sequence[LogEntry]) -> None:
        now = time.perf_counter()
        for entry in told:
            if isinstance(entry.event, TextAppended):
                for _ in range(len(entry.event.text) // len(PIECE)):
                    self.late.append(now - self.due.popleft())


async def pace(answers: int, emit: Emit, seconds: float) -> None:
    """Call *emit* for every answer RATE times a second, evenly spread."""
    step = 1 / (RATE * answers)
    total = int(seconds * RATE * answers)
    start = time.perf_counter()
    done = 0
    while done < total:
        until = min(total, int((time.perf_counter() - start) / step))
        for number in range(done, until):
            emit(number % answers, start + number * step)
        done = until
        await asyncio.sleep(0.001)  # the pace: what is due by then comes at once


async def measured(
    readers: Sequence[Reader],
    emit: Emit,
    ended: Callable[[], Coroutine[Any, Any, None]],
    seconds: float = 0.0,
) -> Figures:
    """Run the source and return what it cost until everything was heard."""
    before = time.process_time()
    await pace(len(readers), emit, seconds or SECONDS)
    await ended()
    spent = time.process_time() - before
    late = [sample for reader in readers for sample in reader.late]
    return Figures(spent / len(late) * 1e6, quantile(late, 0.5) * 1e3, quantile(late, 0.99) * 1e3)


async def in_memory(answers: int) -> Figures:
    """Tell at once, and keep nothing."""
    readers = [Reader() for _ in range(answers)]
    sequence = [0] * answers

    def emit(number: int, due: float) -> None:
        reader = readers[number]
        reader.due.append(due)
        sequence[number] += 1
        reader.hear((LogEntry(Position(1, sequence[number]), TextAppended(text=PIECE)),))

    async def ended() -> None: ...

    return await measured(readers, emit, ended)


async def logged(url: str, answers: int) -> Figures:
    """Tell what the log has, through our writer."""
    keys = Keys(f"b{time.monotonic_ns()}")
    readers = [Reader() for _ in range(answers)]
    async with connection.connect(url) as shared:
        log = EventLog(shared, keys)
        async with Tail(shared, keys, log) as tail:
            writer = Writer(shared, keys, log)
            buffers: list[WriteBuffer] = []
            for reader in readers:
                session = names.session(names.SAMPLE_DATA_STORE, names.new_id())
                answer = names.answer(session, names.new_id())
                key = keys.log(answer)
                await shared.execute(key, "XADD", key, "1-0", "e", "{}")
                tell = tail.own(answer)
                tail.follow(answer, reader.hear)
                buffers.append(
                    writer.open(answer, Position(1, 0), on_acknowledged=tell, on_lost=_lost)
                )

            def emit(number: int, due: float) -> None:
                readers[number].due.append(due)
                buffers[number].add(TextAppended(text=PIECE))

            async def ended() -> None:
                for buffer in buffers:
                    await buffer.flushed()

            figures = await measured(readers, emit, ended)
            for buffer in buffers:
                await shared.execute(buffer.key, "UNLINK", buffer.key)
    return figures


async def one_by_one(url: str, answers: int) -> Figures:
    """Tell what the log has, as tutorials do: await an XADD for each piece."""
    readers = [Reader() for _ in range(answers)]
    waiting: list[asyncio.Queue[str | None]] = [asyncio.Queue() for _ in readers]
    prefix = f"b{time.monotonic_ns()}"
    pool: Any = redis.asyncio.BlockingConnectionPool
    client: Any = redis.asyncio.Redis(
        connection_pool=pool.from_url(url, max_connections=100, protocol=2, timeout=None)
    )

    async def write(number: int) -> None:
        sequence = 0
        while (text := await waiting[number].get()) is not None:
            await client.xadd(f"{prefix}:{number}", {"d": text})
            sequence += 1
            readers[number].hear((LogEntry(Position(1, sequence), TextAppended(text=text)),))

    def emit(number: int, due: float) -> None:
        readers[number].due.append(due)
        waiting[number].put_nowait(PIECE)

    async with client, asyncio.TaskGroup() as tasks:
        writing = [tasks.create_task(write(number)) for number in range(answers)]

        async def ended() -> None:
            for queue in waiting:
                queue.put_nowait(None)
            await asyncio.wait(writing)

        figures = await measured(readers, emit, ended, SECONDS * SLOW)
        await client.unlink(*(f"{prefix}:{number}" for number in range(answers)))
    return figures


def _lost() -> None:
    raise AssertionError("nobody takes a buffer of the bench away")


def compare(url: str, answers: int) -> list[Row]:
    """Measure the three contenders with so many answers."""
    seen: dict[str, list[Figures]] = {}

    def contender(name: str, run: Callable[[], Coroutine[Any, Any, Figures]]) -> float:
        figures = uvloop.run(run())
        seen.setdefault(name, []).append(figures)
        return figures.cpu

    cpu = rounds(
        {
            "memory": lambda: contender("memory", lambda: in_memory(answers)),
            "log": lambda: contender("log", lambda: logged(url, answers)),
            "redis-py": lambda: contender("redis-py", lambda: one_by_one(url, answers)),
        },
        ROUNDS,
    )
    late = {
        name: Figures(
            cpu[name],
            median(figures.p50 for figures in all_figures[1:]),
            median(figures.p99 for figures in all_figures[1:]),
        )
        for name, all_figures in seen.items()
    }
    rows = [
        Row(
            f"{answers} answers, {name}",
            f"{figures.cpu:.2f} µs a delta, p50 {figures.p50:.2f} ms, p99 {figures.p99:.2f} ms",
        )
        for name, figures in late.items()
    ]
    ratio = cpu["redis-py"] / cpu["log"]
    subject = f"{answers} answers, CPU of redis-py by ours"
    promised = answers == 1000  # fewer fill smaller batches
    return [*rows, at_least(subject, ratio, 5) if promised else informs(subject, ratio, "×")]


def run() -> list[Row]:
    """Measure 100, 400 and 1,000 answers."""
    with fresh_redis() as server:
        return [row for answers in (100, 400, 1000) for row in compare(server.url, answers)]
