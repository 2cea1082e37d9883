"""Readers and writers of one session at the same moment, command by command."""

from __future__ import annotations

import pytest

from sessions import names
from sessions.errors import Aborted, AlreadyExists, NotFound
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.sessions import Session, Turn
from sessions.stores.store_set import SessionStore
from tests.sessions.store_doubles import DATA_STORE, Answering, Meddled

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]


@pytest.fixture
def store(redis: Redis, keys: Keys) -> SessionStore:
    return SessionStore(redis, keys)


@pytest.mark.parametrize("times", range(1, 20))
async def test_a_session_is_read_as_it_was_at_one_moment(
    redis: Redis, keys: Keys, store: SessionStore, times: int
) -> None:
    """Name and turns are always changed together, and always read together."""
    session = await store.create(DATA_STORE, Session(display_name="0"))
    written = 0

    async def rewrite() -> None:
        nonlocal written
        written += 1
        turns = tuple(Turn(answer=str(each)) for each in range(written))
        await store.update(
            session.name, Session(display_name=str(written), turns=turns), "turns,displayName"
        )

    # The reading may be repeated five times, of three commands each, and one that repairs.
    other = Meddled(redis, rewrite, min(times, 15))
    found = await SessionStore(other.handle(), keys).get(session.name)
    assert found.display_name == str(len(found.turns))


@pytest.mark.parametrize("before", range(4))
async def test_a_session_deleted_while_it_is_read_is_there_or_not(
    redis: Redis, keys: Keys, store: SessionStore, before: int
) -> None:
    session = await store.create(DATA_STORE, Session(turns=(Turn(answer="x"),)))
    other = Meddled(redis, lambda: store.delete(session.name), before=before)
    try:
        assert await SessionStore(other.handle(), keys).get(session.name) == session
    except NotFound:
        assert not await store.exists(session.name)


async def test_an_update_that_always_comes_second_gives_up(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    """Each wait has an end; one that comes second a few times still gets its way."""
    session = await store.create(DATA_STORE, Session())
    pinned = False

    async def toggle() -> None:
        nonlocal pinned
        pinned = not pinned
        await store.update(session.name, Session(is_pinned=pinned), "isPinned")

    patch = Session(labels=("x",))
    few, always = Meddled(redis, toggle, 8), Meddled(redis, toggle, 1000)
    changed = await SessionStore(few.handle(), keys).update(session.name, patch, "labels")
    assert (changed.labels, changed.is_pinned) == (("x",), pinned)
    with pytest.raises(Aborted) as refused:
        await SessionStore(always.handle(), keys).update(session.name, patch, "labels")
    assert refused.value.reason == "CONCURRENT_UPDATE"


async def test_an_update_of_what_is_deleted_meanwhile_is_not_found(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    session = await store.create(DATA_STORE, Session())
    other = Meddled(redis, lambda: store.delete(session.name), before=1)
    with pytest.raises(NotFound):
        await SessionStore(other.handle(), keys).update(session.name, Session(), "labels")
    assert not await store.exists(session.name)


async def test_a_deletion_waits_for_no_answer(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    """Where the running answer changes meanwhile, it is the new one that goes."""
    answering = Answering(redis, keys)
    session = await store.create(DATA_STORE, Session())
    other = Meddled(redis, lambda: answering.begin(session.name), 6)
    await SessionStore(other.handle(), keys).delete(session.name)
    assert not await store.exists(session.name)
    busy = await store.create(DATA_STORE, Session())
    other = Meddled(redis, lambda: answering.begin(busy.name), 1000)
    with pytest.raises(Aborted):
        await SessionStore(other.handle(), keys).delete(busy.name)
    assert await store.exists(busy.name)


async def test_of_two_that_delete_one_does(redis: Redis, keys: Keys, store: SessionStore) -> None:
    for session in [await store.create(DATA_STORE, Session()) for _ in range(3)]:
        other = Meddled(redis, lambda name=session.name: store.delete(name))
        with pytest.raises(NotFound):
            await SessionStore(other.handle(), keys).delete(session.name)


async def test_of_two_that_create_one_does(redis: Redis, keys: Keys, store: SessionStore) -> None:
    given = Session(name=names.session(DATA_STORE, "1"))
    other = Meddled(redis, lambda: store.create(DATA_STORE, given))
    with pytest.raises(AlreadyExists):
        await SessionStore(other.handle(), keys).create(DATA_STORE, given)


async def test_what_is_created_again_while_it_is_deleted_stays_listed(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    """Between each two commands of the deletion, once it is gone, somebody takes the name."""
    name = names.session(DATA_STORE, "again")
    for _ in range(3):
        await store.create(DATA_STORE, Session(name=name, user_pseudo_id="ann"))

        async def create() -> None:
            if not await store.exists(name):
                await store.create(DATA_STORE, Session(name=name, user_pseudo_id="ann"))

        other = Meddled(redis, create, 1000)
        await SessionStore(other.handle(), keys).delete(name)
        assert await store.exists(name)
        assert await store.index.place(name) is not None
        await store.delete(name)
        assert await store.index.place(name) is None


async def test_turns_that_waited_too_long_are_staged_again(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    async def expire() -> None:
        for key in await redis.execute(b"", "KEYS", f"{keys.prefix}:{{p*}}:w:*"):
            assert 0 < await redis.execute(key, "PTTL", key) <= 60_000
            await redis.execute(key, "DEL", key)

    turns = tuple(Turn(answer=str(each)) for each in range(3))
    other = SessionStore(Meddled(redis, expire, 2).handle(), keys)
    session = await other.create(DATA_STORE, Session(turns=turns))
    assert (await store.get(session.name)).turns == turns
    other = SessionStore(Meddled(redis, expire, 4).handle(), keys)
    await other.update(session.name, Session(turns=turns[1:]), "turns")
    assert (await store.get(session.name)).turns == turns[1:]
