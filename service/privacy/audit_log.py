"""Record who administered what, in a log that only grows.

The log is a stream of Redis. Nothing in the service trims, deletes or rewrites an entry, and no
deletion of data reaches it. Each entry carries the SHA-256 of the hash before it and of its own
text, so that one that is changed, moved or taken out of the middle or the beginning breaks the
chain (`AuditLog.verify`); what is taken off the end shows in what Redis counted. Whoever may write
to Redis could still forge the whole chain: an entry that was shipped elsewhere shows that.

An entry names operators, keys and resources, and nothing that anybody wrote. A person is in it as a
digest only (`service.privacy.audit_identities`), so that a purge need not, and does not, touch it.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import AsyncIterator
from typing import Any, Final, NamedTuple

import msgspec
from redis.exceptions import ResponseError

from sessions.errors import Aborted
from sessions.redis.connection import Redis, Script
from sessions.redis.keys import Keys

PAGE: Final = 500
"""Entries read at once: while a command runs Redis serves nobody else."""
_ATTEMPTS: Final = 50
"""How often an entry is chained anew to what others wrote meanwhile."""
_APPEND: Final = Script("service.privacy", "scripts/audit_append.lua")


class AuditEntry(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One administrative act, or several of one kind within some seconds.

    *principal* is the `Principal.id` of who acted, *method* the documented method or the command,
    *resource* what it was about, *outcome* ``OK`` or a canonical code. With a *count* over 1 the
    resource is what all of them have in common.
    """

    time: dt.datetime
    principal: str
    method: str
    resource: str = ""
    address: str = ""
    outcome: str = "OK"
    count: int = 1


class RecordedEntry(NamedTuple):
    """An entry as it stands in the log."""

    id: str
    entry: AuditEntry
    text: bytes
    hash: str


class AuditChain(NamedTuple):
    """What `AuditLog.verify` found: how many entries, the last hash, and what is wrong or ""."""

    entries: int
    head: str
    fault: str = ""


class AuditLog:
    """The audit log of an installation."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._key = keys.audit()
        self._head = ""

    async def append(self, entry: AuditEntry) -> str:
        """Write *entry* after all others and return its id.

        Raises:
            Aborted: other writers came first, again and again.
            Unavailable: Redis is away; it may have been written.
        """
        text = msgspec.json.encode(entry)
        for _ in range(_ATTEMPTS):
            hash_ = chained(self._head, text)
            done = await self._redis.run(_APPEND, [self._key], [self._head, text, hash_])
            if done[0]:
                self._head = hash_
                return bytes(done[0]).decode()
            self._head = bytes(done[1]).decode()
        raise Aborted("others keep writing to the audit log; try again", reason="CONCURRENT_UPDATE")

    async def read(self, after: str = "") -> AsyncIterator[RecordedEntry]:
        """Yield the entries after that with the id *after*, the oldest first."""
        while True:
            start = f"({after}" if after else "-"
            found: list[Any] = await self._redis.execute(
                self._key, "XRANGE", self._key, start, "+", "COUNT", PAGE
            )
            for each in found:
                recorded = _recorded(each)
                after = recorded.id
                yield recorded
            if len(found) < PAGE:
                return

    async def verify(self) -> AuditChain:
        """Follow the chain from its beginning; see `AuditChain`."""
        count, head, last = 0, "", "0-0"
        async for each in self.read():
            count += 1
            if chained(head, each.text) != each.hash:
                return AuditChain(count, head, f"{each.id} does not follow the entry before it")
            head, last = each.hash, each.id
        return AuditChain(count, head, await self._cut_off(count, last))

    async def _cut_off(self, count: int, last: str) -> str:
        """Tell whether Redis counted more entries than there are, as where the end was taken."""
        try:
            told: list[Any] = await self._redis.execute(self._key, "XINFO", "STREAM", self._key)
        except ResponseError:  # there is no such stream, and no way to know that there was
            return ""
        said = dict(zip(told[::2], told[1::2], strict=True))
        latest = bytes(said[b"last-generated-id"]).decode()
        if latest != last or said.get(b"entries-added", count) != count:  # Redis counts from 7.0 on
            return f"entries after {last} were taken out; the last was {latest}"
        return ""


def chained(head: str, text: bytes) -> str:
    """Return the hash of an entry with this *text* behind that with the hash *head*."""
    return hashlib.sha256(head.encode() + b"\n" + text).hexdigest()


def _recorded(found: Any) -> RecordedEntry:
    entry_id, fields = found
    text = bytes(fields[1])
    entry = msgspec.json.decode(text, type=AuditEntry)
    return RecordedEntry(bytes(entry_id).decode(), entry, text, bytes(fields[3]).decode())
