"""Retrieving and what is made of it over REST."""

from __future__ import annotations

import msgspec
from litestar import Controller, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.methods import rag
from service.answering.methods.rag import RagMethods
from service.api.http import routes, versions
from service.api.http.json_bodies import MessageRequest
from service.api.operations.operation_starts import started
from service.api.rag.rag_corpora import new_name
from service.corpus.operations.operations import Operations
from service.corpus.operations.running_operation import TellProgress
from service.thread_pools import ThreadPools
from sessions.resources.augmentations import (
    AskContextsRequest,
    AskContextsResponse,
    AsyncRetrieveContextsResponse,
    AugmentPromptRequest,
    AugmentPromptResponse,
    CorroborateContentRequest,
    CorroborateContentResponse,
)
from sessions.resources.operations import Operation
from sessions.resources.retrieve_contexts import RetrieveContextsRequest, RetrieveContextsResponse


class RetrieveContextsController(Controller):
    """``…/locations/*:retrieveContexts`` and its like."""

    tags = ("RAG",)
    opt = {"versions": versions.GENERATION}  # noqa: RUF012 - the framework copies it

    @post(routes.LOCATION + "/:retrieveContexts", status_code=200, operation_id="RetrieveContexts")
    async def retrieve_contexts(
        self,
        request: MessageRequest,
        data: JSONBody[RetrieveContextsRequest],
        rag_methods: NamedDependency[RagMethods],
    ) -> RetrieveContextsResponse:
        """Retrieve what a corpus has on a query, nearest first."""
        return await rag_methods.retrieve(data, request.viewer)

    @post(routes.LOCATION + "/:askContexts", status_code=200, operation_id="AskContexts")
    async def ask_contexts(
        self,
        request: MessageRequest,
        data: JSONBody[AskContextsRequest],
        rag_methods: NamedDependency[RagMethods],
    ) -> AskContextsResponse:
        """Retrieve, and answer from what was retrieved."""
        return await request.answer(rag_methods.ask(data, request.viewer))

    @post(routes.LOCATION + "/:augmentPrompt", status_code=200, operation_id="AugmentPrompt")
    async def augment_prompt(
        self,
        request: MessageRequest,
        data: JSONBody[AugmentPromptRequest],
        rag_methods: NamedDependency[RagMethods],
    ) -> AugmentPromptResponse:
        """Put what a corpus has on a prompt into the prompt."""
        return await rag_methods.augment(data, request.viewer)

    @post(
        routes.LOCATION + "/:corroborateContent",
        status_code=200,
        operation_id="CorroborateContent",
    )
    async def corroborate_content(
        self, data: JSONBody[CorroborateContentRequest], thread_pools: NamedDependency[ThreadPools]
    ) -> CorroborateContentResponse:
        """Hold a text against facts, claim by claim."""
        return await thread_pools.checking.run(rag.corroborate, data)

    @post(
        routes.LOCATION + "/:asyncRetrieveContexts",
        status_code=200,
        operation_id="AsyncRetrieveContexts",
    )
    async def async_retrieve_contexts(
        self,
        request: MessageRequest,
        data: JSONBody[AskContextsRequest],
        rag_methods: NamedDependency[RagMethods],
        operations: NamedDependency[Operations],
    ) -> Operation:
        """Retrieve as an operation."""
        prompt = rag_methods.read(data, request.viewer)

        async def job(_: TellProgress) -> msgspec.Struct | None:
            return AsyncRetrieveContextsResponse(contexts=await rag_methods.retrieve_for(prompt))

        name = new_name(request.name)
        return await started(request, operations, "async-retrieve-contexts", job, name=name)
