"""A Redis without memory, in every version at hand: what is there can be read, and deleted."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from service.composition.app import create_app
from service.settings import Settings
from tests import redis_servers
from tests.redis_servers import Server
from tests.streaming.sockets import served
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

LOCATION = "projects/p/locations/global"
COLLECTION = f"{LOCATION}/collections/default_collection"
STORE = f"{COLLECTION}/dataStores/portal"
BRANCH = f"{STORE}/branches/0"


class Api:
    """The service as a plain HTTP client sees it."""

    def __init__(self, client: aiohttp.ClientSession, address: str) -> None:
        self._client = client
        self._address = address

    async def ready(self) -> tuple[int, str]:
        async with self._client.get(f"http://{self._address}/readyz") as reply:
            return reply.status, await reply.text()

    async def call(self, method: str, path: str, body: Any = None) -> Any:
        """Return the body of the reply."""
        url = f"http://{self._address}/v1/{path}"
        async with self._client.request(method, url, json=body) as reply:
            return await reply.json()

    async def done(self, method: str, path: str, body: Any = None) -> Any:
        """Return what came of the operation that a request begins."""
        begun = await self.call(method, path, body)
        assert "name" in begun, begun
        ended = await self.call("POST", f"{begun['name']}:wait?timeout=10s", {})
        ended = ended if "error" not in ended or "name" in ended else begun
        assert ended.get("done"), ended
        assert "error" not in ended, ended
        return ended["response"]


@pytest.fixture(params=redis_servers.binaries(), ids=redis_servers.called)
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with (
        redis_servers.folder() as folder,
        redis_servers.standalone(request.param, folder) as server,
    ):
        yield server


@pytest.fixture
def settings(server: Server, tmp_path: Path) -> Settings:
    return Settings(port=0, data_dir=tmp_path, redis_url=server.url, sample=False)


@pytest.fixture
async def api(settings: Settings) -> AsyncIterator[Api]:
    application = create_app(settings)
    async with (
        application.opened(),
        served(application.asgi) as address,
        aiohttp.ClientSession() as client,
    ):
        await application.ready.wait()
        yield Api(client, address)


async def test_a_full_redis_says_so_and_lets_everything_be_deleted(
    api: Api, server: Server, settings: Settings
) -> None:
    await api.done("POST", f"{COLLECTION}/dataStores?dataStoreId=portal", {"displayName": "p"})
    document = {"content": {"rawBytes": base64.b64encode(b"At ten.").decode()}}
    for each in ("one", "two"):
        await api.call("POST", f"{BRANCH}/documents?documentId={each}", document)
        await api.call("POST", f"{STORE}/sessions?sessionId={each}", {})
    conversation = (await api.call("POST", f"{STORE}/conversations", {}))["name"]
    operation = (await api.call("GET", f"{COLLECTION}/operations"))["operations"][0]["name"]
    corpus = (await api.done("POST", f"{LOCATION}/ragCorpora", {"displayName": "c"}))["name"]
    files = [
        (await api.call("POST", f"{corpus}/ragFiles:upload", {"ragFile": {"displayName": "f"}}))
        for _ in range(2)
    ]

    server.call("CONFIG", "SET", "maxmemory", 1)
    await eventually(lambda: _is_full(api))
    refused = await api.call("POST", f"{STORE}/sessions", {})
    assert (refused["error"]["code"], refused["error"]["details"][0]["reason"]) == (
        503,
        "STORAGE_FULL",
    )
    assert "memory" in refused["error"]["message"]
    imported = await api.call("POST", f"{BRANCH}/documents:import", {"inlineSource": {}})
    assert imported["error"]["details"][0]["reason"] == "STORAGE_FULL"

    page = await api.call("GET", f"{STORE}/sessions?pageSize=1")
    rest = await api.call("GET", f"{STORE}/sessions?pageSize=1&pageToken={page['nextPageToken']}")
    assert len(page["sessions"] + rest["sessions"]) == 2
    for name in (f"{BRANCH}/documents/one", f"{STORE}/sessions/one", conversation):
        assert await api.call("DELETE", name) == {}
        assert (await api.call("GET", name))["error"]["code"] == 404
    assert await api.call("DELETE", operation) == {}
    await api.done("DELETE", files[0]["ragFile"]["name"])
    await api.done("DELETE", corpus)
    purged = await api.done("POST", f"{BRANCH}/documents:purge", {"filter": "*", "force": True})
    assert purged["purgeCount"] == "1"
    await api.done("DELETE", STORE)
    assert await api.call("GET", f"{COLLECTION}/dataStores") == {}
    late = create_app(settings)
    async with late.opened(), asyncio.timeout(LONG):
        await late.ready.wait()  # one that starts now is there to search and delete as well

    server.call("CONFIG", "SET", "maxmemory", 0)
    await eventually(lambda: _is_ready(api))


async def _is_full(api: Api) -> bool:
    return await api.ready() == (503, "waits for: Redis, which is out of memory")


async def _is_ready(api: Api) -> bool:
    return (await api.ready())[0] == 200
