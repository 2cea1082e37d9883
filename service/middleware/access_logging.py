"""Tell the access log how each request over HTTP ended, and each that a frame calls."""

from __future__ import annotations

import time
from typing import Any, Final

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.access_log import AccessLog
from service.middleware.request_limit import PROBES
from service.middleware.request_metrics import method_of
from service.security import principals

REQUEST_ID: Final = b"x-request-id"
_CLIENT_GONE: Final = 499
"""What is told of a request whose client left before there was a response, as proxies do."""


class AccessLogging:
    """Measures a request to the last byte of its response, a stream as well."""

    def __init__(self, app: ASGIApp, log: AccessLog) -> None:
        self._app = app
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and see what is sent."""
        given: Any = scope
        if given["type"] != "http" or given["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        # Who asks over HTTP is found out further in; whoever sends a frame is known before.
        is_frame = principals.SCOPE_KEY in given
        began = time.monotonic()
        status, sent = _CLIENT_GONE, 0

        async def look(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = int(message["status"])
            elif message["type"] == "http.response.body":
                sent += len(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, look)
        finally:
            if self._log.wants(status):
                self._log.write(
                    over="websocket" if is_frame else "http",
                    method=method_of(scope),
                    status=status,
                    seconds=time.monotonic() - began,
                    request_id=dict(given["headers"]).get(REQUEST_ID, b"").decode("latin-1"),
                    sent=sent,
                )
