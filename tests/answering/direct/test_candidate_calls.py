"""The calls of a candidate: whole at its end, or told while they are written."""

from __future__ import annotations

import pytest

from service.answering.direct.candidate_calls import CandidateCalls
from service.answering.requests import json_schemas
from service.answering.requests.function_declarations import Functions
from service.answering.views.function_calls import UnusableCall
from service.generation.chat_model.chat_events import ToolCallDelta
from sessions.resources.contents import FunctionCall, Part, PartialArg
from sessions.resources.tools import FunctionCallingMode

ANYTHING = json_schemas.checked({"type": "object"}, field="schema")
FUNCTIONS = Functions(
    FunctionCallingMode.AUTO,
    dict.fromkeys(("hours", "fees"), ANYTHING),
    dict.fromkeys(("hours", "fees"), ""),
)
DELTAS = [
    ToolCallDelta(0, "a", "hours"),
    ToolCallDelta(0, arguments='{"day": "Mon'),
    ToolCallDelta(0, arguments='day"}'),
    ToolCallDelta(1, "b", "fees", '{"n": 1}'),
]


def fed(calls: CandidateCalls, deltas: list[ToolCallDelta]) -> list[FunctionCall | None]:
    return [part.function_call for delta in deltas for part in calls.feed(delta)]


def test_calls_are_told_whole_at_the_end() -> None:
    calls = CandidateCalls(FUNCTIONS, streams=False)
    assert fed(calls, DELTAS) == []
    assert calls.finish() == (
        Part(function_call=FunctionCall(id="a", name="hours", args={"day": "Monday"})),
        Part(function_call=FunctionCall(id="b", name="fees", args={"n": 1})),
    )


def test_arguments_are_told_as_they_come_where_that_is_wanted() -> None:
    calls = CandidateCalls(FUNCTIONS, streams=True)

    def partial(*args: PartialArg) -> FunctionCall:
        return FunctionCall(partial_args=args, will_continue=True)

    assert fed(calls, DELTAS) == [
        FunctionCall(id="a", name="hours", will_continue=True),
        partial(PartialArg(json_path="$.day", string_value="Mon", will_continue=True)),
        partial(PartialArg(json_path="$.day", string_value="day")),
        FunctionCall(),
        FunctionCall(id="b", name="fees", will_continue=True),
        partial(PartialArg(json_path="$.n", number_value=1.0)),
    ]
    assert calls.finish() == (Part(function_call=FunctionCall()),)


def test_calls_that_take_turns_keep_their_names() -> None:
    calls = CandidateCalls(FUNCTIONS, streams=True)
    told = fed(calls, [*DELTAS, ToolCallDelta(0, arguments=" ")])
    assert told[-1] == FunctionCall(id="a", name="hours", will_continue=True)


@pytest.mark.parametrize("streams", [False, True])
def test_calls_that_cannot_be_made_are_told_at_the_end(streams: bool) -> None:
    calls = CandidateCalls(None, streams=streams)
    fed(calls, DELTAS)
    with pytest.raises(UnusableCall):
        calls.finish()


@pytest.mark.parametrize("streams", [False, True])
def test_there_may_be_no_calls(streams: bool) -> None:
    assert CandidateCalls(FUNCTIONS, streams=streams).finish() == ()
