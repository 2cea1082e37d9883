"""An operator moves replicas to the other search index and back while people ask."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest

from tests import query_engine, redis_servers
from tests.redis_servers import Server
from tests.waiting import eventually
from tests.whole.asking import CONFIG, PAGES, QUERY, STORE
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio

NEW: Final = "The library lends skis in winter."


@pytest.fixture
def engine() -> Iterator[Server]:
    """Run a server with the Query Engine that nobody else uses."""
    if reason := query_engine.missing():
        pytest.skip(reason)
    with redis_servers.folder() as folder, query_engine.server(folder) as server:
        yield server


@contextlib.asynccontextmanager
async def replica(engine: Server, data: Path, index: str) -> AsyncGenerator[Service]:
    """Give a replica with an index of this kind, not started yet."""
    settings = [("COLLOQUY_REDIS_URL", engine.url), ("COLLOQUY_INDEX", index)]
    async with services(data, settings) as (one,):
        yield one


@pytest.fixture
async def embedded(engine: Server, tmp_path: Path) -> AsyncIterator[Service]:
    """Run a replica with documents, which has an index of its own."""
    (tmp_path / "pages").mkdir()
    for name, text in PAGES.items():
        (tmp_path / "pages" / name).write_text(text)
    async with replica(engine, tmp_path / "embedded", "embedded") as one:
        await one.given("import", str(tmp_path / "pages"), "--data-store", STORE)
        async with one.in_a_thread():
            yield one


async def found(service: Service, query: str) -> str:
    """Return the text of the first passage that a search finds."""
    body = {"query": query, "contentSearchSpec": {"searchResultMode": "CHUNKS"}}
    async with (
        aiohttp.ClientSession() as client,
        client.post(f"{service.rest}/v1/{CONFIG}:search", json=body) as reply,
    ):
        told: dict[str, Any] = await reply.json()
        assert reply.status == 200, told
    results = told.get("results", [])
    return results[0]["chunk"]["content"] if results else ""


@contextlib.asynccontextmanager
async def asked_all_the_while(service: Service) -> AsyncGenerator[list[str]]:
    """Ask one question again and again; give what was found each time."""
    heard: list[str] = []

    async def ask() -> None:
        while True:
            heard.append(await found(service, QUERY))
            await asyncio.sleep(0.05)  # the machine has others to serve

    async with asyncio.TaskGroup() as tasks:
        asking = tasks.create_task(ask())
        await eventually(lambda: bool(heard))
        yield heard
        asking.cancel()


def index_keys(engine: Server) -> list[bytes]:
    """Return what is left of the shared index."""
    kept = (b"}:chunk-", b"}:whole-", b"}:entries-", b"}:terms-", b"}:totals-", b"}:garbage-")
    keys: list[bytes] = engine.call("KEYS", "*")
    return [key for key in keys if any(part in key for part in kept)]


async def test_replicas_move_there_and_back_while_they_answer(
    engine: Server, embedded: Service, tmp_path: Path
) -> None:
    async with (
        replica(engine, tmp_path / "shared", "redis") as shared,
        asked_all_the_while(embedded) as heard,
    ):
        status, said = await shared.command("reindex", "--to", "redis")
        assert status == 0, said
        assert "the index has all 2 documents of 1 data stores" in said
        await shared.start()
        async with asked_all_the_while(shared) as also:
            (tmp_path / "skis.txt").write_text(NEW)
            await embedded.given("import", str(tmp_path / "skis.txt"), "--data-store", STORE)
            for one in (embedded, shared):

                async def knows(one: Service = one) -> bool:
                    return NEW in await found(one, "Who lends skis?")

                await eventually(knows)
        status, said = await deleted_once_unused(engine, shared)
        assert status == 0, said
        assert "deleted the shared index" in said
        assert index_keys(engine) == []
        assert engine.call("FT._LIST") == []
    assert all("four weeks" in each for each in (*heard, *also)), {*heard, *also}


async def deleted_once_unused(engine: Server, shared: Service) -> tuple[int, str]:
    """Move back: the index stays while *shared* answers from it. Return what the command did."""
    pipe = asyncio.subprocess.PIPE
    moving = await shared.begin("reindex", "--to", "embedded", stdin=pipe, stdout=pipe, stderr=pipe)
    assert moving.stdout is not None
    said = ""
    while "is deleted when no replica uses it" not in said:
        said += (await moving.stdout.readline()).decode()
    assert "four weeks" in await found(shared, QUERY)
    assert index_keys(engine)
    await shared.stop()
    rest, errors = await moving.communicate()
    return moving.returncode or 0, said + rest.decode() + errors.decode()
