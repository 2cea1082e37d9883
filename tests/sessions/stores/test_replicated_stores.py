"""What was acknowledged or read outlives its master, where replicas of Redis are waited for."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable

import pytest

from sessions import names
from sessions.listing.pagination import ListQuery
from sessions.redis import connection, replication
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import RedisTimeouts
from sessions.resources.sessions import Session
from sessions.stores.recent_changes import SETTLED
from sessions.stores.record_store import RecordStore
from sessions.stores.store_set import SessionStore
from tests.redis_servers import Sentinels
from tests.sessions.stores.test_record_store import PARENT, THINGS, Thing
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

Write = Callable[[Redis, Keys], Awaitable[object]]
STORE = f"{PARENT}/dataStores/d"
THERE = names.session(STORE, "there")
THING = f"{PARENT}/things/a"


def things(redis: Redis, keys: Keys) -> RecordStore[Thing]:
    return RecordStore(redis, keys, THINGS)


async def create_record(redis: Redis, keys: Keys) -> None:
    await things(redis, keys).create(f"{PARENT}/things/b", Thing())


async def change_record(redis: Redis, keys: Keys) -> None:
    await things(redis, keys).update(THING, lambda _: Thing(size="2"))


async def delete_record(redis: Redis, keys: Keys) -> None:
    await things(redis, keys).delete(THING)


async def create_session(redis: Redis, keys: Keys) -> None:
    await SessionStore(redis, keys).create(STORE, Session())


async def change_session(redis: Redis, keys: Keys) -> None:
    await SessionStore(redis, keys).update(THERE, Session(display_name="x"), "displayName")


async def delete_session(redis: Redis, keys: Keys) -> None:
    await SessionStore(redis, keys).delete(THERE)


@pytest.mark.parametrize(
    "write",
    [
        *(create_record, change_record, delete_record),
        *(create_session, change_session, delete_session),
    ],
)
async def test_a_change_is_acknowledged_when_the_replica_has_it(
    sentinels: Sentinels, keys: Keys, monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    monkeypatch.setattr(replication, "WAIT", 60_000)  # it is there, however slow the test is
    patient = RedisTimeouts(deadline=60)
    async with connection.connect(sentinels.url, limits=patient, replicas=1) as redis:
        await things(redis, keys).create(THING, Thing())
        await SessionStore(redis, keys).create(STORE, Session(), resource_id="there")
        sentinels.replica.signal(signal.SIGSTOP)
        try:
            async with asyncio.TaskGroup() as tasks:
                writing = tasks.create_task(_awaited(write(redis, keys)))
                await eventually(lambda: b"blocked_clients:1" in sentinels.master.call("INFO"))
                assert not writing.done()
                sentinels.replica.signal(signal.SIGCONT)
        finally:
            sentinels.replica.signal(signal.SIGCONT)


async def _awaited(write: Awaitable[object]) -> None:
    await write


async def read_session(store: SessionStore) -> None:
    assert (await store.get(THERE)).display_name


async def read_of_user(store: SessionStore) -> None:
    assert await store.owned(THERE, "ada")


async def read_page(store: SessionStore) -> None:
    assert (await store.list(ListQuery(STORE)))[0]


Read = Callable[[SessionStore], Awaitable[None]]
READS = (read_session, read_of_user, read_page)
NEW = Session(display_name="x", user_pseudo_id="ada")


@pytest.mark.parametrize("read", READS)
async def test_what_is_new_is_read_when_the_replica_has_it(
    sentinels: Sentinels, keys: Keys, monkeypatch: pytest.MonkeyPatch, read: Read
) -> None:
    """Before, a failover might take it away from a reader who goes by it."""
    monkeypatch.setattr(replication, "WAIT", 60_000)
    patient = RedisTimeouts(deadline=60)
    async with (
        connection.connect(sentinels.url) as hasty,
        connection.connect(sentinels.url, limits=patient, replicas=1) as redis,
    ):
        sentinels.replica.signal(signal.SIGSTOP)
        try:
            await SessionStore(hasty, keys).create(STORE, NEW, resource_id="there")
            reading = asyncio.ensure_future(read(SessionStore(redis, keys)))
            await eventually(
                lambda: reading.done() or b"blocked_clients:1" in sentinels.master.call("INFO")
            )
            assert not reading.done()
        finally:
            sentinels.replica.signal(signal.SIGCONT)
        await reading


@pytest.mark.parametrize("read", READS)
async def test_what_has_long_been_there_is_read_at_once(
    sentinels: Sentinels, keys: Keys, read: Read
) -> None:
    """A WAIT would hold up everything behind it on the socket."""
    async with connection.connect(sentinels.url, replicas=1) as redis:
        await SessionStore(redis, keys).create(STORE, NEW, resource_id="there")
        long_ago = await redis.now_ms() * 1000 - int(SETTLED * 1_000_000)
        await redis.execute(keys.session(THERE), "HSET", keys.session(THERE), "updated", long_ago)
        sentinels.master.call("CONFIG", "RESETSTAT")
        await read(SessionStore(redis, keys))
        assert b"cmdstat_wait" not in sentinels.master.call("INFO", "commandstats")
