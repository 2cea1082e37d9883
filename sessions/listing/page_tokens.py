"""Write and read page tokens: where a traversal stands, signed and bound to its list.

A token is opaque and URL-safe. It is bound to what the page is of: the method, the parent, the
filter, the order. It is signed by a key that all replicas share, since what it says is trusted as
far as commands to Redis: a forged offset would be told as our failure, a forged cursor could ask
for what no page shows.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import Final, TypeVar

import msgspec

from sessions.errors import InvalidArgument
from sessions.redis.connection import Redis, secret
from sessions.redis.keys import Keys

State = TypeVar("State")

_KEY: Final = 32
"""Random bytes of the key."""
_TAG: Final = 12
"""Bytes of the tag before the state; a multiple of 3, so that base64 needs no padding."""
_FIELD: Final = "page_token_key"


class PageTokens:
    """The page tokens of an installation. The key is made once, by whoever needs it first."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self._key = b""

    async def token(self, state: object, *bound: str) -> str:
        """Write the token of a traversal that stands at *state*, in a list that *bound* tells."""
        key = self._key or await self._read()
        body = msgspec.msgpack.encode(state)
        return base64.urlsafe_b64encode(_tag(key, body, bound) + body).rstrip(b"=").decode()

    async def resumed(
        self, states: msgspec.msgpack.Decoder[State], text: str, *bound: str
    ) -> State:
        """Return the state that `token` was given, one of *states*.

        Raises:
            InvalidArgument: (``pageToken``) it is none of ours, or was made for another list.
        """
        try:
            raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError):
            raise _foreign() from None
        tag, body = raw[:_TAG], raw[_TAG:]
        for key in (self._key, b""):
            # A failover may have taken the key along that this process once read: the one that
            # holds is in Redis, and is looked for whenever ours does not fit.
            if hmac.compare_digest(tag, _tag(key or await self._read(), body, bound)):
                try:
                    return states.decode(body)
                except (msgspec.DecodeError, ValueError):  # signed by a version that is gone
                    break
        raise _foreign()

    async def _read(self) -> bytes:
        """Return the key of the installation, and make one where there is none."""
        made = secrets.token_bytes(_KEY)
        self._key = await secret(self._redis, self._keys, _FIELD, made)
        return self._key


def expired() -> InvalidArgument:
    """Return the error for a token whose traversal is over."""
    return InvalidArgument(
        "pageToken: it has expired; list again from the first page",
        field="pageToken",
        reason="PAGE_TOKEN_EXPIRED",
    )


def _foreign() -> InvalidArgument:
    return InvalidArgument(
        "pageToken: give a token of this very list, with the same parent, filter and orderBy",
        field="pageToken",
        reason="INVALID_PAGE_TOKEN",
    )


def _tag(key: bytes, body: bytes, bound: tuple[str, ...]) -> bytes:
    """Return the keyed BLAKE2b (RFC 7693) of what is said and what it is said of."""
    said = msgspec.msgpack.encode((bound, body))
    return hashlib.blake2b(said, digest_size=_TAG, key=key, person=b"page token").digest()
