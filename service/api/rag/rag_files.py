"""The files of RAG corpora over REST, but for the upload of bytes."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Controller, delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api.http import versions
from service.api.http.json_bodies import MessageRequest
from service.api.operations.operation_starts import started
from service.api.rag.rag_corpora import CORPUS, new_name
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.corpus.documents.rag_file_configs import check_import
from service.corpus.documents.rag_files import RagFiles, UploadedFile
from service.corpus.operations.operations import Operations
from service.corpus.operations.running_operation import TellProgress
from sessions import names
from sessions.listing.pagination import ListQuery
from sessions.resources.operations import Operation
from sessions.resources.rag_files import (
    DeleteRagFileRequest,
    ImportRagFilesConfig,
    ImportRagFilesOperationMetadata,
    ImportRagFilesRequest,
    ListRagFilesRequest,
    ListRagFilesResponse,
    RagFile,
    UploadRagFileConfig,
    UploadRagFileRequest,
    UploadRagFileResponse,
)

_FILES: Final = CORPUS + "/ragFiles"


class RagFilesController(Controller):
    """``…/ragCorpora/*/ragFiles``."""

    tags = ("RAG",)
    opt = {"versions": versions.GENERATION}  # noqa: RUF012 - the framework copies it

    @post(_FILES + "/:upload", status_code=200, operation_id="UploadRagFile")
    async def upload_rag_file(
        self,
        request: MessageRequest,
        data: JSONBody[UploadRagFileRequest],
        rag_files: NamedDependency[RagFiles],
    ) -> UploadRagFileResponse:
        """Add a file that has no content; bytes go to ``/upload/…``."""
        upload = UploadedFile(
            file=data.rag_file or RagFile(),
            config=data.upload_rag_file_config or UploadRagFileConfig(),
        )
        return UploadRagFileResponse(rag_file=await rag_files.upload(request.parent, upload))

    @post(_FILES + "/:import", status_code=200, operation_id="ImportRagFiles")
    async def import_rag_files(
        self,
        request: MessageRequest,
        data: JSONBody[ImportRagFilesRequest],
        rag_files: NamedDependency[RagFiles],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Import files from the folder that stands for buckets."""
        config = check_import(data.import_rag_files_config)
        await rag_files.check_writable(request.parent)
        corpus_id = names.last_id(request.parent)

        async def job(tell: TellProgress) -> msgspec.Struct | None:
            tell(_metadata(corpus_id, config))
            done = await rag_files.import_files(request.parent, config)
            tell(_metadata(corpus_id, config, percent=100))
            return done

        name = new_name(request.parent)
        return await started(request, operations, "import-rag-files", job, name=name)

    @get(_FILES, operation_id="ListRagFiles", opt={"query": ListRagFilesRequest})
    async def list_rag_files(
        self,
        request: MessageRequest,
        rag_corpora: NamedDependency[RagCorpora],
    ) -> ListRagFilesResponse:
        """Read one page of the files of a corpus."""
        query = request.parameters(ListRagFilesRequest, parent=request.parent)
        found, token = await rag_corpora.list_files(
            request.asked_by(ListQuery(request.parent, query.page_size, query.page_token))
        )
        return ListRagFilesResponse(rag_files=tuple(found), next_page_token=token)

    @get(_FILES + "/{rag_file:str}", operation_id="GetRagFile")
    async def get_rag_file(
        self, request: MessageRequest, rag_corpora: NamedDependency[RagCorpora]
    ) -> RagFile:
        """Read about a file."""
        return await rag_corpora.get_file(request.name)

    @delete(
        _FILES + "/{rag_file:str}",
        status_code=200,
        operation_id="DeleteRagFile",
        opt={"query": DeleteRagFileRequest},
    )
    async def delete_rag_file(
        self,
        request: MessageRequest,
        rag_corpora: NamedDependency[RagCorpora],
        rag_files: NamedDependency[RagFiles],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Delete a file with what is retrieved from it."""
        request.parameters(DeleteRagFileRequest, name=request.name)
        await rag_corpora.get_file(request.name)

        async def job(_: TellProgress) -> msgspec.Struct | None:
            await rag_files.delete(request.name)
            return None

        kind, name = "delete-rag-file", new_name(request.name)
        return await started(request, operations, kind, job, name=name, frees=True)


def _metadata(
    corpus_id: str, config: ImportRagFilesConfig, percent: int = 0
) -> ImportRagFilesOperationMetadata:
    """Return how far an import is, with as much of *config* as every version's schema has."""
    return ImportRagFilesOperationMetadata(
        rag_corpus_id=corpus_id if corpus_id.isdecimal() else "0",
        import_rag_files_config=ImportRagFilesConfig(
            gcs_source=config.gcs_source,
            max_embedding_requests_per_min=config.max_embedding_requests_per_min,
            rebuild_ann_index=config.rebuild_ann_index,
        ),
        progress_percentage=percent,
    )
