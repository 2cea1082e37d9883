"""The laws of an answer's events, held against a naive second telling of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions import resource_states
from sessions.errors import FailedPrecondition
from sessions.resources import answers
from streaming.log import answer_machine, events
from streaming.log.answer_machine import AnswerPhase
from tests.streaming.log.histories import AT, any_event, fold, lawful

# --- The laws, told naively over the whole history -----------------------------------------------


def text_of(history: Sequence[events.AnswerEvent]) -> str:
    told = [e.text for e in history if isinstance(e, events.TextAppended | events.Skipped)]
    return "".join(told)


def epoch_of(history: Sequence[events.AnswerEvent]) -> Sequence[events.AnswerEvent]:
    starts = [n for n, event in enumerate(history) if isinstance(event, events.Started)]
    return history[starts[-1] :]


def spans_hold(
    history: Sequence[events.AnswerEvent],
    spans: Sequence[answers.Citation | answers.GroundingSupport],
    end: int,
) -> bool:
    told = [len(e.references) for e in history if isinstance(e, events.ReferencesFound)]
    known = {str(n) for n in range(next((count for count in reversed(told) if count), 0))}
    text = text_of(history).encode()
    for span in spans:
        start, stop = int(span.start_index), int(span.end_index)
        ids = [source.reference_id for source in span.sources]
        if start < end or stop <= start or stop > len(text):
            return False
        try:
            text[start:stop].decode()
        except UnicodeDecodeError:
            return False
        if len(set(ids)) < len(ids) or not known.issuperset(ids):
            return False
        end = stop
    return True


def is_lawful(history: Sequence[events.AnswerEvent], event: events.AnswerEvent) -> bool:
    kinds = [type(told) for told in history]
    text = text_of(history)
    if not history:
        return isinstance(event, events.Started)
    if events.Succeeded in kinds or events.Failed in kinds:
        return False
    skipped = events.Skipped in kinds
    match event:
        case events.TextAppended():
            whole = event.text != "" and "\ud83d" not in event.text
            return whole and not skipped and events.Grounded not in kinds
        case events.Skipped():
            return not text and not skipped and bool(event.reasons)
        case events.ReferencesFound():
            new = events.ReferencesFound not in map(type, epoch_of(history))
            return not text and not skipped and new
        case events.StepChanged():
            steps = {e.index for e in history if isinstance(e, events.StepChanged)}
            return 0 <= event.index <= len(steps) and event.step != answers.Step()
        case events.Cited():
            cited = [e.citations[-1] for e in history if isinstance(e, events.Cited)]
            end = int(cited[-1].end_index) if cited else 0
            sourced = bool(event.citations) and all(c.sources for c in event.citations)
            return not skipped and sourced and spans_hold(history, event.citations, end)
        case events.Grounded():
            first = events.Grounded not in map(type, epoch_of(history))
            return first and bool(text) and not skipped and spans_hold(history, event.supports, 0)
        case events.SafetyRated():
            return len({r.category for r in event.ratings}) == len(event.ratings)
        case _:
            return True


# --- Facts ---------------------------------------------------------------------------------------


@given(st.lists(any_event, max_size=25))
def test_the_machine_accepts_exactly_the_lawful_events(drawn: list[events.AnswerEvent]) -> None:
    """Every refused event leaves the answer as it was, and says why."""
    answer = answer_machine.AnswerMachine("a")
    history: list[events.AnswerEvent] = []
    for event in [events.Started(at=AT), *drawn]:
        before = answer.answer
        if is_lawful(history, event):
            answer.apply(event)
            history.append(event)
        else:
            with pytest.raises(FailedPrecondition) as refusal:
                answer.apply(event)
            assert answer.answer == before
            assert refusal.value.reason in {"ANSWER_FINISHED", "EVENT_NOT_ALLOWED"}
    assert answer.answer.answer_text == text_of(history)


REFERENCE = answers.Reference(chunk_info=answers.ChunkInfo(chunk="0"))
CITATION = answers.Citation(
    start_index="0", end_index="1", sources=(answers.CitationSource(reference_id="0"),)
)
SAMPLES: Mapping[type[events.Event], events.AnswerEvent] = {
    type(event): event
    for event in (
        events.Started(at=AT),
        events.QueryUnderstood(answers.QueryUnderstandingInfo()),
        events.StepChanged(0, answers.Step(description="search")),
        events.ReferencesFound((REFERENCE,)),
        events.TextAppended(text="text"),
        events.Cited((CITATION,)),
        events.Grounded((answers.GroundingSupport(start_index="0", end_index="1"),)),
        events.RelatedFound(("and then?",)),
        events.SafetyRated(()),
        events.Skipped((answers.AnswerSkippedReason.NO_RELEVANT_CONTENT,), "no"),
        events.Succeeded(at=AT),
        events.Failed(at=AT, reason="CANCELLED", message="stopped"),
    )
}
"""One of each; a citation needs a reference, so none of these is refused for what it holds."""
WAYS: Mapping[AnswerPhase, Sequence[type[events.Event]]] = {
    AnswerPhase.NEW: (),
    AnswerPhase.STARTED: (events.Started,),
    AnswerPhase.REFERENCED: (events.Started, events.ReferencesFound),
    AnswerPhase.TEXT: (events.Started, events.ReferencesFound, events.TextAppended),
    AnswerPhase.PROVEN: (
        *(events.Started, events.ReferencesFound, events.TextAppended),
        events.Grounded,
    ),
    AnswerPhase.RESUMED: (
        *(events.Started, events.ReferencesFound, events.TextAppended),
        *(events.Grounded, events.Started),
    ),
    AnswerPhase.SKIPPED: (events.Started, events.Skipped),
    AnswerPhase.ENDED: (events.Started, events.Failed),
}


@pytest.mark.parametrize("kind", SAMPLES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("phase", AnswerPhase)
def test_the_machine_goes_where_it_is_drawn(phase: AnswerPhase, kind: type[events.Event]) -> None:
    """Every event in every phase: taken or refused, in the order that clients see as well."""
    history = [SAMPLES[each] for each in WAYS[phase]]
    answer = fold(history)
    before = answer.answer
    assert answer.phase is phase
    drawn = answer_machine.FOLLOWS[phase].get(kind)
    assert (drawn is not None) == is_lawful(history, SAMPLES[kind])
    if drawn is None:
        with pytest.raises(FailedPrecondition):
            answer.apply(SAMPLES[kind])
        assert (answer.phase, answer.answer) == (phase, before)
    else:
        answer.apply(SAMPLES[kind])
        state = answer.answer.state
        assert answer.phase is drawn
        assert state is before.state or state in resource_states.ANSWER[before.state]


@given(lawful())
def test_every_stored_citation_is_a_slice_of_the_text(history: list[events.AnswerEvent]) -> None:
    answer = fold(history).answer
    text = answer.answer_text.encode()
    for citation in answer.citations:
        assert text[int(citation.start_index) : int(citation.end_index)].decode()


def test_the_first_text_makes_the_answer_streaming() -> None:
    answer = fold([events.Started(at=AT)])
    assert answer.answer.state is answers.State.IN_PROGRESS
    answer.apply(events.TextAppended(text="é"))
    assert answer.answer.state is answers.State.STREAMING


def test_a_failed_answer_keeps_its_text() -> None:
    answer = fold(
        [
            events.Started(at=AT),
            events.TextAppended(text="so far"),
            events.Failed(at=AT, reason="CANCELLED", message="stopped"),
        ]
    )
    assert answer.done
    assert answer.answer == answers.Answer(
        state=answers.State.FAILED, answer_text="so far", create_time=AT, complete_time=AT
    )


def test_a_step_that_a_failure_broke_off_has_failed() -> None:
    searching = answers.Step(state=answers.StepState.IN_PROGRESS, description="search")
    done = answers.Step(state=answers.StepState.SUCCEEDED, description="rephrase")
    history: list[events.AnswerEvent] = [
        events.Started(at=AT),
        events.StepChanged(0, done),
        events.StepChanged(1, searching),
        events.Failed(at=AT, reason="DEADLINE_EXCEEDED", message="too long"),
    ]
    assert [step.state.name for step in fold(history).answer.steps] == ["SUCCEEDED", "FAILED"]
    history[-1] = events.Succeeded(at=AT)
    assert fold(history).answer.steps[1] is searching


def test_appending_costs_the_piece_not_the_answer() -> None:
    """100,000 pieces make no more than one copy of the text when they are read."""
    answer = fold([events.Started(at=AT)])
    for _ in range(100_000):
        answer.apply(events.TextAppended(text="word "))
    assert answer.answer is answer.answer
    assert len(answer.answer.answer_text) == 500_000
