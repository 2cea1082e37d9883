"""Nobody hears what the replicas of Redis do not have, where they are waited for.

A failover that takes it back would leave readers with text that is nowhere, or with an epoch that
another owner begins again at the same position, and goes on otherwise.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator

import pytest

from sessions import names
from sessions.redis.connection import Redis, connect
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import RedisTimeouts, pack
from sessions.stores.store_set import AnswerStore, SessionStore
from streaming.log.positions import Position
from streaming.running.runner import Timing
from tests import redis_servers
from tests.redis_servers import Server
from tests.streaming import doubles
from tests.streaming.doubles import SILENT, Puppet, Reader, Replica
from tests.waiting import LONG, eventually, until

pytestmark = pytest.mark.anyio

NEVER = Timing(ttl=LONG, reap_every=3600)
_PATIENT = RedisTimeouts(deadline=LONG, patience=LONG)


@pytest.fixture
def master(redis_binary: str) -> Iterator[Server]:
    with redis_servers.master(redis_binary) as server:
        yield server


@pytest.fixture
def replica(master: Server) -> Iterator[Server]:
    with redis_servers.replica_of(master) as server:
        until(lambda: b"state=online" in master.call("INFO", "replication"))
        yield server


async def _patient(master: Server, replica: Server) -> AsyncIterator[Redis]:
    """Wait for the replica as long as it takes: on a busy machine it is given up else."""
    async with connect(master.url, limits=_PATIENT, replicas=1) as redis:
        connection = redis.connection(b"k")
        assert connection is not None
        connection.replication.replicas.wait = pack("WAIT", 1, int(1000 * LONG))
        yield redis


writing = pytest.fixture(_patient, name="writing")
reading = pytest.fixture(_patient, name="reading")


@contextlib.asynccontextmanager
async def _nobody_hears(
    position: Position, answer: str, watcher: Replica, master: Server, replica: Server
) -> AsyncGenerator[None]:
    """Freeze *replica*; when the entry at *position* is there, it is heard only behind the thaw."""
    here = Reader(watcher.tail, answer)
    await watcher.tail.ready(answer)
    replica.signal(signal.SIGSTOP)
    try:
        yield
        stored = ("XRANGE", watcher.keys.log(answer), str(position), str(position))
        await eventually(lambda: bool(master.call(*stored)))
        there = asyncio.create_task(watcher.log.read_joined(answer))
        await eventually(lambda: there.done() or _waiting(master) == 2)
        assert not there.done()
        assert here.entries == []
    finally:
        replica.signal(signal.SIGCONT)
    assert (await there)[-1].position == position
    await eventually(lambda: position in {one.position for one in here.entries})


def _waiting(master: Server) -> int:
    """Tell how many clients wait for replicas."""
    (line,) = [one for one in master.call("INFO", "clients").splitlines() if b"blocked_cl" in one]
    return int(line.partition(b":")[2])


@pytest.mark.every_redis
async def test_text_is_not_told_before_replicas_of_redis_have_it(
    master: Server, replica: Server, writing: Redis, reading: Redis, keys: Keys
) -> None:
    """Neither to who hears what comes, nor to who reads the log in that moment."""
    async with (
        doubles.replica(writing, keys, Puppet(), NEVER) as owner,
        doubles.replica(reading, keys, Puppet(), NEVER) as watcher,
    ):
        answer = (await owner.submit()).answer
        async with _nobody_hears(Position(1, 1), answer, watcher, master, replica):
            owner.puppet.say(answer, "text")


async def test_a_take_over_is_not_told_before_replicas_of_redis_have_it(
    master: Server, replica: Server, writing: Redis, reading: Redis, keys: Keys
) -> None:
    async with contextlib.AsyncExitStack() as replicas:
        silent, watcher, other = [
            await replicas.enter_async_context(doubles.replica(redis, keys, Puppet(), timing))
            for redis, timing in ((writing, SILENT), (reading, NEVER), (writing, NEVER))
        ]
        answer = (await silent.submit()).answer
        async with _nobody_hears(Position(2, 0), answer, watcher, master, replica):
            taking = asyncio.create_task(_taken(other, answer))
        await taking


async def _taken(other: Replica, answer: str) -> None:
    """Take *answer* over as soon as its lease has run out."""
    while not other.runner.running:
        await other.runner.adopt(answer)


def _session(watcher: Replica, answer: str) -> Awaitable[object]:
    return SessionStore(watcher.redis, watcher.keys).get(names.parent(answer))


def _session_of_its_user(watcher: Replica, answer: str) -> Awaitable[object]:
    return SessionStore(watcher.redis, watcher.keys).owned(names.parent(answer), "ada")


def _answer(watcher: Replica, answer: str) -> Awaitable[object]:
    return AnswerStore(watcher.redis, watcher.keys).get(answer)


def _answer_as_told(watcher: Replica, answer: str) -> Awaitable[object]:
    return watcher.log.fold(answer)


def _end(watcher: Replica, answer: str) -> Awaitable[object]:
    return watcher.runner.finished(answer)


@pytest.mark.parametrize("read", [_session, _session_of_its_user, _answer, _answer_as_told, _end])
async def test_an_end_is_not_read_before_replicas_of_redis_have_it(
    master: Server,
    replica: Server,
    writing: Redis,
    reading: Redis,
    keys: Keys,
    read: Callable[[Replica, str], Awaitable[object]],
) -> None:
    async with (
        doubles.replica(writing, keys, Puppet(), NEVER) as owner,
        doubles.replica(reading, keys, Puppet(), NEVER) as watcher,
    ):
        submitted = await owner.submit(session_json=b'{"userPseudoId":"ada"}', opening=b"{}")
        await _is_read_behind_the_thaw(owner, watcher, submitted.answer, master, replica, read)


async def _is_read_behind_the_thaw(
    owner: Replica,
    watcher: Replica,
    answer: str,
    master: Server,
    replica: Server,
    read: Callable[[Replica, str], Awaitable[object]],
) -> None:
    stored = ("HGET", owner.keys.answer(answer), "state")
    replica.signal(signal.SIGSTOP)
    try:
        owner.puppet.say(answer, None)
        await eventually(lambda: master.call(*stored) == b"SUCCEEDED")
        there = asyncio.ensure_future(read(watcher, answer))
        await eventually(lambda: there.done() or _waiting(master) == 2)
        assert not there.done()
    finally:
        replica.signal(signal.SIGCONT)
    assert await there
