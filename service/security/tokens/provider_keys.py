"""Hold the keys that an OIDC provider publishes (JWKS, RFC 7517), through rotations and outages."""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Annotated, Any, Final

import jwt
import msgspec

from service.security.tokens import verification_keys
from service.security.tokens.verification_keys import VerificationKey, unreadable
from sessions.errors import Unavailable

FRESH: Final = 300.0
"""Seconds after which the keys are asked for again, so that one that was taken away ends."""
PAUSE: Final = 10.0
"""Seconds between two questions, at least: an id of a key can be made up by anybody."""
STALE: Final = 3_600.0
"""Seconds for which the keys go on while the provider is away."""
_MOST_KEYS: Final = 50

_log = logging.getLogger(__name__)


class _KeySet(msgspec.Struct, frozen=True):
    keys: Annotated[list[dict[str, Any]], msgspec.Meta(max_length=_MOST_KEYS)]


class ProviderKeys:
    """The keys of one provider. A new key is found by its id, as soon as a token names it."""

    fresh: float = FRESH

    def __init__(
        self,
        fetch: Callable[[], Awaitable[bytes]],
        algorithms: Collection[str],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """*fetch* returns the key set, or raises `Unavailable`; only keys of *algorithms* count."""
        self._fetch = fetch
        self._algorithms = frozenset(algorithms)
        self._clock = clock
        self._known: tuple[VerificationKey, ...] = ()
        self._read_at = self._asked_at = -math.inf
        self._failure: Unavailable | None = None
        self._asking = asyncio.Lock()

    async def keys(self, algorithm: str, kid: str) -> Sequence[VerificationKey]:
        """Return the keys that may have signed a token with these headers.

        Without *kid* that is the only key of the *algorithm*: among several it has to choose.

        Raises:
            Unavailable: none is known, or not this one, and the provider does not tell its keys.
        """
        if algorithm not in self._algorithms:
            return []
        if self._clock() - self._read_at > FRESH:
            await self._refresh()
        if self._clock() - self._read_at > STALE:
            raise self._failure or unreadable("it was not asked yet")
        if not (found := self._find(algorithm, kid)):
            # The key may be new: it is looked for, and who cannot look cannot refuse it either.
            await self._refresh()
            if not (found := self._find(algorithm, kid)) and self._failure is not None:
                raise self._failure
        return found

    def _find(self, algorithm: str, kid: str) -> list[VerificationKey]:
        found = [
            key for key in self._known if key.algorithm == algorithm and (not kid or key.kid == kid)
        ]
        return found if kid or len(found) == 1 else []

    async def _refresh(self) -> None:
        """Ask the provider for its keys, unless that was done a moment ago."""
        if self._known and self._asking.locked():
            return  # somebody asks already, and what is known goes on meanwhile
        async with self._asking:
            if self._clock() - self._asked_at < PAUSE:
                return
            self._asked_at = self._clock()
            try:
                self._known = _read(await self._fetch(), self._algorithms)
            except Unavailable as exc:
                self._failure = exc
                _log.warning("provider_keys_unavailable", extra={"error": exc.message})
            else:
                self._read_at, self._failure = self._clock(), None


def _read(data: bytes, algorithms: Collection[str]) -> tuple[VerificationKey, ...]:
    """Return the keys of a key set that can be used; it may have others (RFC 7517, 5).

    Raises:
        Unavailable: it is no key set, or has no such key.
    """
    try:
        given = msgspec.json.decode(data, type=_KeySet).keys
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as exc:
        raise unreadable("what it published is no key set") from exc
    found = tuple(key for jwk in given if (key := _key(jwk)) and key.algorithm in algorithms)
    if not found:
        raise unreadable("it publishes no key of an algorithm that is allowed")
    return found


def _key(jwk: dict[str, Any]) -> VerificationKey | None:
    """Return the key that *jwk* is, None where it verifies no signatures, or none of ours."""
    kid = jwk.get("kid", "")
    if not isinstance(kid, str) or jwk.get("use", "sig") != "sig":
        return None
    operations = jwk.get("key_ops")
    if isinstance(operations, list) and "verify" not in operations:
        return None
    try:
        key = verification_keys.public_key(jwt.PyJWK(jwk).key, kid)
    except (jwt.PyJWTError, ValueError, TypeError, KeyError):
        return None
    return key if jwk.get("alg", key.algorithm) == key.algorithm else None
