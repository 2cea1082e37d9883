"""The answer methods over REST: blocking, streaming, and reading what is stored (api.md 10-12)."""

from __future__ import annotations

from typing import Any

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.answering import Answering
from service.api import streams
from service.api.messages import MessageRequest, wants_numbers
from service.api.routes import both, check_name, operation
from sessions.resources.answers import Answer
from sessions.resources.queries import AnswerQueryRequest, AnswerQueryResponse


class AnswersController(Controller):
    """``…/servingConfigs/*:answer``, ``:streamAnswer`` and ``…/sessions/*/answers``."""

    tags = ("Answers",)

    @post(
        both("/servingConfigs/{serving_config:str}/:answer"),
        status_code=200,
        operation_id=operation("AnswerQuery"),
    )
    async def answer_query(
        self,
        request: MessageRequest,
        data: JSONBody[AnswerQueryRequest],
        answering: NamedDependency[Answering],
    ) -> AnswerQueryResponse:
        """Answer a query and return the finished answer."""
        check_name(data.serving_config, request.name, field="servingConfig")
        return await request.answer(answering.answer(request.name, data))

    @post(
        both("/servingConfigs/{serving_config:str}/:streamAnswer"),
        status_code=200,
        operation_id=operation("StreamAnswerQuery"),
        opt={"elements": AnswerQueryResponse},
    )
    async def stream_answer_query(
        self,
        request: MessageRequest,
        data: JSONBody[AnswerQueryRequest],
        answering: NamedDependency[Answering],
    ) -> Response[Any]:
        """Answer a query and stream its elements, as a JSON array or with ``alt=sse`` as events."""
        check_name(data.serving_config, request.name, field="servingConfig")
        elements = await request.answer(answering.stream(request.name, data))
        framed = streams.events if request.query_params.get("alt") == "sse" else streams.array
        return framed(elements, numbers=wants_numbers(request))

    @get(both("/sessions/{session:str}/answers/{answer:str}"), operation_id=operation("GetAnswer"))
    async def get_answer(
        self, request: MessageRequest, answering: NamedDependency[Answering]
    ) -> Answer:
        """Read one answer, finished or not; while it streams, with the text so far."""
        return await answering.get(request.name)
