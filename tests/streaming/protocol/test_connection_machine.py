"""What a connection may say, in which order, how much, and how it ends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions import errors
from streaming.protocol import close_codes, frames
from streaming.protocol.connection_commands import Authenticate
from streaming.protocol.connection_machine import ConnectionMachine, ConnectionState
from tests.streaming.protocol.machine_helpers import (
    ANSWER,
    CLIENT,
    CONFIG,
    SESSION,
    ask,
    connect,
    refusals,
    say,
    sent,
)


def test_who_need_not_authenticate_is_ready_at_once() -> None:
    connection = ConnectionMachine(
        frames.Limits(), version="1.0", client=CLIENT, authenticate=False, now=0.0
    )
    assert sent(connection) == [
        {
            "type": "ready",
            "version": "1.0",
            "client": CLIENT,
            "limits": {
                "maxFrameBytes": 1 << 20,
                "maxOpenAnswers": 16,
                "framesPerSecond": 20,
                "frameBurst": 100,
                "bytesPerSecond": 256 << 10,
                "byteBurst": 4 << 20,
                "maxOpenRequests": 16,
                "authSeconds": 5,
            },
        }
    ]


def test_a_ping_is_answered_without_any_command() -> None:
    connection = connect()
    assert say(connection, "ping") == []
    assert sent(connection) == [{"type": "pong"}]


def test_at_most_sixteen_requests_wait_and_each_under_an_id_of_its_own() -> None:
    connection = connect()
    for each in range(16):
        assert len(say(connection, "request", id=str(each), method="GET", path="/v1/x")) == 1
    for again, code in (("16", 8), ("3", 6)):
        assert say(connection, "request", id=again, method="GET", path="/v1/x") == []
        (error,) = sent(connection)
        assert (error["type"], error["id"], error["error"]["code"]) == ("error", again, code)
    connection.responded("3", 200, b'{"name": "x"}')
    (response,) = sent(connection)
    assert response == {"type": "response", "id": "3", "status": 200, "body": {"name": "x"}}
    assert len(say(connection, "request", id="3", method="GET", path="/v1/x")) == 1


class TestAuthentication:
    """The first frame is an auth with a token that somebody vouches for, in time."""

    def test_the_first_frame_names_the_token(self) -> None:
        connection = connect(authenticate=True)
        assert say(connection, "auth", token="t") == [Authenticate("t")]
        assert connection.state is ConnectionState.GREETING
        connection.authenticated("user:p:ada", 0.0)
        assert [frame["type"] for frame in sent(connection)] == ["ready"]

    def test_any_other_first_frame_ends_the_connection(self) -> None:
        connection = connect(authenticate=True)
        assert ask(connection) == []
        assert connection.closing is close_codes.UNAUTHENTICATED

    def test_a_first_frame_that_is_none_ends_the_connection(self) -> None:
        connection = connect(authenticate=True)
        assert connection.receive('{"id":"1","type":"dance"}', 0.0) == []
        assert connection.closing is close_codes.UNAUTHENTICATED

    def test_a_large_first_frame_is_not_even_read(self) -> None:
        connection = connect(authenticate=True)
        say(connection, "auth", token="t" * 17_000)
        assert connection.closing is close_codes.TOO_LARGE

    def test_the_time_for_it_ends(self) -> None:
        connection = connect(authenticate=True)
        connection.tick(4.9)
        assert connection.closing is None
        connection.tick(connection.deadline)
        assert connection.closing is close_codes.AUTH_TIMEOUT

    def test_who_is_in_time_may_be_silent_for_ever(self) -> None:
        connection = connect(authenticate=True)
        connection.authenticated("user:p:ada", 0.0)
        connection.tick(1e9)
        assert connection.closing is None

    @pytest.mark.parametrize(
        ("error", "close"),
        [
            (errors.Unauthenticated("no", reason="TOKEN_INVALID"), 4401),
            (errors.PermissionDenied("no", reason="TOKEN_EXPIRED"), 4401),
            (errors.PermissionDenied("no", reason="ORIGIN_NOT_ALLOWED"), 4403),
            (errors.NotFound("no"), 4404),
            (errors.ResourceExhausted("no", reason="TOO_MANY_FAILED_CREDENTIALS"), 4429),
            (errors.ResourceExhausted("no", reason="TOO_MANY_CONNECTIONS"), 4429),
            (errors.Unavailable("no", reason="REDIS_AWAY"), 1013),
            (errors.DeadlineExceeded("no", reason="TOO_LATE"), 1013),
            (errors.Internal("no", reason="INTERNAL"), 1011),
        ],
    )
    def test_why_a_token_is_rejected_is_told_by_the_code(
        self, error: errors.ServiceError, close: int
    ) -> None:
        connection = connect(authenticate=True)
        connection.rejected(error)
        assert connection.closing
        assert connection.closing.code == close
        told = close == 4401 or error.reason == "TOO_MANY_FAILED_CREDENTIALS"
        assert connection.closing.reason.startswith(error.reason) == told

    def test_an_auth_that_nobody_asked_for_is_ignored(self) -> None:
        connection = connect()
        assert say(connection, "auth", token="t") == []
        assert connection.closing is None


class TestFaults:
    """Some faults are told under the id, the others end the connection."""

    @pytest.mark.parametrize("text", ["hello", "[]", '{"type":"dance"}', '{"type":"cancel"}'])
    def test_a_fault_without_an_id_ends_the_connection(self, text: str) -> None:
        connection = connect()
        assert connection.receive(text, 0.0) == []
        assert connection.closing is close_codes.BAD_FRAME

    def test_a_binary_message_ends_the_connection(self) -> None:
        connection = connect()
        connection.receive_binary()
        assert connection.closing is close_codes.BAD_FRAME

    @pytest.mark.parametrize(
        ("frame", "field"),
        [
            ({"type": "dance", "id": "1"}, "type"),
            ({"type": "answer", "id": "1", "servingConfig": "x", "request": {}}, "servingConfig"),
            ({"type": "converse", "id": "1", "name": SESSION, "request": {}}, "name"),
            (
                {
                    "type": "answer",
                    "id": "1",
                    "servingConfig": CONFIG,
                    "request": {},
                    "client": "guess me",
                },
                "client",
            ),
            ({"type": "resume", "id": "1", "answer": SESSION}, "answer"),
            ({"type": "resume", "id": "1", "answer": ANSWER, "after": "17"}, "after"),
        ],
    )
    def test_a_fault_with_an_id_is_told_and_the_connection_goes_on(
        self, frame: dict[str, Any], field: str
    ) -> None:
        connection = connect()
        assert connection.receive(json.dumps(frame), 0.0) == []
        (told,) = sent(connection)
        assert (told["type"], told["id"], told["error"]["code"]) == ("error", "1", 3)
        assert told["error"]["details"][1]["fieldViolations"][0]["field"] == field
        assert len(ask(connection)) == 1

    def test_a_cancel_of_what_is_no_answer_is_told_without_an_id(self) -> None:
        connection = connect()
        assert say(connection, "cancel", answer=SESSION) == []
        assert refusals(connection) == [("", "INVALID_FIELD")]

    def test_nothing_is_done_once_the_connection_ends(self) -> None:
        connection = connect()
        connection.receive_binary()
        assert ask(connection) == []


def test_who_goes_away_takes_nothing_new_but_still_resumes() -> None:
    connection = connect()
    connection.go_away(0.0)
    assert sent(connection) == [{"type": "goaway", "retryAfter": 0.0}]
    assert ask(connection) == []
    assert refusals(connection) == [("1", "DRAINING")]
    assert len(say(connection, "resume", id="1", answer=ANSWER)) == 1


def test_the_first_reason_to_close_stands() -> None:
    connection = connect()
    connection.receive_binary()
    connection.leave(close_codes.RESTART)
    assert connection.closing is close_codes.BAD_FRAME


@given(st.lists(st.text(max_size=20), max_size=10))
def test_no_text_breaks_the_machine(texts: list[str]) -> None:
    connection = connect()
    for text in texts:
        assert connection.receive(text, 0.0) == []
    assert connection.closing in (None, close_codes.BAD_FRAME)


def test_why_nothing_new_is_taken_is_said() -> None:
    connection = connect(max_open_answers=1)
    connection.go_away(0.2)
    connection.frames_to_send()
    ask(connection)
    [refused] = sent(connection)
    assert "connect again" in refused["error"]["message"]
    say(connection, "resume", id="2", answer=ANSWER)
    say(connection, "resume", id="3", answer=ANSWER)
    [full] = sent(connection)
    assert "at most 1 answers" in full["error"]["message"]


def test_why_an_answer_is_not_cancelled_is_said() -> None:
    connection = connect()
    connection.not_cancelled(errors.NotFound("there is no such answer", resource=ANSWER))
    [failure] = sent(connection)
    assert failure["type"] == "error"
    assert failure["error"]["message"] == "there is no such answer"
    say(connection, "cancel", answer="nonsense")
    [refused] = sent(connection)
    assert refused["error"]["message"].startswith("answer: ")


def test_who_has_not_authenticated_sends_small_frames() -> None:
    """16 KiB hold any token, and strangers take no more of our memory."""
    frame = json.dumps({"type": "auth", "token": ""})
    for size, closing in ((16_384, None), (16_385, close_codes.TOO_LARGE)):
        connection = connect(authenticate=True)
        token = "t" * (size - len(frame))
        connection.receive(json.dumps({"type": "auth", "token": token}), 0.0)
        assert connection.closing is closing
