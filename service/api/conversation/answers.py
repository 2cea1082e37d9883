"""The answer methods over REST: blocking, streaming, and reading what is stored."""

from __future__ import annotations

from typing import Any, Final

from litestar import Controller, Response, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from service.answering.methods.answer_query import AnswerMethods
from service.api.http import response_streams
from service.api.http.json_bodies import MessageRequest, wants_numbers
from service.api.http.routes import both, check_name, operation
from sessions.errors import InvalidArgument
from sessions.resources.answer_query import (
    AnswerQueryRequest,
    AnswerQueryResponse,
    FollowAnswerRequest,
)
from sessions.resources.answers import Answer
from streaming.log import positions

LAST_EVENT_ID: Final = "Last-Event-ID"
"""What a browser sends of its own when it connects again: the last ``id`` that it heard."""


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
        answer_methods: NamedDependency[AnswerMethods],
    ) -> AnswerQueryResponse:
        """Answer a query and return the finished answer."""
        check_name(data.serving_config, request.name, field="servingConfig")
        return await request.answer(answer_methods.answer(request.name, data, request.viewer))

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
        answer_methods: NamedDependency[AnswerMethods],
    ) -> Response[Any]:
        """Answer a query and stream its elements, as a JSON array or with ``alt=sse`` as events."""
        check_name(data.serving_config, request.name, field="servingConfig")
        if LAST_EVENT_ID in request.headers:
            raise InvalidArgument(
                f"{LAST_EVENT_ID}: a POST would ask again; GET the answer's :stream?alt=sse",
                field=LAST_EVENT_ID,
            )
        elements = await request.answer(answer_methods.stream(request.name, data, request.viewer))
        framed = (
            response_streams.events
            if request.query_params.get("alt") == "sse"
            else response_streams.array
        )
        return framed(elements, request.shown, numbers=wants_numbers(request))

    @get(
        both("/sessions/{session:str}/answers/{answer:str}/:stream"),
        operation_id=operation("FollowAnswer"),
        opt={
            "elements": AnswerQueryResponse,
            "query": FollowAnswerRequest,
            "headers": (LAST_EVENT_ID,),
        },
    )
    async def follow_answer(
        self, request: MessageRequest, answer_methods: NamedDependency[AnswerMethods]
    ) -> Response[Any]:
        """Follow a stored answer from a position on, as a JSON array or with ``alt=sse`` as events.

        What a browser heard last, it says when it connects again: that is later than ``after``,
        which stands in the address for good.
        """
        query = request.parameters(FollowAnswerRequest, name=request.name)
        last_event_id = request.headers.get(LAST_EVENT_ID, "")
        after = None
        if last_event_id or query.after:
            field = LAST_EVENT_ID if last_event_id else "after"
            after = positions.parse(last_event_id or query.after, field=field)
        request.pending_requests.admit()
        await answer_methods.link(request.name)
        stream = answer_methods.follow(request.name, after)
        numbers = wants_numbers(request)
        if query.alt == "sse":
            return response_streams.events_again(stream, request.shown, numbers=numbers)
        return response_streams.array(response_streams.each(stream), request.shown, numbers=numbers)

    @get(both("/sessions/{session:str}/answers/{answer:str}"), operation_id=operation("GetAnswer"))
    async def get_answer(
        self, request: MessageRequest, answer_methods: NamedDependency[AnswerMethods]
    ) -> Answer:
        """Read one answer, finished or not; while it streams, with the text so far."""
        return await answer_methods.get(request.name)
