"""Import files, folders and inline documents into a data store.

Importing the same again changes nothing; a bad file is counted and named, and never stops the
rest. Reading and cutting happen in a thread, a batch at a time.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final, Protocol

import msgspec

from service.corpus import chunking, identifying, parsing, preparing
from service.corpus.bodies import Limits, Unreadable
from service.corpus.formats import json_lines
from service.corpus.preparing import Source
from service.corpus.store import DocumentStore, Entry
from sessions.resources.documents import Document

SAMPLES: Final = 100
"""Failures that a report names; the others are only counted."""

_NOT_CONTENT: Final = frozenset({"license", "licence", "copying", "notice"})
"""What lies beside the documents of a folder and is none."""
_BATCH: Final = 256
_BATCH_BYTES: Final = 8 * 1024 * 1024
_LIMITS: Final = Limits()


class Refreshing(Protocol):
    """An index that can be told to catch up at once."""

    async def refresh(self, data_store: str) -> None:
        """Return when what was stored before the call can be found."""
        ...


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A file or document that was not imported; *id* is "" where it has none that we know."""

    source: str
    id: str = ""
    reason: str
    message: str


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What an import did so far: *succeeded* counts the unchanged ones as well."""

    succeeded: int = 0
    unchanged: int = 0
    failed: int = 0
    deleted: int = 0
    failures: tuple[Failure, ...] = ()

    @property
    def total(self) -> int:
        """How many documents were met."""
        return self.succeeded + self.failed


Progress = Callable[[Report], None]
"""Told after each batch; it must not block."""


async def import_path(
    store: DocumentStore,
    index: Refreshing | None,
    path: Path,
    data_store: str,
    *,
    delete_missing: bool = False,
    chunk_size: int = chunking.SIZE,
    base_uri: str = "",
    progress: Progress | None = None,
) -> Report:
    """Import the file, or all files of the folder, at *path*; hidden files are left out.

    A document's link is *base_uri* and its path below the folder. With *delete_missing* the
    documents that are not at *path* are deleted afterwards, unless reading them failed.

    Raises:
        Unreadable: there is nothing at *path*.
    """
    if not await asyncio.to_thread(path.exists):
        raise Unreadable("NO_SUCH_FILE", f"there is no file or folder '{path}'")
    run = _Import(store, data_store, chunk_size, progress)
    await run.take(_from_path(path, base_uri))
    return await run.finish(index, delete_missing=delete_missing)


async def import_documents(
    store: DocumentStore,
    index: Refreshing | None,
    documents: Iterable[Document],
    data_store: str,
    *,
    delete_missing: bool = False,
    chunk_size: int = chunking.SIZE,
    progress: Progress | None = None,
) -> Report:
    """Import document resources; their ids must be set and valid."""
    run = _Import(store, data_store, chunk_size, progress)
    await run.take(_from_documents(documents))
    return await run.finish(index, delete_missing=delete_missing)


async def import_sources(
    store: DocumentStore,
    index: Refreshing | None,
    sources: Iterator[Source | Failure],
    data_store: str,
    *,
    chunk_size: int = chunking.SIZE,
    progress: Progress | None = None,
) -> Report:
    """Import what *sources* yields; they may read files as they are taken, in a thread."""
    run = _Import(store, data_store, chunk_size, progress)
    await run.take(sources)
    return await run.finish(index, delete_missing=False)


def sources_at(path: Path, base_uri: str) -> Iterator[Source | Failure]:
    """Yield the documents of the file, or of all files of the folder, at *path*; blocks.

    Links are not followed: what they lead to was not named by whoever named *path*.
    """
    return _from_path(path, base_uri, follow=False)


class _Import:
    """One import on its way."""

    def __init__(
        self, store: DocumentStore, data_store: str, chunk_size: int, progress: Progress | None
    ) -> None:
        self._store = store
        self._data_store = data_store
        self._chunk_size = chunk_size
        self._progress = progress
        self._report = Report()
        self._seen: set[str] = set()

    async def take(self, sources: Iterator[Source | Failure]) -> None:
        """Import *sources*, which may read files as they are taken: that happens in a thread."""
        while batch := await asyncio.to_thread(_next_batch, sources):
            failures = [item for item in batch if isinstance(item, Failure)]
            found = {item.id: item for item in batch if isinstance(item, Source)}
            repeated = sum(isinstance(item, Source) for item in batch) - len(found)
            self._seen.update(found, (failure.id for failure in failures))
            entries, unchanged, unread = await self._read(found)
            await self._store.put(self._data_store, entries)
            self._count(len(entries) + repeated + unchanged, unchanged, failures + unread)

    async def _read(self, found: dict[str, Source]) -> tuple[list[Entry], int, list[Failure]]:
        """Return what is new of *found*, how many are not, and what could not be read."""
        stored = await self._store.digests(self._data_store, list(found))
        digests = await asyncio.to_thread(self._digests, found)
        changed = [source for i, source in found.items() if stored.get(i) != digests[i]]
        entries, unread = await asyncio.to_thread(self._entries, changed)
        return entries, len(found) - len(changed), unread

    def _digests(self, found: dict[str, Source]) -> dict[str, bytes]:
        size = self._chunk_size
        return {i: preparing.digest(source, chunk_size=size) for i, source in found.items()}

    def _entries(self, sources: Sequence[Source]) -> tuple[list[Entry], list[Failure]]:
        now = dt.datetime.now(dt.UTC)
        entries: list[Entry] = []
        failures: list[Failure] = []
        for source in sources:
            try:
                entries.append(
                    preparing.entry(source, self._data_store, now=now, chunk_size=self._chunk_size)
                )
            except Unreadable as exc:
                failures.append(_failure(source.filename or source.id, exc, source.id))
        return entries, failures

    def _count(self, succeeded: int, unchanged: int, failures: Sequence[Failure]) -> None:
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

    async def finish(self, index: Refreshing | None, *, delete_missing: bool) -> Report:
        """Delete what was not met, if so wanted, and wait until the index has caught up."""
        if delete_missing:
            missing = [
                i
                async for ids in self._store.all_ids(self._data_store)
                for i in ids
                if i not in self._seen
            ]
            gone = await self._store.delete(self._data_store, missing)
            self._report = msgspec.structs.replace(self._report, deleted=gone)
        if index is not None:
            await index.refresh(self._data_store)
        return self._report


def _next_batch(sources: Iterator[Source | Failure]) -> list[Source | Failure]:
    batch: list[Source | Failure] = []
    size = 0
    for item in islice(sources, _BATCH):
        batch.append(item)
        size += len(item.data) if isinstance(item, Source) else 0
        if size > _BATCH_BYTES:
            break
    return batch


def _from_documents(documents: Iterable[Document]) -> Iterator[Source | Failure]:
    for document in documents:
        try:
            yield preparing.source_of(document)
        except Unreadable as exc:
            yield _failure(document.id, exc, document.id)


def _from_path(path: Path, base_uri: str, *, follow: bool = True) -> Iterator[Source | Failure]:
    for file, relative in _files(path):
        try:
            if not follow and file.is_symlink():
                raise Unreadable("NOT_A_FILE", "a link; links are not followed here")
            data = _read_file(file)
        except Unreadable as exc:
            yield _failure(relative, exc, identifying.from_path(relative))
            continue
        if parsing.MIMES.get(file.suffix.lower()) == "application/jsonl":
            yield from _from_lines(data, relative)
        else:
            yield Source(
                id=identifying.from_path(relative),
                data=data,
                filename=relative,
                uri=f"{base_uri.rstrip('/')}/{relative}" if base_uri else relative,
            )


def _files(path: Path) -> Iterator[tuple[Path, str]]:
    """Yield the files that can be read and their paths below *path*, in a stable order."""
    if path.is_file():
        yield path, _text(path.name)
        return
    for folder, folders, files in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = Path(folder, name)
            wanted = file.suffix.lower() in parsing.MIMES and file.stem.lower() not in _NOT_CONTENT
            if wanted and not name.startswith("."):
                yield file, _text(file.relative_to(path).as_posix())


def _text(path: str) -> str:
    r"""Return *path* as text; bytes that are no UTF-8 are written out, such as ``\xff``."""
    return os.fsencode(path).decode(errors="backslashreplace")


def _read_file(file: Path) -> bytes:
    try:
        if not file.is_file():
            raise Unreadable("NOT_A_FILE", "not a regular file")
        if file.stat().st_size > _LIMITS.file_bytes:
            raise Unreadable("TOO_LARGE", f"larger than {_LIMITS.file_bytes} bytes")
        return file.read_bytes()
    except OSError as exc:
        raise Unreadable("NOT_READABLE", exc.strerror or "the file cannot be read") from exc


def _from_lines(data: bytes, relative: str) -> Iterator[Source | Failure]:
    for number, found in enumerate(json_lines.records(data, _LIMITS), start=1):
        if isinstance(found, Unreadable):
            yield _failure(relative, found)
            continue
        given = found.id or f"{relative}#{number}"
        struct = found.struct_data
        own = identifying.from_given(given)
        if own != given and found.id:
            struct = {**struct, "source_id": given}
        yield Source(
            id=own,
            data=found.data,
            mime=found.mime,
            title=found.title,
            uri=found.uri,
            struct_data=struct,
        )


def _failure(source: str, error: Unreadable, document_id: str = "") -> Failure:
    return Failure(source=source, id=document_id, reason=error.reason, message=str(error))
