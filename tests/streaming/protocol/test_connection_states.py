"""Walk the drawings of the connection machine: each state, and every event in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

import pytest

from sessions import errors
from streaming.protocol import close_codes, connection_machine, frames, open_requests
from streaming.protocol.connection_machine import ConnectionMachine, ConnectionState
from tests import drawings

EVENTS: Final = drawings.table(connection_machine, "event")
IDS: Final = drawings.table(open_requests, "of an id")
STORE: Final = "projects/p/locations/l/collections/default_collection/dataStores/d"
CONFIG: Final = f"{STORE}/servingConfigs/default_config"
CONVERSATION: Final = f"{STORE}/conversations/3"
ANSWER: Final = f"{STORE}/sessions/1/answers/2"
OTHER: Final = f"{STORE}/sessions/1/answers/3"
LIMITS: Final = frames.Limits(frame_burst=20)
GONE: Final = errors.NotFound("there is no such answer")

Outcome = list[str]


class Walk:
    """A machine, and what each event is to it."""

    def __init__(self, *, authenticate: bool) -> None:
        self.machine = ConnectionMachine(
            LIMITS, version="1", client="c" * 22, authenticate=authenticate, now=0.0
        )
        self.machine.frames_to_send()

    def happen(self, event: str) -> Outcome:
        """Let *event* happen; return the command, frames and new code that it leads to."""
        closing = self.machine.closing
        commands: list[Any] = self.events()[event]() or []
        outcome = [type(command).__name__ for command in commands]
        outcome += [json.loads(frame)["type"] for frame in self.machine.frames_to_send()]
        if self.machine.closing is not closing and self.machine.closing is not None:
            outcome.append(str(self.machine.closing.code))
        return outcome

    def events(self) -> dict[str, Callable[[], Any]]:
        machine = self.machine
        return {
            "auth": lambda: self.say("auth", token="t"),
            "answer": lambda: self.say("answer", id="1", servingConfig=CONFIG, request={}),
            "converse": lambda: self.say("converse", id="1", name=CONVERSATION, request={}),
            "resume": lambda: self.resume("1", ANSWER),
            "cancel": lambda: self.say("cancel", answer=ANSWER),
            "request": lambda: self.say("request", id="1", method="GET", path="/v1/x"),
            "ping": lambda: self.say("ping"),
            "fault": lambda: self.say("dance", id="1"),
            "garbage": lambda: machine.receive("[]", 0.0),
            "binary": machine.receive_binary,
            "large": lambda: machine.receive(" " * (LIMITS.max_frame_bytes + 1), 0.0),
            "flood": lambda: (
                [machine.receive('{"type":"auth","token":""}', 0.0) for _ in "x" * 30] and None
            ),
            "authenticated": lambda: machine.authenticated("key:1", 0.0, 60.0),
            "another": lambda: machine.authenticated("key:2", 0.0, 60.0),
            "rejected": lambda: machine.rejected(errors.Unauthenticated("no", reason="NO")),
            "undecided": lambda: machine.rejected(errors.Unavailable("no", reason="AWAY")),
            "late": lambda: machine.tick(LIMITS.auth_seconds),
            "expired": lambda: machine.tick(60.0),
            "accepted": lambda: machine.accepted("1", ANSWER) and None,
            "refused": lambda: machine.refused("1", GONE),
            "not_cancelled": lambda: machine.not_cancelled(GONE),
            "responded": lambda: machine.responded("1", 200, b"{}"),
            "not_called": lambda: machine.not_called("1", GONE),
            "go_away": lambda: machine.go_away(1.0),
            "leave": lambda: machine.leave(close_codes.RESTART),
        }

    def say(self, type: str, **fields: Any) -> Any:
        return self.machine.receive(json.dumps({"type": type, **fields}), 0.0)

    def resume(self, id: str, answer: str) -> Any:
        return self.say("resume", id=id, answer=answer)


def arrive(state: str) -> Walk:
    """Return a machine in *state*."""
    walk = Walk(authenticate=True)
    if state in ("READY", "LEAVING"):
        walk.happen("authenticated")
    if state == "LEAVING":
        walk.happen("go_away")
    elif state == "CLOSING":
        walk.happen("binary")
    assert walk.machine.state.name == state
    return walk


WALKS: Final = [
    (state, event)
    for event, row in EVENTS.items()
    for state in row
    if row[state] and event[0] != "-"
]
ID_WALKS: Final = [(state, event) for event, row in IDS.items() for state in row if row[state]]
LEADS: Final = {"ready": ConnectionState.READY, "goaway": ConnectionState.LEAVING}


def test_the_drawing_has_every_state_and_every_event() -> None:
    walk = Walk(authenticate=False)
    assert {event for event in EVENTS if event[0] != "-"} == set(walk.events())
    assert all(set(row) == {state.name for state in ConnectionState} for row in EVENTS.values())


@pytest.mark.parametrize(("state", "event"), WALKS)
def test_each_event_does_what_is_drawn(state: str, event: str) -> None:
    drawn = EVENTS[event][state]
    walk = arrive(state)
    outcome = walk.happen(event)
    assert outcome == ([] if drawn == "–" else [drawn])
    after = ConnectionState.CLOSING if drawn.isdigit() else LEADS.get(drawn, ConnectionState[state])
    # A renewal lets nobody back in who is to leave, or to go.
    stays = state == "CLOSING" or (event, state) == ("authenticated", "LEAVING")
    assert walk.machine.state is (ConnectionState[state] if stays else after)


def reach(state: str) -> Walk:
    """Return a machine whose id "1" is in *state*."""
    walk = Walk(authenticate=False)
    if state != "free":
        walk.resume("1", ANSWER)
    if state == "followed":
        walk.machine.accepted("1", ANSWER)
    assert of_id(walk) == state
    walk.machine.frames_to_send()
    return walk


def of_id(walk: Walk) -> str:
    """Return the state of the id "1"."""
    if walk.machine.is_accepted("1"):
        return "followed"
    return "submitted" if walk.machine.open_ids else "free"


@pytest.mark.parametrize(("state", "event"), ID_WALKS)
def test_each_event_leaves_an_id_as_it_is_drawn(state: str, event: str) -> None:
    walk = reach(state)
    machine = walk.machine
    match event:
        case "request":
            walk.resume("1", ANSWER)
        case "other":
            walk.resume("1", OTHER)
        case "accepted":
            machine.accepted("1", ANSWER)
        case "anew":
            walk.resume("2", ANSWER)
            assert machine.accepted("2", ANSWER) == "1"
            machine.ended("2")
        case "refused":
            machine.refused("1", GONE)
        case "ended":
            machine.ended("1")
        case _:
            raise AssertionError(event)
    assert of_id(walk) == IDS[event][state]


def test_who_is_let_in_after_everybody_was_sent_away_begins_nothing() -> None:
    walk = Walk(authenticate=True)
    assert walk.happen("go_away") == []
    assert walk.happen("authenticated") == ["ready"]
    assert walk.machine.state is ConnectionState.LEAVING
    assert walk.happen("answer") == ["error"]
