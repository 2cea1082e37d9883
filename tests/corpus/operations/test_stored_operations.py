"""The life of an operation is the one that is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec
import pytest

from service.corpus.operations import stored_operations
from service.corpus.operations.stored_operations import DEAD, OperationState, StoredOperation
from sessions.errors import Cancelled

AT: Final = 1_000_000
STATES: Final = {
    OperationState.RUNNING: StoredOperation(name="o", kind="k", beat=AT),
    OperationState.CANCELLING: StoredOperation(name="o", kind="k", beat=AT, cancelled=True),
    OperationState.DONE: StoredOperation(name="o", kind="k", beat=AT, done=True, response={"n": 1}),
}
EVENTS: Final[dict[str, Callable[[StoredOperation], StoredOperation]]] = {
    "marked": lambda one: stored_operations.marked(one, AT + 1, {"far": 1}),
    "cancelled": stored_operations.cancelled,
    "ended": lambda one: stored_operations.ended(one, {"n": 2}, {}),
    "lost": lambda one: stored_operations.lost(one, AT + int(DEAD * 1000)),
}


def drawn() -> list[tuple[OperationState, str, OperationState]]:
    """Return what the drawing says: from where, by what, to where."""
    _, head, _, *rows, _ = [
        line.split()
        for line in (stored_operations.__doc__ or "").splitlines()
        if line.startswith(("=", "it is", "RUNNING", "CANCELLING", "DONE  "))
    ]
    return [
        (OperationState[row[0]], event, OperationState[after])
        for row in rows
        for event, after in zip(head[2:], row[1:], strict=True)
    ]


def test_all_is_drawn() -> None:
    pairs = {(before, event) for before, event, _ in drawn()}
    assert pairs == {(state, event) for state in OperationState for event in EVENTS}


@pytest.mark.parametrize(("before", "event", "after"), drawn())
def test_an_operation_goes_where_the_drawing_leads(
    before: OperationState, event: str, after: OperationState
) -> None:
    assert STATES[before].state is before
    assert EVENTS[event](STATES[before]).state is after


@pytest.mark.parametrize("event", ["marked", "cancelled", "lost"])
def test_what_is_done_is_changed_by_its_end_alone(event: str) -> None:
    done = STATES[OperationState.DONE]
    assert EVENTS[event](done) == done
    assert EVENTS["ended"](done).response == {"n": 2}


def test_an_end_takes_the_place_of_a_guess() -> None:
    guessed = EVENTS["lost"](STATES[OperationState.RUNNING])
    assert guessed.error is not None
    told = EVENTS["ended"](guessed)
    assert (told.error, told.response) == (None, {"n": 2})
    failed = stored_operations.ended(guessed, Cancelled("c", reason="CANCELLED"), {})
    assert failed.error is not None
    assert (failed.error.code, failed.response) == (1, None)


def test_an_operation_is_not_lost_before_its_marks_are_late() -> None:
    running = STATES[OperationState.RUNNING]
    assert stored_operations.lost(running, AT + int(DEAD * 1000) - 1) == running
    late = msgspec.structs.replace(running, beat=AT + 1)
    assert stored_operations.lost(late, AT + int(DEAD * 1000)) == late
