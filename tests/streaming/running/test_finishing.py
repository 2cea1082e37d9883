"""Ends that Redis refuses, or that a failover takes away after they were told."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator

import pytest

from sessions import names
from sessions.redis import connection, replicas
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import RedisTimeouts
from sessions.resources import answers
from streaming.log import events
from streaming.running.runner import Timing
from tests.redis_servers import Sentinels, Server
from tests.streaming import doubles
from tests.streaming.doubles import Puppet, Reader, Replica
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

PATIENT = Timing(ttl=30, reap_every=3600)
_SAVE = """
local kept = {}
for _, key in ipairs(KEYS) do kept[#kept + 1] = redis.call("DUMP", key) or "" end
return kept
"""
_LOAD = """
for n, key in ipairs(KEYS) do
    redis.call("DEL", key)
    if ARGV[n] ~= "" then redis.call("RESTORE", key, 0, ARGV[n]) end
end
"""


@pytest.fixture
async def own(own_server: Server) -> AsyncIterator[Redis]:
    async with connection.connect(own_server.url) as redis:
        yield redis


@pytest.fixture
async def one(own: Redis, keys: Keys) -> AsyncIterator[Replica]:
    async with doubles.replica(own, keys, Puppet(), PATIENT) as replica:
        yield replica


async def _told(one: Replica, answer: str, text: str) -> Reader:
    reader = Reader(one.tail, answer)
    one.puppet.say(answer, text)
    await reader.until(text)
    return reader


async def test_an_end_that_redis_refuses_is_stored_when_it_takes_it(
    one: Replica, own_server: Server
) -> None:
    accepted = await one.submit()
    reader = await _told(one, accepted.answer, "text")
    own_server.call("ACL", "SETUSER", "default", "-xadd")
    one.puppet.say(accepted.answer, None)
    await eventually(lambda: bool(own_server.call("ACL", "LOG")))
    own_server.call("ACL", "SETUSER", "default", "+xadd")
    await reader.ended()
    assert (await one.stored(accepted.answer)).answer_text == "text"
    assert len(one.puppet.assignments) == 1


class Failover:
    """What a promoted replica of Redis has: what there was when this was made."""

    def __init__(self, one: Replica, server: Server, *names_of: str) -> None:
        self._one = one
        self._server = server
        session = names.parent(names_of[0])
        keys = one.keys
        self._keys = [keys.session(session), keys.turns(session), keys.queue(session)]
        self._keys += [keys.answers(session), keys.leases(keys.partition(session))]
        for answer in names_of:
            self._keys += [keys.answer(answer), keys.log(answer)]
        self._kept = server.call("EVAL", _SAVE, len(self._keys), *self._keys)

    async def happen(self) -> None:
        node = self._one.redis.connection(b"")
        assert node is not None
        before = node.socket
        self._server.call("EVAL", _LOAD, len(self._keys), *self._keys, *self._kept)
        node.drop()
        await eventually(lambda: node.socket not in (None, before))


async def test_an_end_that_a_failover_took_away_is_stored_again(
    one: Replica, own_server: Server
) -> None:
    """As it was told: nobody takes the answer over to write it anew."""
    accepted = await one.submit(kind="converse")
    answer, session = accepted.answer, names.parent(accepted.answer)
    await _told(one, answer, "first")
    failover = Failover(one, own_server, answer)
    one.puppet.say(answer, ", then", None)
    finished = await one.runner.finished(answer)
    log = await one.told(answer)
    await failover.happen()

    async def mended() -> bool:
        return await one.stored(answer) == finished

    await eventually(mended)
    assert finished.state is answers.State.SUCCEEDED
    assert await one.told(answer) == log
    turns = await one.redis.execute(b"", "LRANGE", one.keys.turns(session), 0, -1)
    assert turns == [f"turn {answer}".encode(), b"first, then"]
    assert len(one.puppet.assignments) == 1


async def test_an_answer_that_was_granted_by_an_end_that_is_lost_goes_on(
    one: Replica, own_server: Server
) -> None:
    first = await one.submit()
    second = await one.submit(names.parent(first.answer))
    await _told(one, first.answer, "first")
    failover = Failover(one, own_server, first.answer, second.answer)
    one.puppet.say(first.answer, None)
    await eventually(lambda: len(one.puppet.assignments) == 2)
    await failover.happen()

    async def granted() -> bool:
        return await one.field(second.answer, "epoch") != b"0"

    await eventually(granted)
    one.puppet.say(second.answer, "second", None)
    one.puppet.say(second.answer, "second", None)  # should it be written anew
    assert (await one.runner.finished(first.answer)).answer_text == "first"
    assert (await one.runner.finished(second.answer)).answer_text == "second"


async def test_an_end_that_lasts_is_left_alone(one: Replica, own_server: Server) -> None:
    accepted = await one.submit()
    one.puppet.say(accepted.answer, "text", None)
    finished = await one.runner.finished(accepted.answer)
    key = one.keys.session(names.parent(accepted.answer))
    updated = await one.redis.execute(key, "HGET", key, "updated")
    failover = Failover(one, own_server, accepted.answer)
    own_server.call("CONFIG", "RESETSTAT")
    await failover.happen()
    await eventually(lambda: b"cmdstat_evalsha:" in own_server.call("INFO", "commandstats"))
    assert await one.runner.finished(accepted.answer) == finished
    assert await one.redis.execute(key, "HGET", key, "updated") == updated


async def test_an_end_is_told_when_the_replica_that_is_waited_for_has_it(
    sentinels: Sentinels, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(replicas, "WAIT", 60_000)  # it is there, however slow the test is
    patient = RedisTimeouts(deadline=60)
    async with (
        connection.connect(sentinels.url, limits=patient, replicas=1) as redis,
        doubles.replica(redis, keys, Puppet(), PATIENT) as one,
    ):
        accepted = await one.submit()
        reader = await _told(one, accepted.answer, "text")
        state = ("HGET", keys.answer(accepted.answer), "state")
        sentinels.replica.signal(signal.SIGSTOP)
        one.puppet.say(accepted.answer, None)
        await eventually(lambda: sentinels.master.call(*state) == b"SUCCEEDED")
        assert not isinstance(reader.entries[-1].event, events.Succeeded)
        sentinels.replica.signal(signal.SIGCONT)
        await reader.ended()
        assert sentinels.replica.call(*state) == b"SUCCEEDED"
