"""A Redis that comes back empty: replicas say so, and take no questions for what is gone."""

from __future__ import annotations

from pathlib import Path

import aiohttp
import pytest

from service.composition.app import create_app
from service.settings import Settings
from tests.redis_servers import Server
from tests.streaming.sockets import served
from tests.waiting import eventually

pytestmark = pytest.mark.anyio


async def test_a_replica_is_not_ready_on_a_redis_that_was_emptied(
    own_server: Server, tmp_path: Path
) -> None:
    application = create_app(Settings(data_dir=tmp_path, redis_url=own_server.url, sample=False))
    async with (
        application.opened(),
        served(application.asgi) as address,
        aiohttp.ClientSession() as client,
    ):
        await application.ready.wait()

        async def said(path: str) -> str:
            async with client.get(f"http://{address}/{path}") as reply:
                return await reply.text()

        assert await said("readyz") == "ready"
        own_server.call("FLUSHALL")

        async def is_told() -> bool:
            return "the data, which Redis has lost: restore" in await said("readyz")

        await eventually(is_told)
        assert "\ncolloquy_redis_up 0.0\n" in await said("metrics")
