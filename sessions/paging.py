"""Read what every list request says about its page: its size, its order, its token.

A token is opaque and URL-safe: where the traversal stands, after a check that binds it to the
list, the filter and the order that it was made for. The check keeps callers honest, not out: a
token names positions in a list that its holder may read anyway.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeVar

import msgspec

from sessions.errors import InvalidArgument

State = TypeVar("State")

_CHECK: Final = 9
"""Bytes of the check before the state; a multiple of 3, so that base64 needs no padding."""


class Key(NamedTuple):
    """One key of an order: a field in snake_case, and its direction."""

    field: str
    descending: bool


def size(requested: int, *, default: int, maximum: int) -> int:
    """Return how many resources the page may have (api.md 5.1).

    Raises:
        InvalidArgument: (``pageSize``) it is negative.
    """
    if requested < 0:
        raise InvalidArgument("pageSize: give 0 for the default, or more", field="pageSize")
    return min(requested or default, maximum)


def order(text: str, fields: Mapping[str, object]) -> tuple[Key, ...]:
    """Read an ``orderBy``, whose names are keys of *fields* in snake_case or camelCase.

    Raises:
        InvalidArgument: (``orderBy``) a field is unknown, or named twice, or the syntax is wrong.
    """
    keys: list[Key] = []
    for part in text.split(",") if text.strip() else ():
        words = part.split()
        if len(words) not in {1, 2} or words[1:] not in ([], ["asc"], ["desc"]):
            raise InvalidArgument(
                "orderBy: write 'field', 'field asc' or 'field desc', joined by commas",
                field="orderBy",
            )
        name = snake(words[0])
        if name not in fields or name in {key.field for key in keys}:
            raise InvalidArgument(
                f"orderBy: '{words[0][:50]}' is no field to order by, or is given twice; "
                f"there are {', '.join(sorted(fields))}",
                field="orderBy",
            )
        keys.append(Key(name, words[1:] == ["desc"]))
    return tuple(keys)


def snake(name: str) -> str:
    """Return the camelCase *name* in snake_case; one in snake_case stays."""
    return re.sub("([A-Z])", lambda upper: f"_{upper[1].lower()}", name)


def token(state: object, *bound: str) -> str:
    """Write the token of a traversal that stands at *state*, in a list that *bound* describes."""
    body = msgspec.msgpack.encode(state)
    return base64.urlsafe_b64encode(_check(body, bound) + body).rstrip(b"=").decode()


def resumed(states: msgspec.msgpack.Decoder[State], text: str, *bound: str) -> State:
    """Return the state that `token` was given, one of *states*.

    Raises:
        InvalidArgument: (``pageToken``) it is no such token, or was made for another list.
    """
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        if raw[:_CHECK] == _check(raw[_CHECK:], bound):
            return states.decode(raw[_CHECK:])
    except (binascii.Error, ValueError, msgspec.DecodeError):
        pass
    raise InvalidArgument(
        "pageToken: give a token of this very list, with the same parent, filter and orderBy",
        field="pageToken",
        reason="INVALID_PAGE_TOKEN",
    )


def expired() -> InvalidArgument:
    """Return the error for a token whose traversal is over."""
    return InvalidArgument(
        "pageToken: it has expired; list again from the first page",
        field="pageToken",
        reason="PAGE_TOKEN_EXPIRED",
    )


def _check(body: bytes, bound: tuple[str, ...]) -> bytes:
    binding = msgspec.msgpack.encode((bound, body))
    return hashlib.blake2b(binding, digest_size=_CHECK, person=b"page token").digest()
