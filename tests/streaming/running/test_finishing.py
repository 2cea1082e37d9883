"""Ends that Redis refuses, or that a failover takes away after they were told."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from redis.exceptions import ResponseError

from sessions import names
from sessions.redis import connection, replication
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import RedisTimeouts, away
from sessions.resources import answers
from streaming.log import events
from streaming.log.answer_machine import AnswerMachine
from streaming.log.log_commands import LogCommands
from streaming.log.positions import Position
from streaming.log.publications import Publications
from streaming.log.transitions import FinishOutcome, LogEndsElsewhere, Transitions
from streaming.log.write_buffer import WriteBuffer
from streaming.running import finishing
from streaming.running.answer_author import Assignment
from streaming.running.finishing import Finisher, PendingFinish
from streaming.running.generation_task import GenerationTask
from streaming.running.runner import Timing
from tests import drawings
from tests.redis_servers import Sentinels, Server
from tests.streaming import doubles
from tests.streaming.doubles import AT, Puppet, Reader, Replica
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
    monkeypatch.setattr(replication, "WAIT", 60_000)  # it is there, however slow the test is
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


DRAWN = {cell: then for cell, then in drawings.cells(Finisher, "..").items() if then != ".."}
STORED = FinishOutcome(updated=1, next="", deadline=0)
ANEW = FinishOutcome(updated=2, next="", deadline=0)
OUTCOMES: dict[str, FinishOutcome | Exception | None] = {
    "stored": STORED,
    "stored anew": ANEW,
    "not ours": None,
    "log ends elsewhere": LogEndsElsewhere(),
    "log is lost": LogEndsElsewhere(),
    "Redis is away": away(),
    "refused": ResponseError("OOM"),
    "refused for long": ResponseError("OOM"),
}
LOGGED = {"end_lost": "LOST", "guarding_failed": "REFUSED", "end_in_doubt": "UNSURE"}


class Scripted(Transitions):
    """Says of the first attempt to store an end what it is told, and of others nothing."""

    def __init__(self, event: str) -> None:
        self.attempts = 0
        self._event = event

    async def finish(self, *_: Any, **__: Any) -> FinishOutcome | None:
        self.attempts += 1
        if self.attempts > 1 or self._event not in OUTCOMES:
            await asyncio.Event().wait()
        outcome = OUTCOMES[self._event]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


class OneEnd:
    """One end, its log, and a Redis that is no more than the socket it is written on."""

    def __init__(self, tasks: asyncio.TaskGroup, event: str) -> None:
        self.socket: Any = object()
        self.transitions = Scripted(event)
        self.granted: list[FinishOutcome] = []
        self._lost = event == "log is lost"
        self.buffer = WriteBuffer(
            "a",
            Position(1, 0),
            LogCommands(b"log", b"channel", b"PUBLISH"),
            schedule=lambda buffer: None,
            on_acknowledged=lambda entries: None,
            on_lost=lambda: None,
        )
        self.buffer.socket = self.socket
        assignment = Assignment(answer="a", session="s", kind="answer", request=b"")
        generation = GenerationTask(assignment, AnswerMachine(), deadline=0)
        self.finish = PendingFinish(generation, self.buffer, events.Succeeded(at=AT), None)
        surroundings: Any = self
        self.finisher = Finisher(
            tasks,
            surroundings,
            surroundings,
            self.transitions,
            lambda assignment, answer, _: None,
            patience=-1 if event == "refused for long" else 60,
            granted=self.granted.append,
        )

    def connection(self, _: bytes) -> SimpleNamespace:
        return SimpleNamespace(socket=self.socket)

    def check(self, buffer: WriteBuffer) -> None:
        """Compare the log, as the writer does."""
        self._compare(lost=self._lost)

    def _compare(self, *, lost: bool) -> None:
        self.buffer.doubt()
        self.buffer.reconcile(None if lost else self.buffer.last, Publications())

    def exchange_socket(self, *, lost: bool) -> None:
        self.socket = self.buffer.socket = cast("Any", object())
        self._compare(lost=lost)

    async def store(self) -> None:
        """Do what the first attempt at `store` leads to, and leave its name in *seen*."""
        try:
            self.seen = "GUARDED" if await self.finisher.store(self.finish) else "LOST"
        except ResponseError:
            self.seen = "REFUSED"


async def _let_run() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


@pytest.mark.parametrize(("event", "state"), DRAWN)
async def test_an_end_goes_where_it_is_drawn(
    event: str, state: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever befalls it, before it is told and while it is guarded."""
    monkeypatch.setattr(finishing, "_RETRY", 0)
    monkeypatch.setattr(finishing, "GUARD", 0 if event == "socket lasts" else 3600)
    monkeypatch.setattr(finishing, "_LONGEST", 0.01 if event == "a minute passes" else 3600)
    async with asyncio.TaskGroup() as tasks:
        one = OneEnd(tasks, event)
        one.seen = state
        if state == "STORING":
            storing = tasks.create_task(one.store())
        else:
            storing = None
            one.finisher.guard(one.finish, STORED)
        await _let_run()
        if state == "RESTORING" or event in ("socket exchanged", "log is lost"):
            one.exchange_socket(lost=(state, event) == ("GUARDED", "log is lost"))
            await _let_run()
        if event == "closed":
            one.finisher.close()
        await eventually(lambda: _seen(one, event, caplog) == DRAWN[event, state])
        assert one.granted == ([ANEW] if event == "stored anew" else [])
        one.finisher.close()
        if storing is not None:
            storing.cancel()


def _seen(one: OneEnd, event: str, caplog: pytest.LogCaptureFixture) -> str:
    """Return where the end is, as far as that shows."""
    logged = [LOGGED[record.msg] for record in caplog.records if record.msg in LOGGED]
    if logged:
        return logged[0]
    attempts = one.transitions.attempts
    if one.seen not in ("GUARDED", "RESTORING"):
        return one.seen
    if one.buffer.state.is_over:
        return "DONE"
    return "RESTORING" if attempts > 1 or (attempts and event not in OUTCOMES) else "GUARDED"
