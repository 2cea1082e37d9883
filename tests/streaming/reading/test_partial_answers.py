"""What readers are told piece by piece adds up to the answer."""

from __future__ import annotations

import functools
import itertools
from typing import Final

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from sessions.resources import answers
from streaming.log import events
from streaming.reading.partial_answers import NO_STEP, partial
from tests.streaming.log.histories import AT, fold, lawful

STARTED = events.Started(at=AT)
TEXT = events.TextAppended(text="text")
FIRST, SECOND = answers.Step(description="first"), answers.Step(description="second")


def merge(first: answers.Answer, second: answers.Answer) -> answers.Answer:
    """Return what a client has that was told *first*, then *second*, as the guide says."""
    changed = {
        field: value
        for field in answers.Answer.__struct_fields__
        if (value := getattr(second, field)) != getattr(_NOTHING, field)
    }
    if second.state is answers.State.IN_PROGRESS:
        del changed["state"]  # a further epoch started
    changed["answer_text"] = first.answer_text + second.answer_text
    changed["citations"] = first.citations + second.citations
    changed["steps"] = _merged_steps(first.steps, second.steps)
    changed["create_time"] = first.create_time or second.create_time
    return msgspec.structs.replace(first, **changed)


_NOTHING: Final = answers.Answer()


def _merged_steps(
    first: tuple[answers.Step, ...], second: tuple[answers.Step, ...]
) -> tuple[answers.Step, ...]:
    kept = tuple(old if new == NO_STEP else new for old, new in zip(first, second, strict=False))
    return (*kept, *first[len(kept) :], *second[len(kept) :])


@given(lawful(), st.sets(st.integers(0, 25)))
def test_partials_of_any_split_merge_to_the_fold(
    history: list[events.AnswerEvent], cuts: set[int]
) -> None:
    edges = sorted({0, len(history), *(cut for cut in cuts if cut < len(history))})
    pieces = [history[start:stop] for start, stop in itertools.pairwise(edges)]
    merged = functools.reduce(merge, map(partial, pieces))
    whole = fold(history)
    assert merged == partial(history)
    if not whole.done:  # a partial is STREAMING as soon as it tells anything
        merged = msgspec.structs.replace(merged, state=whole.answer.state)
    assert merged == whole.answer


@given(lawful())
def test_the_pieces_of_text_concatenate_to_the_final_text(
    history: list[events.AnswerEvent],
) -> None:
    told = [partial([event]).answer_text for event in history]
    assert "".join(told) == fold(history).answer.answer_text


def test_an_unchanged_step_is_empty_in_a_partial() -> None:
    """A reader that joined later keeps the steps it has."""
    second = answers.Step(description="second")
    told = partial([events.StepChanged(index=1, step=second)])
    assert told.steps == (answers.Step(), second)


def test_the_start_alone_is_in_progress() -> None:
    told = partial([STARTED])
    assert told == answers.Answer(state=answers.State.IN_PROGRESS, create_time=AT)


def test_a_step_that_did_not_change_stays_when_elements_merge() -> None:
    changed = partial([events.StepChanged(index=1, step=SECOND)])
    before = partial([STARTED, events.StepChanged(index=0, step=FIRST)])
    assert merge(before, changed).steps == (FIRST, SECOND)
    assert merge(before, partial([TEXT])).steps == (FIRST,)
    both = partial([events.StepChanged(0, FIRST), events.StepChanged(1, SECOND)])
    again = partial([events.StepChanged(index=0, step=SECOND)])
    assert merge(both, again).steps == (SECOND, SECOND)
