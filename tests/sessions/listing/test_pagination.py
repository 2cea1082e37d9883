"""Lists of sessions: pages, filters, orders, tokens, and what is repaired on the way."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions import names
from sessions.errors import InvalidArgument
from sessions.listing import list_index
from sessions.listing.pagination import SCANNED, SORTED, ListQuery
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.sessions import Session
from sessions.stores.store_set import SessionStore
from tests.sessions.listing.listed_sessions import fill, listed_ids
from tests.sessions.store_doubles import DATA_STORE

pytestmark = pytest.mark.anyio

_numbers = itertools.count()


@pytest.fixture
def store(redis: Redis, keys: Keys) -> SessionStore:
    return SessionStore(redis, keys)


async def test_the_latest_update_comes_first(store: SessionStore) -> None:
    await fill(store)
    assert await listed_ids(store, ListQuery(DATA_STORE)) == ["d", "c", "b", "a"]
    await store.update(names.session(DATA_STORE, "b"), Session(), "labels")
    assert await listed_ids(store, ListQuery(DATA_STORE, page_size=1)) == ["b", "d", "c", "a"]
    assert await listed_ids(store, ListQuery(f"{DATA_STORE}2")) == []


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("update_time desc", "dcba"),
        ("updateTime", "abcd"),
        ("create_time asc", "abcd"),
        ("createTime desc", "dcba"),
        ("session_name desc", "dcba"),
        ("is_pinned desc, session_name desc", "adcb"),
        ("is_pinned", "bcda"),
        ("isPinned , update_time desc", "dcba"),
        ("update_time desc, session_name", "dcba"),
    ],
)
async def test_an_order_is_what_was_asked_for(
    store: SessionStore, order: str, expected: str
) -> None:
    await fill(store)
    for size in (0, 1, 3):
        assert await listed_ids(store, ListQuery(DATA_STORE, size, order_by=order)) == list(
            expected
        )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('user_pseudo_id = "ann"', "ca"),
        ('userPseudoId="ann" AND is_pinned=true', "a"),
        ('user_pseudo_id = "ann" OR user_pseudo_id = "bob"', "cba"),
        ('NOT user_pseudo_id = "ann"', "db"),
        ("starred = true", "a"),
        ('display_name = "D d"', "d"),
        ("labels:x, labels:y", "c"),
        ("state = IN_PROGRESS", "dcba"),
        ("state != IN_PROGRESS", ""),
        ('create_time > "2020-01-01T00:00:00Z" AND -is_pinned = true', "dcb"),
        ("userPseudoId:*", "cba"),
    ],
)
async def test_a_filter_shows_what_matches(store: SessionStore, text: str, expected: str) -> None:
    await fill(store)
    for order in ("", "update_time desc, create_time"):
        for size in (0, 1):
            query = ListQuery(DATA_STORE, size, filter=text, order_by=order)
            assert await listed_ids(store, query) == list(expected)


async def test_a_session_is_found_by_its_present_user(store: SessionStore) -> None:
    await fill(store)
    name = names.session(DATA_STORE, "a")
    await store.update(name, Session(user_pseudo_id="bob"), "userPseudoId")
    assert await listed_ids(store, ListQuery(DATA_STORE, filter="user_pseudo_id = ann")) == ["c"]
    assert await listed_ids(store, ListQuery(DATA_STORE, filter="user_pseudo_id = bob")) == [
        "a",
        "b",
    ]
    await store.delete(name)
    assert await listed_ids(store, ListQuery(DATA_STORE, filter="user_pseudo_id = bob")) == ["b"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        (ListQuery(DATA_STORE, -1), "pageSize"),
        (ListQuery(DATA_STORE, page_token="bm8"), "pageToken"),
        (ListQuery(DATA_STORE, page_token="ä"), "pageToken"),
        (ListQuery(DATA_STORE, order_by="size"), "orderBy"),
        (ListQuery(DATA_STORE, order_by="update_time down"), "orderBy"),
        (ListQuery(DATA_STORE, order_by="update_time,"), "orderBy"),
        (ListQuery(DATA_STORE, order_by="update_time, updateTime desc"), "orderBy"),
        (ListQuery(DATA_STORE, filter="size = 3"), "filter"),
    ],
)
async def test_what_makes_no_sense_is_refused(
    store: SessionStore, query: ListQuery, field: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        await store.list(query)
    assert refused.value.field == field


@pytest.mark.parametrize("order", ["", "create_time"])
async def test_a_token_belongs_to_its_list(store: SessionStore, order: str) -> None:
    await fill(store)
    query = ListQuery(DATA_STORE, 2, order_by=order)
    _, token = await store.list(query)
    assert token.replace("-", "").replace("_", "").isalnum()
    for other in (
        query._replace(parent=f"{DATA_STORE}2"),
        query._replace(filter="is_pinned=true"),
        query._replace(order_by="session_name"),
    ):
        with pytest.raises(InvalidArgument) as refused:
            await store.list(other._replace(page_token=token))
        assert refused.value.field == "pageToken"
    page, end = await store.list(query._replace(page_size=1000, page_token=token))
    assert (len(page), end) == (2, "")


@pytest.mark.parametrize("order", ["", "create_time"])
async def test_an_outlived_token_is_refused(
    redis: Redis, keys: Keys, store: SessionStore, order: str
) -> None:
    await fill(store)
    query = ListQuery(DATA_STORE, 2, order_by=order)
    _, token = await store.list(query)
    for key in await redis.execute(b"", "KEYS", f"{keys.prefix}:{{x*"):
        if keys.list_index(DATA_STORE, "sessions") != key:
            await redis.execute(key, "DEL", key)
    with pytest.raises(InvalidArgument) as refused:
        await store.list(query._replace(page_token=token))
    assert (refused.value.field, refused.value.reason) == ("pageToken", "PAGE_TOKEN_EXPIRED")


async def test_a_page_is_cut_at_its_maximum(store: SessionStore) -> None:
    for _ in range(60):
        await store.create(DATA_STORE, Session())
    page, token = await store.list(ListQuery(DATA_STORE))
    assert len(page) == 50
    assert token
    page, token = await store.list(ListQuery(DATA_STORE, 5000))
    assert (len(page), token) == (60, "")


async def test_a_filtered_page_may_be_empty_and_go_on(store: SessionStore) -> None:
    """What one request looks at is bounded, whatever the filter."""
    for number in range(SCANNED + 600):
        await store.create(DATA_STORE, Session(is_pinned=number == 0))
    query = ListQuery(DATA_STORE, 2, filter="is_pinned = true")
    page, token = await store.list(query)
    assert page == []
    page, end = await store.list(query._replace(page_token=token))
    assert (len(page), end) == (1, "")
    sorted_ids = await listed_ids(
        store, ListQuery(DATA_STORE, 1000, order_by="is_pinned desc, create_time")
    )
    assert sorted_ids[0] == names.last_id(page[0].name)
    assert len(sorted_ids) == SCANNED + 600


async def test_too_many_are_not_sorted(redis: Redis, keys: Keys, store: SessionStore) -> None:
    index = keys.list_index(DATA_STORE, "sessions")
    for start in range(0, SORTED + 1, 1000):
        places = [
            part for at in range(start, start + 1000) for part in (1, list_index.member(str(at)))
        ]
        await redis.execute(index, "ZADD", index, *places)
    with pytest.raises(InvalidArgument) as refused:
        await store.list(ListQuery(DATA_STORE, order_by="create_time"))
    assert (refused.value.field, refused.value.reason) == ("orderBy", "LISTING_TOO_LARGE")


async def test_the_sessions_of_a_busy_user_are_walked(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    """Of users with too many sessions to sort, the list is filtered."""
    await fill(store)
    bucket = keys.user_bucket(DATA_STORE, "sessions", "ann")
    for start in range(0, SORTED, 1000):
        await redis.execute(bucket, "SADD", bucket, *range(start, start + 1000))
    assert await listed_ids(store, ListQuery(DATA_STORE, 1, filter="user_pseudo_id = ann")) == [
        "c",
        "a",
    ]


async def test_an_owner_is_shown_no_more_than_the_own(
    redis: Redis, keys: Keys, store: SessionStore
) -> None:
    """Whatever the filter says; and too many are refused, since a walk tells of the others."""
    await fill(store)
    await store.update(
        names.session(DATA_STORE, "a"), Session(user_pseudo_id="bob"), "userPseudoId"
    )
    ann = ListQuery(DATA_STORE, 1, owner="ann")
    assert await listed_ids(store, ann) == ["c"]
    assert await listed_ids(store, ann._replace(filter="user_pseudo_id = bob")) == []
    assert await listed_ids(store, ann._replace(order_by="create_time")) == ["c"]
    assert await listed_ids(store, ListQuery(DATA_STORE, 1, owner="bob")) == ["a", "b"]
    bucket = keys.user_bucket(DATA_STORE, "sessions", "ann")
    for start in range(0, SORTED, 1000):
        await redis.execute(bucket, "SADD", bucket, *range(start, start + 1000))
    with pytest.raises(InvalidArgument) as refused:
        await store.list(ann)
    assert refused.value.reason == "LISTING_TOO_LARGE"


async def test_a_token_is_good_for_who_got_it(store: SessionStore) -> None:
    await fill(store)
    for query in (ListQuery(DATA_STORE, 1, caller="a"), ListQuery(DATA_STORE, 1, owner="bob")):
        if query.owner:
            await store.create(DATA_STORE, Session(user_pseudo_id="bob"))
        _, token = await store.list(query)
        assert token
        assert (await store.list(query._replace(page_token=token)))[0]
        for other in (query._replace(caller="b"), query._replace(owner="ann")):
            with pytest.raises(InvalidArgument, match="pageToken"):
                await store.list(other._replace(page_token=token))


async def test_the_top_place_is_left_behind_as_any_other(store: SessionStore) -> None:
    """The newest place may be the snapshot itself, where the clock of its writer is ahead."""
    future = 4_000_000_000_000_000
    for each in "ab":
        await store.create(DATA_STORE, Session(), resource_id=each)
    await store.index.touch(names.session(DATA_STORE, "b"), future)
    first = await store.index.first(DATA_STORE, 1, descending=False)
    assert first.cursor
    await store.index.touch(names.session(DATA_STORE, "b"), future + 5)
    following = await store.index.following(DATA_STORE, first.cursor, 5)
    assert following
    assert [entry.id for entry in (*first.entries, *following.entries)] == ["a", "b"]


async def test_places_in_one_microsecond_are_told_apart(store: SessionStore) -> None:
    for number in range(12):
        await store.index.touch(names.session(DATA_STORE, str(number)), 7)
    for descending in (False, True):
        stretch = await store.index.first(DATA_STORE, 2, descending=descending)
        found = [entry.id for entry in stretch.entries]
        while stretch and stretch.cursor:
            stretch = await store.index.following(DATA_STORE, stretch.cursor, 2)
            found += [entry.id for entry in stretch.entries] if stretch else []
        assert sorted(found, key=int) == [str(number) for number in range(12)]


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**32),
    size=st.integers(1, 4),
    text=st.sampled_from(["", "is_pinned = true", "user_pseudo_id = u0", "NOT labels:x"]),
    order=st.sampled_from(["", "update_time", "create_time desc", "is_pinned desc"]),
)
async def test_pages_neither_repeat_nor_skip(
    store: SessionStore, seed: int, size: int, text: str, order: str
) -> None:
    """Whatever the filter and order, while others create, change and delete between the pages.

    Changes leave alone what the filter looks at, so each session matches all along or never.
    """
    chance, parent = random.Random(seed), f"{DATA_STORE}{next(_numbers)}"
    alive: list[str] = []

    async def change(times: int) -> None:
        for _ in range(times):
            what = chance.random()
            if what < 0.4 or not alive:
                user, labels = f"u{chance.randrange(2)}", chance.choice([("x",), ()])
                pinned = chance.random() < 0.5
                given = Session(user_pseudo_id=user, labels=labels, is_pinned=pinned)
                alive.append((await store.create(parent, given)).name)
            elif what < 0.85:
                await store.update(chance.choice(alive), Session(display_name="n"), "displayName")
            else:
                await store.delete(alive.pop(chance.randrange(len(alive))))

    await change(12)
    query = ListQuery(parent, size, filter=text, order_by=order)
    matching = {session.name for session in (await store.list(query._replace(page_size=1000)))[0]}
    found: list[str] = []
    all_along = set(alive)
    for _ in range(100):
        page, token = await store.list(query)
        assert len(page) <= size
        found += [session.name for session in page]
        if not token:
            break
        query = query._replace(page_token=token)
        await change(chance.randrange(5))
        all_along &= set(alive)
    assert len(found) == len(set(found))
    assert matching & all_along <= set(found) <= matching


def test_members_are_short_and_come_back() -> None:
    for each in ("1", str(2**63 - 1), str(2**63), "0", "007", "x", "ü-1", "1234567", "²"):
        assert list_index.session_of(list_index.member(each)) == each  # pyright: ignore[reportPrivateUsage]
    assert len(list_index.member(str(2**63 - 1))) == 8
