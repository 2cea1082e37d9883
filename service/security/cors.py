"""What a response tells browsers of the other sites that may read it (the Fetch standard)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from service.security.trusted_origins import Origins

_METHODS: Final = b"GET, HEAD, POST, PATCH, DELETE"
_SECONDS: Final = b"600"  # a browser asks again after these
_EXPOSED: Final = (
    b"access-control-expose-headers",
    b"RateLimit, RateLimit-Policy, Retry-After",
)
"""What a page reads to wait as long as it has to (the Fetch standard, 3.3.5)."""

Headers = Sequence[tuple[bytes, bytes]]


class CrossOrigin:
    """Lets the pages of allowed origins read what they ask for."""

    def __init__(self, origins: Origins, *, everybody: bool) -> None:
        """Allow *origins*; with *everybody* the same for all, so that caches need not tell them."""
        self._origins = origins
        self._everybody = everybody

    def headers(self, request: Mapping[bytes, bytes]) -> Headers:
        """Return the headers of any response to *request*, given by its own headers.

        ``Vary`` is there for strangers and programs, too: what they got may be kept by a cache.
        """
        if self._everybody:
            return [(b"access-control-allow-origin", b"*"), *_told(request)]
        vary = (b"vary", b"Origin")
        origin = request.get(b"origin", b"")
        if not origin or not self._origins.allow(origin.decode("latin-1")):
            return [vary]
        return [(b"access-control-allow-origin", origin), vary, *_told(request)]


def of_listed(request: Mapping[bytes, bytes], listed: Collection[str]) -> Headers:
    """Return the headers of a response of a data store that only *listed* origins may use."""
    origin = request.get(b"origin", b"")
    vary = (b"vary", b"Origin")
    if not origin or origin.decode("latin-1") not in listed:
        return [vary]
    return [(b"access-control-allow-origin", origin), vary, *_told(request)]


def _told(request: Mapping[bytes, bytes]) -> Headers:
    """Return what a page may read, or before it sends what is not simple what it may send."""
    if b"access-control-request-method" not in request:
        return [_EXPOSED]
    told = [(b"access-control-allow-methods", _METHODS), (b"access-control-max-age", _SECONDS)]
    # Whoever may write may say anything beside it.
    if wanted := request.get(b"access-control-request-headers"):
        told.append((b"access-control-allow-headers", wanted))
    return told
