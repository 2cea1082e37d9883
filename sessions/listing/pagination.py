"""Give a list page by page, under a filter and an order, without repeating or skipping.

Two ways, chosen by what is asked:

- by update time, the default: **walk** the index. A page costs what it shows, however many
  sessions there are; under a filter it may come back short, even empty, with a token.
- any other order, or only one user's sessions: **sort** once what matches and keep the ids while
  tokens for them are good. The first page costs what matches, and is refused where the whole
  would be too many.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec

from sessions.errors import InvalidArgument
from sessions.listing import filters, page_requests, page_tokens
from sessions.listing.list_index import CHUNK, ListCursor, ListEntry, ListIndex, ListRange
from sessions.listing.page_tokens import PageTokens

Row = TypeVar("Row")

SCANNED: Final = 2000
"""How many entries a filtered walk looks at for one page."""

SORTED: Final = 100_000
"""How many sessions are sorted for one traversal: all of them are read, and held, for its first
page."""

DEFAULT_SIZE: Final = 50
MAX_SIZE: Final = 1000

_USER: Final = "user_pseudo_id"
_BY_UPDATE: Final = page_requests.OrderKey("update_time", descending=True)


class ListQuery(NamedTuple):
    """What a list request asks for, as it came; names in order and filter may be camelCase.

    The rest is who asks: a *page_token* is good for that *caller* only, "" where it is nobody in
    particular. Where *owner* is given, only what has it as user pseudo id is there; where *among*
    is given, only resources of these names.
    """

    parent: str
    page_size: int = 0
    page_token: str = ""
    filter: str = ""
    order_by: str = ""
    caller: str = ""
    owner: str = ""
    among: Sequence[str] | None = None


class SortedCursor(msgspec.Struct, frozen=True, array_like=True, tag="kept"):
    """Where a traversal stands in a sorted list of ids."""

    digest: str
    offset: int


_STATES: Final[msgspec.msgpack.Decoder[ListCursor | SortedCursor]] = msgspec.msgpack.Decoder(
    ListCursor | SortedCursor
)


class _PagePlan(NamedTuple, Generic[Row]):
    parent: str
    size: int
    filter: filters.ListFilter[Row] | None
    owner: str
    keys: tuple[page_requests.OrderKey, ...]


class Pagination(Generic[Row]):
    """The pages of one collection.

    *rows* reads, for a parent and ids, what filters and orders look at; ``None`` is gone. *keys*
    has a value to sort by for each field of an order.
    """

    def __init__(
        self,
        index: ListIndex,
        tokens: PageTokens,
        rows: Callable[[str, Sequence[str]], Awaitable[list[Row | None]]],
        fields: Mapping[str, filters.FilterField[Row]],
        keys: Mapping[str, Callable[[Row], Any]],
    ) -> None:
        self._index = index
        self._tokens = tokens
        self._rows = rows
        self._fields = fields
        self._keys = keys

    async def page(self, query: ListQuery) -> tuple[list[str], str]:
        """Return the ids of a page, and the token of the next one or "" at the end.

        Raises:
            InvalidArgument: (``pageSize``, ``pageToken``, ``filter``, ``orderBy``)
        """
        plan = _PagePlan(
            query.parent,
            page_requests.size(query.page_size, default=DEFAULT_SIZE, maximum=MAX_SIZE),
            filters.parse(query.filter, self._fields),
            query.owner,
            page_requests.order(query.order_by, self._keys) or (_BY_UPDATE,),
        )
        bound = (self._index.collection, query.parent, query.filter, query.order_by)
        bound += (query.caller, query.owner)
        if not query.page_token:
            ids, state = await self._first(plan)
        else:
            state = await self._tokens.resumed(_STATES, query.page_token, *bound)
            ids, state = await self._next(plan, state)
        return ids, await self._tokens.token(state, *bound) if state else ""

    async def _first(
        self, plan: _PagePlan[Row]
    ) -> tuple[list[str], ListCursor | SortedCursor | None]:
        names = await self._candidates(plan)
        if names is None and plan.keys[0].field == "update_time" and len(plan.keys) == 1:
            descending = plan.keys[0].descending
            first = await self._index.first(plan.parent, plan.size, descending=descending)
            return await self._walk(plan, first)
        ids = await self._sorted(plan, await self._all(plan) if names is None else names)
        if len(ids) <= plan.size:
            return ids, None
        digest = await self._index.keep_sorted(plan.parent, ids)
        return ids[: plan.size], SortedCursor(digest, plan.size)

    async def _next(
        self, plan: _PagePlan[Row], state: ListCursor | SortedCursor
    ) -> tuple[list[str], ListCursor | SortedCursor | None]:
        if isinstance(state, ListCursor):
            return await self._walk(plan, await self._following(plan, state, plan.size), state)
        kept = await self._index.sorted_ids(plan.parent, state.digest, state.offset, plan.size)
        if kept is None:
            raise page_tokens.expired()
        ids, length = kept
        offset = state.offset + len(ids)
        return ids, SortedCursor(state.digest, offset) if offset < length else None

    async def _walk(
        self, plan: _PagePlan[Row], batch: ListRange, cursor: ListCursor | None = None
    ) -> tuple[list[str], ListCursor | None]:
        """Fill a page from *batch* on, which was read at *cursor*."""
        ids: list[str] = []
        scanned = 0
        while True:
            origin = batch.cursor or cursor
            for at, entry in enumerate(await self._matching(plan, batch.entries), 1):
                if entry:
                    ids.append(entry.id)
                if entry and len(ids) == plan.size and at < len(batch.entries):
                    if origin is None:
                        raise AssertionError("a first batch is no longer than a page")
                    return ids, self._index.behind(origin, entry)
            # A batch without entries counts, too, or a request could read on and on.
            scanned += max(len(batch.entries), plan.size)
            cursor = batch.cursor
            if cursor is None or len(ids) == plan.size or scanned >= SCANNED:
                return ids, cursor
            batch = await self._following(plan, cursor, CHUNK)

    async def _following(self, plan: _PagePlan[Row], cursor: ListCursor, count: int) -> ListRange:
        batch = await self._index.following(plan.parent, cursor, count)
        if batch is None:
            raise page_tokens.expired()
        return batch

    async def _matching(
        self, plan: _PagePlan[Row], entries: list[ListEntry]
    ) -> list[ListEntry | None]:
        if plan.filter is None:
            return list(entries)
        rows = await self._rows(plan.parent, [entry.id for entry in entries])
        matches = plan.filter.matches
        return [
            entry if row is not None and matches(row) else None
            for entry, row in zip(entries, rows, strict=True)
        ]

    async def _candidates(self, plan: _PagePlan[Row]) -> list[str] | None:
        """Return the ids among which all that match are, where an index knows them."""
        user = plan.owner or (plan.filter.required.get(_USER) if plan.filter else None)
        found = await self._index.candidates(plan.parent, user, SORTED) if user else None
        if plan.owner and found is None:
            # A walk of all would tell, by its tokens and its time, how many others there are.
            raise _too_large("filter", f"more than {SORTED} are not listed; ask for single ones")
        return found

    async def _all(self, plan: _PagePlan[Row]) -> list[str]:
        if await self._index.size(plan.parent) > SORTED:
            raise _too_large(
                "orderBy",
                f"more than {SORTED} are only listed by update_time; or filter by user_pseudo_id",
            )
        batch = await self._index.first(plan.parent, CHUNK, descending=True)
        entries = batch.entries
        while batch.cursor:
            batch = await self._following(plan, batch.cursor, CHUNK)
            entries += batch.entries
        return [entry.id for entry in entries]

    async def _sorted(self, plan: _PagePlan[Row], ids: list[str]) -> list[str]:
        """Return those of *ids* that match, in order; ties go by name."""
        ids.sort()
        found: list[tuple[str, tuple[Any, ...]]] = []
        getters = [self._keys[key.field] for key in plan.keys]
        for start in range(0, len(ids), CHUNK):
            chunk = ids[start : start + CHUNK]
            for session, row in zip(chunk, await self._rows(plan.parent, chunk), strict=True):
                if row is not None and self._is_listed(plan, row):
                    found.append((session, tuple(get(row) for get in getters)))
        for at, key in reversed(list(enumerate(plan.keys))):
            found.sort(key=lambda each, at=at: each[1][at], reverse=key.descending)
        return [session for session, _ in found]

    def _is_listed(self, plan: _PagePlan[Row], row: Row) -> bool:
        # A former owner keeps it among the candidates.
        if plan.owner and self._fields[_USER].value(row) != plan.owner:
            return False
        return plan.filter is None or plan.filter.matches(row)


def _too_large(field: str, problem: str) -> InvalidArgument:
    return InvalidArgument(f"{field}: {problem}", field=field, reason="LISTING_TOO_LARGE")
