"""Which pages may connect: a browser opens a WebSocket for any page that asks it to."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from multidict import CIMultiDict
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin, Subprotocol

from tests.serving import Served, serving
from tests.whole.processes import services

pytestmark = pytest.mark.anyio
FRIEND = "https://help.example.org"
LISTED = "https://listed.example.org"
COLLECTION = "projects/p/locations/global/collections/default_collection"
PORTAL = f"""
[[data_stores]]
name = "{COLLECTION.replace("/p/", "/77/")}/dataStores/own"
origins = ["{LISTED}"]
"""


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    data = tmp_path_factory.mktemp("data")
    portal = data / "portal.toml"
    portal.write_text(PORTAL)
    environment = {
        "COLLOQUY_ORIGINS": FRIEND,
        "COLLOQUY_HOSTS": "portal.example",
        "COLLOQUY_ANONYMOUS": "on",
        "COLLOQUY_PORTAL": str(portal),
        "COLLOQUY_PROJECT_NUMBERS": "p=77",
    }
    async with serving(data, environment=environment) as one:
        yield one


async def first_word(service: Served, origin: str | None) -> str:
    """Return the first frame, or the close code."""
    asked = Origin(origin) if origin else None
    protocol = Subprotocol("colloquy.v1")
    async with connect(service.websocket, origin=asked, subprotocols=[protocol]) as socket:
        try:
            return str(await socket.recv())
        except ConnectionClosed as closed:
            return str(closed.rcvd.code if closed.rcvd else "")


async def test_programs_own_pages_and_friends_may_connect(service: Served) -> None:
    for origin in (None, service.rest, FRIEND):
        assert "ready" in await first_word(service, origin)


async def test_the_page_of_a_stranger_may_not(service: Served) -> None:
    assert await first_word(service, "https://evil.example.com") == "4403"


async def test_rest_answers_to_friends_only(service: Served) -> None:
    seen: list[str | None] = []
    async with aiohttp.ClientSession() as client:
        for origin in (FRIEND, "https://evil.example.com"):
            async with client.get(f"{service.rest}/livez", headers={"Origin": origin}) as reply:
                seen.append(reply.headers.get("Access-Control-Allow-Origin"))
    assert seen == [FRIEND, None]


async def test_a_friend_writes_once_it_has_asked_and_a_stranger_does_not(service: Served) -> None:
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


async def test_a_proxy_may_take_the_tls_and_keep_the_name(service: Served) -> None:
    page = {"Host": "portal.example", "Origin": "https://portal.example"}
    path = f"{service.rest}/v1/projects/p/locations/l/dataStores?dataStoreId=b"
    async with aiohttp.ClientSession() as client:
        async with client.post(path, headers=page, json={"displayName": "b"}) as reply:
            assert reply.status == 200
        async with client.post(path, headers=page | {"Host": "other.example"}, json={}) as reply:
            assert reply.status == 421


@pytest.fixture(scope="module")
async def made(service: Served) -> str:
    """Make a data store with pages of its own, one without, and an engine over each; the base."""
    base = f"{service.rest}/v1/{COLLECTION}"
    async with aiohttp.ClientSession() as client:
        for store in ("own", "any"):
            given = {"displayName": store, "dataStoreIds": [store]}
            url = f"{base}/dataStores?dataStoreId={store}"
            async with client.post(url, json={"displayName": store}) as reply:
                assert reply.status == 200
            url = f"{base}/engines?engineId=over-{store}"
            async with client.post(url, json=given) as reply:
                assert reply.status == 200
    return base


OWN = f"{COLLECTION}/dataStores/own"
CASES: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [
    ("dataStores/own", {}, (LISTED,)),
    ("dataStores/any", {}, (FRIEND,)),
    ("engines/over-any", {}, (FRIEND,)),
    ("engines/over-own", {}, ()),
    ("engines/over-any", {"dataStoreSpecs": [{"dataStore": OWN}]}, ()),
    ("engines/over-any", {"dataStoreSpecs": [{"dataStore": OWN.replace("/p/", "/77/")}]}, ()),
]


@pytest.mark.parametrize(("what", "body", "may"), CASES)
@pytest.mark.parametrize("project", ["p", "77"])
async def test_a_page_asks_what_it_is_listed_for(
    made: str, project: str, what: str, body: dict[str, Any], may: tuple[str, ...]
) -> None:
    """Whatever the project is called by, and whether by the path, the body or an engine."""
    url = f"{made.replace('/p/', f'/{project}/')}/{what}/servingConfigs/default_search:search"
    pages = (LISTED, FRIEND, LISTED.upper(), f"{LISTED}.", f"{LISTED}:443", "null")
    async with aiohttp.ClientSession() as client:
        seen: list[str] = []
        for page in pages:
            async with client.post(url, headers={"Origin": page}, json=body) as reply:
                said = await reply.text()
                assert reply.status == 200 or "ORIGIN_NOT_ALLOWED" in said, said
                seen += [page] if reply.status == 200 else []
        assert tuple(seen) == may
        lies = [
            [("Origin", LISTED), ("Origin", "https://evil.example")],
            [("Origin", "https://evil.example"), ("Origin", LISTED)],
            [("Origin", LISTED), ("Origin", FRIEND)],
            [("Origin", LISTED), ("Sec-Fetch-Site", "same-site"), ("Origin", "null")],
            [("Sec-Fetch-Site", "cross-site")],
        ]
        for lie in lies:
            async with client.post(url, headers=CIMultiDict(lie), json=body) as reply:
                assert reply.status == 403
                assert "Access-Control-Allow-Origin" not in reply.headers
        for given in ({}, {"Sec-Fetch-Site": "same-origin", "Origin": "https://portal.example"}):
            async with client.post(url, headers=given, json=body) as reply:
                assert reply.status != 403


@pytest.mark.parametrize(
    ("what", "readers"), [("dataStores/own", [LISTED]), ("dataStores/any", [FRIEND])]
)
async def test_who_may_ask_is_told_so_before_and_reads_the_reply(
    made: str, what: str, readers: list[str]
) -> None:
    asks = {"Access-Control-Request-Method": "POST"}
    async with aiohttp.ClientSession() as client:
        seen: list[str] = []
        for page in (LISTED, FRIEND, "null"):
            url = f"{made}/{what}"
            async with client.options(url, headers={"Origin": page} | asks) as reply:
                told = reply.headers.get("Access-Control-Allow-Origin")
                assert reply.headers["Vary"] == "Origin"
            async with client.get(url, headers={"Origin": page}) as reply:
                assert reply.headers.get("Access-Control-Allow-Origin") == told
            seen += [told] if told else []
        assert seen == readers


async def frame_about(service: Served, page: str, what: str, body: dict[str, Any]) -> str:
    """Return the type, or the reason, of what a socket of *page* is told of a query."""
    asked = {
        "type": "answer",
        "id": "a",
        "servingConfig": f"{COLLECTION}/{what}/servingConfigs/default_search",
        "request": {"query": {"text": "What?"}, **body},
    }
    protocol = Subprotocol("colloquy.v1")
    async with connect(service.websocket, origin=Origin(page), subprotocols=[protocol]) as socket:
        await socket.recv()
        await socket.send(json.dumps(asked))
        said = json.loads(await socket.recv())
        return str(said["error"]["details"][0]["reason"] if "error" in said else said["type"])


@pytest.mark.parametrize(
    ("page", "what", "told"),
    [
        (LISTED, "dataStores/own", "accepted"),
        (FRIEND, "dataStores/own", "ORIGIN_NOT_ALLOWED"),
        (LISTED, "dataStores/any", "ORIGIN_NOT_ALLOWED"),
        (FRIEND, "engines/over-any", "accepted"),
        (FRIEND, "engines/over-own", "ORIGIN_NOT_ALLOWED"),
    ],
)
async def test_frames_are_held_to_the_same(
    service: Served, made: str, page: str, what: str, told: str
) -> None:
    assert made
    assert await frame_about(service, page, what, {}) == told


async def test_an_origin_that_is_none_is_refused_at_start(tmp_path: Path) -> None:
    async with services(tmp_path / "data", [("COLLOQUY_ORIGINS", "example.org")]) as (one,):
        status, said = await one.command("serve")
    assert status == 2
    assert said.startswith("colloquy: COLLOQUY_ORIGINS is 'example.org': give origins such as")
