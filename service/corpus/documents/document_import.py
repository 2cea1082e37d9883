"""Import files, folders and inline documents into a data store.

Importing the same again changes nothing; a bad file is counted and named, and never stops the
rest. A batch at a time is taken from the disk, compared with what is stored, and what is new of it
read in a process of the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from service.corpus.documents import folders, furniture
from service.corpus.documents.folders import ImportFailure
from service.corpus.index import DocumentIndex
from service.corpus.isolation.pool import ParsingPool
from service.corpus.parsing import chunking, document_sources
from service.corpus.parsing.document_sources import DocumentSource, JsonLine
from service.corpus.parsing.parsed_documents import Unreadable
from service.corpus.storage.document_store import DocumentStore
from service.corpus.stored_documents import StoredDocument
from sessions.resources.documents import Document

SAMPLES: Final = 100
"""Failures that a report names; the others are only counted."""

_BATCH: Final = 256
_BATCH_BYTES: Final = 8 * 1024 * 1024


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What an import did so far: *succeeded* counts the unchanged ones as well."""

    succeeded: int = 0
    unchanged: int = 0
    failed: int = 0
    deleted: int = 0
    failures: tuple[ImportFailure, ...] = ()

    @property
    def total(self) -> int:
        """How many documents were met."""
        return self.succeeded + self.failed


Item = DocumentSource | JsonLine | ImportFailure
"""What an import meets on its way: a document, a line that is one, or neither."""
Progress = Callable[[Report], None]
"""Told after each batch; it must not block."""


async def import_path(
    store: DocumentStore,
    parsers: ParsingPool,
    index: DocumentIndex | None,
    path: Path,
    data_store: str,
    *,
    delete_missing: bool = False,
    chunk_size: int = chunking.SIZE,
    base_uri: str = "",
    nested: bool = True,
    progress: Progress | None = None,
) -> Report:
    """Import the file, or all files of the folder, at *path*, as `folders.items` yields them.

    A document's link is *base_uri* and its path below the folder; without *nested* the folders in
    it are left out. With *delete_missing* the documents that are not at *path* are deleted
    afterwards, unless reading them failed. Where it is not known which failed, as in a folder that
    cannot be opened, none is deleted.

    Raises:
        Unreadable: there is nothing at *path*.
        Unavailable: no process starts that reads documents.
    """
    if not await parsers.threads.run(path.exists):
        raise Unreadable("NO_SUCH_FILE", f"there is no file or folder '{path}'")
    run = _Import(store, parsers, data_store, chunk_size, progress)
    await run.take(folders.items(path, base_uri, nested=nested))
    return await run.finish(index, delete_missing=delete_missing)


async def import_documents(
    store: DocumentStore,
    parsers: ParsingPool,
    index: DocumentIndex | None,
    documents: Iterable[Document],
    data_store: str,
    *,
    delete_missing: bool = False,
    chunk_size: int = chunking.SIZE,
    progress: Progress | None = None,
) -> Report:
    """Import document resources; their ids must be set and valid.

    Raises:
        Unavailable: no process starts that reads documents.
    """
    run = _Import(store, parsers, data_store, chunk_size, progress)
    await run.take(map(document_sources.of_document, documents))
    return await run.finish(index, delete_missing=delete_missing)


async def import_items(
    store: DocumentStore,
    parsers: ParsingPool,
    index: DocumentIndex | None,
    items: Iterator[Item],
    data_store: str,
    *,
    chunk_size: int = chunking.SIZE,
    progress: Progress | None = None,
    rename: Callable[[DocumentSource], DocumentSource] | None = None,
) -> Report:
    """Import what *items* yields, in a thread; each document as *rename* gives it back.

    Raises:
        Unavailable: no process starts that reads documents.
    """
    run = _Import(store, parsers, data_store, chunk_size, progress, rename)
    await run.take(items)
    return await run.finish(index, delete_missing=False)


