"""What of the writing of a text shows in the steps of its answer."""

from __future__ import annotations

from service.answering.pipeline.growing_text import LONGEST_THOUGHT, WritingStep
from service.generation.generator import Piece
from sessions.resources.answers import Answer, Step, StepState
from streaming.log.events import AnswerEvent, StepChanged


def shown(step: WritingStep, *pieces: Piece) -> list[tuple[str, str]]:
    """Return the states and thoughts that are told of a text in *pieces*."""
    return told(*(event for piece in pieces for event in step.feed(piece)), *step.finish())


def told(*events: AnswerEvent) -> list[tuple[str, str]]:
    changed = [event.step for event in events if isinstance(event, StepChanged)]
    return [(step.state.name, step.thought) for step in changed]


def thought(text: str) -> Piece:
    return Piece("", thought=text)


def test_a_text_without_thoughts_has_no_step() -> None:
    assert shown(WritingStep(Answer()), Piece("It costs"), Piece(" 5 euros.")) == []


def test_thoughts_are_told_with_the_text_that_follows() -> None:
    pieces = (thought("\nHm. "), thought("So.\n"), Piece("It "), Piece("is 5."))
    assert shown(WritingStep(Answer()), *pieces) == [
        ("IN_PROGRESS", "Hm. So."),
        ("SUCCEEDED", "Hm. So."),
    ]


def test_thoughts_between_texts_are_told_with_the_end() -> None:
    pieces = (thought("Hm. "), Piece("It is 5."), thought("Or 6?"), Piece(" Or 6."))
    assert shown(WritingStep(Answer()), *pieces) == [
        ("IN_PROGRESS", "Hm."),
        ("SUCCEEDED", "Hm. Or 6?"),
    ]


def test_thoughts_without_a_text_are_not_told() -> None:
    step = WritingStep(Answer())
    assert shown(step, thought("Hm.")) == []
    assert told(step.fail()) == [("FAILED", "")]


def test_a_text_that_breaks_off_keeps_its_thoughts() -> None:
    step = WritingStep(Answer())
    shown(step, thought("Hm."), Piece("It is"))
    assert told(step.fail()) == [("FAILED", "Hm.")]


def test_the_thoughts_of_an_earlier_writer_make_room_for_new_ones() -> None:
    earlier = Step(state=StepState.IN_PROGRESS, thought="Old.")
    written = Answer(steps=(Step(state=StepState.SUCCEEDED), earlier))
    assert shown(WritingStep(written), Piece("It is 5.")) == [("SUCCEEDED", "Old.")]
    assert shown(WritingStep(written), thought("New."), Piece("It is 5."))[-1] == (
        "SUCCEEDED",
        "New.",
    )


def test_thoughts_are_bounded() -> None:
    pieces = (*(thought("Hm. " * 1_000) for _ in range(9)), Piece("It is 5."))
    assert len(shown(WritingStep(Answer()), *pieces)[-1][1]) <= LONGEST_THOUGHT
