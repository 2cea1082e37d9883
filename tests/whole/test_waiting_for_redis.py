"""A service that starts while Redis is away waits for it, and says so; what is wrong ends it."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from streaming.protocol import close_codes
from tests import redis_servers
from tests.redis_servers import Server
from tests.waiting import eventually
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio

SEARCH = (
    "projects/colloquy/locations/global/collections/default_collection/dataStores/guide/"
    "servingConfigs/default_config:search"
)


async def said(service: Service, path: str, body: Any = None) -> tuple[int, str, str]:
    """Return the status, the text and the header Retry-After of what *service* answers."""
    async with (
        aiohttp.ClientSession() as client,
        client.request("POST" if body else "GET", f"{service.rest}/{path}", json=body) as reply,
    ):
        return reply.status, await reply.text(), reply.headers.get("Retry-After", "")


async def awaited(service: Service) -> bool:
    """Tell whether its log says that it waits."""
    return "redis_awaited" in await asyncio.to_thread(service.record.read_text)


async def test_a_service_that_starts_over_a_frozen_redis_waits_and_says_so(
    own_server: Server, tmp_path: Path
) -> None:
    own_server.signal(signal.SIGSTOP)
    settings = {"COLLOQUY_REDIS_URL": own_server.url}.items()
    async with services(tmp_path / "data", [*settings]) as (service,):
        try:
            await service.launch()
            await eventually(lambda: answers(service), within=60)
            status, text, _ = await said(service, "readyz")
            assert (status, text) == (503, "waits for: Redis")
            status, text, again = await said(service, f"v1/{SEARCH}", {"query": "why"})
            assert (status, int(again) > 0) == (503, True)
            assert "REDIS_UNAVAILABLE" in text
            async with connect(service.websocket) as line:
                with pytest.raises(ConnectionClosed):
                    await line.recv()
            assert close_codes.come_back(line.close_code or 0)
            await eventually(lambda: awaited(service), within=60)
            assert service.printed.read_text() == ""
        finally:
            own_server.signal(signal.SIGCONT)
        await eventually(service.is_ready, within=60)
        await eventually(lambda: "Colloquy is up" in service.printed.read_text())
        assert await service.stop() == 0


async def answers(service: Service) -> bool:
    """Tell whether it lives, as far as its port says."""
    return (await said(service, "livez"))[0] == 200


async def test_workers_that_start_before_redis_does_wait_and_can_be_stopped(
    redis_binary: str, tmp_path: Path
) -> None:
    with redis_servers.folder() as folder:
        server = Server(redis_binary, folder)
        settings = {"COLLOQUY_REDIS_URL": server.url}.items()
        async with services(tmp_path / "data", [*settings]) as (service,):
            await service.launch("--workers", "2")
            await eventually(lambda: answers(service), within=60)
            assert (await said(service, "readyz"))[0] == 503
            assert await service.stop() == 0
            await service.launch("--workers", "2")
            await eventually(lambda: awaited(service), within=60)
            try:
                server.start()
                await eventually(service.is_ready, within=60)
                assert await service.stop() == 0
            finally:
                server.stop()


async def test_what_would_not_pass_by_waiting_ends_the_start(
    own_server: Server, tmp_path: Path
) -> None:
    """Found at once or, where Redis was away at first, when it is there."""
    settings = {"COLLOQUY_REDIS_URL": f"{own_server.url}?password=wrong"}.items()
    async with services(tmp_path / "data", [*settings]) as (service,):
        status, text = await service.command("serve")
        assert status == 1
        told = text.splitlines()[-1]
        assert told.startswith("colloquy: COLLOQUY_REDIS_URL: Redis refuses the connection")
        own_server.signal(signal.SIGSTOP)
        try:
            await service.launch()
            await eventually(lambda: answers(service), within=60)
        finally:
            own_server.signal(signal.SIGCONT)
        assert service.process is not None
        assert await service.process.wait() == 1
        assert service.record.read_text().endswith("(REDIS_REFUSED)\n")
        assert "Traceback" not in service.record.read_text()
