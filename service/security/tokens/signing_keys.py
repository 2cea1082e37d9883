"""Keep the secrets by which this installation signs tokens, the same for all of its replicas.

The youngest signs, and all verify: so a successor ends no token that lives. Every month another one
follows by itself.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Final

from service.security.tokens.token_claims import LIFE
from service.security.tokens.verification_keys import VerificationKey, secret_key
from sessions.errors import Unavailable
from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys

LONGEST_LIFE: Final = 31 * 86_400
"""Seconds for which a key verifies after it has a successor: as long as anything that it signed."""
_YOUNG: Final = 30 * 86_400
"""Seconds after which a key that is asked to sign gets a successor."""
_FRESH: Final = 0.8
"""Seconds after which the keys are read again, so that what was taken away verifies nothing
anywhere a second later: one command of Redis for all requests of that time."""
_UNKNOWN: Final = 0.2
"""Seconds after which an id that is not known has them read again: a replica may just have made
the key, and strangers can make up ids as fast as they like."""
_SECRET: Final = 32

_READ: Final = Script("service.security.tokens", "scripts/signing_keys.lua")


class SigningKeys:
    """The signing keys of an installation. All methods raise `Unavailable` where they must read."""

    fresh: float = float(LIFE)  # whether the key is there still is asked at each use of a token

    def __init__(
        self, redis: Redis, keys: Keys, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._redis = redis
        self._key = keys.signing_keys()
        self._clock = clock
        self._known: dict[str, VerificationKey] = {}
        self._read_at = float("-inf")

    async def current(self) -> VerificationKey:
        """Return the key that signs, and make one where there is none that is young enough."""
        return await self._read(_YOUNG, LONGEST_LIFE)

    async def rotate(self, *, end_tokens: bool = False) -> str:
        """Sign by a new key from now on, and return its id.

        With *end_tokens* nothing that was signed before is accepted any more: by this process at
        once, by all others within a second.
        """
        kid = (await self._read(0, 0 if end_tokens else LONGEST_LIFE)).kid
        # A failover must not bring back what was taken away.
        await self._redis.replicated(self._key)
        return kid

    async def keys(self, algorithm: str, kid: str) -> Sequence[VerificationKey]:
        """Return the key *kid*; read all of them where it is not known."""
        if not self._known:
            await self.current()
        await self.refresh(_FRESH if kid in self._known else _UNKNOWN)
        found = self._known.get(kid)
        return [found] if found and found.algorithm == algorithm else []

    async def refresh(self, seconds: float = _FRESH) -> None:
        """Read the keys anew where they were not read for some *seconds*.

        While Redis is away, those that are known go on: what they signed is still true.
        """
        if self._clock() - self._read_at < seconds:
            return
        # Before it is waited for: one request of many reads, and an outage is not asked by each.
        self._read_at = self._clock()
        with contextlib.suppress(Unavailable):
            self._take(await self._redis.execute(self._key, "HGETALL", self._key))

    @property
    def are_fresh(self) -> bool:
        """Whether `refresh` would read nothing."""
        return self._clock() - self._read_at < _FRESH

    def knows(self, kid: str) -> bool:
        """Whether the key *kid* still verifies, as far as is known here."""
        return kid in self._known

    async def _read(self, young: int, life: int) -> VerificationKey:
        given = (secrets.token_hex(8), secrets.token_hex(_SECRET), young * 1000, life * 1000)
        return self._take(await self._redis.run(_READ, [self._key], given))

    def _take(self, flat: Sequence[bytes] | dict[bytes, bytes]) -> VerificationKey:
        """Know the keys of a reply, and return the youngest."""
        if isinstance(flat, dict):
            flat = [each for pair in flat.items() for each in pair]
        created: dict[str, int] = {}
        known: dict[str, VerificationKey] = {}
        for at in range(0, len(flat), 2):
            kid = flat[at].decode()
            moment, _, secret = flat[at + 1].decode().partition(":")
            created[kid] = int(moment)
            known[kid] = secret_key(bytes.fromhex(secret), kid)
        self._known, self._read_at = known, self._clock()
        youngest = max(created, key=created.__getitem__, default="")
        return known.get(youngest, _NONE)


_NONE: Final = VerificationKey(algorithm="", key=b"")
"""Stands for no key, which is what is read before the first one was made."""
