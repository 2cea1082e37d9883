"""What a list request says of its page, and what a traversal reads for it."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import pytest

from sessions.errors import InvalidArgument
from sessions.listing import page_requests
from sessions.listing.filters import FilterField, Value
from sessions.listing.list_index import ListIndex
from sessions.listing.page_requests import OrderKey
from sessions.listing.page_tokens import PageTokens
from sessions.listing.pagination import ListQuery, Pagination
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.sessions.store_doubles import DATA_STORE

FIELDS = {"update_time": 0, "display_name": 0}


@pytest.mark.parametrize(
    ("requested", "given"), [(0, 50), (1, 1), (50, 50), (1000, 1000), (1001, 1000)]
)
def test_a_page_has_its_default_its_size_or_its_maximum(requested: int, given: int) -> None:
    assert page_requests.size(requested, default=50, maximum=1000) == given


def test_a_page_has_no_negative_size() -> None:
    with pytest.raises(InvalidArgument, match=r"^pageSize: give 0") as refusal:
        page_requests.size(-1, default=50, maximum=1000)
    assert refusal.value.field == "pageSize"


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("", ()),
        ("  ", ()),
        ("update_time", (OrderKey("update_time", descending=False),)),
        ("updateTime asc", (OrderKey("update_time", descending=False),)),
        (
            " displayName  desc , update_time",
            (OrderKey("display_name", descending=True), OrderKey("update_time", descending=False)),
        ),
    ],
)
def test_an_order_is_read(text: str, keys: tuple[OrderKey, ...]) -> None:
    assert page_requests.order(text, FIELDS) == keys


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("update_time,", "write 'field', 'field asc' or 'field desc'"),
        ("update_time down", "write 'field'"),
        ("update_time desc desc", "write 'field'"),
        ("update_time DESC", "write 'field'"),
        ("title", "'title' is no field to order by.*there are display_name, update_time"),
        ("update_time, updateTime desc", "'updateTime' is no field to order by, or is given twice"),
        ("x" * 60, f"'{'x' * 50}' is no field"),
    ],
)
def test_an_order_that_cannot_be_meant_is_refused(text: str, part: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^orderBy: .*{part}") as refusal:
        page_requests.order(text, FIELDS)
    assert refusal.value.field == "orderBy"


@dataclasses.dataclass
class Reading:
    """Rows that are their own ids, and which of them were looked at."""

    asked: list[str] = dataclasses.field(default_factory=list[str])

    async def rows(self, parent: str, ids: Sequence[str]) -> list[str | None]:
        self.asked += ids
        return list(ids)


@pytest.fixture
async def listed(redis: Redis, keys: Keys) -> tuple[Pagination[str], Reading]:
    """A list of 60 sessions, of whom every tenth is ann's."""
    reading, listing = Reading(), ListIndex(redis, keys, "sessions")
    for number in range(60):
        user = "ann" if number % 10 == 0 else f"user-{number}"
        await listing.touch(f"{DATA_STORE}/sessions/{number:02}", number + 1, user)
    user_of = FilterField[str](
        Value.TEXT, lambda row: "ann" if row[-1] == "0" else f"user-{int(row)}"
    )
    fields, orders = {"user_pseudo_id": user_of}, {"display_name": str, "update_time": int}
    return Pagination(listing, PageTokens(redis, keys), reading.rows, fields, orders), reading


ANNS = ["50", "40", "30", "20", "10", "00"]


@pytest.mark.anyio
async def test_the_sessions_of_one_user_are_found_without_a_look_at_the_rest(
    listed: tuple[Pagination[str], Reading],
) -> None:
    traversal, reading = listed
    found, token = await traversal.page(ListQuery(DATA_STORE, filter="user_pseudo_id = ann"))
    assert (found, token) == (ANNS, "")
    assert len(reading.asked) < 30


@pytest.mark.anyio
@pytest.mark.parametrize(("size", "pages"), [(7, 1), (6, 1), (5, 2), (3, 2), (2, 3)])
async def test_a_sorted_list_ends_with_its_last_page(
    listed: tuple[Pagination[str], Reading], size: int, pages: int
) -> None:
    """One that is full to the brim has no token for an empty one behind it."""
    traversal, _ = listed
    query = ListQuery(DATA_STORE, size, filter="user_pseudo_id = ann", order_by="display_name")
    found: list[str] = []
    for page in range(1, pages + 1):
        ids, token = await traversal.page(query)
        found += ids
        assert bool(token) == (page < pages)
        query = query._replace(page_token=token)
    assert found == ANNS[::-1]
