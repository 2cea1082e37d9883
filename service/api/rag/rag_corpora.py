"""RAG corpora and the RAG engine's configuration over REST."""

from __future__ import annotations

from typing import Final

import msgspec
from litestar import Controller, delete, get, patch, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.api.http import routes, versions
from service.api.http.json_bodies import MessageRequest
from service.api.operations.operation_starts import completed, started
from service.corpus.catalogue.rag_corpora import RagCorpora
from service.corpus.documents.rag_files import RagFiles
from service.corpus.operations.operations import Operations
from service.corpus.operations.running_operation import TellProgress
from service.corpus.storage.upload_store import UploadStore
from sessions import names
from sessions.listing.pagination import ListQuery
from sessions.resources.operations import Operation
from sessions.resources.rag_corpora import (
    DeleteRagCorpusRequest,
    ListRagCorporaRequest,
    ListRagCorporaResponse,
    RagCorpus,
    RagEngineConfig,
    UpdateRagCorpusRequest,
    UpdateRagEngineConfigRequest,
)

CORPUS: Final = routes.LOCATION + "/ragCorpora/{rag_corpus:str}"
_CONFIG: Final = routes.LOCATION + "/ragEngineConfig"


class RagCorporaController(Controller):
    """``…/ragCorpora`` and ``…/ragEngineConfig``."""

    tags = ("RAG",)
    opt = {"versions": versions.GENERATION}  # noqa: RUF012 - the framework copies it

    @post(routes.LOCATION + "/ragCorpora", status_code=200, operation_id="CreateRagCorpus")
    async def create_rag_corpus(
        self,
        request: MessageRequest,
        data: JSONBody[RagCorpus],
        rag_corpora: NamedDependency[RagCorpora],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Create a corpus; the operation is done at once."""
        made = await rag_corpora.create(request.parent, data)
        name = new_name(made.name)
        return await completed(request, operations, "create-rag-corpus", made, name=name)

    @get(
        routes.LOCATION + "/ragCorpora",
        operation_id="ListRagCorpora",
        opt={"query": ListRagCorporaRequest},
    )
    async def list_rag_corpora(
        self,
        request: MessageRequest,
        rag_corpora: NamedDependency[RagCorpora],
    ) -> ListRagCorporaResponse:
        """Read one page of the corpora of a location."""
        query = request.parameters(ListRagCorporaRequest, parent=request.parent)
        found, token = await rag_corpora.list(
            request.asked_by(ListQuery(request.parent, query.page_size, query.page_token))
        )
        return ListRagCorporaResponse(rag_corpora=tuple(found), next_page_token=token)

    @get(CORPUS, operation_id="GetRagCorpus")
    async def get_rag_corpus(
        self, request: MessageRequest, rag_corpora: NamedDependency[RagCorpora]
    ) -> RagCorpus:
        """Read a corpus, with the number of its files."""
        return await rag_corpora.get_with_file_count(request.name)

    @patch(CORPUS, operation_id="UpdateRagCorpus", opt={"query": UpdateRagCorpusRequest})
    async def update_rag_corpus(
        self,
        request: MessageRequest,
        data: JSONBody[RagCorpus],
        rag_corpora: NamedDependency[RagCorpora],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Overwrite what the body has; there is no mask."""
        request.parameters(UpdateRagCorpusRequest, rag_corpus=data)
        routes.check_name(data.name, request.name, field="ragCorpus.name")
        made = await rag_corpora.update(request.name, data)
        name = new_name(request.name)
        return await completed(request, operations, "update-rag-corpus", made, name=name)

    @delete(
        CORPUS,
        status_code=200,
        operation_id="DeleteRagCorpus",
        opt={"query": DeleteRagCorpusRequest},
    )
    async def delete_rag_corpus(
        self,
        request: MessageRequest,
        rag_corpora: NamedDependency[RagCorpora],
        rag_files: NamedDependency[RagFiles],
        uploads: NamedDependency[UploadStore],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Delete a corpus with its files, whether or not ``force`` is set."""
        request.parameters(DeleteRagCorpusRequest, name=request.name)
        await rag_corpora.check_exists(request.name)

        async def job(_: TellProgress) -> msgspec.Struct | None:
            await rag_files.delete_corpus(request.name)
            await uploads.forget_all(request.name)
            return None

        kind, name = "delete-rag-corpus", new_name(request.name)
        return await started(request, operations, kind, job, name=name, frees=True)

    @get(_CONFIG, operation_id="GetRagEngineConfig")
    async def get_rag_engine_config(
        self, request: MessageRequest, rag_corpora: NamedDependency[RagCorpora]
    ) -> RagEngineConfig:
        """Read the configuration of a location."""
        return await rag_corpora.engine_config(names.location(request.name))

    @patch(
        _CONFIG,
        operation_id="UpdateRagEngineConfig",
        opt={"query": UpdateRagEngineConfigRequest},
    )
    async def update_rag_engine_config(
        self,
        request: MessageRequest,
        data: JSONBody[RagEngineConfig],
        rag_corpora: NamedDependency[RagCorpora],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Choose a tier, which changes nothing here: there is one index for all."""
        request.parameters(
            UpdateRagEngineConfigRequest,
            rag_engine_config=data,
        )
        routes.check_name(data.name, request.name, field="ragEngineConfig.name")
        location = names.location(request.name)
        made = await rag_corpora.update_engine_config(location, data)
        name = new_name(location)
        return await completed(request, operations, "update-rag-engine-config", made, name=name)


def new_name(parent: str) -> str:
    """Return a name for an operation under *parent*; here ids are plain decimals."""
    return f"{parent}/operations/{names.new_id()}"
