"""What it costs a replica to follow answers that another one writes.

One process writes 1,000 answers, 50 pieces a second each, through its writer; this one follows all
of them through its tail. The floor is a process that subscribes to the same channels over one
socket and only counts what arrives. Redis runs beside them.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

import hiredis
import uvloop

from sessions import connection, names
from sessions.keys import Keys
from sessions.sockets import pack
from streaming.drafts import Draft
from streaming.events import TextAppended
from streaming.followers import Listener
from streaming.log import Entry, EventLog
from streaming.positions import Position
from streaming.tail import Tail
from streaming.writer import Writer
from tests import redis_servers
from tests.bench.measuring import Row, at_most, informs, quantile, rounds

ANSWERS: Final = 1000
RATE: Final = 50
WARM: Final = 1.0
SPAN: Final = 2.0
ROUNDS: Final = 2
_SAMPLED: Final = 16


class Figures(NamedTuple):
    """CPU in µs an entry, and how late the entries came, in ms."""

    cpu: float
    p50: float
    p99: float
    rate: float
    """Entries a second."""


class Ear:
    """Counts entries, and looks into some of them for the time at which they were due."""

    def __init__(self) -> None:
        self.heard = 0
        self.late: list[float] = []

    def hear(self, entries: Sequence[Entry]) -> None:
        for entry in entries:
            self.heard += 1
            if self.heard % _SAMPLED == 0 and isinstance(entry.event, TextAppended):
                self.take(entry.event.text)

    def take(self, text: str | bytes) -> None:
        """Note how late *text* is, which begins with the time at which it was due."""
        self.late.append((time.monotonic_ns() - int(text.split(None, 1)[0])) / 1e6)

    async def measure(self) -> Figures:
        """Return what it cost to hear for a while."""
        await asyncio.sleep(WARM)
        heard, self.late = self.heard, []
        cpu, began = time.process_time(), time.monotonic()
        await asyncio.sleep(SPAN)
        cpu, took = time.process_time() - cpu, time.monotonic() - began
        heard = self.heard - heard
        late = self.late or [SPAN * 1000]
        return Figures(cpu / heard * 1e6, quantile(late, 0.5), quantile(late, 0.99), heard / took)


async def write(url: str, prefix: str) -> None:
    """Write all answers, as a process of its own; print their names."""
    keys = Keys(prefix)
    clock = time.monotonic_ns
    async with connection.connect(url) as redis:
        log = EventLog(redis, keys)
        writer = Writer(redis, keys, log)
        drafts: list[Draft] = []
        for number in range(ANSWERS):
            answer = names.answer(names.session("p", str(number)), "1")
            key = keys.log(answer)
            await redis.execute(key, "XADD", key, "1-0", "e", "{}")
            place = Position(1, 0)
            draft = writer.open(answer, place, tell=_nobody, on_lost=_lost, public=True)
            drafts.append(draft)
            print(answer, flush=True)
        step = 1_000_000_000 // (RATE * ANSWERS)
        done, start = 0, clock()
        while True:
            until = (clock() - start) // step
            for number in range(done, until):
                text = f"{start + number * step} and a few words more "
                drafts[number % ANSWERS].add(TextAppended(text=text))
            done = until
            await asyncio.sleep(0.001)


def _nobody(_: Sequence[Entry]) -> None: ...


def _lost() -> None:
    raise AssertionError("nobody takes a draft of the bench away")


@contextmanager
def writing(url: str, prefix: str) -> Generator[list[str]]:
    """Run the process that writes; give the names of its answers."""
    command = [sys.executable, "-m", "tests.bench.bench_readers", url, prefix]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        if process.stdout is None:
            raise AssertionError("it is piped")
        try:
            yield [process.stdout.readline().strip() for _ in range(ANSWERS)]
        finally:
            process.kill()


async def begun(tail: Tail, named: Sequence[str], hear: Listener) -> None:
    """Follow all answers, and wait until nothing can be missed."""
    async with asyncio.TaskGroup() as tasks:
        for name in named:
            tail.follow(name, hear)
            tasks.create_task(tail.ready(name))


async def follow(url: str, keys: Keys, named: Sequence[str]) -> Figures:
    """Follow all answers as a replica does."""
    ear = Ear()
    async with connection.connect(url) as redis, Tail(redis, keys, EventLog(redis, keys)) as tail:
        await begun(tail, named, ear.hear)
        return await ear.measure()


async def count(url: str, keys: Keys, named: Sequence[str]) -> Figures:
    """Subscribe to the same channels, while a replica asked for them, and count."""
    async with connection.connect(url) as redis, Tail(redis, keys, EventLog(redis, keys)) as tail:
        await begun(tail, named, lambda _: None)  # from here on the owner publishes
    ear = Ear()
    reader, writer = await asyncio.open_unix_connection(url.removeprefix("unix://"), limit=1 << 20)
    writer.write(pack(b"SUBSCRIBE", *(keys.channel(name) for name in named)))

    async def listen() -> None:
        parser: Any = hiredis.Reader()
        while data := await reader.read(1 << 16):
            parser.feed(data)
            while (message := parser.gets()) is not False:
                if message[0] == b"message":
                    ear.heard += 1
                    if ear.heard % _SAMPLED == 0:
                        ear.take(message[2].partition(b" d")[2])

    listening = asyncio.create_task(listen())
    figures = await ear.measure()
    listening.cancel()
    writer.close()
    return figures


def run() -> list[Row]:
    """Compare a replica with a socket that counts."""
    program = redis_servers.binary()
    if program is None:
        raise FileNotFoundError("no redis-server")
    found: dict[str, list[Figures]] = {"count": [], "follow": []}
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(program, folder) as redis,
    ):

        def contender(name: str, work: Callable[..., Any]) -> Callable[[], float]:
            def once() -> float:
                prefix = f"b{os.getpid()}{time.monotonic_ns()}"
                with writing(redis.url, prefix) as named:
                    found[name].append(uvloop.run(work(redis.url, Keys(prefix), named)))
                return found[name][-1].cpu

            return once

        cpu = rounds(
            {"count": contender("count", count), "follow": contender("follow", follow)}, ROUNDS
        )

    def middle(name: str, get: Callable[[Figures], float]) -> float:
        return quantile([get(one) for one in found[name][1:]], 0.5)

    subject = f"{ANSWERS} answers × {RATE}/s written elsewhere"
    return [
        informs(f"{subject}: entries followed", middle("follow", lambda one: one.rate), "/s"),
        informs("  a socket that counts", cpu["count"], "µs CPU an entry"),
        at_most("  a replica that follows", cpu["follow"], 2, "µs CPU an entry"),
        informs("  following : counting", cpu["follow"] / cpu["count"], "×"),
        informs("  p50, following", middle("follow", lambda one: one.p50), "ms"),
        at_most("  p99, following", middle("follow", lambda one: one.p99), 2, "ms"),
        informs("  p99, counting", middle("count", lambda one: one.p99), "ms"),
    ]


if __name__ == "__main__":
    uvloop.run(write(sys.argv[1], sys.argv[2]))
