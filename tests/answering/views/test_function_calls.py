"""What a model wants called: parts of a content, or why it cannot be called."""

from __future__ import annotations

import pytest

from service.answering.requests import json_schemas
from service.answering.requests.function_declarations import Functions
from service.answering.views import function_calls
from service.answering.views.function_calls import UnusableCall
from service.generation.chat_model import chat_requests
from sessions.resources.candidates import FinishReason
from sessions.resources.contents import FunctionCall, Part
from sessions.resources.tools import FunctionCallingMode as Mode

HOURS = json_schemas.checked(
    {"type": "object", "properties": {"day": {"type": "string"}}, "required": ["day"]},
    field="hours",
)
MALFORMED = FinishReason.MALFORMED_FUNCTION_CALL
UNEXPECTED = FinishReason.UNEXPECTED_TOOL_CALL


def call(arguments: str, name: str = "hours") -> chat_requests.ToolCall:
    return chat_requests.ToolCall("c1", chat_requests.CalledFunction(name, arguments))


def functions(mode: Mode) -> Functions:
    return Functions(mode, {"hours": HOURS}, {"hours": ""})


@pytest.mark.parametrize("mode", [Mode.AUTO, Mode.ANY, Mode.VALIDATED])
def test_a_call_is_a_part(mode: Mode) -> None:
    (part,) = function_calls.parts([call('{"day": "Monday"}')], functions(mode))
    assert part == Part(function_call=FunctionCall(id="c1", name="hours", args={"day": "Monday"}))


def test_arguments_are_held_against_their_schema_where_that_is_asked_for() -> None:
    assert function_calls.parts([call("")], functions(Mode.AUTO))
    for mode in (Mode.ANY, Mode.VALIDATED):
        with pytest.raises(UnusableCall, match=r'hours\(\{\}\): "day" is a required') as found:
            function_calls.parts([call("{}")], functions(mode))
        assert found.value.reason is MALFORMED


@pytest.mark.parametrize("arguments", ['{"day": "Mon', "[]", '"day"', "{'day': 1}", "[" * 99_999])
def test_arguments_that_are_no_object_are_malformed(arguments: str) -> None:
    with pytest.raises(UnusableCall, match="no JSON object") as found:
        function_calls.parts([call(arguments)], functions(Mode.AUTO))
    assert found.value.reason is MALFORMED
    assert len(found.value.message) < 400


def test_a_function_that_was_not_offered_is_unexpected() -> None:
    for offered in (None, functions(Mode.ANY)):
        with pytest.raises(UnusableCall, match="not offered: delete_all") as found:
            function_calls.parts([call("{}", "delete_all")], offered)
        assert found.value.reason is UNEXPECTED


def test_there_must_be_a_call_where_one_is_asked_for() -> None:
    assert function_calls.parts([], None) == ()
    assert function_calls.parts([], functions(Mode.VALIDATED)) == ()
    with pytest.raises(UnusableCall) as found:
        function_calls.parts([], functions(Mode.ANY))
    assert found.value.reason is MALFORMED
