"""Remember of visitors what has to be: who came back, who became which user, who was ended.

Nothing is kept of one who comes once: the first renewal begins the record. All records share one
slot, since a visitor has few, and each is gone soon after no token of the visitor can be good; but
who became a user is kept until the user is purged, who owns what that visitor has done.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Final

import msgspec

from service.security.principals import PrincipalKind, person_mark
from service.security.tokens.signing_keys import LONGEST_LIFE
from service.security.tokens.trusted_issuers import principal_id
from sessions.redis.connection import Redis, Script, checked_replies
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack

_KEEP: Final = LONGEST_LIFE * 1000
_GRACE: Final = 60_000
"""Milliseconds for which the renewal token before the last is taken: tabs of a page share one."""
_LAST_LOOK: Final = 660_000
"""Milliseconds after which nobody can begin a session with a token of a visitor who was merged."""
_MOST: Final = 100
"""Merges that are finished in one round."""
_TOLD: Final = 660_000
"""Milliseconds for which it is told who has ended: no token of before is good for longer."""

_RENEW: Final = Script("service.security.tokens", "scripts/visitor_renew.lua")
_MERGE: Final = Script("service.security.tokens", "scripts/visitor_merge.lua")
_FORGET: Final = Script("service.security.tokens", "scripts/visitor_forget.lua")
_ENDED: Final = Script("service.security.tokens", "scripts/visitors_ended.lua")
_ENDS_NOW: Final = -2
"""What ``visitor_renew`` says of a visitor of whom there are two."""


class VisitorMerge(msgspec.Struct, frozen=True, array_like=True):
    """A visitor who became a user: whose sessions, under which data stores and engines."""

    project: str
    visitor: str
    user: str
    data_stores: tuple[str, ...]


_MERGES: Final = msgspec.json.Decoder(VisitorMerge)


class VisitorStore:
    """The visitors of an installation. All methods raise `Unavailable`."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self.redis = redis
        self.channel = keys.visitors_ended("changes")
        """Where it is told that a visitor has ended, with nothing in it."""
        self._keys = keys
        self._ended = keys.visitors_ended("marks")

    async def is_live(self, project: str, visitor: str) -> bool:
        """Whether *visitor* has neither become a user nor been ended."""
        key = self._keys.visitor(f"{project}/{visitor}")
        found: Sequence[bytes | None] = await self.redis.execute(key, "HMGET", key, "user", "ended")
        return not any(found)

    async def renew(self, project: str, visitor: str, generation: int) -> int | None:
        """Take the renewal *generation* of *visitor* and return the next; None ends the visitor."""
        key = self._keys.visitor(f"{project}/{visitor}")
        args = (generation, _KEEP, _GRACE, _mark(project, visitor), _TOLD)
        found: int = await self.redis.run(_RENEW, [key, self._ended], args)
        if found == _ENDS_NOW:
            await self.redis.publish(self.channel, b"")
        return None if found < 0 else found

    async def merge(self, merge: VisitorMerge) -> bool:
        """Let the visitor be the user from now on; False where that is decided otherwise.

        Durable once it returns: from then on no token of the visitor is accepted, and somebody
        moves the sessions even if this process dies.
        """
        key = self._keys.visitor(f"{merge.project}/{merge.visitor}")
        packed = msgspec.json.encode(merge)
        done = await self.redis.run(
            _MERGE,
            [key, self._keys.visitor_merges(), self._ended],
            (merge.user, packed, _LAST_LOOK, _mark(merge.project, merge.visitor), _TOLD),
        )
        await self.redis.replicated(key)
        if done:
            await self.redis.publish(self.channel, b"")
        return bool(done)

    async def ended(self, seconds: float) -> frozenset[str]:
        """Return the marks, as of `Principal`, of visitors who ended within the last *seconds*.

        Those of more than eleven minutes ago are not told: none of their tokens is good any more.
        """
        args = (int(min(seconds * 1000, _TOLD)),)
        found: list[bytes] = await self.redis.run(_ENDED, [self._ended], args)
        return frozenset(each.decode() for each in found)

    async def merged_into(self, project: str, user: str) -> AsyncIterator[VisitorMerge]:
        """Yield the merges of visitors of *project* into *user*."""
        async for page in self.redis.scan(self._keys.visitors()):
            commands = [(key, pack("HGET", key, "merge")) for key in page]
            for packed in checked_replies(await self.redis.batch(commands)):
                if packed is None:
                    continue
                merge = _MERGES.decode(packed)
                if (merge.project, merge.user) == (project, user):
                    yield merge

    async def forget(self, merge: VisitorMerge) -> None:
        """Forget who the visitor of *merge* became; no token of the visitor is accepted again."""
        key = self._keys.visitor(f"{merge.project}/{merge.visitor}")
        packed = msgspec.json.encode(merge)
        await self.redis.run(_FORGET, [key, self._keys.visitor_merges()], (_KEEP, packed))

    async def due(self) -> list[VisitorMerge]:
        """Return merges whose last look is due."""
        key = self._keys.visitor_merges()
        now = await self.redis.now_ms()
        found: list[bytes] = await self.redis.execute(
            key, "ZRANGEBYSCORE", key, "-inf", now, "LIMIT", 0, _MOST
        )
        return [_MERGES.decode(each) for each in found]

    async def finished(self, merge: VisitorMerge) -> None:
        """Forget that *merge* is to be finished."""
        key = self._keys.visitor_merges()
        await self.redis.execute(key, "ZREM", key, msgspec.json.encode(merge))


def _mark(project: str, visitor: str) -> str:
    """Return the mark of the principal of *visitor*: that one has ended outlives a purge."""
    return person_mark(principal_id(PrincipalKind.VISITOR, project, visitor))
