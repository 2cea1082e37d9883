"""Import and purge many documents at once, as the work of an operation.

``ImportDocuments`` and ``PurgeDocuments``: both end when what they did can be found by a search.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import functools
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec

from service.corpus import document_filters, document_ids
from service.corpus.catalogue import branches
from service.corpus.catalogue.branches import Branch
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.documents import bulk_requests, document_import
from service.corpus.documents.document_import import Report
from service.corpus.documents.documents import NOT_READ, Documents
from service.corpus.documents.folders import ImportFailure
from service.corpus.index import DocumentIndex
from service.corpus.isolation.pool import ParsingPool
from service.corpus.operations.running_operation import Job, TellProgress
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.errors import InvalidArgument, ServiceError, Unavailable
from sessions.resources.documents import (
    Document,
    ImportDocumentsMetadata,
    ImportDocumentsRequest,
    ImportDocumentsResponse,
    PurgeDocumentsMetadata,
    PurgeDocumentsRequest,
    PurgeDocumentsResponse,
    ReconciliationMode,
)
from sessions.resources.operations import Status

SAMPLES: Final = 100
"""Names that a purge shows, and errors that an import shows."""


class _Refusal(NamedTuple):
    """A document that is not imported: its id, or its place in the source, and why."""

    where: str
    reason: str
    message: str


class BulkChanges:
    """Imports and purges, each in two steps: refused as a whole, or a job for an operation."""

    def __init__(
        self,
        store: DocumentStore,
        parsers: ParsingPool,
        index: DocumentIndex,
        catalogue: Catalogue,
        documents: Documents,
    ) -> None:
        self._store = store
        self._parsers = parsers
        self._index = index
        self._catalogue = catalogue
        self._documents = documents

    async def import_job(self, parent: str, request: ImportDocumentsRequest) -> Job:
        """Return what imports the documents of *request* into the branch *parent*.

        Raises:
            NotFound: there is no such branch.
            InvalidArgument, Unimplemented: as `bulk_requests.check_import`.
        """
        branch = await branches.read(self._catalogue, parent)
        bulk_requests.check_import(request)
        return functools.partial(self._import, branch, request)

    async def purge_job(self, parent: str, request: PurgeDocumentsRequest) -> Job:
        """Return what deletes, or without ``force`` only counts, what *request* names.

        Raises:
            NotFound: there is no such branch.
            InvalidArgument, Unimplemented: as `bulk_requests.check_purge`.
        """
        branch = await branches.read(self._catalogue, parent)
        bulk_requests.check_purge(request, branch.name)
        return functools.partial(self._purge, branch, request)

    async def _import(
        self, branch: Branch, request: ImportDocumentsRequest, tell_progress: TellProgress
    ) -> ImportDocumentsResponse:
        documents, refusals = _identified(branch, request)
        started = dt.datetime.now(dt.UTC)

        def progress(report: Report) -> None:
            tell_progress(_import_metadata(report, len(refusals), started))

        progress(Report())
        try:
            if request.update_mask:
                report = await self._import_fields(branch, documents, request)
            else:
                report = await document_import.import_documents(
                    self._store,
                    self._parsers,
                    self._index,
                    documents,
                    branch.data_store,
                    delete_missing=request.reconciliation_mode is ReconciliationMode.FULL,
                    chunk_size=branch.chunk_size,
                    progress=progress,
                )
        except asyncio.CancelledError:
            # What was stored by then stays; whoever hears that the operation has ended is to
            # find it.
            await self._index.refresh(branch.data_store)
            raise
        progress(report)
        samples = [*refusals, *(_Refusal(f.id, f.reason, f.message) for f in report.failures)]
        return ImportDocumentsResponse(
            error_samples=tuple(_sample(one) for one in samples[:SAMPLES]),
            error_config=request.error_config,
        )

    async def _purge(
        self, branch: Branch, request: PurgeDocumentsRequest, tell_progress: TellProgress
    ) -> PurgeDocumentsResponse:
        named = await self._ids_to_purge(branch, request)
        ids = [i for i in named if i is not None]
        deleted = await self._store.delete(branch.data_store, ids) if request.force else 0
        await self._index.refresh(branch.data_store)
        now = dt.datetime.now(dt.UTC)
        tell_progress(
            PurgeDocumentsMetadata(
                create_time=now,
                update_time=now,
                success_count=str(deleted if request.force else len(ids)),
                ignored_count=str(len(named) - len(ids)),
            )
        )
        if request.force:
            return PurgeDocumentsResponse(purge_count=str(deleted))
        sample = tuple(names.document(branch.data_store, i) for i in ids[:SAMPLES])
        return PurgeDocumentsResponse(purge_count=str(len(ids)), purge_sample=sample)

    async def _ids_to_purge(
        self, branch: Branch, request: PurgeDocumentsRequest
    ) -> list[str | None]:
        """Return the ids of what is to be purged, None for each name that there is not."""
        if request.inline_source is not None:
            wanted = [names.last_id(name) for name in request.inline_source.documents]
            stored = await self._store.digests(branch.data_store, wanted)
            return [i if i in stored else None for i in dict.fromkeys(wanted)]
        if request.filter.strip() == "*":
            return [i async for ids in self._store.all_ids(branch.data_store) for i in ids]
        condition = document_filters.parse(request.filter)
        return [*await self._store.matching(branch.data_store, condition)]

    async def _import_fields(
        self, branch: Branch, documents: Sequence[Document], request: ImportDocumentsRequest
    ) -> Report:
        """Upsert only the fields that the mask names, document by document."""
        mask = request.update_mask
        failures: list[ImportFailure] = []
        for document in documents:
            try:
                await self._documents.upsert(branch, document, mask, frozenset(), document.id, True)
            except Unavailable:
                raise  # it is no fault of the document, and the next one would meet it as well
            except ServiceError as exc:
                failures.append(
                    ImportFailure(
                        source=document.id, id=document.id, reason=exc.reason, message=exc.message
                    )
                )
        deleted = 0
        if request.reconciliation_mode is ReconciliationMode.FULL:
            given = {document.id for document in documents}
            ids = [i async for page in self._store.all_ids(branch.data_store) for i in page]
            deleted = await self._store.delete(
                branch.data_store, [i for i in ids if i not in given]
            )
        await self._index.refresh(branch.data_store)
        return Report(
            deleted=deleted,
            succeeded=len(documents) - len(failures),
            failed=len(failures),
            failures=tuple(failures[:SAMPLES]),
        )


def _identified(
    branch: Branch, request: ImportDocumentsRequest
) -> tuple[list[Document], list[_Refusal]]:
    """Return the documents of *request* with their ids, and those without a valid one."""
    documents: list[Document] = []
    refusals: list[_Refusal] = []
    given = request.inline_source.documents if request.inline_source else ()
    for at, document in enumerate(given):
        try:
            document_id = document_ids.of_document(document, request)
            name = names.document(branch.data_store, document_id)
            if document.name and names.canonical(document.name) != name:
                raise InvalidArgument(f"name: is not {name}", field="name")
            documents.append(msgspec.structs.replace(document, id=document_id))
        except InvalidArgument as exc:
            refusals.append(_Refusal(document.id or f"#{at}", exc.reason, exc.message))
    return documents, refusals


def _import_metadata(report: Report, refused: int, started: dt.datetime) -> ImportDocumentsMetadata:
    return ImportDocumentsMetadata(
        create_time=started,
        update_time=dt.datetime.now(dt.UTC),
        success_count=str(report.succeeded),
        failure_count=str(report.failed + refused),
        total_count=str(report.total + refused),
    )


def _sample(refused: _Refusal) -> Status:
    code = 12 if refused.reason in NOT_READ else 3  # UNIMPLEMENTED, INVALID_ARGUMENT
    where = f"document '{refused.where[:200]}'"
    return Status(code=code, message=f"{where}: {refused.message} ({refused.reason})")
