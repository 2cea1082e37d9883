"""Tell how each request over HTTP was answered, for the metrics."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.api.http.json_bodies import METHOD
from service.middleware.request_limit import PROBES

NO_METHOD: Final = "none"
"""Stands for the API method of pages, and of what was refused before it was routed."""


class RequestMetrics:
    """Observes the API method of a request, the status of its response and the seconds to that.

    A stream counts to its head: how long it goes on says what was asked, not how we are.
    """

    def __init__(self, app: ASGIApp, observe: Callable[[str, int, float], None]) -> None:
        self._app = app
        self._observe = observe

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and look at the head of its response."""
        if scope["type"] != "http" or scope["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        began = time.monotonic()

        async def look(message: Message) -> None:
            if message["type"] == "http.response.start":
                seconds = time.monotonic() - began
                self._observe(method_of(scope), int(message["status"]), seconds)
            await send(message)

        await self._app(scope, receive, look)


def method_of(scope: Any) -> str:
    """Return the API method that *scope* was routed to: a name of ours, whatever was asked."""
    handler = scope.get("route_handler")
    return NO_METHOD if handler is None else handler.opt.get(METHOD, NO_METHOD)
