"""Embeds what is stored, in the background, and what is asked.

Nothing waits for it: a chunk that has no vector yet is found by its words, and so is everything
for a query that could not be embedded in time.
"""

from __future__ import annotations

import asyncio
import importlib.util
import logging
import time
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from service.corpus.index import SearchContext
from service.corpus.storage.document_store import DocumentStore
from service.corpus.stored_documents import IndexContent, unpack
from service.corpus.vectors import vector_store
from service.corpus.vectors.vector_store import VectorStore
from service.corpus.vectors.vector_table import DocumentDigests, VectorTable
from service.embeddings.embedder import Embedder, TextKind, unit
from service.thread_pools import ThreadPool
from sessions.errors import FailedPrecondition, ResourceExhausted, ServiceError, Unavailable
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from sessions.supervision import PASSING

MOST: Final = 100_000
"""Chunks of one process that are compared: 200 MB of memory and 15 ms a query with 512 parts."""
_POLL: Final = 1.0
_ELSEWHERE: Final = 5.0
"""Seconds between two looks at what another replica embeds."""
_BATCH: Final = 16
"""Chunks embedded at once: a fifth of a second with the local model."""
_READ: Final = 200
"""Documents whose vectors or texts are read at once."""
_SETTLED_EVERY: Final = 3.0
"""Seconds after which what was embedded meanwhile is compared with."""
_REST: Final = 1.0
"""The pause after a batch, as a share of the time it took: queries come first."""
_LONGEST_PAUSE: Final = 60.0
_TOUCH: Final = 86_400.0
_SPARED: Final = 5.0
"""Seconds for which an embedder that failed is not asked about queries."""
EARLIER: Final = 0.5
"""What the query before counts beside the query: without it follow-ups lose their topic (2 to 4
points where most say little by themselves), and in full it hides what a new question asks."""
_LONGEST: Final = 1_000
"""Characters of a query that are embedded."""
_REMEMBERED: Final = 1_000
_PATIENCE: Final = 1.5
"""Seconds that a query waits for its vector: the local model takes longer with its first text."""
_log = logging.getLogger(__name__)

States = Callable[[], Mapping[str, DocumentDigests]]


class Meaning(NamedTuple):
    """What a query means to a model, and what that weighs (see `fusion.share`)."""

    vector: array[float]
    share: float | None


