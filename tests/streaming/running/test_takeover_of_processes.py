"""Whole processes that are killed or frozen while they write an answer."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
from collections.abc import AsyncGenerator, AsyncIterator

import pytest

from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources import answers
from streaming.log import events
from tests.redis_servers import Server
from tests.streaming import doubles
from tests.streaming.doubles import Puppet, Reader, Replica
from tests.waiting import LONG

pytestmark = pytest.mark.anyio


class Child:
    """A replica in another process, and the answer that it writes."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.answer = ""

    async def line(self) -> str:
        assert self.process.stdout is not None
        async with asyncio.timeout(LONG):
            return (await self.process.stdout.readline()).decode().rstrip()

    def say(self, text: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{text}\n".encode())


@contextlib.asynccontextmanager
async def _started(server: Server, keys: Keys, *mode: str) -> AsyncGenerator[Child]:
    pipe = asyncio.subprocess.PIPE
    program = (
        sys.executable,
        "-m",
        "tests.streaming.running.replica_process",
        server.url,
        keys.prefix,
        *mode,
    )
    child = Child(await asyncio.create_subprocess_exec(*program, stdin=pipe, stdout=pipe))
    try:
        yield child
    finally:
        if child.process.returncode is None:
            child.process.kill()
        await child.process.communicate()


@pytest.fixture
async def child(redis_server: Server, keys: Keys) -> AsyncIterator[Child]:
    async with _started(redis_server, keys) as child:
        child.answer = await child.line()
        yield child


@pytest.fixture
async def here(redis: Redis, keys: Keys) -> AsyncIterator[Replica]:
    async with doubles.replica(redis, keys, Puppet(continues=True)) as replica:
        yield replica


async def _heard(here: Replica, child: Child, text: str) -> Reader:
    """Follow the answer from here, and wait until the child has said *text*."""
    reader = Reader(here.tail, child.answer)
    await here.tail.ready(child.answer)
    child.say(text)
    await reader.until(text)
    return reader


async def test_an_answer_outlives_the_process_that_wrote_it(here: Replica, child: Child) -> None:
    """Killed without warning; every reader sees the whole text, once."""
    reader = await _heard(here, child, "first")
    child.process.kill()
    await child.process.wait()
    here.puppet.say(child.answer, ", then", None)
    finished = await here.runner.finished(child.answer)
    await reader.ended()
    assert finished.answer_text == reader.text == "first, then"
    assert finished.state is answers.State.SUCCEEDED


async def test_a_process_that_wakes_up_writes_nothing_more(here: Replica, child: Child) -> None:
    """Frozen beyond its lease, it still believes that the answer is its own; Redis does not."""
    reader = await _heard(here, child, "first")
    child.process.send_signal(signal.SIGSTOP)
    here.puppet.say(child.answer, ", then")
    await reader.until("first, then")
    child.say("zombie")
    child.process.send_signal(signal.SIGCONT)
    assert await child.line() == "closed"
    here.puppet.say(child.answer, None)
    finished = await here.runner.finished(child.answer)
    await reader.ended()
    assert finished.answer_text == reader.text == "first, then"
    assert doubles.text_of(await here.told(child.answer)) == "first, then"


async def test_a_process_that_is_ended_hands_over(here: Replica, child: Child) -> None:
    """With its standard input closed it leaves in good order."""
    reader = await _heard(here, child, "first")
    assert child.process.stdin is not None
    child.process.stdin.close()
    assert await child.line() == "closed"
    await child.process.wait()
    here.puppet.say(child.answer, ", then", None)
    await reader.ended()
    assert reader.text == "first, then"
    assert here.puppet.assignments[0].attempts == 0


async def test_what_kills_its_writers_ends_before_it_kills_one_more(
    redis_server: Server, redis: Redis, keys: Keys
) -> None:
    """After two takeovers nobody generates it again; who ends it lives, and writes others."""
    async with (
        _started(redis_server, keys, "poisoned") as first,
        _started(redis_server, keys, "taking") as second,
        _started(redis_server, keys, "taking") as third,
    ):
        answer = await first.line()
        async with asyncio.timeout(LONG):
            for child in (first, second, third):
                assert await child.process.wait() == -signal.SIGKILL
    async with doubles.replica(redis, keys, Puppet()) as here:
        finished = await here.runner.finished(answer)
        assert finished.state is answers.State.FAILED
        terminal = (await here.told(answer))[-1].event
        assert isinstance(terminal, events.Failed)
        assert terminal.reason == "WRITER_LOST"
        assert here.puppet.assignments == []
        other = await here.submit()
        here.puppet.say(other.answer, "alive", None)
        assert (await here.runner.finished(other.answer)).answer_text == "alive"
