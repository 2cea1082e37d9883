"""Write administrative acts to the audit log: some at once, floods of a kind as their number."""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import logging
from collections import Counter, deque
from types import TracebackType
from typing import Final, NamedTuple

import msgspec
from redis.exceptions import ResponseError

from service.privacy.audit_identities import AuditIdentities
from service.privacy.audit_log import AuditEntry, AuditLog
from service.security.principals import Principal
from sessions.errors import ServiceError
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.supervision import forever

EVERY: Final = 10.0
"""Seconds of which the acts of one kind become one entry."""
_KINDS: Final = 1_000
"""Kinds counted at once: who makes up more addresses than that is counted as ``others``."""
_WAITING: Final = 10_000
"""Entries that wait for Redis to come back; older ones are told in the service's own log."""

_log = logging.getLogger(__name__)


class AuditedAct(NamedTuple):
    """What somebody did: *resource* is "" where they did not get as far as any."""

    principal: Principal
    method: str
    resource: str
    address: str
    outcome: str = "OK"


class AuditRecorder:
    """Writes what this process is told of; an async context manager that owns its task."""

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self.log = AuditLog(redis, keys)
        self.identities = AuditIdentities(redis, keys)
        self._counted: Counter[AuditEntry] = Counter()
        self._waiting: deque[AuditEntry] = deque()
        self._writer: asyncio.Task[None] | None = None
        self._tasks = asyncio.TaskGroup()

    async def __aenter__(self) -> AuditRecorder:
        """Begin to write what is counted."""
        await self._tasks.__aenter__()
        self._writer = self._tasks.create_task(forever(self._keep_writing), name="audit-log")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Write what is left, if Redis takes it."""
        if self._writer is not None:
            self._writer.cancel()
        await self._tasks.__aexit__(kind, error, trace)
        await self.write()

    async def record(self, act: AuditedAct) -> None:
        """Write *act*, at once or, where Redis is away, when it is back."""
        with contextlib.suppress(ServiceError, ResponseError):
            entry = await self._entry(act, dt.datetime.now(dt.UTC))
            self._wait(entry)
            await self._write_waiting()

    async def count(self, act: AuditedAct) -> None:
        """Count *act* with others of its kind; they become one entry within `EVERY` seconds."""
        with contextlib.suppress(ServiceError, ResponseError):
            kind = await self._entry(act, dt.datetime.fromtimestamp(0, dt.UTC))
            if len(self._counted) >= _KINDS and kind not in self._counted:
                kind = msgspec.structs.replace(
                    kind, principal="others", address="", resource="", method="", outcome="MIXED"
                )
            self._counted[kind] += 1

    async def write(self) -> None:
        """Write what is counted and what waits."""
        now = dt.datetime.now(dt.UTC)
        counted, self._counted = self._counted, Counter()
        for kind, count in counted.items():
            self._wait(msgspec.structs.replace(kind, time=now, count=count))
        with contextlib.suppress(ServiceError, ResponseError):
            await self._write_waiting()

    async def _keep_writing(self) -> None:
        while True:
            await asyncio.sleep(EVERY)
            await self.write()

    def _wait(self, entry: AuditEntry) -> None:
        if len(self._waiting) >= _WAITING:
            lost = self._waiting.popleft()
            _log.error("audit_entry_lost", extra=msgspec.to_builtins(lost))
        self._waiting.append(entry)

    async def _write_waiting(self) -> None:
        while self._waiting:
            entry = self._waiting.popleft()
            try:
                await self.log.append(entry)
            except BaseException:
                self._waiting.appendleft(entry)  # twice rather than never
                raise

    async def _entry(self, act: AuditedAct, time: dt.datetime) -> AuditEntry:
        return AuditEntry(
            time=time,
            principal=await self.identities.principal(act.principal),
            method=act.method,
            resource=act.resource,
            address=await self.identities.address(act.principal, act.address),
            outcome=act.outcome,
        )
