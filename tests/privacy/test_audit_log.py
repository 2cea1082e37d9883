"""The audit log only grows, and shows where somebody changed it."""

from __future__ import annotations

import asyncio
import datetime as dt

import pytest

from service.privacy.audit_log import AuditEntry, AuditLog
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]


@pytest.fixture
def log(redis: Redis, keys: Keys) -> AuditLog:
    return AuditLog(redis, keys)


def entry(number: int) -> AuditEntry:
    time = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    return AuditEntry(time=time, principal="key:a", method="CreateEngine", resource=f"e{number}")


async def filled(log: AuditLog, count: int = 4) -> list[str]:
    return [await log.append(entry(number)) for number in range(count)]


async def test_entries_are_read_in_their_order_and_after_any(log: AuditLog) -> None:
    ids = await filled(log)
    assert [each.entry for each in [e async for e in log.read()]] == [entry(n) for n in range(4)]
    assert [each.id async for each in log.read(ids[1])] == ids[2:]


async def test_writers_of_all_replicas_make_one_chain(
    redis: Redis, keys: Keys, log: AuditLog
) -> None:
    writers = [AuditLog(redis, keys) for _ in range(4)]
    async with asyncio.TaskGroup() as tasks:
        for number in range(20):
            tasks.create_task(writers[number % 4].append(entry(number)))
    chain = await log.verify()
    assert (chain.entries, chain.fault) == (20, "")


async def test_an_empty_log_is_whole(log: AuditLog) -> None:
    assert await log.verify() == (0, "", "")


@pytest.mark.parametrize("gone", [0, 1, 3])
async def test_an_entry_that_was_taken_out_is_missed(
    redis: Redis, keys: Keys, log: AuditLog, gone: int
) -> None:
    ids = await filled(log)
    await redis.execute(keys.audit(), "XDEL", keys.audit(), ids[gone])
    assert (await log.verify()).fault


async def test_an_entry_that_was_changed_is_found(redis: Redis, keys: Keys, log: AuditLog) -> None:
    await filled(log, 2)
    last = [each async for each in log.read()][-1]
    await redis.execute(keys.audit(), "XDEL", keys.audit(), last.id)
    forged = last.text.replace(b"e1", b"e9")
    fields = ("entry", forged, "hash", last.hash)
    moved = await redis.execute(keys.audit(), "XADD", keys.audit(), "*", *fields)
    assert (await log.verify()).fault.startswith(moved.decode())
