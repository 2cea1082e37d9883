"""The metrics of a running service tell what its parts keep."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import pytest
from websockets.asyncio.client import connect

from tests.serving import Served, serving
from tests.streaming.sockets import Talk
from tests.waiting import eventually
from tests.whole.asking import PAGES

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
async def service(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Served]:
    folder: Path = tmp_path_factory.mktemp("watched")
    (folder / "loans.md").write_text(PAGES["loans.md"])
    before = ("import", str(folder / "loans.md"), "--data-store", "library")
    async with serving(folder / "data", before) as running:
        yield running


async def metrics(service: Served) -> dict[str, float]:
    """Return all values by name and labels."""
    async with aiohttp.ClientSession() as client, client.get(f"{service.rest}/metrics") as reply:
        text = await reply.text()
    return {name: float(value) for name, value in re.findall(r"^(colloquy\S+) (\S+)$", text, re.M)}


async def test_what_the_index_holds_is_told(service: Served) -> None:
    told = await metrics(service)
    assert told["colloquy_index_documents"] == 1
    assert told["colloquy_index_chunks"] >= 1
    assert told["colloquy_index_lag_seconds"] < 30


async def test_the_connection_to_redis_is_told(service: Served) -> None:
    told = await metrics(service)
    assert told['colloquy_redis_connections{state="open"}'] == 1
    assert told['colloquy_redis_connections{state="away"}'] == 0
    assert told["colloquy_redis_reply_seconds_count"] > 0


async def test_a_socket_and_what_is_asked_on_it_are_told(service: Served) -> None:
    async with connect(service.websocket) as connection:
        client = Talk(connection)
        await client.hear_type("ready")
        await client.say("resume", id="1", answer="projects/p/locations/l/nothing")
        await client.hear_type("error")
        told = await metrics(service)
        assert told['colloquy_open_sockets{state="ready"}'] == 1
        assert told['colloquy_limit{bound="sockets"}'] == 20_000

    async def has_left() -> bool:
        return (await metrics(service))['colloquy_socket_closes_total{code="left"}'] == 1

    await eventually(has_left)
