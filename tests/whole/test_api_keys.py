"""Keys that an operator makes and revokes in a terminal, while processes serve."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import pytest

from tests.waiting import eventually
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio

PATH = "/v1/projects/colloquy/locations/global/collections/default_collection/dataStores"
ASKS = 8
"""Connections that ask: the kernel deals them out among the workers."""


async def statuses(service: Service, key: str) -> set[int]:
    """Return what several new connections are answered."""
    headers = {"x-goog-api-key": key} if key else {}

    async def ask() -> int:
        async with (
            aiohttp.ClientSession() as client,
            client.get(f"{service.rest}{PATH}", headers=headers) as reply,
        ):
            return reply.status

    async with asyncio.TaskGroup() as tasks:
        asked = [tasks.create_task(ask()) for _ in range(ASKS)]
    return {each.result() for each in asked}


async def keys(service: Service, *arguments: str) -> str:
    """Run ``colloquy keys`` on the data of *service*; return the last line of its output."""
    return (await service.given("keys", *arguments)).splitlines()[-1]


async def test_a_service_that_others_reach_asks_for_keys_that_come_and_go(tmp_path: Path) -> None:
    """Each worker is a replica: each learns of a key, and of its end, by itself."""
    async with services(tmp_path / "data", [("COLLOQUY_HOST", "0.0.0.0")]) as (service,):
        status, said = await service.command("serve")
        assert status == 2
        assert "colloquy keys create --scope admin" in said
        assert "COLLOQUY_ANONYMOUS=on colloquy serve" in said
        assert "Traceback" not in said
        first = await keys(service, "create", "--scope", "admin")
        await service.start("--workers", "2")

        async def all_are_told(key: str, status: int) -> bool:
            return await statuses(service, key) == {status}

        assert await all_are_told("", 403)
        assert await all_are_told(first, 200)
        later = await keys(service, "create", "--scope", "read-only")
        await eventually(lambda: all_are_told(later, 200))
        await keys(service, "revoke", first)
        await eventually(lambda: all_are_told(first, 403))
        assert await all_are_told(later, 200)
