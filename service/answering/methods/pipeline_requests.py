"""Read a request into what the pipeline answers, or refuse it before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from service.answering.requests import conversations, queries
from service.answering.requests.field_effects import effective_requests
from service.answering.requests.queries import PipelineRequest
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.document_access import Viewer
from sessions import names
from sessions.errors import FailedPrecondition
from sessions.resources.answer_query import AnswerQueryRequest
from sessions.resources.conversations import ConverseConversationRequest
from sessions.resources.search_requests import SearchResultMode


class PipelineRequests:
    """Holds requests against their documents and against the data stores that they name."""

    def __init__(
        self, catalogue: Catalogue, models: Sequence[str] = (), *, has_model: bool
    ) -> None:
        """*models* are the ids that a request may name besides ``stable`` and ``preview``.

        *has_model* tells whether a model writes the answers.
        """
        self._catalogue = catalogue
        self._models = frozenset(models)
        self._has_model = has_model

    async def of_query(
        self, serving_config: str, request: AnswerQueryRequest, viewer: Viewer
    ) -> PipelineRequest:
        """Read a request of *viewer* to *serving_config*, a name in any accepted form.

        Raises:
            InvalidArgument: a field is wrong; it is named.
            NotFound: there is no such serving config, data store or engine.
            FailedPrecondition: chunks are asked for of a data store without chunks.
        """
        config = names.checked(serving_config, names.SERVING_CONFIG, field="servingConfig")
        parent = names.check_serving_config(config)
        queries.check(request, parent, self._models)
        request = effective_requests.effective(request, has_model=self._has_model)
        data_stores = await self._catalogue.data_stores(parent)
        if request.search_spec and (params := request.search_spec.search_params):
            queries.check_data_stores(params, data_stores)
            if params.search_result_mode is SearchResultMode.CHUNKS:
                named = {names.canonical(spec.data_store) for spec in params.data_store_specs}
                field = "search_spec.search_params.search_result_mode"
                await check_chunked(self._catalogue, named or data_stores, field=field)
        return PipelineRequest(parent=parent, request=request, viewer=viewer)

    async def of_conversation(
        self, parent: str, request: ConverseConversationRequest, viewer: Viewer
    ) -> PipelineRequest:
        """Read what *viewer* says to a conversation of the data store or engine *parent*.

        Raises:
            InvalidArgument, NotFound: as `of_query`.
        """
        conversations.check(request, parent, self._models)
        request = effective_requests.effective(request, has_model=self._has_model)
        await self._catalogue.data_stores(parent)
        query = conversations.as_query(request)
        return PipelineRequest(parent=parent, request=query, converse=request, viewer=viewer)


async def check_chunked(catalogue: Catalogue, data_stores: Iterable[str], *, field: str) -> None:
    """Refuse to look for chunks, as *field* wants, in a data store that is not cut into any.

    Raises:
        FailedPrecondition: there is one (DATA_STORE_NOT_CHUNKED).
    """
    for name in data_stores:
        config = (await catalogue.get_data_store(name)).document_processing_config
        if config is None or config.chunking_config is None:
            raise FailedPrecondition(
                f"{field} CHUNKS needs a data store with "
                f"documentProcessingConfig.chunkingConfig; '{name}' has none: use DOCUMENTS",
                reason="DATA_STORE_NOT_CHUNKED",
                resource=name,
            )
