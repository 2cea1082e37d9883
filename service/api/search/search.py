"""Search over REST."""

from __future__ import annotations

from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.methods.search import SearchMethods
from service.api.http.json_bodies import MessageRequest
from service.api.http.routes import both, operation
from sessions.resources.search_requests import SearchRequest
from sessions.resources.search_results import SearchResponse


class SearchController(Controller):
    """``…/servingConfigs/*:search`` and ``:searchLite``."""

    tags = ("Search",)

    @post(
        both("/servingConfigs/{serving_config:str}/:search"),
        status_code=200,
        operation_id=operation("Search"),
    )
    async def search(
        self,
        request: MessageRequest,
        data: JSONBody[SearchRequest],
        search_methods: NamedDependency[SearchMethods],
    ) -> SearchResponse:
        """Find documents or chunks; an empty query lists what the filter lets pass."""
        return await _search(request, data, search_methods)

    @post(
        both("/servingConfigs/{serving_config:str}/:searchLite"),
        status_code=200,
        operation_id=operation("SearchLite"),
    )
    async def search_lite(
        self,
        request: MessageRequest,
        data: JSONBody[SearchRequest],
        search_methods: NamedDependency[SearchMethods],
    ) -> SearchResponse:
        """Find as ``:search`` does; here the two are one."""
        return await _search(request, data, search_methods)


async def _search(
    request: MessageRequest, data: SearchRequest, search_methods: SearchMethods
) -> SearchResponse:
    search = search_methods.search(request.name, data, request.viewer, caller=request.caller)
    spec = data.content_search_spec
    # Only a summary takes a while; without one, this is a read.
    return await (request.answer(search) if spec and spec.summary_spec else search)
