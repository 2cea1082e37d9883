"""A service that is told to stop while a file is on its way to it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

import aiohttp
import pytest

from tests.waiting import LONG
from tests.whole.processes import Service, services

pytestmark = pytest.mark.anyio

LOCATION: Final = "projects/colloquy/locations/global"
IN_PIECES: Final = {"X-Goog-Upload-Protocol": "resumable", "X-Goog-Upload-Command": "start"}


async def place(service: Service, command: str) -> str:
    """Make a corpus and return the path at which it takes a file, or its pieces by *command*."""
    async with aiohttp.ClientSession(service.rest) as client:
        async with client.post(
            f"/v1/{LOCATION}/ragCorpora", json={"displayName": "loans"}
        ) as reply:
            corpus = (await reply.json())["response"]["name"]
        path = f"/upload/v1/{corpus}/ragFiles:upload"
        if not command:
            return path
        async with client.post(path, json={}, headers=IN_PIECES) as reply:
            return reply.headers["X-Goog-Upload-URL"].removeprefix(service.rest)


@contextlib.asynccontextmanager
async def dripping(
    service: Service, path: str, command: str
) -> AsyncGenerator[asyncio.StreamReader]:
    """Send one byte of many; what is read is the response."""
    reader, writer = await asyncio.open_connection("127.0.0.1", service.port)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\nExpect: 100-continue\r\n"
    )
    writer.write(f"{head}X-Goog-Upload-Command: {command}\r\n\r\n".encode())
    try:
        assert await reader.readuntil(b"\r\n\r\n") == b"HTTP/1.1 100 Continue\r\n\r\n"
        writer.write(b"x")
        yield reader
    finally:
        writer.transport.abort()


async def test_a_file_that_drips_in_one_or_in_pieces_holds_nothing_up(tmp_path: Path) -> None:
    async with services(tmp_path / "data", (("COLLOQUY_GRACE", "1"),)) as (service,):
        await service.start()
        async with contextlib.AsyncExitStack() as stack:
            readers = [
                await stack.enter_async_context(
                    dripping(service, await place(service, command), command)
                )
                for command in ("", "upload")
            ]
            assert service.process is not None
            service.process.terminate()
            for reader in readers:
                async with asyncio.timeout(LONG):
                    response = await reader.read()
                assert b"HTTP/1.1 503 " in response
                assert b"SHUTTING_DOWN" in response
                assert b"x-goog-upload-status" not in response.lower()  # it goes on elsewhere
        async with asyncio.timeout(LONG):
            assert await service.process.wait() == 0
        assert "Traceback" not in service.record.read_text()
