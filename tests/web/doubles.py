"""A site on a real port of this machine, whose pages a test writes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from types import TracebackType
from typing import Self

from aiohttp import web

from tests.doubles import Reply

HTML = "text/html; charset=utf-8"


def page(
    text: str | bytes, content_type: str = HTML, *, headers: Mapping[str, str] | None = None
) -> Reply:
    """Answer with *text*."""
    body = text if isinstance(text, bytes) else text.encode()

    async def reply(_: web.Request) -> web.StreamResponse:
        return web.Response(body=body, headers={"Content-Type": content_type, **(headers or {})})

    return reply


def moved(location: str, status: int = 302) -> Reply:
    """Redirect to *location*."""

    async def reply(_: web.Request) -> web.StreamResponse:
        return web.Response(status=status, headers={"Location": location})

    return reply


def endless(piece: bytes, *, headers: Mapping[str, str] | None = None) -> Reply:
    """Send *piece* again and again, until the client leaves."""

    async def reply(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": HTML, **(headers or {})})
        await response.prepare(request)
        with contextlib.suppress(ConnectionError):
            while True:
                await response.write(piece)
                await asyncio.sleep(0)
        return response

    return reply


class Site:
    """A server of pages; *asked* are the paths that were asked for, in order."""

    def __init__(self) -> None:
        self.pages: dict[str, Reply] = {}
        self.asked: list[str] = []
        self.agents: set[str] = set()
        self.port = 0
        self._runner: web.AppRunner | None = None

    @property
    def host(self) -> str:
        """The entry by which the operator lists it."""
        return f"127.0.0.1:{self.port}"

    def url(self, path: str) -> str:
        return f"http://{self.host}{path}"

    def visits(self, path: str) -> int:
        return self.asked.count(path)

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_route("*", "/{path:.*}", self._reply)
        self._runner = web.AppRunner(app, handler_cancellation=True, shutdown_timeout=0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    async def _reply(self, request: web.Request) -> web.StreamResponse:
        self.asked.append(request.path)
        self.agents.add(request.headers["User-Agent"])
        reply = self.pages.get(request.path)
        return web.Response(status=404) if reply is None else await reply(request)
