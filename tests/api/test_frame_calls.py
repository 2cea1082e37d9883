"""The REST API over a WebSocket: the same answers, the same rules, as who speaks there."""

from __future__ import annotations

import contextlib
import urllib.parse
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Any, Final

import aiohttp
import msgspec
import pytest
from websockets.asyncio.client import connect

from service.api import frame_calls
from service.security.principals import ANONYMOUS
from sessions.errors import ServiceError
from streaming.protocol.connection_commands import CallMethod
from tests.serving import Served, serving
from tests.streaming.sockets import Talk

pytestmark = pytest.mark.anyio

HANDSHAKE: Final[Any] = {"type": "websocket"}
STORE: Final = "/v1/projects/p/locations/global/collections/default_collection/dataStores/a"


class House(msgspec.Struct, frozen=True):
    service: Served
    client: aiohttp.ClientSession
    """Of an administrator."""

    async def post(self, path: str, **body: Any) -> Any:
        async with self.client.post(path, json=body) as reply:
            assert reply.status == 200, await reply.text()
            return await reply.json()

    async def token(self, subject: str) -> str:
        return str((await self.post(f"{STORE}:mintToken", subject=subject))["token"])


@pytest.fixture(scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    folder = tmp_path_factory.mktemp("data")
    before = ("keys", "create", "--scope", "admin")
    async with serving(folder / "data", before) as service:
        headers = {"x-goog-api-key": service.said.splitlines()[-1]}
        async with aiohttp.ClientSession(service.rest, headers=headers) as client:
            made = House(service, client)
            stores = STORE.rpartition("/")[0]
            await made.post(f"{stores}?dataStoreId=a", displayName="a")
            yield made


@contextlib.asynccontextmanager
async def talk(house: House, subject: str) -> AsyncGenerator[Talk]:
    async with connect(house.service.websocket) as connection:
        client = Talk(connection)
        await client.say("auth", token=await house.token(subject))
        assert (await client.hear())["type"] == "ready"
        yield client


async def call(client: Talk, method: str, path: str, **fields: Any) -> Any:
    await client.say("request", id="r", method=method, path=path, **fields)
    return await client.hear()


async def test_a_session_is_made_changed_read_and_deleted(house: House) -> None:
    async with talk(house, "ann") as client:
        body = {"displayName": "Loans & rooms"}
        made = await call(client, "POST", f"{STORE}/sessions", body=body)
        assert (made["type"], made["id"], made["status"]) == ("response", "r", 200)
        assert made["body"]["userPseudoId"] == "ann"
        name = "/v1/" + made["body"]["name"]
        path = f"{name}?updateMask=displayName"
        changed = await call(client, "PATCH", path, body={"displayName": "Rooms"})
        assert changed["body"]["displayName"] == "Rooms"
        listed = await call(client, "GET", f"{STORE}/sessions?pageSize=5")
        assert [each["displayName"] for each in listed["body"]["sessions"]] == ["Rooms"]
        assert (await call(client, "DELETE", name))["body"] == {}
        assert (await call(client, "GET", name))["status"] == 404


async def test_what_is_somebody_elses_is_not_there(house: House) -> None:
    made = await house.post(f"{STORE}/sessions", userPseudoId="bob")
    async with talk(house, "ann") as client:
        foreign = await call(client, "GET", "/v1/" + made["name"])
        absent = await call(client, "GET", f"{STORE}/sessions/1")
        assert foreign["status"] == absent["status"] == 404
        for one, name in ((foreign, made["name"]), (absent, f"{STORE}/sessions/1")):
            told = one["body"]["error"]["message"]
            one["message"] = told.replace(name.removeprefix("/v1/"), "it")
        assert foreign["message"] == absent["message"]
        # No credential that is sent along makes anybody else of who speaks.
        key = urllib.parse.quote(house.client.headers["x-goog-api-key"])
        refused = await call(client, "DELETE", f"{STORE}?key={key}")
        assert refused["status"] in {400, 403, 404}


async def test_errors_are_those_of_the_routes(house: House) -> None:
    async with talk(house, "ann") as client:
        unknown = await call(client, "GET", f"{STORE}/nothing")
        assert (unknown["type"], unknown["status"]) == ("response", 404)
        wrong = await call(client, "POST", f"{STORE}/sessions", body={"displayNam": 1})
        assert wrong["status"] == 400
        assert "displayNam" in wrong["body"]["error"]["message"]
        assert (await call(client, "DELETE", STORE))["status"] == 403


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/metrics", "path"),
        ("/v1", "path"),
        ("//v1/x", "path"),
        ("http://127.0.0.1/v1/x", "path"),
        (f"{STORE}/sessions#x", "path"),
        (f"{STORE}/séssions", "path"),
        (f"{STORE}/servingConfigs/default_config:streamAnswer", "path"),
        (f"{STORE}/servingConfigs/default_config%3AstreamAnswer", "path"),
        (f"{STORE}/servingConfigs/default_config:answer?alt=sse", "path"),
    ],
)
async def test_other_paths_are_refused_by_the_field(path: str, reason: str) -> None:
    with pytest.raises(ServiceError) as raised:
        await frame_calls.call(
            _unreachable,
            HANDSHAKE,
            ANONYMOUS,
            CallMethod("r", "GET", path, b""),
        )
    assert raised.value.message.startswith(f"{reason}: ")


async def _unreachable(*_: Any) -> None:
    raise AssertionError("it was called")


async def test_a_visitors_frame_that_is_none_names_the_field(house: House) -> None:
    async with talk(house, "ann") as client:
        wrong = await call(client, "PUT", STORE)
        assert (wrong["type"], wrong["id"]) == ("error", "r")
        assert "method" in wrong["error"]["message"]


async def test_responses_come_under_their_ids(house: House) -> None:
    async with talk(house, "ann") as client:
        for each in range(8):
            await client.say("request", id=str(each), method="GET", path=f"{STORE}/sessions/{each}")
        heard = [await client.hear() for _ in range(8)]
    assert {each["id"] for each in heard} == {str(each) for each in range(8)}
    for each in heard:
        assert f"/sessions/{each['id']}" in each["body"]["error"]["message"]
