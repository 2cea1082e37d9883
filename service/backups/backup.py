"""Read all of an installation while it serves.

Redis can be read at one moment in no way that every deployment has, so what has to fit together is
read in one step each: a session or conversation with its turns, queue, running answer and log; the
parts of a document. Steps stand in this order, so that what refers to something never comes without
it: data stores and all else, then visitors' merges, then idempotency keys, then the sessions with
the answers that those keys name. What is made while a backup runs may be in it or not.

An answer that has ended changes no more, so those of a long session are read page by page before
the step that reads the rest: nothing of it is taken from two moments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from service.backups.backup_file import BackupHeader, BackupWriter
from service.backups.key_fates import Fate, fate
from service.backups.key_records import KeyRecord, pairs, stream_elements, told
from service.version import VERSION
from sessions.errors import Aborted, FailedPrecondition, Unavailable
from sessions.redis.connection import Redis, Script, check_install, checked_replies
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack

_READ: Final = Script("service.backups", "scripts/read.lua")
_DOCUMENTS: Final = Script("service.backups", "scripts/documents.lua")
_DOCUMENT_PARTS: Final = ("documents", "passages", "digests", "figures")
_TOGETHER: Final = 32
"""Sessions, or other keys, whose steps are sent at once; others' commands come in between."""
_ELEMENTS: Final = 500
"""Elements of a hash or stream that are read in one step."""
_WHOLE: Final = 40
"""Answers of a session that are read in one step with it: more than can be unfinished at once."""
_PAGE_BYTES: Final = 4 << 20
_ATTEMPTS: Final = 50
_UNBOUNDED: Final = 1 << 40

T = TypeVar("T")


class _Parts(NamedTuple):
    """The keys of a session or conversation but those of its answers."""

    session: bytes
    turns: bytes
    answers: bytes
    queue: bytes


