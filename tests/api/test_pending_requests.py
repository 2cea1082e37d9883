"""Questions over REST: they end with who asked, or with the process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from service.api import pending_requests as room
from service.api.pending_requests import PendingRequests
from service.security.principals import Principal, PrincipalKind
from sessions.errors import Cancelled, NotFound, PermissionDenied, Unavailable
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


class Caller:
    """One who waits for a reply, until they leave."""

    def __init__(self) -> None:
        self.left = asyncio.Event()
        self.working = asyncio.Event()
        self.stopped = False

    async def receive(self) -> Any:
        """Say that they have left, once they have."""
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def work(self, until: asyncio.Event) -> str:
        """Write what they wait for."""
        self.working.set()
        try:
            await until.wait()
        except asyncio.CancelledError:
            self.stopped = True
            raise
        return "written"


async def never() -> str:
    raise AssertionError("nobody does this")


async def test_what_is_waited_for_is_returned() -> None:
    caller, done = Caller(), asyncio.Event()
    done.set()
    assert await PendingRequests().answered(caller.receive, caller.work(done)) == "written"


async def test_what_fails_raises_what_it_failed_of() -> None:
    async def fail() -> str:
        raise NotFound("there is none")

    with pytest.raises(NotFound):
        await PendingRequests().answered(Caller().receive, fail())


async def test_work_stops_when_its_client_leaves() -> None:
    caller = Caller()
    caller.left.set()
    with pytest.raises(Cancelled):
        await PendingRequests().answered(caller.receive, caller.work(asyncio.Event()))
    assert caller.stopped


async def test_time_that_work_gives_itself_is_its_own() -> None:
    async def hurry() -> str:
        async with asyncio.timeout(0):
            await asyncio.Event().wait()
        raise AssertionError("it never comes")

    with pytest.raises(TimeoutError):
        await PendingRequests().answered(Caller().receive, hurry())


async def test_draining_waits_for_what_is_there_and_lets_nothing_in() -> None:
    questions, caller, done = PendingRequests(), Caller(), asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        asked = tasks.create_task(questions.answered(caller.receive, caller.work(done)))
        await caller.working.wait()
        draining = tasks.create_task(questions.drain(60))
        await eventually(lambda: not admits(questions))
        with pytest.raises(Unavailable) as refused:
            await questions.answered(caller.receive, never())
        assert refused.value.reason == "SHUTTING_DOWN"
        assert not draining.done()
        done.set()
    assert asked.result() == "written"


def admits(questions: PendingRequests) -> bool:
    try:
        questions.admit()
    except Unavailable:
        return False
    return True


async def test_draining_ends_what_takes_too_long() -> None:
    questions, caller = PendingRequests(), Caller()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(refused(questions, caller))
        await caller.working.wait()
        await questions.drain(0)
    assert caller.stopped


async def refused(questions: PendingRequests, caller: Caller) -> None:
    with pytest.raises(Unavailable):
        await questions.answered(caller.receive, caller.work(asyncio.Event()))


async def test_what_begins_when_all_is_over_ends_at_once() -> None:
    questions = PendingRequests()
    await questions.drain(0)

    async def source() -> AsyncGenerator[int]:
        await asyncio.Event().wait()
        yield 1

    with questions.new() as question, pytest.raises(Unavailable):
        async for _ in question.through(source()):
            raise AssertionError("nothing comes")


async def test_a_reader_is_never_interrupted_only_what_it_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(room, "FAREWELL", 0.005)
    questions = PendingRequests()
    closed = asyncio.Event()

    async def source() -> AsyncGenerator[int]:
        try:
            for number in range(100):
                yield number
                await asyncio.sleep(0)
        finally:
            closed.set()

    async def read() -> None:
        with questions.new() as question, pytest.raises(Unavailable):
            async for _ in question.through(source()):
                reading.set()
                await resume.wait()

    reading, resume = asyncio.Event(), asyncio.Event()
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(read())
        await reading.wait()
        await questions.drain(0)
        assert not closed.is_set()
        resume.set()
    assert closed.is_set()


async def test_one_who_does_not_take_the_end_is_given_up(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(room, "FAREWELL", 0.005)
    questions = PendingRequests()
    given_up = asyncio.Event()
    with questions.new() as question:
        question.give_up = given_up.set
        await questions.drain(0)
    assert given_up.is_set()
    assert caplog.messages == ["questions_left"]


async def test_a_stream_ends_with_the_visitor_who_became_a_user() -> None:
    """And no other does, whatever credential it was asked for with."""
    requests = PendingRequests()
    merged, other = (
        Principal(kind=PrincipalKind.VISITOR, id=f"visitor:p/visitor-{number}", credential="k1")
        for number in (1, 2)
    )
    with requests.new(merged) as ended, requests.new(other) as goes_on, requests.new():
        requests.end({merged.mark})
        with pytest.raises(PermissionDenied) as told:
            await ended.wait_for(asyncio.Event().wait())
        assert told.value.reason == "TOKEN_REVOKED"
        done = asyncio.Event()
        done.set()
        assert await goes_on.wait_for(done.wait())
