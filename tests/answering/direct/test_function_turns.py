"""Calls and their results, matched through the contents of a request."""

from __future__ import annotations

import msgspec
import pytest

from service.answering.direct.function_turns import FunctionTurns
from sessions.errors import InvalidArgument
from sessions.resources.contents import FunctionCall, FunctionResponse
from tests import costs


def answered(turns: FunctionTurns, **given: object) -> tuple[str, object]:
    """Return the id of the call that a result belongs to, and what it says."""
    told = turns.result(msgspec.convert(given, FunctionResponse), "here")
    assert told.role == "tool"
    assert isinstance(told.content, str)
    return told.tool_call_id, msgspec.json.decode(told.content)


def test_a_call_is_told_as_the_model_made_it() -> None:
    turns = FunctionTurns()
    call = turns.call(FunctionCall(name="hours", args={"day": "é"}, id="c7"), "here")
    assert (call.id, call.function.name) == ("c7", "hours")
    assert call.function.arguments == '{"day":"é"}'
    assert turns.call(FunctionCall(name="ping"), "here").function.arguments == "{}"


def test_results_belong_to_calls_by_id() -> None:
    turns = FunctionTurns()
    for name in ("a", "b"):
        turns.call(FunctionCall(name="hours", id=name), "here")
    assert answered(turns, name="hours", id="b", response={"x": 1}) == ("b", {"x": 1})
    assert answered(turns, name="hours", id="a") == ("a", {})
    turns.end_turn("here")


def test_results_without_ids_belong_to_calls_by_name_and_order() -> None:
    turns = FunctionTurns()
    calls = [turns.call(FunctionCall(name=name), "here") for name in ("hours", "fees", "hours")]
    first, second, third = (call.id for call in calls)
    assert len({first, second, third}) == 3
    found = [answered(turns, name=name)[0] for name in ("hours", "hours", "fees")]
    assert found == [first, third, second]


def test_a_result_that_no_call_waits_for_is_refused() -> None:
    turns = FunctionTurns()
    turns.call(FunctionCall(name="hours"), "here")
    with pytest.raises(InvalidArgument, match=r"^there: "):
        turns.result(FunctionResponse(name="fees"), "there")
    turns.result(FunctionResponse(name="hours"), "there")
    with pytest.raises(InvalidArgument, match=r"^there: "):
        turns.result(FunctionResponse(name="hours"), "there")


def test_a_call_without_a_result_is_refused() -> None:
    turns = FunctionTurns()
    turns.call(FunctionCall(name="hours"), "here")
    with pytest.raises(InvalidArgument, match="missing: hours") as refusal:
        turns.end_turn("contents[2]")
    assert refusal.value.field == "contents[2].parts"


def test_a_call_has_a_name_and_an_id_of_its_own() -> None:
    turns = FunctionTurns()
    with pytest.raises(InvalidArgument, match=r"^here\.name: "):
        turns.call(FunctionCall(), "here")
    turns.call(FunctionCall(name="hours", id="a"), "here")
    with pytest.raises(InvalidArgument, match=r"^here\.id: "):
        turns.call(FunctionCall(name="hours", id="a"), "here")


def test_media_of_a_function_are_refused() -> None:
    turns = FunctionTurns()
    turns.call(FunctionCall(name="hours"), "here")
    with pytest.raises(InvalidArgument, match=r"^here\.parts: "):
        turns.result(FunctionResponse(name="hours", parts=({},)), "here")


@pytest.mark.parametrize("given", ["call_1", "call_2"])
def test_an_id_that_is_made_is_no_other_call_s(given: str) -> None:
    turns = FunctionTurns()
    calls = [turns.call(FunctionCall(name="hours", id=one), "here") for one in (given, "")]
    assert len({call.id for call in calls}) == 2


@pytest.mark.parametrize("has_ids", [True, False])
def test_many_calls_are_matched_in_linear_time(has_ids: bool) -> None:
    def match(size: int) -> None:
        turns = FunctionTurns()
        ids = [f"id-{number}" if has_ids else "" for number in range(size)]
        for one in ids:
            turns.call(FunctionCall(name="hours", id=one), "here")
        for one in reversed(ids):
            turns.result(FunctionResponse(name="hours", id=one), "here")
        turns.end_turn("here")

    assert costs.growth(match, 300) < 32
