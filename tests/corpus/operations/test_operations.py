"""Operations, and who comes first where several want to end one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

from service.corpus.operations import operations
from service.corpus.operations.operation_limit import OperationLimit
from service.corpus.operations.operations import Operations
from service.corpus.operations.running_operation import TellProgress
from service.corpus.operations.stored_operations import StoredOperation, new_name
from sessions import names
from sessions.errors import ResourceExhausted, Unavailable
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys
from sessions.resources.documents import ImportDocumentsResponse
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

BRANCH = f"{names.SAMPLE_DATA_STORE}/branches/0"


class Gate:
    """A Redis whose scripts wait, each until it is let through; and whose clock may be ahead."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self.closed = False
        self.ahead = 0
        """Milliseconds."""
        self.waiting: asyncio.Queue[asyncio.Event] = asyncio.Queue()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._redis, name)

    async def run(self, script: Script, keys: Sequence[bytes], args: Sequence[Any] = ()) -> Any:
        if self.closed:
            await self.waiting.put(passing := asyncio.Event())
            await passing.wait()
        return await self._redis.run(script, keys, args)

    async def now_ms(self) -> int:
        return await self._redis.now_ms() + self.ahead

    def open(self) -> None:
        """Let everything through, what waits first."""
        self.closed = False
        while not self.waiting.empty():
            self.waiting.get_nowait().set()


def free() -> OperationLimit:
    return OperationLimit(lambda: None)


async def begun(owner: Operations, done: asyncio.Event, *, size: int = 0) -> str:
    """Start work that is done when *done* is set, and return its name."""

    async def job(_: TellProgress) -> ImportDocumentsResponse:
        await done.wait()
        return ImportDocumentsResponse()

    name = new_name(BRANCH, "import-documents")
    work = await owner.start(name, "import-documents", "v1", job, size=size)
    assert not work.done
    return name


def is_finished(work: StoredOperation) -> bool:
    return work.done and work.error is None and work.response is not None


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "PROMPT", 0.001)


@pytest.mark.parametrize("first", ["the end", "the cancellation"])
async def test_a_cancellation_loses_nothing_of_what_is_done(
    redis: Redis, keys: Keys, first: str
) -> None:
    """The work is done, and its end is on the way to Redis when somebody cancels."""
    gate: Any = Gate(redis)
    done = asyncio.Event()
    async with Operations(gate, keys, free()) as owner, asyncio.TaskGroup() as tasks:
        name = await begun(owner, done)
        gate.closed = True
        done.set()
        end = await gate.waiting.get()
        cancelling = tasks.create_task(owner.cancel(name))
        cancellation = await gate.waiting.get()
        gate.closed = False
        if first == "the end":
            end.set()
            assert is_finished(await owner.wait(name, 5))
            cancellation.set()
        else:
            cancellation.set()
            await cancelling
            end.set()
        await cancelling
        assert is_finished(await owner.wait(name, 5))


async def test_every_cancelled_operation_ends_as_one_or_the_other(redis: Redis, keys: Keys) -> None:
    """Whatever falls between: nothing stays undone, and what was done is told as done."""
    async with Operations(redis, keys, free()) as owner:
        for yields in range(40):
            done = asyncio.Event()
            name = await begun(owner, done)
            async with asyncio.TaskGroup() as tasks:
                done.set()
                for _ in range(yields):
                    await asyncio.sleep(0)
                tasks.create_task(owner.cancel(name))
            work = await owner.wait(name, 5)
            assert is_finished(work) or (work.error is not None and work.error.code == 1)


async def test_work_goes_on_where_nobody_could_mark_it(redis: Redis, keys: Keys) -> None:
    """Redis was away for longer than marks may be late: that is no death of who works."""
    gate: Any = Gate(redis)
    done = asyncio.Event()
    async with (
        Operations(redis, keys, free()) as working,
        Operations(gate, keys, free()) as looking,
    ):
        name = await begun(working, done)
        assert not (await looking.get(name)).done
        gate.ahead = 20_000
        assert not (await looking.get(name)).done
        done.set()
        assert is_finished(await looking.wait(name, 5))


