"""Query completion over REST."""

from __future__ import annotations

from litestar import Controller, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.completion.complete_query import CompleteQueryMethod
from service.api.http import routes
from service.api.http.json_bodies import MessageRequest
from sessions.resources.complete_query import (
    AdvancedCompleteQueryRequest,
    AdvancedCompleteQueryResponse,
    CompleteQueryRequest,
    CompleteQueryResponse,
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
        """Suggest how a query may go on, from the titles of the documents."""
        query = request.parameters(CompleteQueryRequest, data_store=request.name)
        return await complete_query_method.complete(query)

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
        return await complete_query_method.complete_advanced(request.parent, data)
