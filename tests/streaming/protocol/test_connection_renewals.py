"""A connection lives as long as its tokens: properties of the machine under any clock."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sessions import errors
from streaming.protocol import close_codes
from streaming.protocol.connection_commands import Authenticate
from streaming.protocol.connection_machine import ConnectionMachine, ConnectionState
from streaming.protocol.frame_limits import AUTH_BYTES
from tests.streaming.protocol.machine_helpers import connect, say, sent

ADA = "user:p:ada"
SECONDS = st.floats(0, 1000, allow_nan=False)
LIVES = st.floats(0.01, 1000, allow_nan=False)


def let_in(life: float = 60.0) -> ConnectionMachine:
    """Return the connection of Ada, whose token holds for *life* seconds from 0 on."""
    connection = connect(authenticate=True)
    connection.authenticated(ADA, 0.0, life)
    sent(connection)
    return connection


@given(
    st.lists(
        st.one_of(st.tuples(st.just("wait"), SECONDS), st.tuples(st.just("renew"), LIVES)),
        max_size=30,
    )
)
def test_it_is_open_exactly_while_its_newest_token_holds(steps: list[tuple[str, float]]) -> None:
    connection, now, holds = let_in(), 0.0, 60.0
    for step, seconds in steps:
        if step == "wait":
            now += seconds
            connection.tick(now)
        elif now < holds:
            connection.authenticated(ADA, now, now + seconds)
            holds = now + seconds
        if now >= holds:
            assert connection.closing is close_codes.EXPIRED
            return
        assert connection.closing is None
        assert connection.deadline == holds


@given(LIVES, LIVES)
def test_after_its_end_nothing_is_done_nor_said(life: float, late: float) -> None:
    connection = let_in(life)
    connection.tick(life)
    assert say(connection, "ping") == []
    connection.authenticated(ADA, life, life + late)  # it was being verified when the end came
    connection.rejected(errors.Unavailable("no", reason="AWAY"))
    assert connection.state is ConnectionState.CLOSING
    assert connection.closing is close_codes.EXPIRED
    assert sent(connection) == []


@given(st.text(min_size=1), LIVES)
def test_a_token_of_another_principal_ends_it(other: str, life: float) -> None:
    connection = let_in()
    connection.authenticated(other, 1.0, 1.0 + life)
    assert (connection.closing is close_codes.OTHER_PRINCIPAL) == (other != ADA)


@given(LIVES, SECONDS)
def test_each_ready_tells_how_long_the_token_holds(life: float, now: float) -> None:
    connection = connect(authenticate=True)
    connection.authenticated(ADA, now, now + life)
    (ready,) = sent(connection)
    assert math.isclose(ready["expiresIn"], life, abs_tol=0.001)
    connection.authenticated(ADA, now)
    (again,) = sent(connection)
    assert "expiresIn" not in again
    assert again["client"] == ready["client"]


def test_a_token_that_has_ended_lets_nobody_in() -> None:
    connection = connect(authenticate=True)
    connection.authenticated(ADA, 3.0, 3.0)
    assert connection.closing is close_codes.EXPIRED
    assert sent(connection) == []


def test_whom_to_ask_being_away_the_token_of_before_holds() -> None:
    connection = let_in()
    assert say(connection, "auth", token="new") == [Authenticate("new")]
    connection.rejected(errors.Unavailable("Redis is away", reason="REDIS_AWAY"))
    (told,) = sent(connection)
    assert told["error"]["details"][0]["reason"] == "REDIS_AWAY"
    assert connection.closing is None
    assert connection.deadline == 60.0


def test_a_second_token_is_no_larger_than_the_first() -> None:
    connection = let_in()
    assert say(connection, "auth", token="t" * (AUTH_BYTES + 1)) == []
    assert connection.closing is close_codes.TOO_LARGE


def test_what_is_open_stays_open_through_a_renewal() -> None:
    connection = let_in()
    answer = "projects/p/locations/l/collections/c/dataStores/d/sessions/1/answers/2"
    say(connection, "resume", id="1", answer=answer)
    connection.accepted("1", answer)
    connection.authenticated(ADA, 30.0, 90.0)
    kinds: list[Any] = [frame["type"] for frame in sent(connection)]
    assert kinds == ["accepted", "ready"]
    assert connection.is_accepted("1")
