"""Keeps the API keys of an installation in Redis, and says so when they change."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

import msgspec

from service.security.api_keys.api_key import ApiKey
from sessions.errors import Aborted, FailedPrecondition, NotFound
from sessions.redis.connection import Redis, Script, checked_replies
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack

_ATTEMPTS: Final = 20
"""How often a change is tried against others before it is ABORTED."""

_REPLACE: Final = Script("service.security.api_keys", "scripts/key_replace.lua")
_DECODER: Final = msgspec.json.Decoder(ApiKey)

_log = logging.getLogger(__name__)


class StoredKeys(NamedTuple):
    """All keys at one moment; *known* tells whether any was ever made, be it damaged since."""

    state: bytes
    keys: tuple[ApiKey, ...]
    known: bool


class ApiKeyStore:
    """The keys in Redis; every method raises `Unavailable` while that is away."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self.redis = redis
        self.channel = keys.api_keys("changes")
        """Where each change is told, with nothing in it."""
        self._all = keys.api_keys("keys")
        self._state = keys.api_keys("state")
        self._uses = keys.api_keys("uses")

    async def state(self) -> bytes:
        """Return what differs after each change."""
        return await self.redis.execute(self._state, "GET", self._state) or b""

    async def read(self) -> StoredKeys:
        """Return all keys there ever were; one that is damaged is left out, and holds nowhere."""
        # The state first: a change between the two is then seen again by who compares states.
        commands = [pack("GET", self._state), pack("HVALS", self._all)]
        replies = await self.redis.batch([(self._state, command) for command in commands])
        state, stored = checked_replies(replies)
        keys = tuple(key for json in stored if (key := _undamaged(json)) is not None)
        return StoredKeys(state or b"", keys, bool(stored))

    async def create(self, key: ApiKey) -> None:
        """Keep a new *key*.

        Raises:
            Aborted: there is one of its id.
        """
        if not await self._replace(key.id, b"", key):
            raise _contended(key.id)

    async def update(self, key_id: str, change: Callable[[ApiKey], ApiKey]) -> ApiKey:
        """Keep and return what *change* makes of a key; it is called again after another writer.

        Raises:
            NotFound: there is none of this id.
            FailedPrecondition: what is stored of it is damaged.
            Aborted: other writers came first, again and again.
        """
        for _ in range(_ATTEMPTS):
            seen: bytes | None = await self.redis.execute(self._all, "HGET", self._all, key_id)
            if seen is None:
                raise NotFound(
                    f"there is no key '{key_id}'; see colloquy keys list", resource=key_id
                )
            if (key := _undamaged(seen)) is None:
                raise FailedPrecondition(
                    f"what is stored of the key '{key_id}' is damaged: it holds nowhere; make "
                    "another: colloquy keys create",
                    reason="API_KEY_INVALID",
                    resource=key_id,
                )
            changed = change(key)
            if await self._replace(key_id, seen, changed):
                return changed
        raise _contended(key_id)

    async def note_uses(self, uses: Mapping[str, float]) -> None:
        """Keep when each of some keys was last used, in epoch seconds."""
        fields = [part for key_id, at in uses.items() for part in (key_id, int(at))]
        await self.redis.execute(self._uses, "HSET", self._uses, *fields)

    async def uses(self) -> dict[str, float]:
        """Return when each key was last used; it may be a minute later than is known here."""
        found: list[bytes] = await self.redis.execute(self._uses, "HGETALL", self._uses)
        return {
            key_id.decode(): float(at) for key_id, at in zip(found[::2], found[1::2], strict=True)
        }

    async def _replace(self, key_id: str, seen: bytes, key: ApiKey) -> bool:
        # Drawn, not counted: a replica that is promoted without the last writes counts on from
        # before them, and would come to a number that was seen with other keys.
        args = (key_id, seen, msgspec.json.encode(key), secrets.token_bytes(12))
        if not await self.redis.run(_REPLACE, [self._all, self._state], args):
            return False
        # A key that is made or revoked is so after a failover as well.
        await self.redis.replicated(self._all)
        await self.redis.publish(self.channel, b"")
        return True


def _undamaged(json: bytes) -> ApiKey | None:
    try:
        return _DECODER.decode(json)
    except msgspec.MsgspecError:
        _log.exception("api_key_damaged")
        return None


def _contended(key_id: str) -> Aborted:
    return Aborted(f"others change the key '{key_id}'; try again", reason="CONCURRENT_UPDATE")
