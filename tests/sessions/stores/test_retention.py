from __future__ import annotations

import pytest

from sessions.errors import NotFound
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.sessions import Session
from sessions.stores.store_set import SessionStore

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]
PARENT = "projects/p/locations/l/collections/c/dataStores/d"
OTHER = "projects/p/locations/l/collections/c/engines/e"


async def now(redis: Redis) -> int:
    seconds, micros = await redis.execute(b"", "TIME")
    return int(seconds) * 1_000_000 + int(micros)


async def test_only_what_was_not_used_since_is_deleted(redis: Redis, keys: Keys) -> None:
    store = SessionStore(redis, keys)
    old = [await store.create(parent, Session()) for parent in (PARENT, OTHER)]
    used = await store.create(PARENT, Session())
    moment = await now(redis)
    await store.update(used.name, Session(display_name="used"), "displayName")
    young = await store.create(PARENT, Session())
    assert await SessionStore(redis, keys).delete_older(moment) == 2
    for session in old:
        with pytest.raises(NotFound):
            await store.get(session.name)
    listed, _ = await store.list(ListQuery(PARENT))
    assert {session.name for session in listed} == {used.name, young.name}


async def test_more_than_one_batch_is_deleted(redis: Redis, keys: Keys) -> None:
    store = SessionStore(redis, keys)
    for _ in range(230):
        await store.create(PARENT, Session())
    assert await store.delete_older(await now(redis) + 1) == 230


async def test_a_session_that_is_being_answered_is_left_alone(redis: Redis, keys: Keys) -> None:
    store = SessionStore(redis, keys)
    busy = await store.create(PARENT, Session())
    key = keys.session(busy.name)
    await redis.execute(key, "HSET", key, "active", f"{busy.name}/answers/1")
    assert await store.delete_older(await now(redis) + 1) == 0
    assert (await store.get(busy.name)).name == busy.name


async def test_one_parent_may_keep_its_sessions_longer_than_another(
    redis: Redis, keys: Keys
) -> None:
    store = SessionStore(redis, keys)
    first, second = (f"{PARENT}{number}" for number in (1, 2))
    for parent in (first, second):
        await store.create(parent, Session())
    assert await store.delete_older_of(first, await now(redis) + 1) == 1
    assert await store.index.size(second) == 1
