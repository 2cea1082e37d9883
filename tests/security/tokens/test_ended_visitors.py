"""Each process learns which visitors ended: by being told, or by looking."""

from __future__ import annotations

import asyncio
from collections.abc import Set

import pytest

from service.security import change_watch
from service.security.principals import Principal, PrincipalKind
from service.security.tokens import trusted_issuers
from service.security.tokens.ended_visitors import EndedVisitors
from service.security.tokens.visitor_store import VisitorMerge, VisitorStore
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


def mark(visitor: str) -> str:
    id = trusted_issuers.principal_id(PrincipalKind.VISITOR, "p", visitor)  # noqa: A001
    return Principal(kind=PrincipalKind.VISITOR, id=id).mark


async def merge(store: VisitorStore, visitor: str) -> None:
    assert await store.merge(VisitorMerge("p", visitor, "ann", ()))


class Process:
    """One that looks, and who ended as it was told."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self.store = VisitorStore(redis, keys)
        self.visitors = EndedVisitors(self.store)
        self.told = set[str]()
        self.visitors.on_ended(self._note)

    def _note(self, ended: Set[str]) -> None:
        self.told |= ended


async def test_who_became_a_user_is_told_everywhere_at_once(
    redis: Redis, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a message: nobody looks in time."""
    monkeypatch.setattr(change_watch, "_LOOKS", 3_600.0)
    processes = [Process(redis, keys), Process(redis, keys)]
    async with asyncio.TaskGroup() as tasks:
        looking = [tasks.create_task(each.visitors.keep_looking()) for each in processes]
        await eventually(lambda: redis.channels.heard(processes[0].store.channel))
        await merge(VisitorStore(redis, keys), "visitor-1")
        await eventually(lambda: all(each.told for each in processes))
        for each in looking:
            each.cancel()
    assert [each.told for each in processes] == [{mark("visitor-1")}] * 2


async def test_what_nobody_said_is_found(redis: Redis, keys: Keys) -> None:
    process = Process(redis, keys)
    process.store.channel = keys.visitors_ended("elsewhere")
    async with asyncio.TaskGroup() as tasks:
        looking = tasks.create_task(process.visitors.keep_looking())
        await merge(VisitorStore(redis, keys), "visitor-1")
        await eventually(lambda: bool(process.told))
        looking.cancel()


async def test_a_visitor_of_whom_there_are_two_ends(redis: Redis, keys: Keys) -> None:
    process = Process(redis, keys)
    for generation in (0, 1):
        await process.store.renew("p", "visitor-1", generation)
    assert await process.store.renew("p", "visitor-1", 1) == 2, "another tab was faster"
    await process.visitors.look()
    assert process.told == set()
    assert await process.store.renew("p", "visitor-1", 0) is None
    await process.visitors.look()
    assert process.told == {mark("visitor-1")}


async def test_who_ended_long_ago_is_not_told(redis: Redis, keys: Keys) -> None:
    process = Process(redis, keys)
    ended = keys.visitors_ended("marks")
    await merge(process.store, "visitor-1")
    await redis.execute(ended, "ZADD", ended, await redis.now_ms() - 60_000, mark("visitor-1"))
    await merge(process.store, "visitor-2")
    await process.visitors.look()
    assert process.told == {mark("visitor-2")}
    assert await process.store.ended(90) == {mark("visitor-1"), mark("visitor-2")}
    assert await redis.execute(ended, "PTTL", ended) > 0
