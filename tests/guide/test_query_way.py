"""The four ways through the code, as the guide tells them, are those that requests take."""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Final

import aiohttp
import pytest
import uvicorn
from websockets.asyncio.client import connect

from service import __main__
from service.composition.app import create_app
from service.server import http_server, listening
from service.settings import Settings
from sessions import names
from streaming.protocol import frames
from tests.redis_servers import Server
from tests.waiting import eventually

pytestmark = pytest.mark.anyio

GUIDE: Final = Path(__main__.__file__).parent / "guide"
STORE: Final = names.SAMPLE_DATA_STORE
CONFIG: Final = f"{STORE}/servingConfigs/default_config"
QUERY: Final = {"query": {"text": "How are citations counted?"}, "session": f"{STORE}/sessions/-"}
MODEL: Final = f"{names.parent(STORE).partition('/collections')[0]}/publishers/google/models/m"


@asynccontextmanager
async def served(settings: Settings) -> AsyncGenerator[str]:
    """Serve in this very thread, where calls can be seen, and yield the address."""
    listener = listening.listen(settings)
    application = create_app(settings)
    server = uvicorn.Server(http_server.configuration(application.asgi))
    async with application.opened(), asyncio.TaskGroup() as tasks:
        await application.ready.wait()
        serving = tasks.create_task(server.serve([listener]))
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        await serving


@contextmanager
def calls() -> Generator[list[str]]:
    """Collect the functions that are called here and in threads that begin, one after the other."""
    seen: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            seen.append(f"{frame.f_globals.get('__name__', '')}.{frame.f_code.co_name}")

    sys.setprofile(note)
    threading.setprofile(note)  # of those that begin from now on, such as the index's
    try:
        yield seen
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


async def post(address: str, path: str, body: dict[str, Any]) -> Any:
    async with (
        aiohttp.ClientSession() as client,
        client.post(f"http://{address}/v1/{path}", json=body) as reply,
    ):
        assert reply.status == 200, await reply.text()
        return await reply.json()


async def over_websocket(address: str) -> list[str]:
    offered: list[Any] = [frames.SUBPROTOCOL]
    async with connect(f"ws://{address}/v1/ws", subprotocols=offered) as socket:
        await socket.recv()
        with calls() as seen:
            ask = {"type": "answer", "id": "1", "servingConfig": CONFIG, "request": QUERY}
            await socket.send(json.dumps(ask))
            async for message in socket:
                answer = json.loads(message).get("response", {}).get("answer", {})
                if answer.get("state") in ("SUCCEEDED", "FAILED"):
                    break
        return seen


async def over_rest(address: str) -> list[str]:
    with calls() as seen:
        await post(address, f"{CONFIG}:answer", QUERY)
    return seen


async def of_an_import(address: str) -> list[str]:
    documents = [{"id": "a", "content": {"mimeType": "text/plain", "rawBytes": "VGVh"}}]
    with calls() as seen:
        path = f"{STORE}/branches/0/documents:import"
        made = await post(address, path, {"inlineSource": {"documents": documents}})
        async with aiohttp.ClientSession() as client:

            async def done() -> bool:
                async with client.get(f"http://{address}/v1/{made['name']}") as reply:
                    return bool((await reply.json()).get("done"))

            await eventually(done)
    return seen


async def of_generate_content(address: str) -> list[str]:
    tool = {"retrieval": {"vertexAiSearch": {"datastore": STORE}}}
    contents = [{"role": "user", "parts": [{"text": "How are citations counted?"}]}]
    with calls() as seen:
        await post(address, f"{MODEL}:generateContent", {"contents": contents, "tools": [tool]})
    return seen


WAYS: Final = {
    "a query over the WebSocket": over_websocket,
    "a query over REST": over_rest,
    "an import": of_an_import,
    "generateContent": of_generate_content,
}


def told(way: str) -> list[str]:
    """Return the functions that the page names for *way*."""
    page = (GUIDE / "code" / "query-way.md").read_text("utf-8")
    section = page.partition(f"## Which functions does {way} pass?")[2].partition("\n## ")[0]
    return re.findall(r"^\|[^|]+\| `([\w.]+)` \|$", section, re.MULTILINE)


@pytest.mark.parametrize("way", WAYS)
async def test_a_request_passes_what_the_guide_says_in_its_order(
    module_redis: Server, tmp_path: Path, way: str
) -> None:
    steps = told(way)
    async with served(Settings(port=0, data_dir=tmp_path, redis_url=module_redis.url)) as address:
        called = iter(await WAYS[way](address))
    # One iterator: each step is looked for behind the one before.
    lost = next((step for step in steps if step not in called), None)
    assert lost is None, "is it called still, and behind the steps before?"
    assert len(steps) > 10
