"""What is at an address and is no Redis, or no Colloquy, is said in a sentence, and soon."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio
PAGE: Final = b"<h1>It works</h1>"
SAYS: Final = {
    "silent": b"",
    "web": b"HTTP/1.1 404 Not Found\r\nContent-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE),
}
EVENT: Final = re.compile(r"^redis_\w+$", re.MULTILINE)
OF_REDIS: Final = [["stores", "list"], ["sessions"], ["doctor"]]
OF_SERVICE: Final = {
    ("chat", "silent"): "does not answer within 2 seconds",
    ("chat", "web"): "is no Colloquy (HTTP status 404)",
    ("evaluate", "silent"): "does not answer within 3 seconds",
    ("evaluate", "web"): "the service replied with status 404",
}


@asynccontextmanager
async def listener(said: bytes) -> AsyncGenerator[str]:
    """Say the same to whoever connects, or nothing at all; give host and port."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(1024):
            writer.write(said)
        writer.close()

    async with await asyncio.start_server(talk, "127.0.0.1", 0) as server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.fixture
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    """One that is not started: its commands alone."""
    async with services(tmp_path) as (one,):
        yield one


@pytest.mark.parametrize("who", SAYS)
async def test_what_is_no_redis_is_said_once(tmp_path: Path, who: str) -> None:
    """By every command that needs it, without a stack trace or the name of an event."""
    told = {"silent": "it accepts connections, and says nothing", "web": "is no Redis"}[who]
    async with (
        listener(SAYS[who]) as address,
        services(tmp_path, [("COLLOQUY_REDIS_URL", f"redis://{address}/0")]) as (one,),
        asyncio.TaskGroup() as tasks,
    ):
        asked = [tasks.create_task(one.command(*each)) for each in OF_REDIS]
    for status, output in (each.result() for each in asked):
        assert status == 1
        assert output.count(told) == 1
        assert "Traceback" not in output
        assert not EVENT.search(output)


@pytest.mark.parametrize(("command", "who"), OF_SERVICE)
async def test_what_is_no_colloquy_is_said(
    service: Service, tmp_path: Path, command: str, who: str
) -> None:
    questions = tmp_path / "questions.csv"
    questions.write_text("question,text\nHow long?,weeks\n")
    async with listener(SAYS[who]) as address:
        if command == "chat":
            asked = ("chat", "How long?", "--url", f"ws://{address}/v1/ws")
        else:
            asked = ("evaluate", "--questions", str(questions), "--url", f"http://{address}")
        status, output = await service.command(*asked)
    assert status == 1
    assert OF_SERVICE[command, who] in output
    assert "Traceback" not in output
