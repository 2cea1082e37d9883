"""What a request says, before its body, of who sends what where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

_SCHEMES: Final = {"ws": "http", "wss": "https"}
"""The page of a socket has the origin that its requests have (RFC 6455, 10.2)."""


class RequestHead(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a request that it is judged by; *path* is the one that is routed.

    A header that came twice has two values here: none may hide behind the other.
    """

    method: str
    path: str
    scheme: str = "http"
    hosts: Sequence[str] = ()
    origins: Sequence[str] = ()
    fetch_sites: Sequence[str] = ()
    content_types: Sequence[str] = ()
    upload_command: bool = False
    has_body: bool = False


def read(
    method: str, path: str, scheme: str, headers: Iterable[tuple[bytes, bytes]]
) -> RequestHead:
    """Return the head of a request; the names in *headers* are in lower case."""
    values: dict[bytes, list[str]] = {}
    for name, value in headers:
        if name in _JUDGED:
            values.setdefault(name, []).append(value.decode("latin-1").strip())
    lengths = values.get(b"content-length", ())
    return RequestHead(
        method=method,
        path=path,
        scheme=_SCHEMES.get(scheme, scheme),
        hosts=values.get(b"host", ()),
        origins=values.get(b"origin", ()),
        fetch_sites=values.get(b"sec-fetch-site", ()),
        content_types=values.get(b"content-type", ()),
        upload_command=b"x-goog-upload-command" in values,
        has_body=b"transfer-encoding" in values or any(each.strip("0") for each in lengths),
    )


_JUDGED: Final = frozenset(
    {
        b"host",
        b"origin",
        b"sec-fetch-site",
        b"content-type",
        b"content-length",
        b"transfer-encoding",
        b"x-goog-upload-command",
    }
)
