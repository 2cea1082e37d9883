"""Requests whose body does not come, or need not."""

from __future__ import annotations

import asyncio
import http.client
import json
import logging
import socket
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from litestar import Litestar, Request, post
from litestar.exceptions import HTTPException

from service.api.http import errors
from tests.clients.discovery import Service
from tests.streaming.sockets import served
from tests.waiting import LONG

UPLOADS: Final = "/upload/v1/projects/p/locations/l/ragCorpora/1/ragFiles:upload"


@post("/")
async def read_body(request: Request[Any, Any, Any]) -> int:
    return len(await request.body())


@pytest.mark.anyio
async def test_a_client_that_vanishes_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    app = Litestar(
        [read_body],
        exception_handlers={
            HTTPException: errors.handle_http_exception,
            Exception: errors.handle_exception,
        },
        openapi_config=None,
        logging_config=None,
    )
    begun, ended = asyncio.Event(), asyncio.Event()

    async def watched(scope: Any, receive: Any, send: Any) -> None:
        begun.set()
        await app(scope, receive, send)
        ended.set()

    async with served(watched) as address, asyncio.timeout(LONG):  # type: ignore[arg-type]
        host, _, port = address.partition(":")
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx")
        await begun.wait()
        writer.transport.abort()
        await ended.wait()
    assert [entry.getMessage() for entry in caplog.records if entry.levelno > logging.INFO] == []


@pytest.mark.parametrize(
    ("path", "command"),
    [(UPLOADS, ""), (UPLOADS, "start"), (f"{UPLOADS}?uploadId=1", "upload, finalize")],
)
def test_a_file_for_nobody_is_not_waited_for(service: Service, path: str, command: str) -> None:
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname, address.port), timeout=5) as line:
        line.sendall(
            f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {100 << 20}\r\n"
            f"X-Goog-Upload-Command: {command}\r\n\r\n".encode()
        )
        response = http.client.HTTPResponse(line)
        response.begin()
        assert response.status == 404
        error = json.loads(response.read())["error"]
    assert error["details"][0]["reason"] == "RESOURCE_NOT_FOUND"