async def test_work_of_the_dead_ends_where_marks_could_have_come(redis: Redis, keys: Keys) -> None:
    gate: Any = Gate(redis)
    done = asyncio.Event()
    async with (
        Operations(redis, keys, free()) as working,
        Operations(gate, keys, free()) as looking,
    ):
        name = await begun(working, done)
        gate.ahead = 20_000
        for _ in range(4):
            assert not (await looking.get(name)).done
            gate.ahead += 4_000
        work = await looking.get(name)
        assert work.error is not None
        assert work.error.code == 10
        done.set()
        # That was a guess; who knows better says so.

        async def is_corrected() -> bool:
            return is_finished(await working.get(name))

        await eventually(is_corrected)


async def test_work_that_does_not_get_out_keeps_no_process_from_its_end(
    redis: Redis, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operations, "_GRACE", 0.05)
    never = asyncio.Event()

    async def job(_: TellProgress) -> None:
        try:
            await never.wait()
        finally:
            await never.wait()

    name = new_name(BRANCH, "import-documents")
    async with asyncio.timeout(LONG), Operations(redis, keys, free()) as owner:
        await owner.start(name, "import-documents", "v1", job)
        await owner.cancel(name)


async def test_operations_over_the_bound_are_refused_without_effect(
    redis: Redis, keys: Keys
) -> None:
    refusals: list[None] = []
    limit = OperationLimit(lambda: refusals.append(None), most=2)
    done = asyncio.Event()
    async with Operations(redis, keys, limit) as owner:
        names = [await begun(owner, done) for _ in range(2)]
        with pytest.raises(ResourceExhausted) as refused:
            await begun(owner, done)
        assert (refused.value.reason, refused.value.retry_after) == ("TOO_MANY_OPERATIONS", 10)
        assert len(refusals) == 1
        listed, _ = await owner.list(ListQuery(BRANCH))
        assert {work.name for work in listed} == set(names)
        done.set()
        for name in names:
            assert is_finished(await owner.wait(name, 5))
        done.clear()
        await begun(owner, done)
        done.set()


async def test_those_who_come_at_once_do_not_pass_the_bound(redis: Redis, keys: Keys) -> None:
    done = asyncio.Event()

    async def is_begun() -> bool:
        try:
            await begun(owner, done)
        except ResourceExhausted:
            return False
        return True

    async with Operations(redis, keys, OperationLimit(lambda: None, most=3)) as owner:
        async with asyncio.TaskGroup() as tasks:
            found = [tasks.create_task(is_begun()) for _ in range(20)]
        done.set()
    assert sum(one.result() for one in found) == 3


async def test_what_requests_brought_has_a_bound_until_the_work_is_done(
    redis: Redis, keys: Keys
) -> None:
    """One alone is let in whatever its size. What is done keeps no bytes, though its end waits."""
    gate: Any = Gate(redis)
    done = asyncio.Event()
    limit = OperationLimit(lambda: None, most_bytes=100)
    async with Operations(gate, keys, limit) as owner:
        first = await begun(owner, done, size=1_000)
        with pytest.raises(ResourceExhausted):
            await begun(owner, done, size=1)
        gate.closed = True
        done.set()
        end = await gate.waiting.get()
        gate.closed = False
        later = asyncio.Event()
        await begun(owner, later, size=60)
        await begun(owner, later, size=40)
        with pytest.raises(ResourceExhausted):
            await begun(owner, later, size=1)
        assert not (await owner.get(first)).done
        end.set()
        later.set()


async def test_an_operation_that_could_not_be_begun_takes_no_place(
    redis: Redis, keys: Keys
) -> None:
    class Away(Gate):
        async def run(self, script: Script, keys: Sequence[bytes], args: Sequence[Any] = ()) -> Any:
            if self.closed:
                raise Unavailable("away", reason="REDIS_UNAVAILABLE")
            return await super().run(script, keys, args)

    gate: Any = Away(redis)
    async with Operations(gate, keys, OperationLimit(lambda: None, most=1)) as owner:
        gate.closed = True
        with pytest.raises(Unavailable):
            await begun(owner, asyncio.Event())
        gate.closed = False
        done = asyncio.Event()
        await begun(owner, done)
        done.set()
