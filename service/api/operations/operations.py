"""Long-running operations over REST, each in the schema of the version it is read in (api.md 6)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import msgspec
from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api.http import routes, versions
from service.api.http.json_bodies import MessageRequest, wants_numbers
from service.api.operations import operation_schemas
from service.corpus.operations.operations import Operations
from service.corpus.operations.stored_operations import StoredOperation
from sessions import names
from sessions.codec import json_codec
from sessions.errors import InvalidArgument, NotFound
from sessions.listing.pagination import ListQuery
from sessions.resources import augmentations, data_stores, documents, engines, rag_files
from sessions.resources.base import Empty, Resource, Struct, Timestamp
from sessions.resources.operations import (
    ListOperationsRequest,
    ListOperationsResponse,
    Operation,
    WaitOperationRequest,
)
from sessions.resources.rag_corpora import RagCorpus, RagEngineConfig

SEARCH: Final = "google.cloud.discoveryengine"
GENERATION: Final = "google.cloud.aiplatform"
_EMPTY: Final[Struct] = {"@type": "type.googleapis.com/google.protobuf.Empty"}
_VERSIONS: Final = {SEARCH: versions.SEARCH, GENERATION: versions.GENERATION}
_SECONDS: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)s")
_WAIT: Final = 10.0
"""Seconds that a wait lasts where the request names none."""


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
"""The kinds of operations, by the `Work.kind` that they are stored with."""


def shown(work: StoredOperation, request: MessageRequest) -> Operation:
    """Return *work* as *request* reads it.

    Raises:
        NotFound: operations of its kind are not in the version of the request.
    """
    messages, version = KINDS[work.kind], request.address.version
    if version == "ui":
        version = work.version
    if version not in _VERSIONS[messages.package]:
        raise NotFound(f"there is no '{work.name}' in {version}", resource=work.name)
    as_any = _Any(f"{messages.package}.{version}", version, wants_numbers(request))
    return Operation(
        name=work.name,
        metadata=as_any.metadata(work, messages),
        done=work.done,
        error=work.error,
        response=as_any.response(work, messages) if work.done and not work.error else None,
    )


class _Any(NamedTuple):
    """Packs messages into google.protobuf.Any as one package has them."""

    package: str
    version: str
    numbers: bool

    def metadata(self, work: StoredOperation, messages: OperationTypes) -> Struct:
        """Return the metadata: the times, and how far the work is."""
        times = GenericMetadata(create_time=work.create_time, update_time=work.update_time)
        told: Struct = msgspec.json.decode(json_codec.encode(times))
        if messages.generic:
            told = {"genericMetadata": told}
        if messages.metadata is not None:
            told = {**self._plain(messages.metadata, work.metadata), **told}
        return {"@type": self._type(messages.metadata_name), **told}

    def response(self, work: StoredOperation, messages: OperationTypes) -> Struct:
        """Return the response of work that came to a good end."""
        if messages.response is None:
            return _EMPTY
        plain = self._plain(messages.response, work.response or {})
        return {"@type": self._type(messages.response_name), **plain}

    def _type(self, name: str) -> str:
        return f"type.googleapis.com/{self.package}.{name}"

    def _plain(self, type_: type[msgspec.Struct], stored: Struct) -> Struct:
        message = json_codec.load(type_, msgspec.json.encode(stored))
        within = operation_schemas.within(message, self.version)
        return msgspec.json.decode(json_codec.encode(within, numbers=self.numbers))


_PREFIXES: Final = (
    "/v1/projects/{project:str}",
    routes.LOCATION,
    routes.COLLECTION,
    routes.DATA_STORE,
    routes.ENGINE,
    routes.BRANCH,
)
_RAG_PREFIXES: Final = (
    routes.LOCATION + "/ragEngineConfig",
    routes.LOCATION + "/ragCorpora/{rag_corpus:str}",
    routes.LOCATION + "/ragCorpora/{rag_corpus:str}/ragFiles/{rag_file:str}",
)


def _under(tail: str) -> list[str]:
    return [prefix + tail for prefix in (*_PREFIXES, *_RAG_PREFIXES)]


_ANY_VERSION: Final = {"versions": (*versions.SEARCH, "v1beta1", "ui")}
_READ: Final = {"versions": (*versions.SEARCH, "v1beta1")}


class OperationsController(Controller):
    """``…/operations``, under everything that has operations."""

    tags = ("Operations",)

    @get(
        _under("/operations/{operation:str}"),
        operation_id=routes.by_path("GetOperation"),
        opt=_ANY_VERSION,
    )
    async def get_operation(
        self,
        request: MessageRequest,
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Read an operation: how far it is, or how it ended."""
        return shown(await operations.get(request.name), request)

    @get(
        _under("/operations"),
        operation_id=routes.by_path("ListOperations"),
        opt={**_READ, "query": ListOperationsRequest},
    )
    async def list_operations(
        self,
        request: MessageRequest,
        operations: NamedDependency[Operations],
    ) -> ListOperationsResponse:
        """Read one page of the operations of one parent; a data store's are those of its branch."""
        query = request.parameters(ListOperationsRequest, name=request.parent)
        parent = request.parent
        holder = f"{parent}/branches/0" if re.fullmatch(names.DATA_STORE, parent) else parent
        found, token = await operations.list(
            ListQuery(holder, query.page_size, query.page_token, query.filter)
        )
        return ListOperationsResponse(
            operations=tuple(shown(work, request) for work in found), next_page_token=token
        )

    @post(
        _under("/operations/{operation:str}/:cancel"),
        status_code=200,
        operation_id=routes.by_path("CancelOperation"),
        opt=_READ,
    )
    async def cancel_operation(
        self,
        request: MessageRequest,
        data: JSONBody[Empty],
        operations: NamedDependency[Operations],
    ) -> Empty:
        """Ask for an early end; what is done already stays done."""
        await operations.cancel(request.name)
        return Empty()

    @delete(
        _under("/operations/{operation:str}"),
        status_code=200,
        operation_id=routes.by_path("DeleteOperation"),
        opt=_READ,
    )
    async def delete_operation(
        self, request: MessageRequest, operations: NamedDependency[Operations]
    ) -> Empty:
        """Forget an operation; its work is not stopped."""
        await operations.delete(request.name)
        return Empty()

    @post(
        _under("/operations/{operation:str}/:wait"),
        status_code=200,
        operation_id=routes.by_path("WaitOperation"),
        opt={"versions": versions.GENERATION, "query": WaitOperationRequest},
    )
    async def wait_operation(
        self,
        request: MessageRequest,
        data: JSONBody[WaitOperationRequest],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Read an operation when it has ended, or when ``timeout`` is over."""
        query = request.parameters(WaitOperationRequest, name=request.name)
        seconds = _seconds(query.timeout or data.timeout)
        work = await request.answer(operations.wait(request.name, seconds))
        return shown(work, request)


def _seconds(timeout: str | None) -> float:
    if timeout is None:
        return _WAIT
    found = _SECONDS.fullmatch(timeout)
    if found is None:
        raise InvalidArgument("timeout: give 0s or more", field="timeout")
    return float(found[1])
