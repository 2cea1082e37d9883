"""What an operation looks like to a client: its metadata and response in the messages of its kind.

Each is shown in the schema of the version in which it is read (`operation_schemas`).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from service.api.http import versions
from service.api.http.json_bodies import MessageRequest, wants_numbers
from service.api.operations import operation_schemas
from service.corpus.operations.stored_operations import StoredOperation
from sessions.codec import json_codec
from sessions.errors import NotFound
from sessions.resources import (
    augmentations,
    data_stores,
    documents,
    engines,
    rag_files,
    suggestions,
    user_data,
    user_events,
)
from sessions.resources.base import Resource, Struct, Timestamp
from sessions.resources.operations import Operation
from sessions.resources.rag_corpora import RagCorpus, RagEngineConfig

SEARCH: Final = "google.cloud.discoveryengine"
GENERATION: Final = "google.cloud.aiplatform"
OWN: Final = "google.protobuf"
"""Of operations that are this service's own: their messages are told as ``Struct``.

A client fails to read a list with a message in it that it has no class for."""
_EMPTY: Final[Struct] = {"@type": "type.googleapis.com/google.protobuf.Empty"}
_STRUCT: Final = "Struct"
_VERSIONS: Final = {
    SEARCH: versions.SEARCH,
    GENERATION: versions.GENERATION,
    OWN: (*versions.SEARCH, *versions.GENERATION),
}


class GenericMetadata(Resource):
    """When an operation on a corpus ran."""

    create_time: Timestamp | None = None
    update_time: Timestamp | None = None


class OperationTypes(NamedTuple):
    """What the metadata and the response of one kind of operation are, and in which package.

    *response* is None for google.protobuf.Empty. With *generic* the times stand in
    ``genericMetadata``.
    """

    package: str
    metadata_name: str
    metadata: type[msgspec.Struct] | None = None
    response_name: str = ""
    response: type[msgspec.Struct] | None = None
    generic: bool = False


def _generic(
    metadata_name: str,
    response_name: str = "",
    response: type[msgspec.Struct] | None = None,
    metadata: type[msgspec.Struct] | None = None,
) -> OperationTypes:
    """Return the messages of an operation on a corpus."""
    return OperationTypes(
        GENERATION, metadata_name, metadata, response_name, response, generic=True
    )


KINDS: Final[dict[str, OperationTypes]] = {
    "create-data-store": OperationTypes(
        SEARCH, "CreateDataStoreMetadata", None, "DataStore", data_stores.DataStore
    ),
    "delete-data-store": OperationTypes(SEARCH, "DeleteDataStoreMetadata"),
    "create-engine": OperationTypes(SEARCH, "CreateEngineMetadata", None, "Engine", engines.Engine),
    "delete-engine": OperationTypes(SEARCH, "DeleteEngineMetadata"),
    "import-documents": OperationTypes(
        SEARCH,
        "ImportDocumentsMetadata",
        documents.ImportDocumentsMetadata,
        "ImportDocumentsResponse",
        documents.ImportDocumentsResponse,
    ),
    "purge-documents": OperationTypes(
        SEARCH,
        "PurgeDocumentsMetadata",
        documents.PurgeDocumentsMetadata,
        "PurgeDocumentsResponse",
        documents.PurgeDocumentsResponse,
    ),
    "import-user-events": OperationTypes(
        SEARCH,
        "ImportUserEventsMetadata",
        user_events.EventsMetadata,
        "ImportUserEventsResponse",
        user_events.ImportUserEventsResponse,
    ),
    "purge-user-events": OperationTypes(
        SEARCH,
        "PurgeUserEventsMetadata",
        user_events.EventsMetadata,
        "PurgeUserEventsResponse",
        user_events.PurgeUserEventsResponse,
    ),
    "import-suggestions": OperationTypes(
        SEARCH,
        "ImportCompletionSuggestionsMetadata",
        user_events.EventsMetadata,
        "ImportCompletionSuggestionsResponse",
        suggestions.ImportCompletionSuggestionsResponse,
    ),
    "purge-suggestions": OperationTypes(
        SEARCH,
        "PurgeCompletionSuggestionsMetadata",
        None,
        "PurgeCompletionSuggestionsResponse",
        suggestions.PurgeCompletionSuggestionsResponse,
    ),
    "import-denied-suggestions": OperationTypes(
        SEARCH,
        "ImportSuggestionDenyListEntriesMetadata",
        None,
        "ImportSuggestionDenyListEntriesResponse",
        suggestions.ImportSuggestionDenyListEntriesResponse,
    ),
    "purge-denied-suggestions": OperationTypes(
        SEARCH,
        "PurgeSuggestionDenyListEntriesMetadata",
        None,
        "PurgeSuggestionDenyListEntriesResponse",
        suggestions.PurgeSuggestionDenyListEntriesResponse,
    ),
    "export-user-data": OperationTypes(
        OWN, _STRUCT, None, _STRUCT, user_data.ExportUserDataResponse
    ),
    "purge-user-data": OperationTypes(
        OWN,
        _STRUCT,
        user_data.PurgeUserDataMetadata,
        _STRUCT,
        user_data.PurgeUserDataResponse,
    ),
    "create-rag-corpus": _generic("CreateRagCorpusOperationMetadata", "RagCorpus", RagCorpus),
    "update-rag-corpus": _generic("UpdateRagCorpusOperationMetadata", "RagCorpus", RagCorpus),
    "delete-rag-corpus": _generic("DeleteOperationMetadata"),
    "delete-rag-file": _generic("DeleteOperationMetadata"),
    "import-rag-files": _generic(
        "ImportRagFilesOperationMetadata",
        "ImportRagFilesResponse",
        rag_files.ImportRagFilesResponse,
        rag_files.ImportRagFilesOperationMetadata,
    ),
    "update-rag-engine-config": _generic(
        "UpdateRagEngineConfigOperationMetadata", "RagEngineConfig", RagEngineConfig
    ),
    "async-retrieve-contexts": _generic(
        "AsyncRetrieveContextsOperationMetadata",
        "AsyncRetrieveContextsResponse",
        augmentations.AsyncRetrieveContextsResponse,
    ),
}
"""The kinds of operations, by the `StoredOperation.kind` that they are stored with."""


def operation(stored: StoredOperation, request: MessageRequest) -> Operation:
    """Return *stored* as *request* reads it.

    Raises:
        NotFound: operations of its kind are not in the version of the request.
    """
    messages, version = KINDS[stored.kind], request.address.version
    if version == "ui":
        version = stored.version
    if version not in _VERSIONS[messages.package]:
        raise NotFound(f"there is no '{stored.name}' in {version}", resource=stored.name)
    package = OWN if messages.package == OWN else f"{messages.package}.{version}"
    as_any = _Any(package, version, wants_numbers(request))
    return Operation(
        name=stored.name,
        metadata=as_any.metadata(stored, messages),
        done=stored.done,
        error=stored.error,
        response=as_any.response(stored, messages) if stored.done and not stored.error else None,
    )


class _Any(NamedTuple):
    """Packs messages into google.protobuf.Any as one package has them."""

    package: str
    version: str
    numbers: bool

    def metadata(self, stored: StoredOperation, messages: OperationTypes) -> Struct:
        """Return the metadata: the times, and how far the work is."""
        times = GenericMetadata(create_time=stored.create_time, update_time=stored.update_time)
        told: Struct = msgspec.json.decode(json_codec.encode(times))
        if messages.generic:
            told = {"genericMetadata": told}
        if messages.metadata is not None:
            told = {**self._plain(messages.metadata, stored.metadata), **told}
        return self._packed(messages.metadata_name, told)

    def response(self, stored: StoredOperation, messages: OperationTypes) -> Struct:
        """Return the response of work that came to a good end."""
        if messages.response is None:
            return _EMPTY
        plain = self._plain(messages.response, stored.response or {})
        return self._packed(messages.response_name, plain)

    def _packed(self, name: str, plain: Struct) -> Struct:
        kind = {"@type": f"type.googleapis.com/{self.package}.{name}"}
        # What JSON has a form of its own for stands in `value` (the JSON mapping of Any).
        return {**kind, "value": plain} if name == _STRUCT else {**kind, **plain}

    def _plain(self, type_: type[msgspec.Struct], stored: Struct) -> Struct:
        message = json_codec.load(type_, msgspec.json.encode(stored))
        within = operation_schemas.within(message, self.version)
        return msgspec.json.decode(json_codec.encode(within, numbers=self.numbers))
