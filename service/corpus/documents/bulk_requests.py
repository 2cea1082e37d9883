"""Refuse an import or a purge as a whole, before it becomes an operation."""

from __future__ import annotations

from typing import Final

from service.corpus import document_filters
from service.corpus.documents.documents import MUTABLE
from sessions import names
from sessions.codec import field_masks
from sessions.errors import InvalidArgument, Unimplemented
from sessions.resources.documents import Document, ImportDocumentsRequest, PurgeDocumentsRequest

_ELSEWHERE: Final = (
    "gcs_source",
    "bigquery_source",
    "fhir_store_source",
    "spanner_source",
    "cloud_sql_source",
    "firestore_source",
    "alloy_db_source",
    "bigtable_source",
)


def check_import(request: ImportDocumentsRequest) -> None:
    """Refuse an import whose documents need not be looked at for that.

    Raises:
        Unimplemented: the source is not in the request itself.
        InvalidArgument: there is no source, or its options contradict each other.
    """
    _check_source(request)
    if request.inline_source is None:
        raise InvalidArgument("inlineSource: give the documents to import", field="inlineSource")
    if request.auto_generate_ids and request.id_field:
        raise InvalidArgument(
            "idField: leave it out with autoGenerateIds: either tells the ids", field="idField"
        )
    field_masks.apply(request.update_mask, Document(), Document(), (), MUTABLE)


def check_purge(request: PurgeDocumentsRequest, branch: str) -> None:
    """Refuse a purge whose documents need not be looked for for that.

    Raises:
        Unimplemented: the names are not in the request itself.
        InvalidArgument: it is not said what to purge, or a name is not of *branch*.
    """
    _check_source(request)
    if request.inline_source is not None:
        for at, given in enumerate(request.inline_source.documents):
            field = f"inlineSource.documents[{at}]"
            if names.parent(names.checked(given, names.DOCUMENT, field=field)) != branch:
                raise InvalidArgument(f"{field}: is not a document of {branch}", field=field)
    if (request.inline_source is None) == (not request.filter.strip()):
        raise InvalidArgument(
            "filter: say what to purge, '*' for all, or name documents in inlineSource",
            field="filter",
        )
    if request.filter.strip() != "*":
        document_filters.parse(request.filter)


def _check_source(request: ImportDocumentsRequest | PurgeDocumentsRequest) -> None:
    for source in _ELSEWHERE:
        if getattr(request, source, None) is not None:
            head, *rest = source.split("_")
            field = head + "".join(part.capitalize() for part in rest)
            raise Unimplemented(
                f"{field}: this service does not read it; send the documents in inlineSource, or "
                "import files with the command colloquy import",
                reason="SOURCE_NOT_SUPPORTED",
                field=field,
            )
