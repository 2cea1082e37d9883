"""Answers under a Redis that refuses to write for a while, in every version at hand."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from sessions.errors import Unavailable
from sessions.redis.connection import Redis, connect
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import RedisTimeouts
from sessions.resources import answers
from streaming.running.runner import Timing
from tests import redis_servers
from tests.redis_servers import Server
from tests.streaming import doubles
from tests.streaming.doubles import Puppet, Reader, Replica
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

HASTY = RedisTimeouts(deadline=1, patience=0.1, opening=1, backoff=0.02)
PATIENT = Timing(ttl=5, reap_every=3600)
FULL = ("CONFIG", "SET", "maxmemory", 1)
EMPTY = ("CONFIG", "SET", "maxmemory", 0)


@pytest.fixture(params=redis_servers.binaries(), ids=redis_servers.called)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(request.param, folder) as server,
    ):
        yield server


@pytest.fixture
async def redis(server: Server) -> AsyncIterator[Redis]:
    async with connect(server.url, limits=HASTY) as redis:
        yield redis


@pytest.fixture
async def one(redis: Redis, keys: Keys) -> AsyncIterator[Replica]:
    async with doubles.replica(redis, keys, Puppet(), PATIENT) as replica:
        yield replica


async def test_what_cannot_be_stored_is_not_accepted(server: Server, one: Replica) -> None:
    """The client is told to try again, and nothing is left of it."""
    server.call(*FULL)
    refused = doubles.submission()
    with pytest.raises(Unavailable):
        await one.runner.submit(refused)
    server.call(*EMPTY)
    assert server.call("EXISTS", one.keys.answer(refused.answer), one.keys.log(refused.answer)) == 0
    accepted = await one.runner.submit(refused)
    assert (accepted.answer, accepted.repeated) == (refused.answer, False)


async def test_an_end_that_is_refused_is_stored_later(server: Server, one: Replica) -> None:
    accepted = await one.submit()
    reader = Reader(one.tail, accepted.answer)
    one.puppet.say(accepted.answer, "text")
    await reader.until("text")
    server.call(*FULL)
    server.call("CONFIG", "RESETSTAT")
    one.puppet.say(accepted.answer, None)
    await eventually(lambda: b"cmdstat_evalsha" in server.call("INFO", "commandstats"))
    server.call(*EMPTY)
    await reader.ended()
    stored = await one.stored(accepted.answer)
    assert (stored.state, stored.answer_text) == (answers.State.SUCCEEDED, "text")
    assert await one.field(accepted.answer, "epoch") == b"1"
