"""What a response tells browsers of the other sites that may read it (the Fetch standard)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

_METHODS: Final = b"GET, HEAD, POST, PATCH, DELETE"
_SECONDS: Final = b"600"  # a browser asks again after these
_EXPOSED: Final = (
    b"access-control-expose-headers",
    b"RateLimit, RateLimit-Policy, Retry-After",
)
"""What a page reads to wait as long as it has to (the Fetch standard, 3.3.5)."""
_VARY: Final = (b"vary", b"Origin")

Headers = Sequence[tuple[bytes, bytes]]


def headers(request: Iterable[tuple[bytes, bytes]], readers: Collection[str]) -> Headers:
    """Return the headers of any response to *request*, given by its own headers.

    *readers* are the origins that may read it; with ``*`` all are told the same, so that caches
    need not tell them apart. ``Vary`` is there for strangers and programs, too: what they got may
    be kept by a cache.
    """
    if not readers:
        return ()
    if "*" in readers:
        return [(b"access-control-allow-origin", b"*"), *_told(dict(request))]
    origins = [value for name, value in request if name == b"origin"]
    if len(origins) != 1 or origins[0].decode("latin-1") not in readers:
        return [_VARY]
    return [(b"access-control-allow-origin", origins[0]), _VARY, *_told(dict(request))]


def _told(request: Mapping[bytes, bytes]) -> Headers:
    """Return what a page may read, or before it sends what is not simple what it may send."""
    if b"access-control-request-method" not in request:
        return [_EXPOSED]
    told = [(b"access-control-allow-methods", _METHODS), (b"access-control-max-age", _SECONDS)]
    # Whoever may write may say anything beside it.
    if wanted := request.get(b"access-control-request-headers"):
        told.append((b"access-control-allow-headers", wanted))
    return told
