"""Documents over REST: one by one, imported and purged."""

from __future__ import annotations

from typing import Final

from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api.http import routes
from service.api.http.json_bodies import MessageRequest
from service.api.operations.operation_starts import started
from service.corpus.documents.bulk_changes import BulkChanges
from service.corpus.documents.documents import Documents
from service.corpus.documents.readable_documents import ReadableDocuments
from service.corpus.operations.operations import Operations
from service.security.tokens.read_tokens import ReadTokenMinter
from sessions.codec import json_codec
from sessions.resources.base import Empty
from sessions.resources.documents import (
    CreateDocumentRequest,
    Document,
    ImportDocumentsRequest,
    ListDocumentsRequest,
    ListDocumentsResponse,
    PurgeDocumentsRequest,
    UpdateDocumentRequest,
)
from sessions.resources.documents_metadata import (
    BatchGetDocumentsMetadataRequest,
    BatchGetDocumentsMetadataResponse,
)
from sessions.resources.operations import Operation
from sessions.resources.processed_documents import GetProcessedDocumentRequest, ProcessedDocument
from sessions.resources.tokens import MintReadTokenResponse

_DOCUMENTS: Final = routes.BRANCH + "/documents"
_DOCUMENT: Final = _DOCUMENTS + "/{document:str}"


class DocumentsController(Controller):
    """``…/branches/*/documents``."""

    tags = ("Documents",)

    @post(
        _DOCUMENTS,
        status_code=200,
        operation_id="CreateDocument",
        opt={"query": CreateDocumentRequest},
    )
    async def create_document(
        self,
        request: MessageRequest,
        data: JSONBody[Document],
        documents: NamedDependency[Documents],
    ) -> Document:
        """Add a document; it can be found when the call returns."""
        query = request.parameters(CreateDocumentRequest, parent=request.parent, document=data)
        return await documents.create(request.parent, query)

    @get(_DOCUMENTS, operation_id="ListDocuments", opt={"query": ListDocumentsRequest})
    async def list_documents(
        self,
        request: MessageRequest,
        documents: NamedDependency[Documents],
    ) -> ListDocumentsResponse:
        """Read one page of the documents, in the order of their ids."""
        query = request.parameters(ListDocumentsRequest, parent=request.parent)
        return await documents.list(query, request.viewer, caller=request.caller)

    @get(_DOCUMENT, operation_id="GetDocument")
    async def get_document(
        self, request: MessageRequest, documents: NamedDependency[Documents]
    ) -> Document:
        """Read a document as it was written, with what was derived from it."""
        return await documents.get(request.name, request.viewer)

    @get(
        _DOCUMENT + "/:getProcessedDocument",
        operation_id="GetProcessedDocument",
        opt={"query": GetProcessedDocumentRequest},
    )
    async def get_processed_document(
        self, request: MessageRequest, readable_documents: NamedDependency[ReadableDocuments]
    ) -> ProcessedDocument:
        """Read the text of a document, block by block."""
        query = request.parameters(GetProcessedDocumentRequest, name=request.name)
        return await readable_documents.get(query, request.viewer)

    @post(_DOCUMENT + "/:mintReadToken", status_code=200, operation_id="MintReadToken")
    async def mint_read_token(
        self,
        request: MessageRequest,
        data: JSONBody[Empty],
        readable_documents: NamedDependency[ReadableDocuments],
        read_token_minter: NamedDependency[ReadTokenMinter],
    ) -> MintReadTokenResponse:
        """Sign a token that reads the text of this document and does nothing else."""
        del data  # it is empty
        await readable_documents.check(request.name, request.viewer)
        return await read_token_minter.mint(request.principal, request.name)

    @patch(_DOCUMENT, operation_id="UpdateDocument", opt={"query": UpdateDocumentRequest})
    async def update_document(
        self,
        request: MessageRequest,
        data: JSONBody[Document],
        documents: NamedDependency[Documents],
    ) -> Document:
        """Overwrite fields of a document, or with ``allowMissing`` create it."""
        query = request.parameters(UpdateDocumentRequest, document=data)
        fields = json_codec.present(Document, await request.body())
        return await documents.update(
            request.name, data, query.update_mask, fields, allow_missing=query.allow_missing
        )

    @delete(_DOCUMENT, status_code=200, operation_id="DeleteDocument")
    async def delete_document(
        self, request: MessageRequest, documents: NamedDependency[Documents]
    ) -> Empty:
        """Delete a document."""
        await documents.delete(request.name)
        return Empty()

    @post(_DOCUMENTS + "/:import", status_code=200, operation_id="ImportDocuments")
    async def import_documents(
        self,
        request: MessageRequest,
        data: JSONBody[ImportDocumentsRequest],
        bulk_changes: NamedDependency[BulkChanges],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Import the documents of the request."""
        job = await bulk_changes.import_job(request.parent, data)
        return await started(request, operations, "import-documents", job)

    @post(_DOCUMENTS + "/:purge", status_code=200, operation_id="PurgeDocuments")
    async def purge_documents(
        self,
        request: MessageRequest,
        data: JSONBody[PurgeDocumentsRequest],
        bulk_changes: NamedDependency[BulkChanges],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Delete the documents that a filter or a list names, or count them."""
        job = await bulk_changes.purge_job(request.parent, data)
        return await started(request, operations, "purge-documents", job, frees=data.force)

    @get(
        routes.BRANCH + "/batchGetDocumentsMetadata",
        operation_id="BatchGetDocumentsMetadata",
        opt={"query": BatchGetDocumentsMetadataRequest},
    )
    async def batch_get_documents_metadata(
        self,
        request: MessageRequest,
        documents: NamedDependency[Documents],
    ) -> BatchGetDocumentsMetadataResponse:
        """Read whether documents, named by their URIs, can be found."""
        query = request.parameters(BatchGetDocumentsMetadataRequest, parent=request.parent)
        return await documents.metadata(query, request.viewer)
