"""The index of a list: one instant per traversal, whatever moves meanwhile."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sessions import names
from sessions.listing.list_index import ListIndex
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.sessions.store_doubles import DATA_STORE

pytestmark = pytest.mark.anyio

_numbers = itertools.count()


@pytest.fixture
def index(redis: Redis, keys: Keys) -> ListIndex:
    return ListIndex(redis, keys, "sessions")


class _Model:
    """A parent whose sessions are updated, created and deleted while somebody pages."""

    def __init__(self, index: ListIndex, clock: int) -> None:
        self.index = index
        self.parent = f"{DATA_STORE}{next(_numbers)}"
        self.clock = clock
        self.alive: dict[str, int] = {}

    async def touch(self, session: str, step: int = 1) -> None:
        """Update or create; a negative *step* is an index write that comes late."""
        self.clock += max(step, 0)
        self.alive[session] = self.clock + min(step, 0)
        await self.index.touch(names.session(self.parent, session), self.alive[session])

    async def drop(self, session: str) -> None:
        if self.alive.pop(session, None):
            name = names.session(self.parent, session)
            await self.index.drop(name, await self.index.place(name))


ids = st.sampled_from([*map(str, range(1, 13)), "name-1", "name-2", "007"])
steps = st.sampled_from([1, 1, 1, 0, 5, -1, -3])
changes = st.lists(st.tuples(st.sampled_from(["touch", "touch", "drop"]), ids, steps), max_size=8)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    before=st.lists(st.tuples(ids, steps), max_size=25),
    between=st.lists(changes, min_size=30, max_size=30),
    sizes=st.lists(st.integers(1, 5), min_size=30, max_size=30),
    descending=st.booleans(),
    clock=st.sampled_from([1_700_000_000_000_000, 4_000_000_000_000_000]),
)
async def test_a_traversal_meets_what_exists_all_along_once(
    index: ListIndex,
    before: list[tuple[str, int]],
    between: list[list[tuple[str, str, int]]],
    sizes: list[int],
    descending: bool,
    clock: int,
) -> None:
    """Whatever the clocks say, over updates, late index writes, deletions and re-creations."""
    model = _Model(index, clock)
    for session, step in before:
        await model.touch(session, step)
    order = await _places(index, model.parent, descending)
    all_along = set(model.alive)
    stretch = await index.first(model.parent, sizes[0], descending=descending)
    found = [entry.id for entry in stretch.entries]
    other = await index.first(model.parent, 1, descending=not descending)
    for size, happenings in zip(sizes, between, strict=True):
        for what, session, step in happenings:
            if what == "drop":
                await model.drop(session)
                all_along.discard(session)
            else:
                await model.touch(session, step)
        if stretch.cursor is None:
            break
        following = await index.following(model.parent, stretch.cursor, size)
        assert following is not None
        assert await index.following(model.parent, stretch.cursor, size) == following
        stretch = following
        found += [entry.id for entry in stretch.entries]
        if other.cursor:
            other = await index.following(model.parent, other.cursor, 1) or other
    while stretch.cursor:
        following = await index.following(model.parent, stretch.cursor, 2)
        assert following is not None
        stretch = following
        found += [entry.id for entry in stretch.entries]
    assert len(found) == len(set(found))
    assert all_along <= set(found)
    assert found == [session for session in order if session in found]


async def _places(index: ListIndex, parent: str, descending: bool) -> list[str]:
    stretch = await index.first(parent, 1000, descending=descending)
    return [entry.id for entry in stretch.entries]
