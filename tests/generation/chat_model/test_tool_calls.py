"""Calls that come in pieces."""

from __future__ import annotations

import msgspec

from service.generation.chat_model.chat_events import ToolCallDelta
from service.generation.chat_model.tool_calls import ToolCalls


def test_the_pieces_of_calls_are_joined_by_their_numbers() -> None:
    calls = ToolCalls()
    for delta in (
        ToolCallDelta(0, "a", "hours", ""),
        ToolCallDelta(0, arguments='{"day": '),
        ToolCallDelta(1, "b", "fees", "{}"),
        ToolCallDelta(0, arguments='"Monday"}'),
    ):
        calls.feed(delta)
    assert [msgspec.to_builtins(call) for call in calls.whole] == [
        {
            "type": "function",
            "id": "a",
            "function": {"name": "hours", "arguments": '{"day": "Monday"}'},
        },
        {"type": "function", "id": "b", "function": {"name": "fees", "arguments": "{}"}},
    ]


def test_a_call_without_an_id_is_given_one() -> None:
    calls = ToolCalls()
    calls.feed(ToolCallDelta(0, name="hours"))
    calls.feed(ToolCallDelta(1, name="hours"))
    first, second = calls.whole
    assert first.id
    assert first.id != second.id


def test_there_may_be_none() -> None:
    assert ToolCalls().whole == ()
