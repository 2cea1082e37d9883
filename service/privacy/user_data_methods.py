"""Export and purge what is kept of a user, as long-running operations that a crash does not end.

A purge that was accepted is written down until it is done. Each replica looks for one that nobody
works at, and goes on with it.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import msgspec
from redis.exceptions import ResponseError

from service.corpus.operations.operations import Operations
from service.corpus.operations.running_operation import Job, TellProgress
from service.corpus.operations.stored_operations import StoredOperation, new_name
from service.privacy.audit_recorder import AuditedAct, AuditRecorder
from service.privacy.user_data import UserDataScope
from service.privacy.user_data_export import UserDataExport
from service.privacy.user_data_purge import UserDataPurge
from service.privacy.user_traces import PURGE
from service.security.principals import Principal
from sessions.errors import Aborted, InvalidArgument, NotFound, ResourceExhausted, ServiceError
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.resources.user_data import ExportUserDataResponse, PurgeUserDataResponse

EXPORT: Final = "export-user-data"
_LOOK: Final = 2.0
"""Seconds between two looks for purges that nobody works at."""
_CLAIM: Final = 10_000
"""Milliseconds after the last look of who works at a purge for which they are taken for alive."""
_LONGEST: Final = 128
"""Characters of a ``userPseudoId``."""


class UserDataRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks for whose data, over which version, and from where."""

    scope: UserDataScope
    principal: Principal
    address: str
    version: str


class _PendingPurge(msgspec.Struct, frozen=True):
    """A purge that is not done; *deleted* once only files are left to be rewritten."""

    scope: UserDataScope
    deleted: PurgeUserDataResponse | None = None


class UserDataMethods:
    """The methods of what is kept of users."""

    def __init__(
        self,
        redis: Redis,
        keys: Keys,
        operations: Operations,
        export: UserDataExport,
        purge: UserDataPurge,
        audit: AuditRecorder,
    ) -> None:
        self._redis = redis
        self._keys = keys
        self._operations = operations
        self._export = export
        self._purge = purge
        self._audit = audit
        self._working = set[str]()
        self.taken = export.taken
        """Return whose data is downloaded, once."""
        self.lines = export.lines
        """Yield what is kept of somebody."""

    async def export(self, request: UserDataRequest) -> StoredOperation:
        """Begin an export of what is kept of the user of *request*.

        Raises:
            InvalidArgument: (``userPseudoId``) it is none.
            ResourceExhausted, Unavailable: nothing was begun.
        """
        _check(request.scope.subject)
        name = new_name(request.scope.location, EXPORT)

        async def job(_: TellProgress) -> ExportUserDataResponse:
            return await self._export.offer(name, request.scope, request.principal.mark)

        await self._record(request, "ExportUserData")
        return await self._operations.start(
            name, EXPORT, request.version, job, started_by=request.principal.mark
        )

    async def purge(self, request: UserDataRequest) -> StoredOperation:
        """Begin a purge of what is kept of the user of *request*; it is done, whatever happens.

        Raises:
            InvalidArgument: (``userPseudoId``) it is none.
            ResourceExhausted, Unavailable: Redis is away, or too much runs; it may be begun later.
        """
        _check(request.scope.subject)
        name = new_name(request.scope.location, PURGE)
        await self._record(request, "PurgeUserData")
        await self._claim(name)
        # Before the operation: one that a crash comes between is done, and nobody hears of it.
        purge = _PendingPurge(request.scope)
        await self._write(name, purge)
        job = self._job(name, purge)
        try:
            return await self._operations.start(
                name, PURGE, request.version, job, started_by=request.principal.mark, frees=True
            )
        except ResourceExhausted:
            await self._settle(name)
            raise

    async def keep_purging(self) -> None:
        """Go on with purges whose process died; never returns."""
        while True:
            with contextlib.suppress(ServiceError, ResponseError):
                for name in tuple(self._working):
                    # Two that purge the same do no harm: this only spares the work.
                    key = self._keys.purge(name)
                    await self._redis.execute(key, "SET", key, b"1", "PX", _CLAIM)
                await self.resume()
            await asyncio.sleep(_LOOK)

    async def resume(self) -> None:
        """Go on with the purges that nobody works at."""
        pending = self._keys.purges()
        found: list[bytes] = await self._redis.execute(pending, "HGETALL", pending)
        for name, json in zip(found[::2], found[1::2], strict=True):
            if await self._claim(name.decode()):
                await self._resume(name.decode(), msgspec.json.decode(json, type=_PendingPurge))

    async def _resume(self, name: str, purge: _PendingPurge) -> None:
        with contextlib.suppress(NotFound):  # its record was deleted: it is done all the same
            if (await self._operations.get(name)).cancelled:
                await self._settle(name)
                return
        await self._operations.resume(name, self._job(name, purge))

    async def _settle(self, name: str) -> None:
        pending = self._keys.purges()
        await self._redis.execute(pending, "HDEL", pending, name)

    def _job(self, name: str, purge: _PendingPurge) -> Job:
        async def job(tell: TellProgress) -> PurgeUserDataResponse:
            self._working.add(name)
            try:
                return await self._purge_all(name, purge, tell)
            finally:
                self._working.discard(name)

        return job

    async def _purge_all(
        self, name: str, purge: _PendingPurge, tell: TellProgress
    ) -> PurgeUserDataResponse:
        # What fails because something is away stays pending, and is tried again.
        if (deleted := purge.deleted) is None:
            try:
                deleted = await self._purge.delete(purge.scope, tell)
            except Aborted:
                await self._settle(name)
                raise
            # The record names the user, and must be gone from Redis before its file is rewritten.
            nobody = msgspec.structs.replace(purge.scope, subject="")
            await self._write(name, _PendingPurge(nobody, deleted))
        await self._purge.rewrite()
        await self._settle(name)
        return deleted

    async def _write(self, name: str, purge: _PendingPurge) -> None:
        pending = self._keys.purges()
        await self._redis.execute(pending, "HSET", pending, name, msgspec.json.encode(purge))

    async def _claim(self, name: str) -> bool:
        """Take the purge *name*, unless somebody works at it."""
        key = self._keys.purge(name)
        taken = await self._redis.execute(key, "SET", key, b"1", "NX", "PX", _CLAIM)
        return taken is not None

    async def _record(self, request: UserDataRequest, method: str) -> None:
        location, subject = request.scope.location, request.scope.subject
        known = await self._audit.identities.subject(location.split("/")[1], subject)
        resource = f"{location}/users/{known.partition(':')[2]}"
        act = AuditedAct(request.principal, method, resource, request.address)
        await self._audit.record(act)


def _check(subject: str) -> None:
    if not subject or len(subject) > _LONGEST:
        raise InvalidArgument(
            f"userPseudoId: name the user whose data is meant, in 1 to {_LONGEST} characters",
            field="userPseudoId",
        )
