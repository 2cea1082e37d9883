"""The checker finds what it is there to find: each fault below would be one of the service."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any, Final

import msgspec
import pytest

from streaming.log.event_log import LogEntry
from streaming.log.events import AnswerEvent, Failed, Started, Succeeded, TextAppended
from streaming.log.positions import Position
from tests.chaos import checking, model
from tests.chaos.checking import Kept
from tests.chaos.records import Heard, Question, Story

NOW: Final = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
NAME: Final = "s/sessions/1/answers/2"
RIGHT: Final = model.answer(1)
HALF: Final = RIGHT[: len(RIGHT) // 2]
REST: Final = RIGHT[len(HALF) :]


def log(*events: AnswerEvent, epoch: int = 1, reset: bool = False) -> list[LogEntry]:
    """Return one epoch of a log."""
    whole = (Started(at=NOW), *events)
    return [
        LogEntry(Position(epoch, seq), event, reset and not seq) for seq, event in enumerate(whole)
    ]


PLAIN: Final = log(TextAppended(text=HALF), TextAppended(text=REST), Succeeded(at=NOW))
STORED: Final = {"name": NAME, "state": "SUCCEEDED", "answerText": RIGHT}


def heard(position: str, text: str, **more: Any) -> Heard:
    epoch, _, seq = position.partition("-")
    return Heard(at=0.0, position=Position(int(epoch), int(seq)), text=text, **more)


END: Final = heard("1-3", RIGHT, terminal=True)
WHOLE: Final = (heard("1-1", HALF), heard("1-2", REST), END)


def faults(
    *told: Heard,
    entries: Sequence[LogEntry] = PLAIN,
    stored: dict[str, Any] | None = STORED,
    **story: Any,
) -> list[str]:
    """Return what is wrong where a client heard *told* and *stored* is kept."""
    about = Question(number=1, id="q1", frame={})
    known: dict[str, Any] = {"answers": {NAME}, "end": STORED} | story
    one = Story(question=about, reader="reader", heard=list(told), **known)
    return checking.check_question(about, [one], Kept(stored, entries))


def test_a_right_history_has_no_faults() -> None:
    assert faults(*WHOLE) == []


def test_a_replay_may_merge_and_begin_anew() -> None:
    merged = heard("1-2", RIGHT, fresh=True)
    assert faults(heard("1-1", HALF), merged, END) == []


@pytest.mark.parametrize(
    ("told", "fault"),
    [
        ((heard("1-1", HALF), heard("1-2", HALF + REST), END), "another text at 1-2"),
        ((heard("1-2", REST), END), "another text at 1-2"),
        ((heard("1-2", REST + HALF), END), "another text at 1-2"),
        ((*WHOLE[:2], heard("1-2", ""), END), "heard 1-2 after 1-2"),
        ((*WHOLE[:2], heard("1-7", ""), END), "1-7, which is not in the log"),
        ((WHOLE[0], heard("1-2", RIGHT, reset=True), END), "without a cause"),
        ((*WHOLE[:2], heard("1-3", HALF, terminal=True)), "another text at 1-3"),
    ],
)
def test_what_a_reader_must_not_hear(told: tuple[Heard, ...], fault: str) -> None:
    assert fault in "\n".join(faults(*told))


def test_an_end_that_is_not_told_and_one_that_is_not_stored() -> None:
    assert "never heard the end" in faults(*WHOLE[:2], end=None)[0]
    other = {**STORED, "answerText": HALF}
    assert "heard another end" in faults(*WHOLE, end=other)[0]


def test_an_answer_that_is_lost_or_stuck_or_two() -> None:
    assert faults(*WHOLE, stored=None) == ["it was accepted, and is lost"]
    assert faults(*WHOLE, stored={**STORED, "state": "STREAMING"}) == ["it is stuck: STREAMING"]
    assert "accepted as 2 answers" in faults(*WHOLE, answers={NAME, "other"})[0]


def test_a_text_that_the_model_did_not_say() -> None:
    wrong = {**STORED, "answerText": HALF}
    entries = log(TextAppended(text=HALF), Succeeded(at=NOW))
    told = (heard("1-1", HALF), heard("1-2", HALF, terminal=True))
    assert "its text is wrong" in faults(*told, entries=entries, stored=wrong, end=wrong)[0]


def test_an_answer_fails_only_for_a_reason() -> None:
    failed = {"name": NAME, "state": "FAILED", "answerText": HALF}
    end = Failed(at=NOW, reason="INTERNAL", message="", code=13)
    entries = log(TextAppended(text=HALF), end)
    told = (heard("1-1", HALF), heard("1-2", HALF, terminal=True))
    found = faults(*told, entries=entries, stored=failed, end=failed, reason="INTERNAL")
    assert found == ["it FAILED after 0 take-overs: INTERNAL"]


ANEW: Final = [
    *log(TextAppended(text=HALF)),
    *log(TextAppended(text=RIGHT), Succeeded(at=NOW), epoch=2, reset=True),
]


def test_an_answer_written_anew_says_so() -> None:
    end = heard("2-2", RIGHT, terminal=True)
    right = (heard("1-1", HALF), heard("2-0", "", reset=True), heard("2-1", RIGHT), end)
    assert faults(*right, entries=ANEW) == []
    silent = (heard("1-1", HALF), heard("2-1", RIGHT), end)
    assert "was not told that 2-1" in faults(*silent, entries=ANEW)[0]


@pytest.mark.parametrize(
    ("entries", "fault"),
    [
        ([*PLAIN[:2], *PLAIN[3:]], "its log goes from 1-1 to 1-3"),
        ([*PLAIN[:3], *log(Succeeded(at=NOW), epoch=3)], "its log goes from 1-2 to 3-0"),
        ([*PLAIN, *log(Succeeded(at=NOW), epoch=2)], "Succeeded at 1-3 of 6"),
        (PLAIN[:3], "TextAppended at 1-2 of 3"),
        ([*PLAIN[:2], LogEntry(Position(1, 2), Started(at=NOW)), PLAIN[3]], "a Started at 1-2"),
    ],
)
def test_a_log_that_two_have_written(entries: list[LogEntry], fault: str) -> None:
    assert fault in "\n".join(checking.unfolded(entries).faults)


def test_the_turns_of_a_session_are_its_answers() -> None:
    kept = [Kept(STORED, PLAIN)]
    check = checking.check_turns
    assert check("s/sessions/1", {"turns": [{"answer": NAME}]}, kept) == []
    assert "lacks 1 turns" in check("s/sessions/1", {}, kept)[0]
    assert "turns twice" in check("s/sessions/1", {"turns": [{"answer": NAME}] * 2}, kept)[0]
    strange = {"turns": [{"answer": NAME}, {"answer": "x"}]}
    assert "of nobody: ['x']" in check("s/sessions/1", strange, kept)[0]
    said: list[dict[str, Any]] = [{"userInput": {}}, {"reply": {"reply": RIGHT}}]
    assert check("s/conversations/1", {"messages": said}, kept) == []
    assert "userInput" in check("s/conversations/1", {"messages": said[:1]}, kept)[0]


def test_a_stall_is_as_long_as_nobody_hears_anything() -> None:
    about = Question(number=1, id="q1", frame={})
    one = Story(question=about, reader="a", heard=list(WHOLE[:1]))
    two = Story(question=about, reader="b")
    two.tell(msgspec.structs.replace(heard("1-2", REST), at=1.0))
    two.tell(msgspec.structs.replace(heard("2-0", ""), at=2.5))
    assert [stall.seconds for stall in checking.stalls([one, two])] == [1.5]


def test_a_lag_is_how_much_later_than_the_first_one_hears() -> None:
    about = Question(number=1, id="q1", frame={})
    one = Story(question=about, reader="a", heard=[heard("1-1", HALF)])
    two = Story(question=about, reader="b")
    two.tell(msgspec.structs.replace(heard("1-1", HALF, live=True), at=0.25))
    assert [lag.seconds for lag in checking.lags([one, two], "b")] == [0.25]


def test_violations_are_counted_by_what_is_wrong() -> None:
    about = f"projects/p/{NAME}: reader"
    told = [f"q1 {about}: heard 1-5, which is not in the log", f"q12 {about}: never heard the end"]
    told.append(f"q13 {about}: heard 2-17, which is not in the log")
    assert sorted(checking.kinds(told).values()) == [1, 2]
