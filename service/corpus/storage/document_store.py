"""Keep the documents of data stores, and what an index needs of them, in Redis.

For each data store: ``documents`` (hash, id → JSON of the resource), ``passages`` (hash, id →
`IndexContent`), ``digests`` (hash, id → digest of what was imported), ``ids`` (sorted set, for
pages), ``furniture`` (set, of `documents.furniture`), the images (`figure_store`) and the feed of
changes. All in one slot, so that a script changes a document and tells the replicas in one step:
neither is ever without the other.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from service.corpus.document_filters import Filter, matches
from service.corpus.index import Chunk
from service.corpus.storage import change_feed, figure_store
from service.corpus.storage.change_feed import ChangeFeed
from service.corpus.storage.figure_store import FigureStore
from service.corpus.stored_documents import IndexContent, StoredDocument, unpack
from sessions import names
from sessions.codec import json_codec
from sessions.errors import Internal
from sessions.redis.connection import Redis, Script, secret
from sessions.redis.keys import Keys
from sessions.redis.resp_socket import pack
from sessions.resources.documents import Document

BATCH: Final = 256
"""Documents that one script call writes: while it does, Redis serves nobody else."""
BATCH_BYTES: Final = 4 * 1024 * 1024
"""Bytes that one script call writes, unless a single document has more."""

_PUT: Final = Script("service.corpus.storage", "scripts/put.lua")
_DELETE: Final = Script("service.corpus.storage", "scripts/delete.lua")
_SWAP: Final = Script("service.corpus.storage", "scripts/swap.lua")
_PARTS: Final = ("documents", "passages", "digests", "ids")

T = TypeVar("T")


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """Documents in the order of their ids; *after* continues the list, "" at its end."""

    documents: tuple[Document, ...]
    after: str = ""


_log = logging.getLogger(__name__)


class DocumentStore:
    """The documents of all data stores of an installation.

    Whether a data store exists is not known here: an absent one is an empty one.
    """

    def __init__(self, redis: Redis, keys: Keys) -> None:
        self._redis = redis
        self._keys = keys
        self.feed = ChangeFeed(redis, keys)
        self.figures = FigureStore(redis, keys)

    async def installation(self) -> str:
        """Return what tells this installation from all others, and one made anew from this."""
        made = secrets.token_hex(16).encode()
        return (await secret(self._redis, self._keys, "id", made)).decode()

    async def put(self, data_store: str, documents: Sequence[StoredDocument]) -> None:
        """Store *documents*, replacing what has their ids, and tell the replicas.

        Each batch of up to `BATCH` documents is stored whole or not at all.
        """
        await self.feed.register(data_store)
        for batch in _batches(documents):
            args: list[bytes | str | int] = [change_feed.KEPT]
            args.append(change_feed.pack_ids([each.id for each in batch]))
            for each in batch:
                args += _fields(each)
            await self._redis.run(_PUT, self._script_keys(data_store), args)
        await self._tell(data_store)

    async def swap(self, data_store: str, document: StoredDocument, seen: bytes) -> bool:
        """Store *document* if the one of its id is still *seen*, and tell whether it was.

        *seen* is the JSON of `read`, ``b""`` to add a document that there is not.
        """
        await self.feed.register(data_store)
        args: list[bytes | str | int] = [change_feed.KEPT, change_feed.pack_ids([document.id])]
        args += [seen, *_fields(document)]
        done = await self._redis.run(_SWAP, self._script_keys(data_store), args)
        if done:
            await self._tell(data_store)
        return bool(done)

    async def read(self, name: str) -> bytes:
        """Return the JSON of the document of this canonical *name*, ``b""`` where there is none."""
        key = self._keys.corpus(names.data_store_of(name), "documents")
        found = await self._redis.execute(key, "HGET", key, names.last_id(name))
        return bytes(found or b"")

    async def delete(self, data_store: str, ids: Iterable[str]) -> int:
        """Delete the documents with these *ids*; return how many there were."""
        gone = 0
        for batch in _slices(list(ids), BATCH):
            args = [change_feed.KEPT, change_feed.pack_ids(batch), *batch]
            gone += int(await self._redis.run(_DELETE, self._script_keys(data_store), args))
        await self._tell(data_store)
        return gone

    async def drop(self, data_store: str) -> None:
        """Delete everything of *data_store* at once."""
        keys = self._script_keys(data_store)
        furniture = self._keys.corpus(data_store, "furniture")
        await self._redis.execute(keys[0], "UNLINK", *keys, furniture)
        await self._tell(data_store)

    async def _tell(self, data_store: str) -> None:
        """Say that *data_store* changed; return when Redis' replicas have the change as well."""
        await self.feed.announce(data_store)
        # Who is told that a document is stored does not send it again, whoever is master then.
        await self._redis.replicated(self._script_keys(data_store)[0])

    async def get(self, name: str) -> Document:
        """Return the document of this canonical *name*.

        Raises:
            NotFound: there is none.
        """
        key = self._keys.corpus(names.data_store_of(name), "documents")
        found = await self._redis.execute(key, "HGET", key, names.last_id(name))
        if found is None:
            raise names.absent(name)
        return json_codec.load(Document, found)

    async def get_many(self, data_store: str, ids: Sequence[str]) -> dict[str, Document]:
        """Return those of the documents with these *ids* that there are, undamaged, by id."""
        found: dict[str, Document] = {}
        for i, value in (await self._values(data_store, "documents", ids)).items():
            try:
                found[i] = json_codec.load(Document, value)
            except Internal:
                _log.warning("document_damaged", extra={"document": names.document(data_store, i)})
        return found

    async def page(self, data_store: str, *, limit: int, after: str = "") -> Page:
        """Return the first *limit* documents whose ids follow *after*."""
        ids = await self._ids(data_store, after, limit)
        found = await self.get_many(data_store, ids)
        return Page(
            documents=tuple(found[i] for i in ids if i in found),
            after=ids[-1] if len(ids) == limit else "",
        )

    async def count(self, data_store: str) -> int:
        """Return how many documents *data_store* has."""
        key = self._keys.corpus(data_store, "ids")
        return int(await self._redis.execute(key, "ZCARD", key))

    async def digests(self, data_store: str, ids: Sequence[str]) -> dict[str, bytes]:
        """Return the digests of those of these documents that there are."""
        return await self._values(data_store, "digests", ids)

    async def all_digests(self, data_store: str) -> AsyncIterator[list[bytes]]:
        """Yield the digests of all documents, some at a time, in no order."""
        key = self._keys.corpus(data_store, "digests")
        cursor: bytes | int = 0
        while True:
            cursor, found = await self._redis.execute(key, "HSCAN", key, cursor, "COUNT", _PAGE)
            yield found[1::2]
            if not int(cursor):
                return

    async def contents(self, data_store: str, ids: Sequence[str]) -> dict[str, IndexContent]:
        """Return what an index needs of those of these documents that there are, undamaged."""
        found: dict[str, IndexContent] = {}
        for i, value in (await self.packed_contents(data_store, ids)).items():
            if (content := unpack(value)) is not None:
                found[i] = content
            else:
                _log.warning("document_damaged", extra={"document": names.document(data_store, i)})
        return found

    async def packed_contents(self, data_store: str, ids: Sequence[str]) -> dict[str, bytes]:
        """Return the same as it is stored, for `unpack`."""
        return await self._values(data_store, "passages", ids)

    async def packed_documents(self, data_store: str, ids: Sequence[str]) -> dict[str, bytes]:
        """Return the JSON of those of these documents that there are, for `swap`."""
        return await self._values(data_store, "documents", ids)

    async def spread_ids(self, data_store: str, count: int) -> list[str]:
        """Return at most *count* ids from all over the order of ids, the same ones each time."""
        key = self._keys.corpus(data_store, "ids")
        there = await self.count(data_store)
        places = range(there) if there <= count else [at * there // count for at in range(count)]
        asked = [(key, pack("ZRANGE", key, place, place)) for place in places]
        replies = await self._redis.batch(asked) if asked else []
        found: list[str] = []
        for reply in replies:
            if isinstance(reply, Exception):
                raise reply
            found += [i.decode() for i in reply]
        return found

    async def furniture(self, data_store: str) -> frozenset[bytes]:
        """Return the fingerprints of what most pages of *data_store* repeat."""
        key = self._keys.corpus(data_store, "furniture")
        return frozenset(await self._redis.execute(key, "SMEMBERS", key))

    async def set_furniture(self, data_store: str, fingerprints: frozenset[bytes]) -> None:
        """Keep the fingerprints of what most pages of *data_store* repeat."""
        key = self._keys.corpus(data_store, "furniture")
        await self._redis.execute(key, "UNLINK", key)
        if fingerprints:
            await self._redis.execute(key, "SADD", key, *sorted(fingerprints))

    async def all_ids(self, data_store: str) -> AsyncIterator[list[str]]:
        """Yield all ids in their order, a page at a time; one added meanwhile may be missing."""
        after = ""
        while ids := await self._ids(data_store, after, _PAGE):
            yield ids
            after = ids[-1]

    async def all_contents(self, data_store: str) -> AsyncIterator[dict[str, IndexContent]]:
        """Yield what an index needs of all documents, a page at a time."""
        async for ids in self.all_ids(data_store):
            yield await self.contents(data_store, ids)

    async def matching(self, data_store: str, condition: Filter) -> list[str]:
        """Return the ids of the documents that *condition* matches."""
        return [
            i
            async for page in self.all_contents(data_store)
            for i, content in page.items()
            if matches(condition, content.facts(i))
        ]

    async def chunks(self, document: str) -> list[Chunk]:
        """Return the chunks of the document of this name in order, none where there is none."""
        document_id = names.last_id(document)
        found = await self.contents(names.data_store_of(document), [document_id])
        if document_id not in found:
            return []
        whole = found[document_id]
        return [whole.chunk(document, at, stored) for at, stored in enumerate(whole.chunks)]

    def _script_keys(self, data_store: str) -> list[bytes]:
        parts = [self._keys.corpus(data_store, part) for part in _PARTS]
        figures = [self._keys.corpus(data_store, part) for part in figure_store.PARTS]
        return [*parts, *change_feed.feed_keys(self._keys, data_store), *figures]

    async def _ids(self, data_store: str, after: str, limit: int) -> list[str]:
        key = self._keys.corpus(data_store, "ids")
        start = f"({after}" if after else "-"
        found = await self._redis.execute(
            key, "ZRANGEBYLEX", key, start, "+", "LIMIT", 0, max(0, limit)
        )
        return [i.decode() for i in found]

    async def _values(self, data_store: str, part: str, ids: Sequence[str]) -> dict[str, bytes]:
        if not ids:
            return {}
        key = self._keys.corpus(data_store, part)
        batches = list(_slices(ids, _PAGE))
        replies = await self._redis.batch([(key, pack("HMGET", key, *b)) for b in batches])
        found: dict[str, bytes] = {}
        for batch, reply in zip(batches, replies, strict=True):
            if isinstance(reply, Exception):
                raise reply
            pairs = zip(batch, reply, strict=True)
            found.update((i, value) for i, value in pairs if value is not None)
        return found


_PAGE: Final = 500
"""Documents read at once."""


def _slices(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    for at in range(0, len(items), size):
        yield items[at : at + size]


def _batches(documents: Sequence[StoredDocument]) -> Iterator[list[StoredDocument]]:
    """Cut *documents* so that no batch blocks Redis for long."""
    batch: list[StoredDocument] = []
    size = 0
    for document in documents:
        images = sum(len(figure.data) for figure in document.figures or ())
        needs = len(document.document) + len(document.content) + images
        if batch and (len(batch) == BATCH or size + needs > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += needs
    if batch:
        yield batch


def _fields(document: StoredDocument) -> list[bytes | str | int]:
    """Return *document* as the scripts take it."""
    figures = figure_store.arguments(document.figures)
    return [document.id, document.document, document.content, document.digest, *figures]