class VectorSearch:
    """The vectors of all data stores that *embedder* makes, as far as this process has them.

    *observe* is told of each query that was to be embedded whether it was.
    """

    def __init__(
        self,
        embedder: Embedder,
        redis: Redis,
        keys: Keys,
        documents: DocumentStore,
        *,
        observe: Callable[[bool], None] | None = None,
        most: int = MOST,
    ) -> None:
        """Begin with nothing; *most* chunks are compared at most.

        Raises:
            FailedPrecondition: numpy is not installed.
        """
        if importlib.util.find_spec("numpy") is None:
            raise FailedPrecondition(
                "searching by embeddings needs numpy: pip install 'colloquy[embeddings]'",
                reason="EMBEDDINGS_NOT_INSTALLED",
            )
        self._embedder = embedder
        self._store = VectorStore(redis, keys, embedder.name)
        self._documents = documents
        self._observe = observe or _ignore
        self._most = most
        self._tables: dict[str, VectorTable] = {}
        self._complete: dict[str, DocumentDigests] = {}
        self._touched: dict[str, float] = {}
        self._asked: dict[str, array[float]] = {}
        self._spared_until = 0.0
        self._dimensions = 0
        self._left = set[int]()
        self._bounded = False
        self._threads = ThreadPool("vectors", 1)

    @property
    def count(self) -> int:
        """How many chunks a query is compared with."""
        return sum(table.compared for table in self._tables.values())

    def table(self, data_store: str) -> VectorTable | None:
        """Return the vectors of *data_store*; None where there are none yet."""
        return self._tables.get(data_store)

    async def read(self, query: str, context: SearchContext) -> Meaning | None:
        """Return what *query* means after its *context*; None where it cannot be told now."""
        if not self.count or not query.strip():
            return None
        texts = [text[-_LONGEST:] for text in (query, *context.queries[:1]) if text.strip()]
        # Held here: while the others are embedded, what is remembered may be forgotten.
        known = {text: self._asked[text] for text in texts if text in self._asked}
        unknown = [text for text in texts if text not in known]
        if unknown:
            known |= await self._embed_queries(unknown)
        if len(known) < len(set(texts)):
            return None
        own, before = known[texts[0]], known[texts[-1]]
        # An endpoint may have begun to give vectors of another length.
        if len(texts) == 2 and len(own) == len(before):
            own = unit(a + EARLIER * b for a, b in zip(own, before, strict=True))
        return Meaning(own, self._embedder.share)

    async def _embed_queries(self, texts: Sequence[str]) -> dict[str, array[float]]:
        """Return, and remember, the vectors of *texts*; nothing where that takes too long."""
        if time.monotonic() < self._spared_until:
            return {}
        try:
            async with asyncio.timeout(_PATIENCE):
                vectors = await self._embedder.embed(texts, TextKind.QUERY)
        except (ServiceError, TimeoutError) as exc:
            self._spared_until = time.monotonic() + max(_SPARED, _asked_to_wait(exc))
            self._observe(False)
            reason = exc.message if isinstance(exc, ServiceError) else "it took too long"
            _log.warning("query_not_embedded", extra={"reason": reason})
            return {}
        self._observe(True)
        if len(self._asked) > _REMEMBERED:
            self._asked.clear()
        self._note_length(vectors)
        made = dict(zip(texts, vectors, strict=True))
        self._asked.update(made)
        return made

    def _note_length(self, vectors: Sequence[array[float]]) -> None:
        """Embed all anew where the model gives vectors of another length than before.

        Each length once: two models behind one name would take turns for ever.
        """
        length = len(vectors[0])
        if length == self._dimensions or length in self._left:
            return
        if self._dimensions:
            _log.warning("vectors_of_another_length", extra={"before": self._dimensions})
            self._left.add(self._dimensions)
            self._asked.clear()
        self._dimensions = length
        # What is stored may have the length from before this process began.
        self._complete.clear()

    async def keep_up(self, states: States) -> None:
        """Embed what the data stores hold, as *states* tells by their names, until cancelled."""
        failures = 0
        while True:
            pause = _POLL
            try:
                waits = False
                for name, state in states().items():
                    if self._complete.get(name) is not state:
                        waits |= not await self._catch_up(name, state)
                await self._drop_gone(states())
                failures, pause = 0, _ELSEWHERE if waits else _POLL
            except PASSING:
                raise
            # A supervisor: nothing may end the task, nor the service with it.
            except BaseException as exc:  # noqa: BLE001
                failures += 1
                pause = min(_POLL * 2 ** min(failures, 9), _LONGEST_PAUSE)
                pause = max(pause, _asked_to_wait(exc))
                _log.warning("embedding_waits", extra={"reason": str(exc), "seconds": pause})
            await asyncio.sleep(pause)

    async def _catch_up(self, name: str, state: DocumentDigests) -> bool:
        """Bring the vectors of the data store *name* in step; False where another replica does."""
        table, length = self._tables.setdefault(name, VectorTable()), self._dimensions
        # In a thread: each looks at all documents, a tenth of a second for 100,000 of them.
        digests = await self._threads.run(state.digests)
        gone = await self._threads.run(table.keep_only, digests.keys())
        if gone:
            await self._store.forget(name, gone)
        await self._take_stored(name, table, digests)
        missing = await self._threads.run(table.missing, digests, self._dimensions)
        if missing and self._has_room():
            if not await self._store.lease(name):
                await self._settle(table)
                return False
            try:
                # Another replica may have embedded some since they were looked for.
                await self._take_stored(name, table, digests)
                await self._embed(name, table, digests)
            finally:
                await self._store.release(name)
        await self._settle(table)
        if time.monotonic() - self._touched.get(name, -_TOUCH) >= _TOUCH:
            await self._store.touch(name)
            self._touched[name] = time.monotonic()
        if length == self._dimensions:
            self._complete[name] = state
        return True

    async def _take_stored(
        self, name: str, table: VectorTable, digests: Mapping[str, bytes]
    ) -> None:
        """Take the vectors that there are in Redis and not here."""
        missing = await self._threads.run(table.missing, digests, self._dimensions)
        for at in range(0, len(missing), _READ):
            if not self._has_room():
                return
            found = await self._store.read(name, missing[at : at + _READ])
            table.put(
                {
                    i: each
                    for i, each in found.items()
                    if digests[i] == each.digest and each.has_length(self._dimensions)
                }
            )

    async def _embed(self, name: str, table: VectorTable, digests: Mapping[str, bytes]) -> None:
        """Embed the documents that have no vectors, some chunks at a time."""
        settled = time.monotonic()
        missing = await self._threads.run(table.missing, digests, self._dimensions)
        for at in range(0, len(missing), _READ):
            packed = await self._documents.packed_contents(name, missing[at : at + _READ])
            for document_id, value in packed.items():
                if not self._has_room():
                    return
                # In a thread, too: a document of 20 MB takes a second to unpack and to compress.
                if (content := await self._threads.run(unpack, value)) is None:
                    continue
                vectors = await self._embedded(name, content)
                if vectors is None:
                    return  # the lease was lost: whoever has it goes on
                digest = vector_store.document_digest(value)
                made = await self._threads.run(vector_store.compress, digest, vectors)
                await self._store.keep(name, {document_id: made})
                table.put({document_id: made})
                if time.monotonic() - settled > _SETTLED_EVERY:
                    await self._settle(table)
                    settled = time.monotonic()

    async def _embedded(self, name: str, content: IndexContent) -> list[array[float]] | None:
        """Return the vectors of the chunks of *content*; None where the lease was lost."""
        vectors: list[array[float]] = []
        texts = texts_of(content)
        for at in range(0, len(texts), _BATCH):
            if not await self._store.lease(name):
                return None
            began = time.monotonic()
            made = await self._embedder.embed(texts[at : at + _BATCH], TextKind.DOCUMENT)
            self._note_length(made)
            vectors += made
            await asyncio.sleep(_REST * (time.monotonic() - began))
        if len({len(vector) for vector in vectors}) > 1:
            raise Unavailable("the model changes", reason="MODEL_UNAVAILABLE")
        return vectors

    async def _settle(self, table: VectorTable) -> None:
        await self._threads.run(table.settle)

    async def _drop_gone(self, states: Mapping[str, DocumentDigests]) -> None:
        for name in self._tables.keys() - states.keys():
            await self._store.forget(name, self._tables[name].keep_only(()))
            del self._tables[name]
            self._complete.pop(name, None)

    def _has_room(self) -> bool:
        """Tell whether more chunks may be compared; what has no room is found by its words."""
        if sum(map(len, self._tables.values())) < self._most:
            self._bounded = False
        elif not self._bounded:
            self._bounded = True
            _log.warning("vectors_bounded", extra={"chunks": self._most})
        return not self._bounded


def texts_of(content: IndexContent) -> Sequence[str]:
    """Return what is embedded of each chunk: its text, under its headings and title."""
    return [
        "\n".join(dict.fromkeys((content.title, *chunk.headings, chunk.text)))
        for chunk in content.chunks
    ]


def _asked_to_wait(failure: BaseException) -> float:
    """Return the seconds for which an endpoint asked not to be asked, at most a minute."""
    asked = failure.retry_after if isinstance(failure, ResourceExhausted) else 0
    return min(float(asked), _LONGEST_PAUSE)


def _ignore(_: bool) -> None:
    """Observe nothing."""
