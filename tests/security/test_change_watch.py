"""A process learns of a change at once where it is told, and soon where it is not."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator

import pytest

from service.security import change_watch
from service.security.change_watch import ChangeWatch
from sessions.errors import Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


class Looks:
    """Counts looks; the first *failing* of them fail."""

    def __init__(self, failing: int = 0) -> None:
        self.count = 0
        self._failing = failing

    async def look(self) -> None:
        self.count += 1
        if self.count <= self._failing:
            raise Unavailable("Redis is away", reason="REDIS_UNAVAILABLE")


@contextlib.asynccontextmanager
async def watching(redis: Redis, channel: bytes, looks: Looks) -> AsyncGenerator[ChangeWatch]:
    watch = ChangeWatch(redis.channels, channel, looks.look)
    async with asyncio.TaskGroup() as tasks:
        running = tasks.create_task(watch.run())
        await eventually(lambda: redis.channels.heard(channel))
        yield watch
        running.cancel()


async def test_what_is_told_is_looked_at_once(
    redis: Redis, keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_watch, "_LOOKS", 3_600.0)
    looks, channel = Looks(), keys.visitors_ended("channel")
    async with watching(redis, channel, looks) as watch:
        await redis.execute(channel, "PUBLISH", channel, b"")
        await eventually(lambda: looks.count == 1)
        watch.hurry()
        await eventually(lambda: looks.count == 2)


async def test_what_nobody_tells_is_looked_for(redis: Redis, keys: Keys) -> None:
    looks = Looks()
    async with watching(redis, keys.visitors_ended("elsewhere"), looks):
        await eventually(lambda: looks.count > 1)


async def test_a_look_that_fails_is_tried_again(redis: Redis, keys: Keys) -> None:
    looks = Looks(failing=2)
    async with watching(redis, keys.visitors_ended("elsewhere"), looks):
        await eventually(lambda: looks.count > 2)


async def test_nothing_is_heard_of_any_more_once_it_ends(redis: Redis, keys: Keys) -> None:
    channel = keys.visitors_ended("channel")
    async with watching(redis, channel, Looks()):
        assert redis.channels.heard(channel)
    await eventually(lambda: not redis.channels.heard(channel))
