"""How events become the elements that a reader sees."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.resources import answers
from sessions.resources.answers import State
from streaming.log import events
from streaming.log.event_log import LogEntry
from streaming.log.positions import Position
from streaming.protocol import frames, rpc_status
from streaming.reading import element_frames, elements
from streaming.reading.elements import ElementBuilder, PlacedElement
from tests.streaming.reading.reading_doubles import (
    ANSWER,
    AT,
    CANCELLED,
    SESSION,
    STARTED,
    STORE,
    SUCCEEDED,
    Reader,
    step,
    story,
    text,
)

ENVELOPE = elements.envelope(ANSWER)


def entries(*told: events.AnswerEvent, epoch: int = 1, reset: bool = False) -> list[LogEntry]:
    return [
        LogEntry(Position(epoch, seq), event, reset and seq == 0) for seq, event in enumerate(told)
    ]


def told(element: PlacedElement) -> answers.Answer:
    assert element.response.answer is not None
    return element.response.answer


def test_what_is_the_same_in_all_elements() -> None:
    first, second = ElementBuilder(ENVELOPE).live(entries(STARTED, text("a")))
    for element in (first, second):
        assert told(element).name == ANSWER
        assert element.response.session is not None
        assert element.response.session.name == SESSION
        assert element.response.answer_query_token == elements.token(ANSWER) != ""


def test_a_conversation_is_no_session() -> None:
    wrapped = elements.envelope(f"{STORE}/conversations/1/answers/2").wrap(answers.Answer())
    assert wrapped.session is None


def test_tokens_differ_between_answers() -> None:
    assert elements.token(ANSWER) != elements.token(f"{SESSION}/answers/3")


def test_live_text_in_a_row_is_one_element_and_all_else_its_own() -> None:
    """References come before any text, whatever is acknowledged together."""
    live = ElementBuilder(ENVELOPE).live(entries(*story("a", "b")[:-1]))
    reader = Reader().take(live)
    assert reader.text == "ab"
    assert [told(element).state for element in live[:2]] == [State.IN_PROGRESS, State.STREAMING]
    batch = ElementBuilder(ENVELOPE).live(
        entries(STARTED, text("a"), text("b"), step(0, "s"), text("c"))
    )
    assert [told(element).answer_text for element in batch] == ["", "ab", "", "c"]
    assert [element.position.seq for element in batch] == [0, 2, 3, 4]


def test_a_changed_step_is_told_with_those_before_it() -> None:
    teller = ElementBuilder(ENVELOPE)
    told_steps = [
        [one.description for one in told(element).steps]
        for element in teller.live(entries(step(0, "a"), step(1, "b"), step(0, "c")))
    ]
    assert told_steps == [["a"], ["a", "b"], ["c", "b"]]


def test_a_replay_is_one_element() -> None:
    element = ElementBuilder(ENVELOPE).replay(entries(*story("é", "b")[:-1]))
    reader = Reader().take([element])
    assert (reader.text, reader.elements) == ("éb", 1)
    assert len(told(element).citations) == 2
    assert told(element).related_questions == ("Why?",)
    assert not element.reset


def test_a_replay_leaves_out_what_was_written_anew() -> None:
    first = entries(STARTED, step(0, "old"), text("old"))
    second = entries(STARTED, text("new"), epoch=2, reset=True)
    element = ElementBuilder(ENVELOPE).replay(first + second)
    assert (told(element).answer_text, told(element).steps, element.reset) == ("new", (), True)


def test_an_answer_written_anew_resets_live() -> None:
    teller = ElementBuilder(ENVELOPE)
    teller.live(entries(STARTED, step(0, "old")))
    start, changed = teller.live(entries(STARTED, step(1, "b"), epoch=2, reset=True))
    assert (start.reset, changed.reset) == (True, False)
    assert [one.description for one in told(changed).steps] == ["", "b"]


def test_the_end_is_the_whole_answer_and_why_it_failed() -> None:
    whole = answers.Answer(name=ANSWER, state=State.FAILED, answer_text="a")
    end = ElementBuilder(ENVELOPE).end(LogEntry(Position(1, 5), CANCELLED), whole)
    assert told(end) == whole
    assert end.is_terminal
    assert end.error is not None
    assert (end.error.code, rpc_status.reason(end.error)) == (1, "CANCELLED")


def test_a_good_end_has_no_error() -> None:
    whole = answers.Answer(name=ANSWER, state=State.SUCCEEDED)
    assert ElementBuilder(ENVELOPE).end(LogEntry(Position(1, 5), SUCCEEDED), whole).error is None


def test_a_stored_failure_says_that_its_reason_is_forgotten() -> None:
    failed = answers.Answer(name=ANSWER, state=State.FAILED, complete_time=AT)
    element = ElementBuilder(ENVELOPE).stored(failed, reset=True)
    assert element.error is not None
    assert (rpc_status.reason(element.error), element.reset) == ("ANSWER_FAILED", True)


@pytest.mark.parametrize("id", ["1", 'a"\\b', "é\u2028", "0" * 128])
@given(piece=st.text(min_size=1), seq=st.integers(0, 10**15 - 1))
def test_the_short_way_writes_what_the_long_way_writes(id: str, piece: str, seq: int) -> None:
    """Ninety-nine of a hundred frames are written without building an element."""
    position = Position(3, seq)
    element = ElementBuilder(ENVELOPE).live([LogEntry(position, text(piece))])[0]
    short = element_frames.Template(id, ENVELOPE).text(position, piece)
    assert msgspec.json.decode(short) == msgspec.json.decode(element_frames.frame(id, element))
    frame = frames.decode_server(short)
    assert isinstance(frame, frames.Element)
    assert frame.response == element.response
