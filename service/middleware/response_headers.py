"""Add to every response what browsers and caches have to know of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from service.api.http.request_address import name_in
from service.security import cors
from service.security.cors import Headers
from service.security.origin_policy import OriginPolicy

DEFAULTS: Final = (
    # Sessions are read by GET: no cache on the way, and no back button, may show them later.
    (b"cache-control", b"no-store"),
    # Texts of callers come back in replies; none may be taken for a page or a script.
    (b"x-content-type-options", b"nosniff"),
)
"""The headers of every response that does not say otherwise, as pages and assets do."""


class ResponseHeaders:
    """The headers that complete every response, refusals included."""

    def __init__(self, origins: OriginPolicy) -> None:
        """*origins* say which pages may read a response."""
        self._origins = origins

    def of(self, scope: Any) -> Headers:
        """Return those of the response to *scope*, for where it does not say otherwise."""
        readers = self._origins.readers(name_in(scope))
        return (*DEFAULTS, *cors.headers(scope["headers"], readers)) if readers else DEFAULTS


def completed(
    given: Iterable[tuple[bytes, bytes]], more: Iterable[tuple[bytes, bytes]]
) -> list[tuple[bytes, bytes]]:
    """Return *given* and those of *more* that it does not have: it knows better."""
    headers = list(given)
    present = {name.lower() for name, _ in headers}
    return headers + [header for header in more if header[0] not in present]
