"""Decide what an import or a purge is about before anything is written (api.md 7.4, 7.5)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, cast

import msgspec

from service.corpus import document_filters
from sessions import names
from sessions.codec import field_masks, json_codec
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
_MUTABLE: Final = frozenset(
    {"struct_data", "json_data", "content", "schema_id", "parent_document_id", "acl_info"}
)


class Refused(NamedTuple):
    """A document that is not imported: its id, or its place in the source, and why."""

    where: str
    reason: str
    message: str


def check_import(request: ImportDocumentsRequest) -> None:
    """Refuse an import as a whole, before it becomes an operation.

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
    field_masks.apply(request.update_mask, Document(), Document(), (), _MUTABLE)


def check_purge(request: PurgeDocumentsRequest, branch: str) -> None:
    """Refuse a purge as a whole, before it becomes an operation.

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


def identified(
    given: Sequence[Document], request: ImportDocumentsRequest, branch: str
) -> tuple[list[Document], list[Refused]]:
    """Return the documents with their ids as *request* says, and those without a valid one."""
    found: list[Document] = []
    refused: list[Refused] = []
    for at, document in enumerate(given):
        try:
            document_id = _id_of(document, request)
            name = names.document(names.data_store_of(branch), document_id)
            if document.name and names.canonical(document.name) != name:
                raise InvalidArgument(f"name: is not {name}", field="name")
            found.append(msgspec.structs.replace(document, id=document_id))
        except InvalidArgument as exc:
            refused.append(Refused(document.id or f"#{at}", exc.reason, exc.message))
    return found, refused


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


def _id_of(document: Document, request: ImportDocumentsRequest) -> str:
    given = document.id
    if not given and document.name:
        given = names.last_id(document.name)
    if not given and request.id_field:
        given = _field(document, request.id_field)
    if not given and request.auto_generate_ids:
        given = hashlib.blake2b(json_codec.dump(document), digest_size=16).hexdigest()
    return names.checked_document_id(given, field="id")


def _field(document: Document, path: str) -> str:
    """Return the text or the whole number at *path* of the document's fields, "" without one."""
    value: object = document.struct_data
    if document.json_data is not None:
        json_codec.check_values(document.json_data.encode())
        try:
            value = msgspec.json.decode(document.json_data)
        except (msgspec.DecodeError, RecursionError):
            return ""
    for part in path.split("."):
        value = cast(Mapping[str, Any], value).get(part) if isinstance(value, Mapping) else None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
