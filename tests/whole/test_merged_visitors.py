"""A visitor who becomes a user leaves every socket, at every replica."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.streaming.sockets import Talk
from tests.waiting import LONG
from tests.whole.processes import services

pytestmark = pytest.mark.anyio

COLLECTION: Final = "/v1/projects/p/locations/global/collections/default_collection/dataStores"
SOCKETS: Final = 8
"""The kernel deals them out among the workers."""


async def test_a_merged_visitor_is_sent_away_by_every_worker(tmp_path: Path) -> None:
    async with services(tmp_path / "data") as (service,), contextlib.AsyncExitStack() as stack:
        key = (await service.given("keys", "create", "--scope", "admin")).splitlines()[-1]
        await service.start("--workers", "2")
        client = await stack.enter_async_context(
            aiohttp.ClientSession(service.rest, headers={"x-goog-api-key": key})
        )

        async def call(path: str, **body: Any) -> Any:
            async with client.post(COLLECTION + path, json=body) as reply:
                assert reply.status == 200, await reply.text()
                return await reply.json()

        await call("?dataStoreId=a", displayName="a")
        merged, other = [await call("/a:mintVisitorToken") for _ in range(2)]

        async def greeted(token: str) -> Talk:
            line: ClientConnection = await stack.enter_async_context(connect(service.websocket))
            await Talk(line).say("auth", token=token)
            assert (await Talk(line).hear())["type"] == "ready"
            return Talk(line)

        talks = [await greeted(merged["token"]) for _ in range(SOCKETS)]
        stays = await greeted(other["token"])
        await call("/a:mergeVisitor", visitorToken=merged["token"], userPseudoId="ann")
        async with asyncio.timeout(LONG):
            assert {await each.closed() for each in talks} == {4401}
        assert (talks[0].connection.close_reason or "").startswith("TOKEN_REVOKED")
        await stays.say("ping")
        assert (await stays.hear())["type"] == "pong"