class Backup:
    """Reads the installation of *keys*; run `begin`, then `write`, once."""

    def __init__(self, redis: Redis, keys: Keys, writer: BackupWriter) -> None:
        self._redis = redis
        self._keys = keys
        self._writer = writer
        self._counts = writer.counts
        self._begin = len(keys.prefix) + 1
        self._moved = False
        self._last: list[bytes] = []

    async def begin(self) -> None:
        """Write what installation it is.

        Raises:
            FailedPrecondition: there is none, or of a schema that is not known.
        """
        install: list[bytes] = await self._redis.execute(
            self._keys.install, "HGETALL", self._keys.install
        )
        if not install:
            raise FailedPrecondition(
                "there is nothing to back up: Colloquy never started on this Redis; check "
                "COLLOQUY_REDIS_URL and COLLOQUY_DATA_DIR",
                reason="NOTHING_TO_BACK_UP",
            )
        await check_install(self._redis, self._keys)
        fields = {name.decode(): value for name, value in pairs(install)}
        now = await self._redis.now_ms()
        self._writer.add(BackupHeader(now, VERSION, self._redis.server, fields))

    async def write(self) -> None:
        """Write everything that is kept.

        Raises:
            Unavailable: Redis was away, or a node was replaced meanwhile; begin anew.
            Aborted: a session changes faster than it can be read; begin anew.
        """
        # A scan that goes on at another node, or behind a slot that moved, passes keys over.
        self._redis.on_change(self._note_move)
        await self._write_all()
        if self._moved:
            raise Unavailable(
                "a server of Redis was replaced while it was read; begin the backup anew",
                reason="REDIS_UNAVAILABLE",
            )

    async def _write_all(self) -> None:
        for pattern in ("{r*}:r:*", "[^{]*", "{[^prx]*"):
            await self._scan(pattern, Fate.PLAIN, Fate.DOCUMENTS, Fate.LAST)
        for key in self._last:
            await self._write_plain([key])
        await self._scan("{p*}:i:*", Fate.REQUEST)
        await self._scan("{p*}:s:*", Fate.OWNER)

    def _note_move(self) -> None:
        self._moved = True

    async def _scan(self, pattern: str, *wanted: Fate) -> None:
        """Write the keys that match *pattern* and have one of the fates *wanted*."""
        async for page in self._redis.scan(f"{self._keys.prefix}:{pattern}"):
            by_fate: dict[Fate, list[bytes]] = {each: [] for each in wanted}
            for key in page:
                by_fate.get(fate(key[self._begin :]), []).append(key)
            self._last += by_fate.get(Fate.LAST, [])
            for some in _slices(by_fate.get(Fate.PLAIN, []) + by_fate.get(Fate.REQUEST, [])):
                await self._write_plain(some)
            for key in by_fate.get(Fate.DOCUMENTS, []):
                await self._write_documents(key[self._begin :].split(b":", 2)[2].decode())
            for some in _slices(by_fate.get(Fate.OWNER, [])):
                names = [key[self._begin :].split(b":", 2)[2].decode() for key in some]
                await self._write_owners(names)

    # --- keys by themselves

    async def _write_plain(self, keys: Sequence[bytes]) -> None:
        found = await self._read([[key] for key in keys], _ELEMENTS)
        for key, (record,) in zip(keys, found, strict=True):
            if record is None:
                continue
            if record.kind in ("hash", "stream") and not record.elements:
                await self._write_large(key, record)
            else:
                self._add(record)

    async def _write_large(self, key: bytes, record: KeyRecord) -> None:
        """Write a hash or a stream page by page."""
        cursor, continues = b"0" if record.kind == "hash" else b"-", False
        while cursor:
            if record.kind == "hash":
                cursor, elements = await self._hash_page(key, cursor)
            else:
                cursor, elements = await self._stream_page(key, cursor, record.stream[0])
            # What says where a stream ended goes behind its last entries: none could follow it.
            stream = () if cursor else record.stream
            part = KeyRecord(record.key, record.kind, record.ends, elements, stream, continues)
            if elements or stream:
                self._add(part)
                continues = True

    async def _hash_page(
        self, key: bytes, cursor: bytes
    ) -> tuple[bytes, tuple[tuple[bytes, ...], ...]]:
        after, flat = await self._redis.execute(key, "HSCAN", key, cursor, "COUNT", _ELEMENTS)
        return (b"" if after == b"0" else after), pairs(flat)

    async def _stream_page(
        self, key: bytes, cursor: bytes, last: bytes
    ) -> tuple[bytes, tuple[tuple[bytes, ...], ...]]:
        found: list[Any] = await self._redis.execute(
            key, "XRANGE", key, cursor, last, "COUNT", _ELEMENTS
        )
        after = b"(" + found[-1][0] if len(found) == _ELEMENTS else b""
        return after, stream_elements(found)

    # --- documents

    async def _write_documents(self, data_store: str) -> None:
        ids, *parts, images = [
            self._keys.corpus(data_store, part) for part in ("ids", *_DOCUMENT_PARTS, "images")
        ]
        after, continues = "-", False
        while True:
            args = (after, _ELEMENTS, _PAGE_BYTES)
            page: list[Any] = await self._redis.run(_DOCUMENTS, [ids, *parts, images], args)
            if not page:
                return
            self._add_elements(ids, "zset", [(each[0], b"0") for each in page], continues)
            for at, key in enumerate(parts):
                found = [(each[0], each[1 + at]) for each in page if each[1 + at] is not None]
                self._add_elements(key, "hash", found, continues)
            shown = [pair for each in page for pair in pairs(each[5])]
            self._add_elements(images, "hash", shown, continues)
            self._counts.documents += len(page)
            after, continues = f"({page[-1][0].decode()}", True

    def _add_elements(
        self, key: bytes, kind: str, elements: Sequence[tuple[bytes, ...]], continues: bool
    ) -> None:
        if elements:
            record = KeyRecord(key[self._begin :], kind, 0, tuple(elements), (), continues)
            self._add(record)

    # --- sessions and conversations

    async def _write_owners(self, owners: Sequence[str]) -> None:
        parts = [self._parts(owner) for owner in owners]
        lists = [(each.answers, pack("LRANGE", each.answers, 0, -1)) for each in parts]
        named = checked_replies(await self._redis.batch(lists))
        short = [at for at, found in enumerate(named) if len(found) <= _WHOLE]
        steps = [[*parts[at], *self._answer_keys(named[at])] for at in short]
        found = dict(zip(short, await self._read(steps, _UNBOUNDED), strict=True))
        for at, owner in enumerate(owners):
            records = found.get(at)
            # One that was asked something in between is read again, by itself.
            if records is None or (records[0] and set(_items(records[2])) - set(named[at])):
                records = await self._read_owner(owner, named[at])
            if records[0] is not None:
                self._add_owner(owner, records)

    async def _read_owner(self, owner: str, named: list[bytes]) -> list[KeyRecord | None]:
        """Return all of a session: its parts as `_Parts` and its answers, as at one moment."""
        parts = self._parts(owner)
        ended: dict[bytes, list[KeyRecord | None]] = {}
        for _ in range(_ATTEMPTS):
            left = [name for name in named if name not in ended]
            for some in _slices(left[: len(left) - _WHOLE], _WHOLE) if len(left) > _WHOLE else ():
                found = zip(some, await self._read_pairs(some), strict=True)
                ended |= {name: pair for name, pair in found if _has_ended(pair[0])}
            left = [name for name in named if name not in ended]
            step = [*parts, *self._answer_keys(left)]
            (records,) = await self._read([step], _UNBOUNDED)
            named = _items(records[2])
            if records[0] is None or not set(named) - ended.keys() - set(left):
                return [*records, *(each for name in named for each in ended.get(name, ()))]
        raise Aborted(f"'{owner}' changes all the time; begin anew", reason="CONCURRENT_UPDATE")

    async def _read_pairs(self, answers: Sequence[bytes]) -> list[list[KeyRecord | None]]:
        return await self._read([self._answer_keys([name]) for name in answers], _UNBOUNDED)

    def _add_owner(self, owner: str, records: Sequence[KeyRecord | None]) -> None:
        if "/conversations/" in owner:
            self._counts.conversations += 1
        else:
            self._counts.sessions += 1
        for record in records:
            if record is not None:
                self._counts.answers += fate(record.key) is Fate.OF_OWNER and record.kind == "hash"
                self._add(record)

    def _parts(self, owner: str) -> _Parts:
        keys = self._keys
        return _Parts(
            keys.session(owner), keys.turns(owner), keys.answers(owner), keys.queue(owner)
        )

    def _answer_keys(self, answers: Sequence[bytes]) -> list[bytes]:
        names = [name.decode() for name in answers]
        return [key for name in names for key in (self._keys.answer(name), self._keys.log(name))]

    # --- what all stand on

    async def _read(
        self, steps: Sequence[Sequence[bytes]], most: int
    ) -> list[list[KeyRecord | None]]:
        """Read the keys of each step at one moment, of a hash or stream over *most* no elements."""
        commands = [(step[0], pack("EVAL", _READ.source, len(step), *step, most)) for step in steps]
        replies = checked_replies(await self._redis.batch(commands))
        return [
            [told(key[self._begin :], now, reply) for key, reply in zip(step, found, strict=True)]
            for step, (now, *found) in zip(steps, replies, strict=True)
        ]

    def _add(self, record: KeyRecord) -> None:
        self._counts.keys += not record.continues
        self._writer.add(record)


def _has_ended(answer: KeyRecord | None) -> bool:
    return answer is not None and answer.fields.get(b"state") != b"IN_PROGRESS"


def _items(record: KeyRecord | None) -> list[bytes]:
    return [] if record is None else [element[0] for element in record.elements]


def _slices(items: Sequence[T], size: int = _TOGETHER) -> Iterator[Sequence[T]]:
    for at in range(0, len(items), size):
        yield items[at : at + size]
