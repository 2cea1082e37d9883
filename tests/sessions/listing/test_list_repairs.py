"""What a list lacks, or has too much of, is repaired as its sessions are read and written."""

from __future__ import annotations

import pytest

from sessions import names
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.sessions import Session
from sessions.stores.store_set import SessionStore, new_session
from tests.sessions.listing.listed_sessions import fill, listed_ids
from tests.sessions.store_doubles import DATA_STORE, Answering

pytestmark = pytest.mark.anyio


@pytest.fixture
def store(redis: Redis, keys: Keys) -> SessionStore:
    return SessionStore(redis, keys)


async def test_a_lost_index_write_is_repaired_by_reading(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    await fill(store)
    index = keys.list_index(DATA_STORE, "sessions")
    await redis.execute(index, "DEL", index)
    assert await listed_ids(store, ListQuery(DATA_STORE)) == []
    await store.get(names.session(DATA_STORE, "a"))
    await store.update(names.session(DATA_STORE, "b"), Session(), "labels")
    assert await listed_ids(store, ListQuery(DATA_STORE)) == ["b", "a"]


async def test_an_update_that_the_index_missed_is_repaired_by_reading(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    await fill(store)
    name = names.session(DATA_STORE, "a")
    answering = Answering(redis, keys)
    await answering.finish(await answering.begin(name))
    assert await listed_ids(store, ListQuery(DATA_STORE)) == ["d", "c", "b", "a"]
    await store.get(name)
    assert await listed_ids(store, ListQuery(DATA_STORE)) == ["a", "d", "c", "b"]


async def test_a_change_past_the_store_is_told_by_a_touch(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    """Also of a session that the store has never seen, with its user."""
    await fill(store)
    answering = Answering(redis, keys)
    await answering.begin(names.session(DATA_STORE, "a"))
    name = names.session(DATA_STORE, "new")
    key = keys.session(name)
    await redis.execute(key, "HSET", key, "json", new_session("ann"), "created", 1, "updated", 1)
    await answering.begin(name)
    for each in ("a", "new", "absent"):
        await store.touch(names.session(DATA_STORE, each))
    assert await listed_ids(store, ListQuery(DATA_STORE)) == ["new", "a", "d", "c", "b"]
    assert await listed_ids(store, ListQuery(DATA_STORE, filter="user_pseudo_id=ann")) == [
        "new",
        "a",
        "c",
    ]


@pytest.mark.parametrize("filtered", ["", "state = IN_PROGRESS"])
async def test_what_is_gone_leaves_the_list_when_read(
    redis: Redis, keys: Keys, store: SessionStore, filtered: str
) -> None:
    await fill(store)
    key = keys.session(names.session(DATA_STORE, "b"))
    await redis.execute(key, "DEL", key)
    assert await listed_ids(store, ListQuery(DATA_STORE, filter=filtered)) == ["d", "c", "a"]
    await store.list(ListQuery(DATA_STORE))
    assert await store.index.size(DATA_STORE) == 3


async def test_what_nobody_pages_through_leaves_nothing_behind(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    """Neither lists on one page nor updates without readers cost memory."""
    await fill(store)
    await listed_ids(
        store, ListQuery(DATA_STORE, order_by="create_time", filter="user_pseudo_id = ann")
    )
    for each in "abcd":
        await store.update(names.session(DATA_STORE, each), Session(), "labels")
    parts = await redis.execute(b"", "KEYS", f"{keys.prefix}:{{x*")
    users = {keys.user_bucket(DATA_STORE, "sessions", user) for user in ("ann", "bob")}
    assert set(parts) == {keys.list_index(DATA_STORE, "sessions"), *users}


async def test_what_traversals_left_goes_when_they_are_over(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    """The next updates clean up behind readers whose tokens have expired."""
    await fill(store)
    await store.list(ListQuery(DATA_STORE, 1))
    for each in "abcd":
        await store.update(names.session(DATA_STORE, each), Session(), "labels")
    left, expiries = (
        keys.list_index_part(DATA_STORE, "sessions", part) for part in ("left", "expiries")
    )
    assert await redis.execute(left, "ZCARD", left) == 4
    (snapshot,) = await redis.execute(expiries, "ZRANGE", expiries, 0, -1)
    await redis.execute(expiries, "ZADD", expiries, 1, snapshot)
    await store.update(names.session(DATA_STORE, "a"), Session(), "labels")
    assert await redis.execute(left, "ZCARD", left) == 0
    assert await redis.execute(expiries, "ZCARD", expiries) == 0
