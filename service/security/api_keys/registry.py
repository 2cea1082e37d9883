"""Holds the API keys of the installation in memory, so that to ask who brings one costs no I/O.

No decision stands on what was held against Redis longer than a second ago: without Redis nobody is
let in by a key.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import AsyncGenerator, Callable
from typing import Final

import msgspec
from redis.exceptions import ResponseError

from service.security.api_keys import key_text
from service.security.api_keys.store import ApiKeyStore, StoredKeys
from service.security.change_watch import ChangeWatch
from service.security.principals import Principal
from sessions.errors import PermissionDenied, Unavailable
from sessions.supervision import forever

_HOLDS: Final = 1.0
"""Seconds for which what was read of the keys may be decided on."""
_USES: Final = 60.0
"""Seconds between two times that the last use of keys is written."""

Listener = Callable[[str], None]

_log = logging.getLogger(__name__)


class _Held(msgspec.Struct, frozen=True):
    """What one secret gives; *ends* is infinite without an end."""

    key_id: str
    principal: Principal
    ends: float
    revoked: bool


class ApiKeyRegistry:
    """The keys that hold now, in this process."""

    def __init__(self, store: ApiKeyStore, *, clock: Callable[[], float] = time.time) -> None:
        """*clock* tells epoch seconds, by which keys expire."""
        self._store = store
        self._clock = clock
        self._known = False
        self._state: bytes | None = None  # not read yet
        self._held: dict[bytes, _Held] = {}
        self._living: frozenset[str] = frozenset()
        self._revoked: set[str] = set()
        self._used: dict[str, float] = {}
        self._listeners: list[Listener] = []
        self._read_at = -math.inf
        self._watch = ChangeWatch(store.redis.channels, store.channel, self.refresh)
        self._was_read = asyncio.Event()

    @property
    def any_known(self) -> bool:
        """Whether a key was ever made; once it is true here it stays so."""
        return self._known

    def holds(self, credential: str) -> bool:
        """Whether *credential*, that of a `Principal`, has neither expired nor been revoked."""
        return credential in self._living

    def on_revoked(self, listener: Listener) -> None:
        """Have *listener* called with each credential that ends, revoked or expired.

        It is told "" when the first key is made: who came before brought nothing.
        """
        self._listeners.append(listener)

    @property
    def is_current(self) -> bool:
        """Whether what is held may be decided on."""
        return time.monotonic() - self._read_at <= _HOLDS

    async def current(self) -> None:
        """Return once what is held may be decided on.

        Raises:
            Unavailable: Redis does not tell which keys hold.
        """
        if self.is_current:
            return
        if not self._store.redis.available:
            raise _undecided()
        self._watch.hurry()
        try:
            async with asyncio.timeout(_HOLDS):
                await self._was_read.wait()
        except TimeoutError:
            raise _undecided() from None

    def principal(self, text: str) -> Principal:
        """Return who brings the key *text*; await `current` before.

        Raises:
            PermissionDenied: (API_KEY_INVALID) it is none, or holds no more. Why is told only to
                who has a secret that did hold.
        """
        held = self._held.get(key_text.digest(text))
        if held is None:
            raise _refusal(
                "not known here" if key_text.is_whole(text) else "mistyped or cut off, or no key"
            )
        if held.revoked:
            raise _refusal("revoked")
        now = self._clock()
        if now >= held.ends:
            raise _refusal("expired")
        self._used[held.key_id] = now
        return held.principal

    async def refresh(self) -> None:
        """Read the keys if they have changed; end what holds no more, and tell the listeners.

        Raises:
            Unavailable: Redis is away.
        """
        asked = time.monotonic()
        if await self._store.state() != self._state:
            self._take(await self._store.read())
        self._settle()
        self._read_at = asked
        self._was_read.set()
        self._was_read = asyncio.Event()

    def _take(self, stored: StoredKeys) -> None:
        self._revoked |= {key.id for key in stored.keys if key.revoked}
        held: dict[bytes, _Held] = {}
        for key in stored.keys:
            for secret in key.secrets:
                held[bytes.fromhex(secret.digest)] = _Held(
                    key_id=key.id,
                    principal=key.principal(secret),
                    ends=key.until(secret) or math.inf,
                    # A failover may forget a revocation; who knew of it does not.
                    revoked=key.id in self._revoked,
                )
        self._held, self._state = held, stored.state
        if stored.known and not self._known:
            # Never the other way: a Redis that lost its data must not let everybody in.
            self._known = True
            self._tell("")

    def _settle(self) -> None:
        now = self._clock()
        living = frozenset(
            held.principal.credential
            for held in self._held.values()
            if not held.revoked and now < held.ends
        )
        ended, self._living = self._living - living, living
        for credential in ended:
            self._tell(credential)

    def _tell(self, credential: str) -> None:
        for listener in tuple(self._listeners):
            listener(credential)

    async def write_uses(self) -> None:
        """Write which keys were used, and when, since the last time."""
        used, self._used = self._used, {}
        if used:
            await self._store.note_uses(used)

    @contextlib.asynccontextmanager
    async def kept(self) -> AsyncGenerator[None]:
        """Read the keys, and keep what is held in step with them.

        Raises:
            Unavailable: Redis is away.
        """
        await self.refresh()
        async with asyncio.TaskGroup() as tasks:
            chores = [
                tasks.create_task(forever(self._watch.run), name="api-keys"),
                tasks.create_task(forever(self._keep_writing), name="api-key-uses"),
            ]
            try:
                yield
            finally:
                for chore in chores:
                    chore.cancel()
                with contextlib.suppress(Unavailable, ResponseError):
                    await self.write_uses()

    async def _keep_writing(self) -> None:
        while True:
            await asyncio.sleep(_USES)
            # When a key was used is worth no outage: a later use is written again.
            with contextlib.suppress(Unavailable, ResponseError):
                await self.write_uses()


def _undecided() -> Unavailable:
    return Unavailable(
        "whether the credential holds cannot be told while Redis is away; try again in a moment",
        reason="REDIS_UNAVAILABLE",
    )


def _refusal(why: str) -> PermissionDenied:
    return PermissionDenied(
        f"API key not valid: it is {why}. Send a valid one in the header x-goog-api-key, or as "
        "Authorization: Bearer.",
        reason="API_KEY_INVALID",
    )
