"""Fill an empty Redis with what a backup holds.

Nothing is written before the whole file was verified and Redis was found empty. Then the
installation is marked as one that is being restored, on which no service starts, until the last
key is there: a restore that was killed half-way is begun anew by the next one. What other keys
are made from is made here: the leases of running answers, which have run out, so that the next
service that starts goes on with them; lists of sessions; the state of each data store, at which
every index compares what it has.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from typing import Final

import msgspec

from service.backups.backup_file import BackupCounts, BackupEnd, BackupFile, BackupHeader
from service.backups.key_fates import Fate, fate
from service.backups.key_records import KeyRecord
from service.corpus.storage.change_feed import ChangeFeed
from sessions import names
from sessions.errors import Aborted, FailedPrecondition, ServiceError
from sessions.listing.list_index import ListIndex
from sessions.redis.connection import SCHEMA, UNFINISHED, Redis, Script, checked_replies
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack
from streaming.running import running_replicas

_CLAIM: Final = Script("service.backups", "scripts/claim.lua")
_COMPLETE: Final = Script("service.backups", "scripts/complete.lua")
_LOGS: Final = re.compile(rb"\{d\d+\}:(events|asked|searched):(.*)", re.DOTALL)
"""What `CappedLog` keeps; beside each is a hash of its size."""
_COMMANDS: Final = 500
_BYTES: Final = 1 << 20
"""Commands, and bytes of them, that are sent at once."""
_EXPIRED: Final = 1
"""The lease of an answer that nobody writes."""


class _Owned(msgspec.Struct, rename="camel"):
    user_pseudo_id: str = ""


_OWNED: Final = msgspec.json.Decoder(_Owned)


class Restore:
    """Fills the Redis of *keys* from a file; run `write` once."""

    def __init__(self, redis: Redis, keys: Keys, file: BackupFile) -> None:
        self._redis = redis
        self._keys = keys
        self._file = file
        self._nonce = secrets.token_hex(8)
        self._commands: list[tuple[bytes, bytes]] = []
        self._bytes = 0
        self._touched: list[tuple[str, int, str]] = []
        self._log_bytes: dict[tuple[str, str], int] = {}
        self._log_ends: dict[tuple[str, str], int] = {}
        self._data_stores: set[str] = set()
        self._now = 0
        # Redis 6.2 does not count what is added to a stream.
        self._counted = not redis.server.startswith("Redis 6.")
        self._indexes = {
            kind: ListIndex(redis, keys, kind) for kind in ("sessions", "conversations")
        }

    async def write(self) -> BackupCounts:
        """Restore everything, and return what the backup counted.

        Raises:
            FailedPrecondition: the file is no whole backup of a form and a schema that are known,
                Redis is not empty, or replicas run over it.
            Aborted: another restore was begun into this Redis.
            Unavailable: Redis is away, or has no memory left; restore again.
        """
        self._file.verify()
        counts = BackupCounts()
        header = self._file.header()
        self._check_header(header)
        await self._claim()
        self._now = await self._redis.now_ms()
        for message in self._file.messages():
            match message:
                case BackupHeader():
                    pass
                case KeyRecord():
                    await self._restore(message)
                case BackupEnd():
                    counts = message.counts
        await self._complete(header)
        return counts

    def _check_header(self, header: BackupHeader) -> None:
        ours = {"schema": SCHEMA, "partitions": self._keys.partitions}
        for field, mine in ours.items():
            if (theirs := int(header.install[field])) != mine:
                raise FailedPrecondition(
                    f"the backup was made by Colloquy {header.colloquy} with {field} {theirs}, "
                    f"this version has {mine}: restore it with the version that made it",
                    reason="INSTALL_MISMATCH",
                )

    async def _claim(self) -> None:
        """Mark Redis as ours to fill; delete what an unfinished restore left."""
        if not await self._is_cut() and await self._holds_keys():
            raise self._not_empty()
        # They would write between what is restored: what they know is of the data that was lost.
        if running := await running_replicas.find(self._redis, self._keys):
            raise FailedPrecondition(
                f"replicas of Colloquy run over this Redis: {running}; stop them all, then restore",
                reason="REPLICAS_RUNNING",
            )
        args = (self._keys.partitions, self._nonce)
        if not await self._redis.run(_CLAIM, [self._keys.install], args):
            raise self._not_empty()
        async for page in self._redis.scan(f"{self._keys.prefix}:*"):
            commands = [(key, pack("UNLINK", key)) for key in page if key != self._keys.install]
            checked_replies(await self._redis.batch(commands))

    async def _is_cut(self) -> bool:
        key = self._keys.install
        schema: bytes | None = await self._redis.execute(key, "HGET", key, "schema")
        return schema is not None and int(schema) == UNFINISHED

    async def _holds_keys(self) -> bool:
        async for page in self._redis.scan(f"{self._keys.prefix}:*"):
            if page:
                return True
        return False

    def _not_empty(self) -> FailedPrecondition:
        return FailedPrecondition(
            "this Redis is not empty, and a restore replaces nothing: stop all replicas, then name "
            "an empty Redis in COLLOQUY_REDIS_URL, or an empty folder in COLLOQUY_DATA_DIR",
            reason="REDIS_NOT_EMPTY",
        )

    async def _restore(self, record: KeyRecord) -> None:
        if record.ends and record.ends <= self._now:
            return
        key = f"{self._keys.prefix}:".encode() + record.key
        for command in record.commands(key, counted=self._counted):
            self._put(key, command)
        match fate(record.key):
            case Fate.OWNER:
                self._derive_from_owner(record)
            case Fate.DOCUMENTS:
                self._data_stores.add(record.key.split(b":", 2)[2].decode())
            case _:
                self._derive_from_plain(record)
        if len(self._commands) >= _COMMANDS or self._bytes >= _BYTES:
            await self._send()

    def _derive_from_owner(self, record: KeyRecord) -> None:
        name, fields = record.key.split(b":", 2)[2].decode(), record.fields
        if active := fields.get(b"active"):
            leases = self._keys.leases(self._keys.partition(name))
            self._put(leases, pack("ZADD", leases, _EXPIRED, active))
        try:
            user = _OWNED.decode(fields.get(b"json", b"")).user_pseudo_id
        except (msgspec.DecodeError, UnicodeError):
            user = ""  # one that is damaged is nobody's, and can be deleted
        self._touched.append((name, int(fields.get(b"updated", b"0")), user))

    def _derive_from_plain(self, record: KeyRecord) -> None:
        if record.key.startswith(b"{r"):
            name = record.key.split(b":", 2)[2].decode()
            listed = self._keys.resources(names.parent(name), name.split("/")[-2])
            self._put(listed, pack("ZADD", listed, 0, names.last_id(name)))
        elif found := _LOGS.fullmatch(record.key):
            log = (found[1].decode(), found[2].decode())
            size = sum(len(entry[2]) for entry in record.elements)
            self._log_bytes[log] = self._log_bytes.get(log, 0) + size
            self._log_ends[log] = record.ends

    def _put(self, key: bytes, command: bytes) -> None:
        self._commands.append((key, command))
        self._bytes += len(command)

    async def _send(self) -> None:
        install = self._keys.install
        commands, self._commands, self._bytes = self._commands, [], 0
        asked = (install, pack("HGET", install, "restoring"))
        nonce, *_ = checked_replies(await self._redis.batch([asked, *commands]))
        if nonce != self._nonce.encode():
            raise _overtaken()
        await self._list_touched()

    async def _list_touched(self) -> None:
        """List the sessions and conversations that were restored last."""
        touched, self._touched = self._touched, []
        failures: list[ServiceError] = []

        async def touch(name: str, updated: int, user: str) -> None:
            try:
                await self._indexes[name.split("/")[-2]].touch(name, updated, user)
            except ServiceError as exc:
                failures.append(exc)

        async with asyncio.TaskGroup() as tasks:  # what is sent in one turn leaves in one write
            for name, updated, user in touched:
                tasks.create_task(touch(name, updated, user), name=name)
        if failures:
            raise failures[0]

    async def _complete(self, header: BackupHeader) -> None:
        for log, size in self._log_bytes.items():
            part, data_store = log
            key = self._keys.corpus(data_store, f"{part}-sizes")
            self._put(key, pack("HSET", key, "bytes", size, "cut", self._now))
            if ends := self._log_ends[log]:
                self._put(key, pack("PEXPIREAT", key, ends))
        for data_store in self._data_stores:
            # A number that no index has seen: each compares all that it has.
            key = self._keys.corpus(data_store, "number")
            self._put(key, pack("SET", key, self._now * 1000))
        await self._send()
        feed = ChangeFeed(self._redis, self._keys)
        for data_store in sorted(self._data_stores):
            await feed.register(data_store)
            await feed.announce(data_store)
        fields = [part for pair in header.install.items() for part in pair]
        if not await self._redis.run(_COMPLETE, [self._keys.install], [self._nonce, *fields]):
            raise _overtaken()


def _overtaken() -> Aborted:
    return Aborted(
        "another restore was begun into this Redis, which goes on alone", reason="RESTORE_OVERTAKEN"
    )
