"""What an entry costs a replica that follows answers which another process writes.

The writer is a process of its own: 1,000 answers, 50 pieces a second each, through our writer. Here
each answer has one reader. CPU is that of this process, latency runs from the moment at which the
writer was given a piece. There are two floors, each with nothing but a parser, a table and a look
at the id: one reads an entry from each message on the channel of its answer, the other reads the
messages of batches that ours get.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import Callable, Coroutine, Sequence
from multiprocessing.synchronize import Event
from typing import Any, Final, cast

import hiredis
import uvloop

from sessions import names
from sessions.redis import connection
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack
from streaming.log import publications
from streaming.log.event_log import EventLog, LogEntry
from streaming.log.events import TextAppended
from streaming.log.positions import Position
from streaming.log.publications import FollowRequest, Inbox
from streaming.log.writer import Writer
from streaming.reading.tail import Tail
from tests.bench.measuring import Row, at_most, cpu_seconds, informs, quantile
from tests.bench.service_process import fresh_redis

ANSWERS: Final = 1000
RATE: Final = 50
SECONDS: Final = 4.0
ROUNDS: Final = 3
WIDTH: Final = 20
"""Characters of a piece."""
TIMED: Final = 20
"""One answer of so many is timed: that costs as much as hearing it."""


OWNER: Final = "bench"
"""The replica that writes, for those who ask it for what they follow."""

Reading = Callable[[str, str, Event, Event], Coroutine[Any, Any, tuple[float, list[float]]]]


def answers_of(prefix: str) -> list[str]:
    """Name the answers of a round, in both processes alike."""
    sessions = [names.session(names.SAMPLE_DATA_STORE, f"{prefix}{n}") for n in range(ANSWERS)]
    return [names.answer(session, "1") for session in sessions]


def write(url: str, prefix: str, ready: Event, go: Event, public: bool) -> None:
    """Write all answers; each piece is the time at which it was said.

    They are *public* for who listens to their channels; others ask the owner.
    """
    uvloop.run(_write(url, prefix, ready, go, public=public))


async def _write(url: str, prefix: str, ready: Event, go: Event, *, public: bool) -> None:
    keys = Keys(prefix)
    async with connection.connect(url) as redis:
        writer = Writer(redis, keys, EventLog(redis, keys))
        buffers = [
            writer.open(
                answer,
                Position(1, 0),
                on_acknowledged=lambda told: None,
                on_lost=lambda: None,
                public=public,
            )
            for answer in answers_of(prefix)
        ]
        by_answer = {buffer.answer: buffer for buffer in buffers}

        def address(message: bytes) -> None:
            asked = publications.decode_request(message)
            channel = keys.inbox(asked.replica, asked.answer)
            by_answer[asked.answer].address(Inbox(asked.replica, asked.number, channel))

        redis.channels.listen(keys.follow_requests(OWNER), address)
        await redis.channels.ready(keys.follow_requests(OWNER))
        for buffer in buffers:
            await redis.execute(buffer.key, "XADD", buffer.key, "1-0", "e", "{}")
            answer = keys.answer(buffer.answer)
            await redis.execute(answer, "HSET", answer, "owner", OWNER)
        ready.set()
        await asyncio.to_thread(go.wait)
        start, done, total = time.perf_counter(), 0, int(ANSWERS * RATE * SECONDS)
        while done < total:
            until = min(total, int((time.perf_counter() - start) * ANSWERS * RATE))
            for number in range(done, until):
                buffers[number % ANSWERS].add(
                    TextAppended(text=f"{time.perf_counter():{WIDTH - 1}.6f} ")
                )
            done = until
            await asyncio.sleep(0.001)  # the pace: what is due by then comes at once
        for buffer in buffers:
            await buffer.flushed()
            await redis.execute(buffer.key, "UNLINK", buffer.key, keys.answer(buffer.answer))


async def _follow(url: str, prefix: str, ready: Event, go: Event) -> tuple[float, list[float]]:
    """Return the CPU seconds spent on a piece, and how late those of some answers came."""
    late: list[float] = []
    keys, total = Keys(prefix), int(ANSWERS * RATE * SECONDS)
    complete = asyncio.Event()

    heard = 0

    def hear(told: Sequence[LogEntry]) -> None:
        nonlocal heard
        for entry in told:
            if type(entry.event) is TextAppended:
                heard += len(entry.event.text)
        if heard == total * WIDTH:
            complete.set()

    def hear_and_time(told: Sequence[LogEntry]) -> None:
        now = time.perf_counter()
        for entry in told:
            if isinstance(entry.event, TextAppended):
                late.extend(now - float(said) for said in entry.event.text.split())
        hear(told)

    async with connection.connect(url) as redis, Tail(redis, keys, EventLog(redis, keys)) as tail:
        await asyncio.to_thread(ready.wait)
        for number, answer in enumerate(answers_of(prefix)):
            tail.follow(answer, hear if number % TIMED else hear_and_time)
            await tail.ready(answer)
        before = cpu_seconds()
        go.set()
        async with asyncio.timeout(SECONDS * 10):
            await complete.wait()
        return (cpu_seconds() - before) / total, late


class Floor(asyncio.Protocol):
    """Counts what comes on the channels of answers, each in its order."""

    def __init__(self, channels: Sequence[bytes], total: int) -> None:
        self._reader: Any = hiredis.Reader()
        self._last = dict.fromkeys(channels, 0)
        self._left = total * WIDTH
        self.complete = asyncio.Event()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.Transport", transport).write(pack("SUBSCRIBE", *self._last))

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        while reply := self._reader.gets():
            kind, channel, content = reply
            if kind == b"message":
                self.read(channel, content)
        if self._left == 0:
            self.complete.set()

    def read(self, channel: bytes, content: bytes) -> None:
        head, _, text = content.partition(b" d")
        self.count(channel, int(head[2:]), len(text))

    def count(self, key: Any, seq: int, size: int) -> None:
        if seq != self._last[key] + 1:
            raise AssertionError("a gap")
        self._last[key] = seq
        self._left -= size


class BatchFloor(Floor):
    """Counts what comes in messages of batches."""

    def __init__(self, channels: Sequence[bytes], total: int) -> None:
        super().__init__(channels, total)
        self._last: Any = dict.fromkeys(range(ANSWERS), 0)
        self._channels = channels

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.Transport", transport).write(pack("SUBSCRIBE", *self._channels))

    def read(self, channel: bytes, content: bytes) -> None:
        for number, _, seq, _, text in publications.decode_rows(content):
            self.count(number, seq, len(text))


async def _read(url: str, prefix: str, ready: Event, go: Event) -> tuple[float, list[float]]:
    """Do what `_follow` does at the least cost; it takes no times."""
    channels = [Keys(prefix).channel(answer) for answer in answers_of(prefix)]
    return await _count(url, Floor, channels, ready, go)


async def _read_batches(
    url: str, prefix: str, ready: Event, go: Event
) -> tuple[float, list[float]]:
    """Do the same with the messages that `_follow` gets."""
    keys = Keys(prefix)
    await asyncio.to_thread(ready.wait)
    async with connection.connect(url) as redis:
        for number, answer in enumerate(answers_of(prefix)):
            request = publications.encode_request(FollowRequest(answer, prefix, number))
            await redis.publish(keys.follow_requests(OWNER), request)
    inboxes = sorted({keys.inbox(prefix, answer) for answer in answers_of(prefix)})
    return await _count(url, BatchFloor, inboxes, ready, go)


async def _count(
    url: str, kind: type[Floor], channels: Sequence[bytes], ready: Event, go: Event
) -> tuple[float, list[float]]:
    total = int(ANSWERS * RATE * SECONDS)
    await asyncio.to_thread(ready.wait)
    loop, path = asyncio.get_running_loop(), url.removeprefix("unix://")
    transport, floor = await loop.create_unix_connection(lambda: kind(channels, total), path)
    before = cpu_seconds()
    go.set()
    async with asyncio.timeout(SECONDS * 10):
        await floor.complete.wait()
    transport.close()
    return (cpu_seconds() - before) / total, [0.0]


def measured(
    url: str, turn: int, read: Reading = _follow, *, public: bool = False
) -> tuple[float, float, float]:
    """Return CPU µs an entry, p50 and p99 in ms, of one round."""
    spawn = multiprocessing.get_context("spawn")
    ready, go = spawn.Event(), spawn.Event()
    prefix = f"b{time.monotonic_ns()}{turn}"
    writer = spawn.Process(target=write, args=(url, prefix, ready, go, public))
    writer.start()
    try:
        spent, late = uvloop.run(read(url, prefix, ready, go))
    finally:
        writer.kill()
        writer.join()
    return spent * 1e6, quantile(late, 0.5) * 1e3, quantile(late, 0.99) * 1e3


def run() -> list[Row]:
    """Take the best of some rounds: three processes share what may be two cores."""
    told: list[tuple[float, float, float]] = []
    bare: list[float] = []
    batches: list[float] = []
    with fresh_redis() as server:
        for n in range(ROUNDS):
            told.append(measured(server.url, 3 * n))
            bare.append(measured(server.url, 3 * n + 1, _read, public=True)[0])
            batches.append(measured(server.url, 3 * n + 2, _read_batches)[0])
    cpu, p50, p99 = map(min, zip(*told, strict=True))
    subject = f"{ANSWERS * RATE:,} entries/s from elsewhere"
    return [
        at_most(f"{subject}, CPU an entry", cpu, 2, "µs"),
        informs(f"{subject}, CPU of a bare reader", min(bare), "µs"),
        at_most(f"{subject}, CPU ours : bare", cpu / min(bare), 1.5),
        informs(f"{subject}, CPU of a bare reader of batches", min(batches), "µs"),
        Row(f"{subject}, p50", f"{p50:.2f} ms"),
        at_most(f"{subject}, p99", p99, 2, "ms"),
    ]
