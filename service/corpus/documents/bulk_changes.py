"""Import and purge many documents at once, as the work of an operation (api.md 7.4, 7.5).

Both return when what they did can be found by a search.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Sequence
from typing import Final

from service.corpus import document_filters
from service.corpus.documents import bulk_requests, document_import
from service.corpus.documents.bulk_requests import Refused
from service.corpus.documents.document_import import Refreshing, Report
from service.corpus.documents.documents import NOT_READ, Branch, Documents
from service.corpus.documents.folders import ImportFailure
from service.corpus.isolation.pool import ParsingPool
from service.corpus.operations.operations import TellProgress
from service.corpus.storage.document_store import DocumentStore
from sessions import names
from sessions.errors import ServiceError, Unavailable
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


class BulkChanges:
    """Imports and purges; their requests were checked before (`bulk_requests`)."""

    def __init__(
        self,
        store: DocumentStore,
        parsers: ParsingPool,
        index: Refreshing,
        documents: Documents,
    ) -> None:
        self._store = store
        self._parsers = parsers
        self._index = index
        self._documents = documents

    async def import_(
        self, branch: Branch, request: ImportDocumentsRequest, tell: TellProgress
    ) -> ImportDocumentsResponse:
        """Import the documents of *request*, which `bulk_requests.check_import` let pass."""
        given = request.inline_source.documents if request.inline_source else ()
        found, refused = bulk_requests.identified(given, request, branch.name)
        started = dt.datetime.now(dt.UTC)

        def progress(report: Report) -> None:
            tell(_import_metadata(report, len(refused), started))

        progress(Report())
        try:
            if request.update_mask:
                report = await self._import_fields(branch, found, request)
            else:
                report = await document_import.import_documents(
                    self._store,
                    self._parsers,
                    self._index,
                    found,
                    branch.data_store,
                    delete_missing=request.reconciliation_mode is ReconciliationMode.FULL,
                    chunk_size=branch.chunk_size,
                    progress=progress,
                )
        except asyncio.CancelledError:
            await self._index.refresh(branch.data_store)
            raise
        progress(report)
        samples = [*refused, *(Refused(f.id, f.reason, f.message) for f in report.failures)]
        return ImportDocumentsResponse(
            error_samples=tuple(_sample(one) for one in samples[:SAMPLES]),
            error_config=request.error_config,
        )

    async def purge(
        self, branch: Branch, request: PurgeDocumentsRequest, tell: TellProgress
    ) -> PurgeDocumentsResponse:
        """Delete, or without ``force`` only count, what *request* names (api.md 7.5).

        *request* has passed `bulk_requests.check_purge`.
        """
        named = await self._named(branch, request)
        ids = [i for i in named if i is not None]
        deleted = await self._store.delete(branch.data_store, ids) if request.force else 0
        await self._index.refresh(branch.data_store)
        now = dt.datetime.now(dt.UTC)
        tell(
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

    async def _named(self, branch: Branch, request: PurgeDocumentsRequest) -> list[str | None]:
        """Return the ids of what is to be purged, None for each name that there is not."""
        if request.inline_source is not None:
            wanted = [names.last_id(name) for name in request.inline_source.documents]
            there = await self._store.digests(branch.data_store, wanted)
            return [i if i in there else None for i in dict.fromkeys(wanted)]
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
        gone = 0
        if request.reconciliation_mode is ReconciliationMode.FULL:
            given = {document.id for document in documents}
            ids = [i async for page in self._store.all_ids(branch.data_store) for i in page]
            gone = await self._store.delete(branch.data_store, [i for i in ids if i not in given])
        await self._index.refresh(branch.data_store)
        return Report(
            deleted=gone,
            succeeded=len(documents) - len(failures),
            failed=len(failures),
            failures=tuple(failures[:SAMPLES]),
        )


def _import_metadata(report: Report, refused: int, started: dt.datetime) -> ImportDocumentsMetadata:
    return ImportDocumentsMetadata(
        create_time=started,
        update_time=dt.datetime.now(dt.UTC),
        success_count=str(report.succeeded),
        failure_count=str(report.failed + refused),
        total_count=str(report.total + refused),
    )


def _sample(refused: Refused) -> Status:
    code = 12 if refused.reason in NOT_READ else 3
    where = f"document '{refused.where[:200]}'"
    return Status(code=code, message=f"{where}: {refused.message} ({refused.reason})")
