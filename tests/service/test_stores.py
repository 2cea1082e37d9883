"""Old sessions go, and young ones stay though a clock has jumped."""

from __future__ import annotations

import time

import pytest

from service import stores
from service.settings import Settings
from sessions import names
from sessions.resources.sessions import Session
from tests.redis_servers import Server

pytestmark = pytest.mark.anyio

_DAY = 86_400


@pytest.mark.parametrize(("days_behind", "stays"), [(0, False), (3, True), (-3, False)])
async def test_a_clock_that_is_behind_keeps_what_another_calls_old(
    own_server: Server, days_behind: int, stays: bool
) -> None:
    """A life of -1 day makes of a new session one that is a day too old."""
    async with stores.opened(Settings(redis_url=own_server.url)) as store:
        made = await store.sessions.create(names.SAMPLE_DATA_STORE, Session())
        await store.delete_old(lambda _: -1, lambda: time.time() - days_behind * _DAY)
        assert await store.sessions.exists(made.name) is stays
