"""What a connection may say, in which order, how much, and how it ends."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions import errors
from streaming.log.positions import Position
from streaming.protocol import close_codes, frames
from streaming.protocol.commands import (
    Authenticate,
    CancelAnswer,
    Command,
    FollowAnswer,
    SubmitConversation,
    SubmitQuery,
)
from streaming.protocol.connection_machine import ConnectionMachine
from streaming.protocol.token_bucket import TokenBucket

STORE = "projects/p/locations/l/collections/default_collection/dataStores/d"
CONFIG = f"{STORE}/servingConfigs/default_config"
SESSION = f"{STORE}/sessions/1"
ANSWER = f"{SESSION}/answers/2"
CONVERSATION = f"{STORE}/conversations/3"
CLIENT = "0123456789abcdefghijkl"
OTHER = "a-secret_of_128_bits-0"


def connect(*, authenticate: bool = False, **limits: int) -> ConnectionMachine:
    """Return a connection that began at second 0; where nobody is asked it has said `ready`."""
    connection = ConnectionMachine(
        frames.Limits(**limits), version="1.0", client=CLIENT, authenticate=authenticate, now=0.0
    )
    if not authenticate:
        connection.frames_to_send()
    return connection


def say(connection: ConnectionMachine, type: str, **fields: Any) -> list[Command]:
    """Let the client send one frame in second 0."""
    return connection.receive(json.dumps({"type": type, **fields}), 0.0)


def ask(connection: ConnectionMachine, id: str = "1") -> list[Command]:
    """Let the client ask."""
    return say(connection, "answer", id=id, servingConfig=CONFIG, request={})


def sent(connection: ConnectionMachine) -> list[dict[str, Any]]:
    """Return what the connection has to send."""
    return [json.loads(frame) for frame in connection.frames_to_send()]


def refusals(connection: ConnectionMachine) -> list[tuple[str, str]]:
    """Return the ids and reasons of the errors that the connection has to send."""
    return [
        (frame.get("id", ""), frame["error"]["details"][0]["reason"])
        for frame in sent(connection)
        if frame["type"] == "error"
    ]


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
                "authSeconds": 5,
            },
        }
    ]


@pytest.mark.parametrize(
    ("frame", "command"),
    [
        (
            {"type": "answer", "id": "1", "servingConfig": CONFIG, "request": {}},
            SubmitQuery("1", CONFIG, b"{}", CLIENT),
        ),
        (
            {"type": "converse", "id": "1", "name": CONVERSATION, "request": {}},
            SubmitConversation("1", CONVERSATION, b"{}", CLIENT),
        ),
        (
            {"type": "answer", "id": "1", "servingConfig": CONFIG, "request": {}, "client": OTHER},
            SubmitQuery("1", CONFIG, b"{}", OTHER),
        ),
        (
            {"type": "converse", "id": "1", "name": CONVERSATION, "request": {}, "client": OTHER},
            SubmitConversation("1", CONVERSATION, b"{}", OTHER),
        ),
        ({"type": "resume", "id": "1", "answer": ANSWER}, FollowAnswer("1", ANSWER, None)),
        (
            {"type": "resume", "id": "1", "answer": ANSWER, "after": "2-17"},
            FollowAnswer("1", ANSWER, Position(2, 17)),
        ),
        ({"type": "cancel", "answer": ANSWER}, CancelAnswer(ANSWER)),
    ],
)
def test_a_frame_becomes_a_command(frame: dict[str, Any], command: Command) -> None:
    connection = connect()
    assert connection.receive(json.dumps(frame), 0.0) == [command]
    assert sent(connection) == []


@pytest.mark.parametrize("bad", ["..", ".", "a%2Fb", "a\\b", "a\x1bb", "\uff0e\uff0e", "1/", ""])
def test_a_name_has_no_id_that_no_resource_has(bad: str) -> None:
    for field, frame in (
        ("servingConfig", {"type": "answer", "servingConfig": f"{STORE}/servingConfigs/{bad}"}),
        ("name", {"type": "converse", "name": f"{STORE}/conversations/{bad}"}),
        ("answer", {"type": "resume", "answer": f"{SESSION}/answers/{bad}"}),
        ("answer", {"type": "cancel", "answer": f"{STORE}/sessions/{bad}/answers/1"}),
    ):
        connection = connect()
        rest: dict[str, Any] = {} if frame["type"] in {"resume", "cancel"} else {"request": {}}
        identified = {} if frame["type"] == "cancel" else {"id": "1"}
        assert say(connection, **frame, **rest, **identified) == []
        error = sent(connection)[0]["error"]
        assert error["code"] == 3
        assert field in error["message"]


def test_names_may_be_given_in_their_short_form() -> None:
    connection = connect()
    short = CONFIG.replace("collections/default_collection/", "")
    command = say(connection, "answer", id="1", servingConfig=short, request={})[0]
    assert isinstance(command, SubmitQuery)
    assert command.serving_config == CONFIG


def test_a_ping_is_answered_without_any_command() -> None:
    connection = connect()
    assert say(connection, "ping") == []
    assert sent(connection) == [{"type": "pong"}]


class TestAuthentication:
    """The first frame is an auth with a token that somebody vouches for, in time."""

    def test_the_first_frame_names_the_token(self) -> None:
        connection = connect(authenticate=True)
        assert say(connection, "auth", token="t") == [Authenticate("t")]
        assert not connection.ready
        connection.authenticated()
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
        connection.tick(connection.auth_deadline)
        assert connection.closing is close_codes.AUTH_TIMEOUT

    def test_who_is_in_time_may_be_silent_for_ever(self) -> None:
        connection = connect(authenticate=True)
        connection.authenticated()
        connection.tick(1e9)
        assert connection.closing is None

    @pytest.mark.parametrize(
        ("error", "close"),
        [
            (errors.Unauthenticated("no", reason="TOKEN_INVALID"), close_codes.UNAUTHENTICATED),
            (errors.PermissionDenied("no", reason="NOT_PERMITTED"), close_codes.FORBIDDEN),
            (errors.NotFound("no"), close_codes.NOT_FOUND),
            (errors.Unavailable("no", reason="REDIS_AWAY"), close_codes.OVERLOAD),
            (errors.DeadlineExceeded("no", reason="TOO_LATE"), close_codes.OVERLOAD),
            (errors.Internal("no", reason="INTERNAL"), close_codes.FAILURE),
        ],
    )
    def test_why_a_token_is_rejected_is_told_by_the_code(
        self, error: errors.ServiceError, close: close_codes.Close
    ) -> None:
        connection = connect(authenticate=True)
        connection.rejected(error)
        assert connection.closing is close

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


class TestLimits:
    """Size, rate and number have bounds."""

    @pytest.mark.parametrize("filler", ["x", "é"])
    def test_a_frame_that_is_too_large_ends_the_connection(self, filler: str) -> None:
        connection = connect(max_frame_bytes=1000)
        padding = filler * ((1001 - len('{"type":"ping"}')) // len(filler.encode()) + 1)
        assert connection.receive('{"type":"ping"}' + padding, 0.0) == []
        assert connection.closing is close_codes.TOO_BIG

    def test_a_flood_ends_the_connection(self) -> None:
        connection = connect(frame_burst=3)
        for _ in range(3):
            say(connection, "ping")
        assert connection.closing is None
        say(connection, "ping")
        assert connection.closing is close_codes.FLOOD

    def test_a_steady_client_is_no_flood(self) -> None:
        connection = connect(frame_burst=3, frames_per_second=10)
        for n in range(100):
            connection.receive('{"type":"ping"}', n / 10)
        assert connection.closing is None

    @pytest.mark.parametrize("filler", ["x", "é"])
    def test_a_flood_of_bytes_ends_the_connection(self, filler: str) -> None:
        """Few large frames are as much work as many small ones."""
        connection = connect(byte_burst=3000, bytes_per_second=100)
        ping = '{"type":"ping"}'
        large = ping + " " * (1000 - len(ping))
        for _ in range(3):
            connection.receive(large, 0.0)
        assert connection.closing is None
        connection.receive(ping + filler, 0.0)
        assert connection.closing is close_codes.FLOOD

    def test_a_steady_amount_is_no_flood(self) -> None:
        connection = connect(byte_burst=1000, bytes_per_second=1000)
        for n in range(100):
            connection.receive('{"type":"ping"}'.ljust(500), n / 2)
        assert connection.closing is None

    def test_the_largest_frame_may_be_sent(self) -> None:
        limits = frames.Limits()
        assert limits.max_frame_bytes <= limits.byte_burst

    def test_too_many_answers_at_once_are_refused(self) -> None:
        connection = connect(max_open_answers=2)
        assert len(ask(connection, "1") + ask(connection, "2")) == 2
        assert ask(connection, "3") == []
        assert refusals(connection) == [("3", "TOO_MANY_OPEN_ANSWERS")]

    def test_an_answer_that_ended_makes_room(self) -> None:
        connection = connect(max_open_answers=1)
        ask(connection, "1")
        connection.accepted("1", ANSWER)
        connection.ended("1")
        assert len(ask(connection, "2")) == 1


class TestIds:
    """An id is open until its answer has ended; an answer is followed once."""

    def test_what_is_accepted_is_told_with_its_answer_and_session(self) -> None:
        connection = connect()
        ask(connection)
        assert connection.accepted("1", ANSWER) == ""
        assert sent(connection) == [
            {"type": "accepted", "id": "1", "answer": ANSWER, "session": SESSION}
        ]

    def test_an_open_id_again_is_the_same_request(self) -> None:
        connection = connect()
        ask(connection)
        assert ask(connection) == []
        assert sent(connection) == []
        connection.accepted("1", ANSWER)
        assert ask(connection) == []
        assert [frame["type"] for frame in sent(connection)] == ["accepted", "accepted"]

    def test_resuming_what_is_followed_already_changes_nothing(self) -> None:
        connection = connect()
        ask(connection)
        connection.accepted("1", ANSWER)
        assert say(connection, "resume", id="1", answer=ANSWER, after="1-1") == []
        assert [frame["type"] for frame in sent(connection)] == ["accepted", "accepted"]

    def test_an_open_id_for_another_answer_is_refused(self) -> None:
        connection = connect()
        ask(connection)
        connection.accepted("1", ANSWER)
        assert say(connection, "resume", id="1", answer=f"{SESSION}/answers/9") == []
        assert refusals(connection) == [("1", "ID_IN_USE")]
        assert connection.is_accepted("1")

    def test_a_second_id_takes_an_answer_over(self) -> None:
        """Two readers of one answer on one connection would hear the same."""
        connection = connect()
        ask(connection, "1")
        connection.accepted("1", ANSWER)
        say(connection, "resume", id="2", answer=ANSWER)
        assert connection.accepted("2", ANSWER) == "1"
        assert refusals(connection) == [("1", "FOLLOWED_ANEW")]
        assert connection.is_accepted("2")
        assert not connection.is_accepted("1")
        connection.ended("2")
        assert connection.open_ids == 0

    def test_an_ended_id_may_be_used_again(self) -> None:
        connection = connect()
        ask(connection)
        connection.accepted("1", ANSWER)
        connection.ended("1")
        assert len(ask(connection)) == 1

    def test_a_refused_id_is_free_again(self) -> None:
        connection = connect()
        ask(connection)
        connection.refused("1", errors.NotFound("there is no such session"))
        assert refusals(connection) == [("1", "RESOURCE_NOT_FOUND")]
        assert len(ask(connection)) == 1


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


IDS = st.sampled_from(["1", "2", "3"])
ANSWERS = st.sampled_from([f"{SESSION}/answers/{n}" for n in range(4)])
ACTS = st.one_of(
    st.tuples(st.just("ask"), IDS, ANSWERS),
    st.tuples(st.just("resume"), IDS, ANSWERS),
    st.tuples(st.just("accepted"), IDS, ANSWERS),
    st.tuples(st.just("refused"), IDS, ANSWERS),
    st.tuples(st.just("ended"), IDS, ANSWERS),
)


@given(st.lists(ACTS, max_size=30))
def test_ids_and_answers_always_pair_up(acts: list[tuple[str, str, str]]) -> None:
    """Whatever is asked, refused and ended: no answer has two ids, no bound is passed."""
    connection = connect(max_open_answers=2)
    open_ids: dict[str, str] = {}
    for act, id, answer in acts:  # noqa: A001 - as the field is called
        if act in ("ask", "resume"):
            resume = {"type": "resume", "id": id, "answer": answer}
            asked = ask(connection, id) if act == "ask" else say(connection, **resume)
            assert not asked or id not in open_ids
            if asked:
                open_ids[id] = ""
        elif act == "accepted" and open_ids.get(id) == "":
            former = connection.accepted(id, answer)
            assert open_ids.pop(former, answer) == answer
            assert answer not in open_ids.values()
            open_ids[id] = answer
        elif act == "refused" and id in open_ids:
            connection.refused(id, errors.NotFound("gone"))
            del open_ids[id]
        elif act == "ended" and open_ids.get(id):
            connection.ended(id)
            del open_ids[id]
        assert connection.open_ids == len(open_ids) <= 2


@given(st.lists(st.text(max_size=20), max_size=10))
def test_no_text_breaks_the_machine(texts: list[str]) -> None:
    connection = connect()
    for text in texts:
        assert connection.receive(text, 0.0) == []
    assert connection.closing in (None, close_codes.BAD_FRAME)


def test_a_bucket_gives_back_what_time_brings() -> None:
    bucket = TokenBucket(rate=2, burst=1, now=0.0)
    assert bucket.take(0.0)
    assert not bucket.take(0.4)
    assert bucket.take(0.5)


def test_an_allowance_comes_back_at_its_rate_and_never_exceeds_its_burst() -> None:
    bucket = TokenBucket(rate=2, burst=5, now=100.0)
    assert [bucket.take(100.0) for _ in range(6)] == [True] * 5 + [False]
    assert [bucket.take(101.0) for _ in range(3)] == [True, True, False]
    assert [bucket.take(1000.0) for _ in range(6)] == [True] * 5 + [False]
    assert bucket.take(1002.0, 4)
    assert not bucket.take(1002.4)
    assert bucket.take(1002.5)
    assert not bucket.take(2000.0, 6)
    assert bucket.take(2000.0, 5)


def test_a_connection_may_send_its_burst_and_then_its_rate() -> None:
    """What is refused closes; a client that keeps to the rate never is."""
    connection = connect(frame_burst=3, frames_per_second=2)
    ping = json.dumps({"type": "ping"})
    times = [10.0] * 3 + [10.5, 11.0, 11.5, 12.5, 12.5]
    for at in times:
        connection.receive(ping, at)
    assert connection.closing is None
    assert [frame["type"] for frame in sent(connection)] == ["pong"] * len(times)
    connection.receive(ping, 12.5)
    assert connection.closing is close_codes.FLOOD


@pytest.mark.parametrize("letter", ["x", "é", "😀"])
def test_a_frame_is_measured_in_bytes(letter: str) -> None:
    """One of exactly the limit is taken; a byte more is not."""
    frame = json.dumps({"type": "cancel", "answer": letter}, ensure_ascii=False)
    size = len(frame.encode())
    for limit, closing in ((size, None), (size - 1, close_codes.TOO_BIG)):
        connection = connect(max_frame_bytes=limit)
        connection.receive(frame, 0.0)
        assert connection.closing is closing


def test_an_id_that_is_used_for_two_answers_is_told_which() -> None:
    connection = connect()
    say(connection, "resume", id="7", answer=ANSWER)
    connection.accepted("7", ANSWER)
    [accepted] = sent(connection)
    assert accepted == {"type": "accepted", "id": "7", "answer": ANSWER, "session": SESSION}
    say(connection, "resume", id="7", answer=ANSWER)
    assert sent(connection) == [accepted]
    say(connection, "resume", id="7", answer=f"{SESSION}/answers/3")
    [refused] = sent(connection)
    assert refused["id"] == "7"
    [detail] = refused["error"]["details"]
    assert detail["reason"] == "ID_IN_USE"
    assert detail["metadata"]["id"] == "7"
    assert refused["error"]["message"]


def test_an_answer_that_is_followed_anew_names_the_id() -> None:
    connection = connect()
    for each in ("1", "2"):
        say(connection, "resume", id=each, answer=ANSWER)
    assert connection.accepted("1", ANSWER) == ""
    assert connection.accepted("2", ANSWER) == "1"
    _, refused, _ = sent(connection)
    assert refused["id"] == "1"
    assert refused["error"]["details"][0]["metadata"]["id"] == "2"
    assert refused["error"]["message"]
    connection.ended("1")  # which is no longer the answer's
    connection.ended("never")
    assert connection.is_accepted("2")
    assert connection.accepted("3", ANSWER) == "2"


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


def test_an_id_has_128_characters_at_most() -> None:
    connection = connect()
    longest = "x" * 128
    assert ask(connection, longest)
    say(connection, "answer", id=longest, servingConfig="nonsense", request={})
    [refused] = sent(connection)
    assert refused["id"] == longest
    connection = connect()
    ask(connection, longest + "x")
    assert connection.closing is close_codes.BAD_FRAME
