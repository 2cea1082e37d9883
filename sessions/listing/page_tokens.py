"""Write and read page tokens: where a traversal stands, sealed and bound to its list.

A token is opaque and URL-safe. It is bound to what the page is of: the method, the parent, the
filter, the order. It is sealed by a key that all replicas share (ChaCha20-Poly1305, RFC 8439).
What it says is trusted as far as commands to Redis: a forged offset would be told as our failure, a
forged cursor could ask for what no page shows. Nor may it be read: a traversal that leaves out what
is others' may stand at just that.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from typing import Final, TypeVar

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from sessions.errors import InvalidArgument
from sessions.redis.connection import Redis, secret
from sessions.redis.keys import Keys

State = TypeVar("State")

_KEY: Final = 32
"""Random bytes of the key."""
_NONCE: Final = 12
"""Random bytes before what is sealed: enough for four billion tokens of one key."""
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
        nonce = secrets.token_bytes(_NONCE)
        told = msgspec.msgpack.encode(state)
        sealed = ChaCha20Poly1305(key).encrypt(nonce, told, msgspec.msgpack.encode(bound))
        return base64.urlsafe_b64encode(nonce + sealed).rstrip(b"=").decode()

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
        for key in (self._key, b""):
            # A failover may have taken the key along that this process once read: the one that
            # holds is in Redis, and is looked for whenever ours does not fit.
            if (told := _opened(key or await self._read(), raw, bound)) is not None:
                try:
                    return states.decode(told)
                except (msgspec.DecodeError, ValueError):  # sealed by a version that is gone
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


def _opened(key: bytes, raw: bytes, bound: tuple[str, ...]) -> bytes | None:
    """Return what was sealed by *key* for what is *bound*; None where *raw* is no such thing."""
    try:
        return ChaCha20Poly1305(key).decrypt(
            raw[:_NONCE], raw[_NONCE:], msgspec.msgpack.encode(bound)
        )
    except (InvalidTag, ValueError):  # the latter for what is too short
        return None
