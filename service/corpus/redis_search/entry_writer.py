"""Write the index of one data store, whoever dies while it does.

One replica at a time has the lease, and each step is refused by Redis once it is lost. New chunks
are garbage until a commit shows their documents, and old ones from then on: a document is never
half there, and what a writer leaves is cleared away by the next.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from service.corpus import stored_documents
from service.corpus.redis_search import engine, entries
from service.corpus.redis_search.entries import (
    EntryTotals,
    IndexedDocument,
    PreparedDocument,
    Tally,
)
from service.corpus.redis_search.entry_keys import CHUNKS, EntryKeys
from service.corpus.redis_search.vector_keys import VectorKeys
from service.thread_pools import ThreadPool
from sessions.errors import Unavailable
from sessions.redis.connection import Redis, Script, checked_replies
from sessions.redis.resp_socket import pack

LEASE: Final = 5_000
"""Milliseconds after which another replica goes on where one has stopped: a step takes less."""
_CHUNKS: Final = 50
"""Chunks that one step writes or deletes: Redis serves nobody else for 5 ms meanwhile."""
_BYTES: Final = 512 * 1024
_READ: Final = 200
"""Hashes that are read at once."""
_FIELDS: Final = ("title", "headings", "body")

_LEASE_SCRIPT: Final = Script("service.corpus.redis_search", "scripts/lease.lua")
_WRITE: Final = Script("service.corpus.redis_search", "scripts/write_chunks.lua")
_COMMIT: Final = Script("service.corpus.redis_search", "scripts/commit.lua")
_DISCARD: Final = Script("service.corpus.redis_search", "scripts/discard.lua")
_INCLUDE: Final = Script("service.corpus.redis_search", "scripts/include.lua")

Hashes = Sequence[tuple[bytes, Sequence[bytes | str | int]]]
_log = logging.getLogger(__name__)


class LeaseLost(Unavailable):
    """Another replica writes the index now; what was written before is whole."""


class _Changes(NamedTuple):
    """What a part of the documents becomes: *gone* are entries that are replaced or deleted."""

    added: Sequence[PreparedDocument]
    gone: Sequence[IndexedDocument]
    damaged: Mapping[str, bytes]


class EntryWriter:
    """The one who writes the index of a data store while it has the lease."""

    def __init__(self, redis: Redis, keys: EntryKeys, owner: str, threads: ThreadPool) -> None:
        """*threads* make terms of texts, which takes a millisecond a chunk."""
        self._redis = redis
        self._keys = keys
        self._owner = owner
        self._threads = threads

    async def take(self) -> bool:
        """Take or keep the lease; False where another replica has it."""
        return bool(await self._redis.run(_LEASE_SCRIPT, [self._keys.lease], [self._owner, LEASE]))

    async def release(self) -> None:
        """Let another replica write."""
        await self._redis.run(_LEASE_SCRIPT, [self._keys.lease], [self._owner, 0])

    async def totals(self) -> EntryTotals:
        """Return what is counted now."""
        key = self._keys.totals
        return entries.totals(await self._redis.execute(key, "HGETALL", key))

    async def begin(self) -> bool:
        """Make the index where it is missing, and clear away what another writer left.

        Tells whether it was missing: it has nothing of what was written before.
        """
        missing = await engine.create(self._redis, self._keys.create())
        await self._discard()
        return missing

    async def apply(self, ids: Sequence[str], packed: Mapping[str, bytes]) -> Mapping[str, bytes]:
        """Make the documents with these *ids* what *packed* holds of them; the others are gone.

        Returns what cannot be read, by id, with digests of what is stored of it: it is not there
        afterwards.

        Raises:
            LeaseLost: another replica writes now.
        """
        before = await self._entries(ids)
        given = (await self.totals()).given
        # By the clock where none was given: what was kept before it was dropped had others.
        following = given + 1 if given else await self._redis.now_ms() * 1_000
        changes = await self._threads.run(_changes, self._keys, following, ids, packed, before)
        if changes.added or changes.gone:
            words = [await self._words(entry) for entry in changes.gone]
            for some in _slices(changes.added):
                await self._write(some)
            await self._commit(changes, words, following - 1 - given)
            await self._discard()
        return changes.damaged

    async def all_ids(self) -> list[str]:
        """Return the ids of all documents that can be found."""
        key = self._keys.entries
        return [i.decode() for i in await self._redis.execute(key, "HKEYS", key)]

    async def include(self, position: int) -> None:
        """Say that the index has what the feed has up to *position*.

        Raises:
            LeaseLost: another replica writes now.
        """
        self._check(
            await self._redis.run(
                _INCLUDE, [self._keys.lease, self._keys.totals], [self._owner, LEASE, position]
            )
        )

    async def drop(self) -> None:
        """Delete the index with all that it has.

        Raises:
            LeaseLost: another replica writes now.
        """
        for name in (self._keys.index(CHUNKS), *_indexes(await self._models())):
            await engine.drop(self._redis, name)
        # Only now: what is in no index is deleted several times faster, and whoever searches
        # meanwhile hears that there is none, and never of a part of it.
        key, cursor = self._keys.entries, b"0"
        while True:
            cursor, page = await self._redis.execute(key, "HSCAN", key, cursor, "COUNT", _READ)
            await self._unlink([entries.size(each) for each in page[1::2]])
            if cursor == b"0":
                break
        await self._discard()
        # Last: where it breaks off, what is left is taken for an index that was lost.
        keys, models = self._keys, await self._models()
        for name in _indexes(models):  # those of who began to embed meanwhile
            await engine.drop(self._redis, name)
        gone = (key, keys.terms, keys.totals, keys.numbers, keys.garbage, keys.models)
        await self._redis.execute(key, "UNLINK", *gone, *(model.state for model in models))

    async def _entries(self, ids: Sequence[str]) -> dict[str, IndexedDocument]:
        if not ids:
            return {}
        key = self._keys.entries
        found = await self._redis.execute(key, "HMGET", key, *ids)
        return {
            i: entries.DECODER.decode(each)
            for i, each in zip(ids, found, strict=True)
            if each is not None
        }

    async def _words(self, entry: IndexedDocument) -> list[Mapping[str, str]]:
        """Return the words of each chunk of a document, as they were counted."""
        keys = [self._keys.chunk(entry.number, at) for at in range(entry.attributes.chunks)]
        found: list[Mapping[str, str]] = []
        for at in range(0, len(keys), _READ):
            asked = [(key, pack("HMGET", key, *_FIELDS)) for key in keys[at : at + _READ]]
            for values in checked_replies(await self._redis.batch(asked)):
                told = [(value or b"").decode() for value in values]
                found.append(dict(zip(_FIELDS, told, strict=True)))
        return found

    async def _write(self, documents: Sequence[PreparedDocument]) -> None:
        numbers: list[int] = []
        for each in documents:
            numbers += [each.entry.number, each.entry.attributes.chunks]
        for hashes in _steps([one for each in documents for one in each.hashes]):
            args: list[bytes | str | int] = [self._owner, LEASE, len(numbers) // 2, *numbers]
            for _, values in hashes:
                args += [len(values), *values]
            keys = [self._keys.lease, self._keys.garbage, *(key for key, _ in hashes)]
            self._check(await self._redis.run(_WRITE, keys, args))

    async def _commit(
        self, changes: _Changes, words: Sequence[Sequence[Mapping[str, str]]], skipped: int
    ) -> None:
        tally = Tally()
        for entry, each in zip(changes.gone, words, strict=True):
            tally.add(entry, each, -1)
        for one in changes.added:
            tally.add(one.entry, one.words)
        if changes.added:
            tally.totals["given"] += skipped + len(changes.added)
        shown = {one.entry.attributes.id: one.entry for one in changes.added}
        hidden: list[int] = []
        for entry in changes.gone:
            hidden += [entry.number, entry.attributes.chunks]
        kept: list[bytes | str] = []
        for i, entry in shown.items():
            kept += [i, msgspec.msgpack.encode(entry)]
        dropped = [e.attributes.id for e in changes.gone if e.attributes.id not in shown]
        numbers: list[int | str] = []
        for i, entry in shown.items():
            numbers += [entry.number, i]
        args: list[bytes | str | int] = [self._owner, LEASE]
        for some in (numbers, hidden, kept, dropped, tally.changes(tally.terms)):
            args += [len(some), *some]
        args += tally.changes(tally.totals)
        keys = self._keys
        written = [keys.lease, keys.garbage, keys.entries, keys.terms, keys.totals, keys.numbers]
        self._check(await self._redis.run(_COMMIT, written, args))

    async def _discard(self) -> None:
        """Delete the chunks that no document has."""
        key = self._keys.garbage
        left: list[bytes] = await self._redis.execute(key, "HGETALL", key)
        await self._unlink([*zip(map(int, left[::2]), map(int, left[1::2]), strict=True)])

    async def _unlink(self, documents: Sequence[tuple[int, int]]) -> None:
        """Delete the hashes of *documents*, of which these are the numbers and counts of chunks."""
        places = [(number, at) for number, count in documents for at in range(-1, count)]
        numbers = [number for number, _ in documents]
        models = await self._models()
        for at in range(0, len(places), _CHUNKS):
            some, left = places[at : at + _CHUNKS], at + _CHUNKS < len(places)
            ended = () if left else numbers
            while (done := await self._discard_some(some, ended, models)) < 0:
                models = await self._models()
            self._check(done)

    async def _discard_some(
        self,
        places: Sequence[tuple[int, int]],
        numbers: Sequence[int],
        models: Sequence[VectorKeys],
    ) -> int:
        """Delete the hashes at *places*, -1 for all of a document, and the vectors of *models*."""
        step = [self._keys.lease, self._keys.garbage, self._keys.models]
        step += [
            self._keys.whole(number) if place < 0 else self._keys.chunk(number, place)
            for number, place in places
        ]
        for model in models:
            step += [model.state, *(model.chunk(number, place) for number, place in places)]
        told = " ".join(model.model for model in models)
        args = [self._owner, LEASE, len(places), told, *numbers]
        return int(await self._redis.run(_DISCARD, step, args))

    async def _models(self) -> list[VectorKeys]:
        """Return the keys of the vectors that there are, of each model."""
        key = self._keys.models
        found: list[bytes] = await self._redis.execute(key, "ZRANGE", key, 0, -1)
        return [self._keys.vectors(model.decode()) for model in sorted(found)]

    def _check(self, done: int) -> None:
        if not done:
            raise LeaseLost("another replica writes the index", reason="INDEX_FAILED")


def _indexes(models: Sequence[VectorKeys]) -> Iterator[bytes]:
    for model in models:
        yield from (model.flat, model.graph)


def _changes(
    keys: EntryKeys,
    following: int,
    ids: Sequence[str],
    packed: Mapping[str, bytes],
    before: Mapping[str, IndexedDocument],
) -> _Changes:
    added: list[PreparedDocument] = []
    damaged: dict[str, bytes] = {}
    same = set[str]()
    for i, value in packed.items():
        digest = hashlib.blake2b(value, digest_size=16).digest()
        if i in before and before[i].attributes.digest == digest:
            same.add(i)
            continue
        content = stored_documents.unpack(value)
        if content is None:
            damaged[i] = digest
        else:
            added.append(entries.prepare(keys, following + len(added), i, content, digest))
    gone = [before[i] for i in dict.fromkeys(ids) if i in before and i not in same]
    return _Changes(added, gone, damaged)


def _slices(documents: Sequence[PreparedDocument]) -> Iterator[Sequence[PreparedDocument]]:
    """Cut *documents* so that few are written at once; one of many chunks comes alone."""
    some: list[PreparedDocument] = []
    count = 0
    for each in documents:
        if some and count + len(each.hashes) > _CHUNKS:
            yield some
            some, count = [], 0
        some.append(each)
        count += len(each.hashes)
    if some:
        yield some


def _steps(hashes: Hashes) -> Iterator[Hashes]:
    """Cut *hashes* so that no step keeps Redis for long."""
    some: list[tuple[bytes, Sequence[bytes | str | int]]] = []
    size = 0
    for key, values in hashes:
        needs = sum(len(value) for value in values if isinstance(value, str | bytes))
        if some and (len(some) == _CHUNKS or size + needs > _BYTES):
            yield some
            some, size = [], 0
        some.append((key, values))
        size += needs
    if some:
        yield some
