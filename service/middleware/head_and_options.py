"""Answer HEAD wherever GET is, and OPTIONS wherever anything is (RFC 9110, 9.3)."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.http import errors
from service.api.http.allowed_methods import allowed_methods
from sessions.errors import NotFound


class HeadAndOptions:
    """Serves the methods that follow from what a path has."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Answer HEAD as GET without its body, and OPTIONS by the methods; pass on the rest."""
        given: Any = scope
        match given.get("method"):
            case "HEAD":
                got: Any = {**given, "method": "GET"}
                return self._app(got, receive, _headers_only(send))
            case "OPTIONS":
                return _tell_methods(scope, receive, send)
            case _:
                return self._app(scope, receive, send)


def _headers_only(send: Send) -> Send:
    """Return what sends the head of a response and ends it there.

    The end is sent at once: a stream then hears that nobody reads it, and stops.
    """

    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            await send(message)
            end: Any = {"type": "http.response.body", "body": b"", "more_body": False}
            await send(end)

    return sending


async def _tell_methods(scope: Scope, receive: Receive, send: Send) -> None:
    methods = allowed_methods(scope)
    if not methods:
        error = NotFound(f"there is no such route: {scope['path']}", reason="ROUTE_NOT_FOUND")
        await errors.send(error, scope, receive, send)
        return
    allow = (b"allow", ", ".join(methods).encode())
    start: Any = {"type": "http.response.start", "status": 204, "headers": [allow]}
    await send(start)
    end: Any = {"type": "http.response.body", "body": b"", "more_body": False}
    await send(end)
