"""See what is sent in reply to each request over HTTP, in one place for all who want to know.

A wrapper around `send` for each of them would cost a small read more than what they do with it.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.middleware.access_logging import AccessLogging
from service.middleware.request_limit import PROBES
from service.middleware.request_metrics import method_of
from service.middleware.response_headers import Headers, ResponseHeaders, completed
from service.security import principals

_CLIENT_GONE: Final = 499
"""What is told of a request whose client left before there was a response, as proxies do."""
Observe = Callable[[str, int, float], None]
"""Is told the API method of a request, the status of its response and the seconds to that."""


class Exchange:
    """One request, and what was sent in reply so far."""

    __slots__ = ("_began", "_headers", "_observe", "_scope", "_send", "sent", "status")

    def __init__(self, scope: Scope, send: Send, headers: Headers, observe: Observe | None) -> None:
        """Complete the reply by *headers*, and let *observe* know of it, if anybody is to."""
        self._scope = scope
        self._send = send
        self._headers = headers
        self._observe = observe
        self._began = time.monotonic()
        self.status = _CLIENT_GONE
        self.sent = 0
        """Bytes of the body."""

    @property
    def seconds(self) -> float:
        """How long it has lasted."""
        return time.monotonic() - self._began

    def send(self, message: Message) -> Awaitable[None]:
        """Send a part of the reply.

        A stream is observed at its head: how long it goes on says what was asked, not how we are.
        """
        given: Any = message
        if given["type"] == "http.response.start":
            self.status = int(given["status"])
            if self._observe is not None:
                self._observe(method_of(self._scope), self.status, self.seconds)
            given["headers"] = completed(given["headers"], self._headers)
        else:
            self.sent += len(given.get("body", b""))
        return self._send(message)


class Exchanges:
    """Has the exchanges of requests over HTTP completed, counted and logged."""

    def __init__(
        self, app: ASGIApp, headers: ResponseHeaders, observe: Observe, log: AccessLogging
    ) -> None:
        self._app = app
        self._headers = headers
        self._observe = observe
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; of probes nobody wants to know."""
        given: Any = scope
        if given["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = self._headers.of(scope)
        if given["path"] in PROBES:
            await self._app(scope, receive, Exchange(scope, send, headers, None).send)
            return
        exchange = Exchange(scope, send, headers, self._observe)
        # Who asks over HTTP is found out further in; whoever sends a frame is known before.
        is_frame = principals.SCOPE_KEY in given
        try:
            await self._app(scope, receive, exchange.send)
        finally:
            self._log.ended(
                scope,
                status=exchange.status,
                sent=exchange.sent,
                seconds=exchange.seconds,
                framed=is_frame,
            )
