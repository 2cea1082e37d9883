"""No more tokens are spent in a day than there are, however many spend them at once."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from service.security.limits.daily_tokens import PROJECT, DailyTokens
from sessions.errors import ResourceExhausted
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

pytestmark = pytest.mark.anyio


async def test_what_is_under_way_counts(redis: Redis, keys: Keys) -> None:
    """Of two replicas, too."""
    replicas = [DailyTokens(redis, keys, 1_000) for _ in range(2)]
    reserved: list[bytes] = []

    async def spend(tokens: DailyTokens) -> None:
        with contextlib.suppress(ResourceExhausted):
            reserved.append(await tokens.reserve(300))

    async with asyncio.TaskGroup() as tasks:
        for number in range(8):
            tasks.create_task(spend(replicas[number % 2]))
    assert len(reserved) == 3


async def test_what_was_not_used_comes_back(redis: Redis, keys: Keys) -> None:
    """And what was used beyond the estimate is gone."""
    tokens = DailyTokens(redis, keys, 1_000)
    day = await tokens.reserve(1_000)
    with pytest.raises(ResourceExhausted):
        await tokens.reserve(1)
    await tokens.settle(day, 1_000, 400)
    await tokens.reserve(600)
    with pytest.raises(ResourceExhausted):
        await tokens.reserve(1)


async def test_each_project_and_day_has_its_own(redis: Redis, keys: Keys) -> None:
    """The refusal says how long the day goes on."""
    now = 86_400 * 20_000.5
    tokens = DailyTokens(redis, keys, 10, clock=lambda: now)
    await tokens.reserve(10)
    with pytest.raises(ResourceExhausted, match="today") as refused:
        await tokens.reserve(1)
    assert (refused.value.reason, refused.value.retry_after) == ("DAILY_TOKENS_EXCEEDED", 43_200)
    token = PROJECT.set("another")
    await tokens.reserve(10)
    PROJECT.reset(token)
    now += 43_200
    await tokens.reserve(10)
