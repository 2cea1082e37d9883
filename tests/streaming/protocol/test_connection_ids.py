"""An id is open until its answer has ended; an answer is followed once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sessions import errors
from streaming.protocol import close_codes
from tests.streaming.protocol.machine_helpers import (
    ANSWER,
    SESSION,
    ask,
    connect,
    refusals,
    say,
    sent,
)


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
