"""Bound the requests that one process works at, so that a flood is refused and not queued.

Streams count until they end: a text may be written for whoever reads one, and for nobody else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.http import errors
from sessions.errors import ResourceExhausted

PROBES: Final = frozenset({"/livez", "/readyz", "/metrics"})
"""What tells how the service is must be heard when it is full, and costs next to nothing."""


class RequestsInFlight:
    """Counts the requests over HTTP of one process; *refused* is called for each that is not."""

    def __init__(self, most: int, refused: Callable[[], None]) -> None:
        self.most = most
        self.refused = refused
        self.count = 0


class RequestLimit:
    """Refuses requests while too many are in flight; WebSockets are counted elsewhere."""

    def __init__(self, app: ASGIApp, requests: RequestsInFlight) -> None:
        self._app = app
        self._requests = requests

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on a request, or say that it has to come back."""
        given: Any = scope
        if given["type"] != "http" or given["path"] in PROBES:
            await self._app(scope, receive, send)
            return
        requests = self._requests
        if requests.count >= requests.most:
            requests.refused()
            await errors.send(_full(), scope, receive, send)
            return
        requests.count += 1
        try:
            await self._app(scope, receive, send)
        finally:
            requests.count -= 1


def _full() -> ResourceExhausted:
    return ResourceExhausted(
        "this replica works at as many requests as it may; ask again in a moment",
        reason="TOO_MANY_REQUESTS",
    )
