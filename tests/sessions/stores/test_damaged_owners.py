"""A stored session or conversation that is damaged harms no other, and can be deleted."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import pytest

from sessions.errors import Internal, NotFound
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.conversations import Conversation, ConversationMessage
from sessions.resources.sessions import Session, Turn
from sessions.stores.store_set import ConversationStore, SessionStore
from tests.sessions.store_doubles import DATA_STORE, Answering

pytestmark = pytest.mark.anyio

Store = SessionStore | ConversationStore
Damage = Callable[[Redis, Keys, str], Awaitable[object]]


def _fact(field: str, value: bytes) -> Damage:
    async def damage(redis: Redis, keys: Keys, name: str) -> object:
        key = keys.session(name)
        return await redis.execute(key, "HSET", key, field, value)

    return damage


def _item(value: bytes) -> Damage:
    async def damage(redis: Redis, keys: Keys, name: str) -> object:
        key = keys.turns(name)
        return await redis.execute(key, "LSET", key, 0, value)

    return damage


DAMAGES: Final[dict[str, Damage]] = {
    "empty": _fact("json", b""),
    "bytes": _fact("json", b"\xff"),
    "cut": _fact("json", b'{"state": "IN'),
    "list": _fact("json", b"[]"),
    "field": _fact("json", b'{"userPseudoId": []}'),
    "deep": _fact("json", b"[" * 100_000),
    "time": _fact("created", b"soon"),
    "title": _fact("title", b"\xff"),
    "item": _item(b'{"query'),
    "item field": _item(b'{"query": 1, "userInput": 1}'),
}


@pytest.fixture(params=["sessions", "conversations"])
def store(redis: Redis, keys: Keys, request: pytest.FixtureRequest) -> Store:
    kind = SessionStore if request.param == "sessions" else ConversationStore
    return kind(redis, keys)


async def _filled(store: Store) -> list[str]:
    if isinstance(store, SessionStore):
        made = [await store.create(DATA_STORE, Session(turns=(Turn(),)), user="ann") for _ in "abc"]
        return [one.name for one in made]
    given = Conversation(messages=(ConversationMessage(),))
    return [(await store.create(DATA_STORE, given, user="ann")).name for _ in "abc"]


async def _listed(store: Store, query: ListQuery) -> set[str]:
    found: set[str] = set()
    while True:
        page, token = await store.list(query)
        found |= {one.name for one in page}
        if not token:
            return found
        query = query._replace(page_token=token)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
async def test_a_damaged_one_spoils_no_list_and_can_be_deleted(
    redis: Redis, keys: Keys, store: Store, damage: Damage, caplog: pytest.LogCaptureFixture
) -> None:
    """It is left out of each kind of list and named in the log, once for each reading."""
    one, bad, other = await _filled(store)
    await damage(redis, keys, bad)
    assert await _listed(store, ListQuery(DATA_STORE)) == {one, other}
    told = [vars(r)["resource"] for r in caplog.records if r.message == "resource_damaged"]
    assert told == [bad]
    assert await _listed(store, ListQuery(DATA_STORE, page_size=1)) == {one, other}
    assert await _listed(store, ListQuery(DATA_STORE, order_by="create_time")) == {one, other}
    asked = ListQuery(DATA_STORE, filter='user_pseudo_id = "ann"')
    assert await _listed(store, asked) == {one, other}
    with pytest.raises(Internal) as refused:
        await store.get(bad)
    assert refused.value.reason == "STORED_DOCUMENT_DAMAGED"
    assert refused.value.metadata == {"resource": bad}
    assert bad in refused.value.message
    assert (await store.get(one)).name == one
    await store.touch(bad)
    await store.delete(bad)
    with pytest.raises(NotFound):
        await store.get(bad)
    assert await _listed(store, asked) == {one, other}


async def test_a_damaged_one_stops_no_retention(redis: Redis, keys: Keys, store: Store) -> None:
    _, bad, _ = await _filled(store)
    await DAMAGES["cut"](redis, keys, bad)
    seconds, _ = await redis.execute(b"", "TIME")
    assert await store.delete_older((int(seconds) + 1) * 1_000_000) == 3


async def test_a_damaged_one_with_a_running_answer_is_deleted_with_it(
    redis: Redis, keys: Keys
) -> None:
    store, answering = SessionStore(redis, keys), Answering(redis, keys)
    name = (await store.create(DATA_STORE, Session())).name
    answer = await answering.begin(name)
    await DAMAGES["cut"](redis, keys, name)
    await store.delete(name)
    assert not await redis.execute(b"", "EXISTS", keys.answer(answer))


async def test_a_damaged_answer_is_left_out_of_the_details(
    redis: Redis, keys: Keys, caplog: pytest.LogCaptureFixture
) -> None:
    store, answering = SessionStore(redis, keys), Answering(redis, keys)
    name = (await store.create(DATA_STORE, Session())).name
    told = [await answering.begin(name) for _ in "ab"]
    key = keys.answer(told[0])
    await redis.execute(key, "HSET", key, "json", b"{")
    turns = (await store.get(name, details=True)).turns
    assert [bool(turn.detailed_answer) for turn in turns] == [False, True]
    assert [vars(record)["resource"] for record in caplog.records] == [told[0]]


@pytest.mark.parametrize("damage", ["empty", "bytes", "cut", "list", "field", "deep"])
async def test_what_is_damaged_is_nobodys(redis: Redis, keys: Keys, damage: str) -> None:
    store = SessionStore(redis, keys)
    name = (await store.create(DATA_STORE, Session(user_pseudo_id="ann"))).name
    await DAMAGES[damage](redis, keys, name)
    assert await store.owned(name, "ann") is None
