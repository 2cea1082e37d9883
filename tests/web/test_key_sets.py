"""Where a provider publishes its keys is asked within bounds, and nowhere else."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from service.web import key_sets
from service.web.key_sets import KeySetEndpoint
from sessions.errors import Unavailable
from tests.web import doubles
from tests.web.doubles import Site

pytestmark = pytest.mark.anyio


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    async with Site() as site:
        site.pages["/keys"] = doubles.page('{"keys": []}', "application/json")
        site.pages["/moved"] = doubles.moved("/keys")
        site.pages["/endless"] = doubles.endless(b"x" * 65_536)
        yield site


async def test_what_is_published_comes_as_it_is(site: Site) -> None:
    async with key_sets.client() as http:
        assert await KeySetEndpoint(http, site.url("/keys")).fetch() == b'{"keys": []}'


@pytest.mark.parametrize("path", ["/moved", "/endless", "/missing"])
async def test_a_redirect_a_flood_and_an_error_are_no_key_set(site: Site, path: str) -> None:
    async with key_sets.client() as http:
        with pytest.raises(Unavailable):
            await KeySetEndpoint(http, site.url(path)).fetch()
    assert site.visits("/keys") == 0


async def test_an_address_where_nobody_is_says_so() -> None:
    async with key_sets.client() as http:
        with pytest.raises(Unavailable, match="cannot be reached"):
            await KeySetEndpoint(http, "http://127.0.0.1:9/keys").fetch()
