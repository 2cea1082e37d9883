"""What was asked is written in batches, by whom without saying who."""

from __future__ import annotations

import pytest

from service.corpus.storage import query_history
from service.corpus.storage.query_history import HistoryPhrase, QueryHistory
from sessions.errors import NotFound
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.corpus.texts import OTHER, STORE

pytestmark = [pytest.mark.anyio, pytest.mark.every_redis]


@pytest.fixture
def history(redis: Redis, keys: Keys) -> QueryHistory:
    return QueryHistory(redis, keys, 30)


async def counted(parent: str) -> bool:
    if parent == "gone":
        raise NotFound("there is none", resource=parent)
    return parent != "uncounted"


async def user_of(owner: str) -> str | None:
    """Return whose a session is: of each user one, "open" is nobody's."""
    return None if owner == "gone" else owner.removeprefix("open")


async def kept(history: QueryHistory, store: str = STORE) -> list[HistoryPhrase]:
    entries = [each async for page in history.history.read(store) for each in page]
    return [query_history.unpacked(each) for each in entries]


async def test_what_is_noted_is_written_for_each_data_store(history: QueryHistory) -> None:
    history.note(STORE, (STORE, OTHER), "Opening hours?", "ann")
    history.note(STORE, (), "found nothing", "ann")
    history.note(STORE, (STORE,), "ann@example.org", "ann")
    history.note("uncounted", (STORE,), "not counted", "ann")
    history.note("gone", (STORE,), "no more there", "ann")
    assert await kept(history) == []
    await history.write(counted, user_of)
    await history.write(counted, user_of)
    assert [each.phrase for each in await kept(history)] == ["opening hours"]
    assert [each.phrase for each in await kept(history, OTHER)] == ["opening hours"]


async def test_a_visitor_is_told_apart_and_not_named(
    history: QueryHistory, redis: Redis, keys: Keys
) -> None:
    for user in ("ann", "bob", "ann", ""):
        history.note(STORE, (STORE,), "opening hours", user)
    await history.write(counted, user_of)
    ann, bob, again, nobody = (each.visitor for each in await kept(history))
    assert ann == again == await QueryHistory(redis, keys, 30).visitor("ann")
    assert len({ann, bob, nobody}) == 3
    assert nobody == b""
    assert b"ann" not in ann


async def test_who_is_forgotten_is_not_in_what_is_being_written(history: QueryHistory) -> None:
    """A purge looks at what is stored: what comes to be so after it would outlive it."""
    for user in ("ann", "bob"):
        history.note(STORE, (STORE,), f"hours of {user}", user)

    async def counted_when_ann_is_gone(_: str) -> bool:
        history.drop_noted("ann")
        return True

    await history.write(counted_when_ann_is_gone, user_of)
    assert [each.phrase for each in await kept(history)] == ["hours of bob"]


async def test_what_ends_after_a_purge_is_not_remembered(redis: Redis, keys: Keys) -> None:
    """A cancelled answer ends when its process gets to it; half a minute later it is a new one."""
    now = 100.0
    history = QueryHistory(redis, keys, 30, clock=lambda: now)
    history.drop_noted("ann")
    for late in (0, 29, 31):
        now = 100.0 + late
        history.note(STORE, (STORE,), f"hours after {late} seconds", "ann")
    await history.write(counted, user_of)
    assert [each.phrase for each in await kept(history)] == ["hours after 31 seconds"]


async def test_what_is_asked_in_a_session_for_nobody_is_its_users(history: QueryHistory) -> None:
    """So a purge finds it; and what was asked in a session that is gone, nobody would find."""
    for owner in ("ann", "gone", "open", ""):
        history.note(STORE, (STORE,), f"asked in {owner or 'none'}", "", owner)
    history.note(STORE, (STORE,), "asked by bob", "bob", "gone")
    await history.write(counted, user_of)
    ann, bob = [await history.visitor(each) for each in ("ann", "bob")]
    assert [(each.phrase, each.visitor) for each in await kept(history)] == [
        ("asked in ann", ann),
        ("asked in open", b""),
        ("asked in none", b""),
        ("asked by bob", bob),
    ]


async def test_who_is_forgotten_is_not_in_what_is_asked_for_nobody(history: QueryHistory) -> None:
    """Before whose session it was is known, while that is looked up, and after."""

    async def user_when_ann_is_gone(_: str) -> str | None:
        history.drop_noted("ann")
        return "ann"

    history.note(STORE, (STORE,), "while", "", "ann")
    await history.write(counted, user_when_ann_is_gone)
    history.note(STORE, (STORE,), "after", "", "ann")
    await history.write(counted, user_of)
    assert await kept(history) == []


async def test_what_is_meant_is_forgotten(history: QueryHistory) -> None:
    await history.add_searches(STORE, [("one way", "ann"), ("two ways", "ann"), ("12345678", "a")])
    gone = await history.forget(STORE, history.events, lambda each: each.phrase == "one way")
    entries = [each async for page in history.events.read(STORE) for each in page]
    assert gone == 1
    assert [query_history.unpacked(each).phrase for each in entries] == ["two ways"]
    assert await history.delete_all(STORE) == 1


async def test_nothing_is_noted_where_nothing_is_kept(redis: Redis, keys: Keys) -> None:
    history = QueryHistory(redis, keys, 0)
    history.note(STORE, (STORE,), "opening hours", "ann")
    await history.write(counted, user_of)
    assert await kept(history) == []