class _Import:
    """One import on its way."""

    def __init__(
        self,
        store: DocumentStore,
        parsers: ParsingPool,
        data_store: str,
        chunk_size: int,
        progress: Progress | None,
        rename: Callable[[DocumentSource], DocumentSource] | None = None,
    ) -> None:
        self._store = store
        self._parsers = parsers
        self._data_store = data_store
        self._chunk_size = chunk_size
        self._progress = progress
        self._rename = rename
        self._report = Report()
        self._seen: set[str] = set()
        self._stored: list[str] = []
        self._is_all_known = True
        """Whether all that is there was seen, were it only as a failure."""

    async def take(self, items: Iterator[Item]) -> None:
        """Import *items*, which may read files as they are taken: that happens in a thread."""
        while batch := await self._parsers.threads.run(_next_batch, items):
            failures = [item for item in batch if isinstance(item, ImportFailure)]
            sources, not_split = await self._sources(batch)
            # Of two with one id the last counts: the store would keep it, whatever came between.
            by_id = {source.id: source for source in sources}
            repeated = len(sources) - len(by_id)
            failures += not_split
            self._seen.update(by_id, (failure.id for failure in failures))
            self._is_all_known &= not any(
                folders.may_hide_documents(failure) for failure in failures
            )
            documents, unchanged, not_read = await self._read(by_id)
            await self._store.put(self._data_store, documents)
            self._stored += [document.id for document in documents]
            self._count(len(documents) + repeated + unchanged, unchanged, failures + not_read)

    async def _sources(
        self, batch: Sequence[Item]
    ) -> tuple[list[DocumentSource], list[ImportFailure]]:
        """Return the documents of *batch*, and the lines that hold none."""
        lines = [item for item in batch if isinstance(item, JsonLine)]
        split = iter(await self._parsers.split(lines) if lines else ())
        sources: list[DocumentSource] = []
        failures: list[ImportFailure] = []
        for item in batch:
            match item:
                case DocumentSource():
                    source = item
                case JsonLine():
                    source = next(split)
                case ImportFailure():
                    continue
            if isinstance(source, Unreadable):
                failures.append(folders.failure(item.filename, source))
            else:
                sources.append(self._rename(source) if self._rename else source)
        return sources, failures

    async def _read(
        self, sources: dict[str, DocumentSource]
    ) -> tuple[list[StoredDocument], int, list[ImportFailure]]:
        """Return what is new of *sources*, how many are not, and what could not be read."""
        # Before a process is asked to read them: that nothing changed is told for the price of a
        # digest, so that a folder can be imported anew every hour.
        stored = await self._store.digests(self._data_store, list(sources))
        digests = await self._parsers.threads.run(self._digests, sources)
        changed = [source for i, source in sources.items() if stored.get(i) != digests[i]]
        made = await self._parsers.read(changed, self._data_store, chunk_size=self._chunk_size)
        documents = [
            msgspec.structs.replace(one, digest=digests[one.id])
            for one in made
            if isinstance(one, StoredDocument)
        ]
        failures = [
            folders.failure(source.filename or source.id, one, source.id)
            for source, one in zip(changed, made, strict=True)
            if isinstance(one, Unreadable)
        ]
        return documents, len(sources) - len(changed), failures

    def _digests(self, sources: dict[str, DocumentSource]) -> dict[str, bytes]:
        return {
            i: document_sources.digest(source, chunk_size=self._chunk_size)
            for i, source in sources.items()
        }

    def _count(self, succeeded: int, unchanged: int, failures: Sequence[ImportFailure]) -> None:
        report = self._report
        self._report = msgspec.structs.replace(
            report,
            succeeded=report.succeeded + succeeded,
            unchanged=report.unchanged + unchanged,
            failed=report.failed + len(failures),
            failures=(*report.failures, *failures)[:SAMPLES],
        )
        if self._progress is not None:
            self._progress(self._report)

    async def finish(self, index: DocumentIndex | None, *, delete_missing: bool) -> Report:
        """Delete what was not met, if so wanted, leave out furniture, and wait for the index."""
        if delete_missing and self._is_all_known:
            missing = [
                i
                async for ids in self._store.all_ids(self._data_store)
                for i in ids
                if i not in self._seen
            ]
            gone = await self._store.delete(self._data_store, missing)
            self._report = msgspec.structs.replace(self._report, deleted=gone)
        await furniture.leave_out(
            self._store, self._parsers.threads, self._data_store, self._stored
        )
        if index is not None:
            await index.refresh(self._data_store)
        return self._report


def _next_batch(items: Iterator[Item]) -> list[Item]:
    batch: list[Item] = []
    size = 0
    for item in islice(items, _BATCH):
        batch.append(item)
        size += 0 if isinstance(item, ImportFailure) else item.size
        if size > _BATCH_BYTES:
            break
    return batch
