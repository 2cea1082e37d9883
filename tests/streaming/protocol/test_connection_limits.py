"""How much and how often a client may speak on one connection."""

from __future__ import annotations

import json

import pytest

from streaming.protocol import close_codes, frames
from tests.streaming.protocol.machine_helpers import (
    ANSWER,
    ask,
    connect,
    refusals,
    say,
    sent,
)


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
