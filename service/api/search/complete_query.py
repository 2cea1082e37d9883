"""Query completion over REST, and what operators and visitors say of it."""

from __future__ import annotations

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.completion.complete_query import CompleteQueryMethod
from service.answering.completion.suggestion_methods import SuggestionMethods
from service.api.http import routes
from service.api.http.json_bodies import MessageRequest
from service.api.operations.operation_starts import started
from service.corpus.operations.operations import Operations
from sessions.resources.complete_query import (
    AdvancedCompleteQueryRequest,
    AdvancedCompleteQueryResponse,
    CompleteQueryRequest,
    CompleteQueryResponse,
)
from sessions.resources.operations import Operation
from sessions.resources.suggestions import (
    ImportCompletionSuggestionsRequest,
    ImportSuggestionDenyListEntriesRequest,
    PurgeCompletionSuggestionsRequest,
    PurgeSuggestionDenyListEntriesRequest,
    RemoveSuggestionRequest,
    RemoveSuggestionResponse,
)


class CompleteQueryController(Controller):
    """``…:completeQuery``."""

    tags = ("Completion",)

    @get(
        routes.DATA_STORE + "/:completeQuery",
        operation_id="CompleteQuery",
        opt={"query": CompleteQueryRequest, "path_fields": ("data_store",)},
    )
    async def complete_query(
        self,
        request: MessageRequest,
        complete_query_method: NamedDependency[CompleteQueryMethod],
    ) -> CompleteQueryResponse:
        """Suggest how a query may go on, from documents and from what others asked."""
        query = request.parameters(CompleteQueryRequest, data_store=request.name)
        return await complete_query_method.complete(query, request.viewer)

    @post(
        routes.both("/completionConfig/:completeQuery"),
        status_code=200,
        operation_id=routes.operation("AdvancedCompleteQuery"),
    )
    async def advanced_complete_query(
        self,
        request: MessageRequest,
        data: JSONBody[AdvancedCompleteQueryRequest],
        complete_query_method: NamedDependency[CompleteQueryMethod],
    ) -> AdvancedCompleteQueryResponse:
        """Suggest how a query may go on, with scores and data stores."""
        return await complete_query_method.complete_advanced(request.parent, data, request.viewer)

    @post(
        routes.DATA_STORE + "/completionSuggestions/:import",
        status_code=200,
        operation_id="ImportCompletionSuggestions",
    )
    async def import_suggestions(
        self,
        request: MessageRequest,
        data: JSONBody[ImportCompletionSuggestionsRequest],
        suggestion_methods: NamedDependency[SuggestionMethods],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Suggest texts of the operator's own."""
        job = await suggestion_methods.import_suggestions_job(request.parent, data)
        return await started(request, operations, "import-suggestions", job)

    @post(
        routes.DATA_STORE + "/completionSuggestions/:purge",
        status_code=200,
        operation_id="PurgeCompletionSuggestions",
    )
    async def purge_suggestions(
        self,
        request: MessageRequest,
        data: JSONBody[PurgeCompletionSuggestionsRequest],
        suggestion_methods: NamedDependency[SuggestionMethods],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Suggest texts of the operator's own no more."""
        job = await suggestion_methods.purge_suggestions_job(request.parent)
        return await started(request, operations, "purge-suggestions", job, frees=True)

    @post(
        routes.DATA_STORE + "/suggestionDenyListEntries/:import",
        status_code=200,
        operation_id="ImportSuggestionDenyListEntries",
    )
    async def import_denied(
        self,
        request: MessageRequest,
        data: JSONBody[ImportSuggestionDenyListEntriesRequest],
        suggestion_methods: NamedDependency[SuggestionMethods],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Keep phrases from being suggested."""
        job = await suggestion_methods.import_denied_job(request.parent, data)
        return await started(request, operations, "import-denied-suggestions", job)

    @post(
        routes.DATA_STORE + "/suggestionDenyListEntries/:purge",
        status_code=200,
        operation_id="PurgeSuggestionDenyListEntries",
    )
    async def purge_denied(
        self,
        request: MessageRequest,
        data: JSONBody[PurgeSuggestionDenyListEntriesRequest],
        suggestion_methods: NamedDependency[SuggestionMethods],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Keep no phrase from being suggested any more."""
        job = await suggestion_methods.purge_denied_job(request.parent)
        return await started(request, operations, "purge-denied-suggestions", job, frees=True)

    @post(
        routes.ENGINE + "/completionConfig/:removeSuggestion",
        status_code=200,
        operation_id="RemoveSuggestion",
        opt={"versions": ("v1beta",)},
    )
    async def remove_suggestion(
        self,
        request: MessageRequest,
        data: JSONBody[RemoveSuggestionRequest],
        suggestion_methods: NamedDependency[SuggestionMethods],
    ) -> RemoveSuggestionResponse:
        """Forget what a visitor searched."""
        await suggestion_methods.remove(request.parent, data)
        return RemoveSuggestionResponse()
