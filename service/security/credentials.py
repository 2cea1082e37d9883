"""What a request brings to show who sends it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from urllib.parse import parse_qsl

import msgspec

from sessions.errors import InvalidArgument

_BEARER: Final = "bearer "
_IN_URL: Final = frozenset({"key", "access_token", "accessToken"})
"""Parameters in which the public APIs take credentials (OAuth 2.0 Bearer, RFC 6750, 2.3), in both
forms that the names of parameters have: the router's is the latter."""


class Credentials(msgspec.Struct, frozen=True, kw_only=True):
    """The credential of one request or frame, and where it comes from.

    *token* is an API key, or a token of a user or visitor, "" where there is none; its form tells
    which. *origin* is that of the page, "" for programs. *address* is the network address of the
    client.
    """

    token: str = ""
    in_url: bool = False
    origin: str = ""
    address: str = ""


def read(headers: Iterable[tuple[bytes, bytes]], query: bytes, address: str) -> Credentials:
    """Return what a request brings in its *headers*, names in lower case, and its *query*.

    ``x-goog-api-key`` goes before ``Authorization: Bearer``: clients that send both have a key and
    fill the other in.

    Raises:
        InvalidArgument: one of the two comes twice, and nobody can tell which is meant.
    """
    key = bearer = origin = ""
    for name, value in headers:
        if name == b"x-goog-api-key":
            key = _once(key, value.decode("latin-1").strip(), "x-goog-api-key")
        elif name == b"authorization":
            given = value.decode("latin-1").strip()
            if given[: len(_BEARER)].lower() == _BEARER:
                bearer = _once(bearer, given[len(_BEARER) :].strip(), "Authorization")
        elif name == b"origin":
            origin = value.decode("latin-1").strip()
    in_url = bool(query) and any(name in _IN_URL for name, _ in parse_qsl(query.decode("latin-1")))
    return Credentials(token=key or bearer, in_url=in_url, origin=origin, address=address)


def _once(before: str, given: str, header: str) -> str:
    if before and before != given:
        raise InvalidArgument(f"{header}: send it once", reason="AMBIGUOUS_CREDENTIALS")
    return given
