"""What was acknowledged of documents outlives their master, where its replicas are waited for."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable

import pytest

from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.redis import connection, replication
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import RedisTimeouts
from tests.corpus.doubles import entry
from tests.corpus.texts import STORE
from tests.redis_servers import Sentinels
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

Write = Callable[[DocumentStore], Awaitable[object]]


async def put(store: DocumentStore) -> None:
    await store.put(STORE, [entry("new", "New.")])


async def swap(store: DocumentStore) -> None:
    seen = await store.read(names.document(STORE, "there"))
    await store.swap(STORE, entry("there", "Other.", n=1), seen)


async def delete(store: DocumentStore) -> None:
    await store.delete(STORE, ["there"])


async def drop(store: DocumentStore) -> None:
    await store.drop(STORE)


@pytest.mark.parametrize("write", [put, swap, delete, drop])
async def test_a_change_is_acknowledged_when_the_replica_has_it(
    sentinels: Sentinels, keys: Keys, monkeypatch: pytest.MonkeyPatch, write: Write
) -> None:
    monkeypatch.setattr(replication, "WAIT", 60_000)  # it is there, however slow the test is
    patient = RedisTimeouts(deadline=60)
    async with connection.connect(sentinels.url, limits=patient, replicas=1) as redis:
        store = DocumentStore(redis, keys)
        await store.put(STORE, [entry("there", "Text.")])
        stored = ("HGETALL", keys.corpus(STORE, "documents"))
        before = sentinels.master.call(*stored)
        sentinels.replica.signal(signal.SIGSTOP)
        try:
            async with asyncio.TaskGroup() as tasks:
                writing = tasks.create_task(_awaited(write(store)))
                await eventually(lambda: sentinels.master.call(*stored) != before)
                await eventually(lambda: b"blocked_clients:1" in sentinels.master.call("INFO"))
                assert not writing.done()
                sentinels.replica.signal(signal.SIGCONT)
        finally:
            sentinels.replica.signal(signal.SIGCONT)
        assert sentinels.replica.call(*stored) == sentinels.master.call(*stored)


async def _awaited(write: Awaitable[object]) -> None:
    await write
