"""Add to every response what browsers and caches have to know of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, Final, cast

from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.http.request_address import name_in
from service.security import cors
from service.security.cors import CrossOrigin

DEFAULTS: Final = (
    # Sessions are read by GET: no cache on the way, and no back button, may show them later.
    (b"cache-control", b"no-store"),
    # Texts of callers come back in replies; none may be taken for a page or a script.
    (b"x-content-type-options", b"nosniff"),
)
"""The headers of every response that does not say otherwise, as pages and assets do."""


class ResponseHeaders:
    """Completes the headers of every response, refusals included."""

    def __init__(
        self,
        app: ASGIApp,
        cross_origin: CrossOrigin | None,
        listed: Callable[[str], Collection[str]] = lambda _: (),
    ) -> None:
        """Complete what *app* sends; without *cross_origin* no other site may read it.

        But where origins are *listed* for what a name lies in, those may, and no others.
        """
        self._app = app
        self._listed = listed
        self._cross_origin = cross_origin

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is said of a response, with what is missing in it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        more = DEFAULTS
        if listed := self._listed(name_in(cast("Any", scope))):
            more += tuple(cors.of_listed(dict(scope["headers"]), listed))
        elif self._cross_origin is not None:
            more += tuple(self._cross_origin.headers(dict(scope["headers"])))

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
