"""Small resources by name."""

from __future__ import annotations

import asyncio
import itertools
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions import names
from sessions.errors import Aborted, AlreadyExists, Internal, InvalidArgument, NotFound
from sessions.listing.filters import FilterField, Value
from sessions.listing.pagination import ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.base import Resource
from sessions.stores.record_store import Collection, RecordStore
from tests.sessions.store_doubles import Meddled, lives

pytestmark = pytest.mark.anyio

PARENT = "projects/p/locations/l/collections/c"
_numbers = itertools.count()


class Thing(Resource):
    name: str = ""
    size: str = "0"
    done: bool = False


THINGS = Collection(
    id="things",
    type=Thing,
    default=3,
    maximum=5,
    fields={"done": FilterField[Thing](Value.BOOL, lambda thing: thing.done)},
)


@pytest.fixture
def store(redis: Redis, keys: Keys) -> RecordStore[Thing]:
    return RecordStore(redis, keys, THINGS)


def _name(each: str, parent: str = PARENT) -> str:
    return f"{parent}/things/{each}"


def _grown(thing: Thing) -> Thing:
    return Thing(name=thing.name, size=str(int(thing.size) + 1), done=thing.done)


async def _ids(store: RecordStore[Thing], query: ListQuery) -> list[str]:
    found: list[str] = []
    while True:
        page, token = await store.list(query)
        found += [names.last_id(thing.name) for thing in page]
        if not token:
            return found
        query = query._replace(page_token=token)


async def test_what_is_created_is_there_until_it_is_deleted(store: RecordStore[Thing]) -> None:
    thing = Thing(name=_name("a"))
    await store.create(_name("a"), thing)
    assert await store.exists(_name("a"))
    assert await store.get(_name("a")) == thing
    assert await store.list(ListQuery(PARENT)) == ([thing], "")
    with pytest.raises(AlreadyExists):
        await store.create(_name("a"), Thing())
    await store.delete(_name("a"))
    assert not await store.exists(_name("a"))
    assert await store.list(ListQuery(PARENT)) == ([], "")


