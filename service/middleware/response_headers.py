"""Add to every response what browsers and caches have to know of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, cast

from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.http.request_address import name_in
from service.security import cors
from service.security.origin_policy import OriginPolicy

DEFAULTS: Final = (
    # Sessions are read by GET: no cache on the way, and no back button, may show them later.
    (b"cache-control", b"no-store"),
    # Texts of callers come back in replies; none may be taken for a page or a script.
    (b"x-content-type-options", b"nosniff"),
)
"""The headers of every response that does not say otherwise, as pages and assets do."""


class ResponseHeaders:
    """Completes the headers of every response, refusals included."""

    def __init__(self, app: ASGIApp, origins: OriginPolicy) -> None:
        """Complete what *app* sends; *origins* say which pages may read it."""
        self._app = app
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is said of a response, with what is missing in it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        readers = self._origins.readers(name_in(cast("Any", scope)))
        more = (*DEFAULTS, *cors.headers(scope["headers"], readers))

        async def complete(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = completed(message["headers"], more)
            await send(message)

        await self._app(scope, receive, complete)


def completed(
    given: Iterable[tuple[bytes, bytes]], more: Iterable[tuple[bytes, bytes]]
) -> list[tuple[bytes, bytes]]:
    """Return *given* and those of *more* that it does not have: it knows better."""
    headers = list(given)
    present = {name.lower() for name, _ in headers}
    return headers + [header for header in more if header[0] not in present]
