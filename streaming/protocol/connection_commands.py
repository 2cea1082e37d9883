"""What a client's frame asks its connection to do, with every name and position checked."""

from __future__ import annotations

from typing import assert_never

import msgspec

from sessions import names
from streaming.log.positions import Position, parse
from streaming.protocol import frames


class Authenticate(msgspec.Struct, frozen=True):
    """Find out whom *token* speaks for; then `ConnectionMachine.authenticated` or `rejected`."""

    token: str


class SubmitQuery(msgspec.Struct, frozen=True):
    """Submit an AnswerQueryRequest of *client*; then `ConnectionMachine.accepted` or `refused`."""

    id: str
    serving_config: str
    request: bytes
    client: str
    traceparent: str = ""


class SubmitConversation(msgspec.Struct, frozen=True):
    """Submit a ConverseConversationRequest of *client*, as `SubmitQuery`."""

    id: str
    name: str
    request: bytes
    client: str
    traceparent: str = ""


class FollowAnswer(msgspec.Struct, frozen=True):
    """Follow an answer again; then `ConnectionMachine.accepted` or `refused`."""

    id: str
    answer: str
    after: Position | None
    traceparent: str = ""


class CancelAnswer(msgspec.Struct, frozen=True):
    """Cancel an answer; `ConnectionMachine.not_cancelled` where that fails."""

    answer: str


class CallMethod(msgspec.Struct, frozen=True):
    """Call a method of the REST API; then `ConnectionMachine.responded` or `not_called`."""

    id: str
    method: str
    path: str
    body: bytes
    traceparent: str = ""


Request = SubmitQuery | SubmitConversation | FollowAnswer
"""What opens an id."""

Command = Authenticate | Request | CancelAnswer | CallMethod


def read(frame: frames.Ask | frames.Converse | frames.Resume, client: str) -> Request:
    """Check the names and positions of *frame*, which is of *client* where it does not say whose.

    Raises:
        InvalidArgument: one does not hold; the field is named.
    """
    match frame:
        case frames.Ask(id=id, serving_config=config, request=request, client=given):
            config = names.checked(config, names.SERVING_CONFIG, field="servingConfig")
            return SubmitQuery(id, config, bytes(request), given or client, frame.traceparent)
        case frames.Converse(id=id, name=name, request=request, client=given):
            name = names.checked(name, names.CONVERSATION, field="name")
            body = bytes(request)
            return SubmitConversation(id, name, body, given or client, frame.traceparent)
        case frames.Resume(id=id, answer=answer, after=after):
            answer = names.checked(answer, names.ANSWER, field="answer")
            position = parse(after) if after else None
            return FollowAnswer(id, answer, position, frame.traceparent)
        case _:
            assert_never(frame)