@pytest.mark.parametrize("damage", [b"", b"\xff", b"{", b"[]", b'{"size": []}', b"[" * 100_000])
async def test_one_damaged_resource_spoils_no_list(
    store: RecordStore[Thing],
    redis: Redis,
    keys: Keys,
    damage: bytes,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """It is left out, named in the log, can be replaced and, in the end, deleted."""
    for each in "abc":
        await store.create(_name(each), Thing(name=_name(each)))
    key = keys.resource(_name("b"))
    await redis.execute(key, "SET", key, damage)
    assert await _ids(store, ListQuery(PARENT)) == ["a", "c"]
    assert await _ids(store, ListQuery(PARENT, page_size=1)) == ["a", "c"]
    assert {vars(record)["resource"] for record in caplog.records} == {_name("b")}
    with pytest.raises(Internal):
        await store.get(_name("b"))
    await store.put(_name("b"), Thing(name=_name("b")))
    assert await _ids(store, ListQuery(PARENT)) == ["a", "b", "c"]
    await redis.execute(key, "SET", key, damage)
    await store.delete(_name("b"))
    assert not await store.exists(_name("b"))


@pytest.mark.parametrize("call", ["get", "delete", "update"])
async def test_what_is_absent_is_not_found(store: RecordStore[Thing], call: str) -> None:
    with pytest.raises(NotFound) as missing:
        await {
            "get": lambda: store.get(_name("a")),
            "delete": lambda: store.delete(_name("a")),
            "update": lambda: store.update(_name("a"), _grown),
        }[call]()
    assert missing.value.metadata == {"resource": _name("a")}


async def test_no_change_is_lost(store: RecordStore[Thing]) -> None:
    await store.create(_name("a"), Thing(name=_name("a")))
    async with asyncio.TaskGroup() as tasks:
        for _ in range(8):
            tasks.create_task(store.update(_name("a"), _grown))
    assert (await store.get(_name("a"))).size == "8"


async def test_put_creates_or_replaces(store: RecordStore[Thing]) -> None:
    for size in "12":
        await store.put(_name("a"), Thing(name=_name("a"), size=size))
        assert (await store.get(_name("a"))).size == size
    assert await _ids(store, ListQuery(PARENT)) == ["a"]


async def test_a_list_among_some_tells_of_no_other(store: RecordStore[Thing]) -> None:
    """Neither do its tokens: they hold ids of those alone."""
    for each in "abcde":
        await store.create(_name(each), Thing(name=_name(each)))
    among = [_name(each) for each in "bdx"] + ["elsewhere/things/a"]
    assert await _ids(store, ListQuery(PARENT, 1, among=among)) == ["b", "d"]
    assert await _ids(store, ListQuery(PARENT, among=())) == []
    page, token = await store.list(ListQuery(PARENT, 1), lambda thing: thing.name > _name("b"))
    assert [names.last_id(thing.name) for thing in page] == ["c"]
    with pytest.raises(InvalidArgument, match="pageToken"):
        await store.list(ListQuery(PARENT, 1, token, caller="other"))


async def test_a_list_is_filtered_and_paged(store: RecordStore[Thing]) -> None:
    for each in "gfedcba":
        await store.create(_name(each), Thing(name=_name(each), done=each in "bdg"))
    page, token = await store.list(ListQuery(PARENT))
    assert [names.last_id(thing.name) for thing in page] == ["a", "b", "c"]
    assert token
    assert len((await store.list(ListQuery(PARENT, 100)))[0]) == 5
    for size in (1, 2, 3, 7):
        assert await _ids(store, ListQuery(PARENT, size)) == list("abcdefg")
        assert await _ids(store, ListQuery(PARENT, size, filter="done = true")) == list("bdg")
    assert await _ids(store, ListQuery(f"{PARENT}2")) == []


@pytest.mark.parametrize(
    ("query", "field"),
    [
        (ListQuery(PARENT, -1), "pageSize"),
        (ListQuery(PARENT, page_token="x"), "pageToken"),
        (ListQuery(PARENT, filter="size = 1"), "filter"),
        (ListQuery(PARENT, order_by="done"), "orderBy"),
    ],
)
async def test_what_makes_no_sense_is_refused(
    store: RecordStore[Thing], query: ListQuery, field: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        await store.list(query)
    assert refused.value.field == field


async def test_a_token_belongs_to_its_list(store: RecordStore[Thing]) -> None:
    for each in "abcd":
        await store.create(_name(each), Thing(name=_name(each)))
    _, token = await store.list(ListQuery(PARENT))
    with pytest.raises(InvalidArgument):
        await store.list(ListQuery(f"{PARENT}2", page_token=token))


async def test_what_has_a_life_is_gone_after_it(redis: Redis, keys: Keys) -> None:
    store = RecordStore(
        redis, keys, Collection(id="things", type=Thing, default=3, maximum=5, life=3_600_000)
    )
    await store.create(_name("a"), Thing(name=_name("a")))
    await store.update(_name("a"), _grown)
    key, index = keys.resource(_name("a")), keys.resources(PARENT, "things")
    assert 0 < await redis.execute(key, "PTTL", key) <= 3_600_000
    await redis.execute(key, "DEL", key)
    assert await store.list(ListQuery(PARENT)) == ([], "")
    assert await redis.execute(index, "ZCARD", index) == 0


@pytest.mark.parametrize("operation", ["update", "put", "delete"])
async def test_writers_that_always_come_second_give_up(
    redis: Redis, keys: Keys, store: RecordStore[Thing], operation: str
) -> None:
    """Each wait has an end; a writer that comes second a few times still gets its way."""
    await store.create(_name("a"), Thing(name=_name("a")))
    other = Meddled(redis, lambda: store.update(_name("a"), _grown), 10)
    await _operate(RecordStore(other.handle(), keys, THINGS), operation, _name("a"))
    await store.put(_name("a"), Thing(name=_name("a")))
    other = Meddled(redis, lambda: store.update(_name("a"), _grown), 1000)
    with pytest.raises(Aborted) as refused:
        await _operate(RecordStore(other.handle(), keys, THINGS), operation, _name("a"))
    assert refused.value.reason == "CONCURRENT_UPDATE"


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32), size=st.integers(1, 5))
async def test_pages_neither_repeat_nor_skip(
    store: RecordStore[Thing], seed: int, size: int
) -> None:
    chance, parent = random.Random(seed), f"{PARENT}{next(_numbers)}"

    async def change(times: int) -> None:
        for each in chance.choices("abcdefghijkl", k=times):
            if each in alive and chance.random() < 0.4:
                alive.remove(each)
                await store.delete(_name(each, parent))
            else:
                alive.add(each)
                await store.put(_name(each, parent), Thing(name=_name(each, parent)))

    alive: set[str] = set()
    await change(20)
    query, found, all_along = ListQuery(parent, size), list[str](), set(alive)
    while True:
        page, token = await store.list(query)
        found += [names.last_id(thing.name) for thing in page]
        if not token:
            break
        query = query._replace(page_token=token)
        await change(chance.randrange(5))
        all_along &= alive
    assert found == sorted(set(found))
    assert all_along <= set(found)


@pytest.mark.parametrize("operation", ["create", "update", "put", "delete"])
async def test_a_killed_process_leaves_all_or_nothing(
    redis: Redis, keys: Keys, operation: str
) -> None:
    """After each prefix of its commands, what is listed is there and what is there is listed."""
    store = RecordStore(redis, keys, THINGS)
    for life in lives(redis):
        name = _name(operation, f"{PARENT}/{life.commands}")
        if operation in {"update", "delete"}:
            await store.create(name, Thing(name=name))
        with life as mortal:
            await _operate(RecordStore(mortal, keys, THINGS), operation, name)
        listed, _ = await store.list(ListQuery(names.parent(name)))
        assert bool(listed) == await store.exists(name)
        assert listed in ([], [await store.get(name)] if listed else [])


async def _operate(store: RecordStore[Thing], operation: str, name: str) -> None:
    match operation:
        case "create":
            await store.create(name, Thing(name=name))
        case "update":
            await store.update(name, _grown)
        case "put":
            await store.put(name, Thing(name=name))
        case _:
            await store.delete(name)
