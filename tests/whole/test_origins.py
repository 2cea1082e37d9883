"""Which pages may connect: a browser opens a WebSocket for any page that asks it to."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio
FRIEND = "https://help.example.org"


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Service]:
    data = tmp_path_factory.mktemp("data")
    async with services(
        data,
        [("COLLOQUY_ORIGINS", FRIEND), ("COLLOQUY_HOSTS", "portal.example")],
        [("COLLOQUY_ANONYMOUS", "on")],
    ) as (one,):
        await one.start()
        yield one


async def first_word(service: Service, origin: str | None) -> str:
    """Return the first frame, or the close code."""
    asked = Origin(origin) if origin else None
    protocol = Subprotocol("colloquy.v1")
    async with connect(service.websocket, origin=asked, subprotocols=[protocol]) as socket:
        try:
            return str(await socket.recv())
        except ConnectionClosed as closed:
            return str(closed.rcvd.code if closed.rcvd else "")


async def test_programs_own_pages_and_friends_may_connect(service: Service) -> None:
    for origin in (None, service.rest, FRIEND):
        assert "ready" in await first_word(service, origin)


async def test_the_page_of_a_stranger_may_not(service: Service) -> None:
    assert await first_word(service, "https://evil.example.com") == "4403"


async def test_rest_answers_to_friends_only(service: Service) -> None:
    seen: list[str | None] = []
    async with aiohttp.ClientSession() as client:
        for origin in (FRIEND, "https://evil.example.com"):
            async with client.get(f"{service.rest}/livez", headers={"Origin": origin}) as reply:
                seen.append(reply.headers.get("Access-Control-Allow-Origin"))
    assert seen == [FRIEND, None]


async def test_a_friend_writes_once_it_has_asked_and_a_stranger_does_not(service: Service) -> None:
    path = f"{service.rest}/v1/projects/p/locations/l/dataStores?dataStoreId=a"
    asks = {
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type",
    }
    seen: list[tuple[str | None, str | None, int]] = []
    async with aiohttp.ClientSession() as client:
        for origin in (FRIEND, "https://evil.example.com"):
            headers = {"Origin": origin}
            async with client.options(path, headers=headers | asks) as reply:
                assert (reply.status, reply.headers["Vary"]) == (204, "Origin")
                told = reply.headers.get("Access-Control-Allow-Origin")
                may = reply.headers.get("Access-Control-Allow-Headers")
            async with client.post(path, headers=headers, json={"displayName": "a"}) as reply:
                seen.append((told, may, reply.status))
    assert seen == [(FRIEND, "content-type", 200), (None, None, 403)]


async def test_a_proxy_may_take_the_tls_and_keep_the_name(service: Service) -> None:
    page = {"Host": "portal.example", "Origin": "https://portal.example"}
    path = f"{service.rest}/v1/projects/p/locations/l/dataStores?dataStoreId=b"
    async with aiohttp.ClientSession() as client:
        async with client.post(path, headers=page, json={"displayName": "b"}) as reply:
            assert reply.status == 200
        async with client.post(path, headers=page | {"Host": "other.example"}, json={}) as reply:
            assert reply.status == 421


async def test_an_origin_that_is_none_is_refused_at_start(tmp_path: Path) -> None:
    async with services(tmp_path / "data", [("COLLOQUY_ORIGINS", "example.org")]) as (one,):
        status, said = await one.command("serve")
    assert status == 2
    assert said.startswith("colloquy: COLLOQUY_ORIGINS is 'example.org': give origins such as")
