"""The laws of an answer's events, held against a naive second telling of them."""

from __future__ import annotations

import datetime as dt
import functools
import itertools
from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.errors import FailedPrecondition
from sessions.resources import answers
from streaming.log import events, machine

AT = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)

# --- Events, lawful or not -----------------------------------------------------------------------

offsets = st.integers(-1, 9).map(str)
sources = st.lists(
    st.builds(answers.CitationSource, reference_id=st.sampled_from(["0", "1", "2", "x", ""])),
    max_size=2,
).map(tuple)
times = st.integers(0, 9).map(lambda n: AT + dt.timedelta(seconds=n))
texts = st.text(alphabet="aé€😀 ", max_size=3)
citation_events = st.builds(
    events.Cited,
    citations=st.lists(
        st.builds(answers.Citation, start_index=offsets, end_index=offsets, sources=sources),
        max_size=2,
    ).map(tuple),
)
grounding_events = st.builds(
    events.Grounded,
    supports=st.lists(
        st.builds(
            answers.GroundingSupport, start_index=offsets, end_index=offsets, sources=sources
        ),
        max_size=2,
    ).map(tuple),
    score=st.none() | st.floats(0, 1),
)
step_events = st.builds(
    events.StepChanged,
    index=st.integers(-1, 2),
    step=st.builds(answers.Step, description=st.sampled_from(["", "search", "rephrase"])),
)
reference_events = st.integers(0, 2).map(
    lambda count: events.ReferencesFound(
        tuple(answers.Reference(chunk_info=answers.ChunkInfo(chunk=str(n))) for n in range(count))
    )
)
rating_events = st.lists(
    st.builds(answers.SafetyRating, category=st.sampled_from(list(answers.HarmCategory)[:3])),
    max_size=2,
).map(lambda ratings: events.SafetyRated(tuple(ratings)))
skip_events = st.builds(
    events.Skipped,
    reasons=st.lists(
        st.sampled_from([answers.AnswerSkippedReason.NO_RELEVANT_CONTENT]), max_size=1
    ).map(tuple),
    text=texts,
)
text_events = st.builds(events.TextAppended, text=texts | st.just("\ud83d"))
any_event: st.SearchStrategy[events.AnswerEvent] = st.one_of(
    st.builds(events.Started, at=times),
    text_events,
    text_events,
    citation_events,
    citation_events,
    grounding_events,
    step_events,
    reference_events,
    rating_events,
    skip_events,
    st.builds(
        events.QueryUnderstood,
        info=st.just(answers.QueryUnderstandingInfo())
        | st.just(
            answers.QueryUnderstandingInfo(
                query_classification_info=(answers.QueryClassificationInfo(positive=True),)
            )
        ),
    ),
    st.builds(events.RelatedFound, questions=st.lists(texts, max_size=1).map(tuple)),
    st.builds(events.Succeeded, at=times),
    st.builds(events.Failed, at=times, reason=st.just("CANCELLED"), message=st.just("stopped")),
)

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
            return not text and events.ReferencesFound not in map(type, epoch_of(history))
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
    answer = machine.AnswerMachine("a")
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


@st.composite
def lawful(draw: st.DrawFn) -> list[events.AnswerEvent]:
    """A lawful history: random events, without those that were refused."""
    answer = machine.AnswerMachine()
    history: list[events.AnswerEvent] = []
    for event in [events.Started(at=AT), *draw(st.lists(any_event, max_size=25))]:
        try:
            answer.apply(event)
        except FailedPrecondition:
            continue
        history.append(event)
    return history


@given(lawful(), st.sets(st.integers(0, 25)))
def test_partials_of_any_split_merge_to_the_fold(
    history: list[events.AnswerEvent], cuts: set[int]
) -> None:
    edges = sorted({0, len(history), *(cut for cut in cuts if cut < len(history))})
    pieces = [history[start:stop] for start, stop in itertools.pairwise(edges)]
    merged = functools.reduce(machine.merge, map(machine.partial, pieces))
    whole = machine.fold(history)
    assert merged == machine.partial(history)
    if not whole.done:  # a partial is STREAMING as soon as it tells anything
        merged = msgspec.structs.replace(merged, state=whole.answer.state)
    assert merged == whole.answer


@given(lawful())
def test_the_pieces_of_text_concatenate_to_the_final_text(
    history: list[events.AnswerEvent],
) -> None:
    told = [machine.partial([event]).answer_text for event in history]
    assert "".join(told) == machine.fold(history).answer.answer_text


@given(lawful())
def test_every_stored_citation_is_a_slice_of_the_text(history: list[events.AnswerEvent]) -> None:
    answer = machine.fold(history).answer
    text = answer.answer_text.encode()
    for citation in answer.citations:
        assert text[int(citation.start_index) : int(citation.end_index)].decode()


def test_the_first_text_makes_the_answer_streaming() -> None:
    answer = machine.fold([events.Started(at=AT)])
    assert answer.answer.state is answers.State.IN_PROGRESS
    answer.apply(events.TextAppended(text="é"))
    assert answer.answer.state is answers.State.STREAMING


def test_a_failed_answer_keeps_its_text() -> None:
    answer = machine.fold(
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


def test_appending_costs_the_piece_not_the_answer() -> None:
    """100,000 pieces make no more than one copy of the text when they are read."""
    answer = machine.fold([events.Started(at=AT)])
    for _ in range(100_000):
        answer.apply(events.TextAppended(text="word "))
    assert answer.answer is answer.answer
    assert len(answer.answer.answer_text) == 500_000


def test_an_unchanged_step_is_empty_in_a_partial() -> None:
    """A reader that joined later keeps the steps it has."""
    second = answers.Step(description="second")
    told = machine.partial([events.StepChanged(index=1, step=second)])
    assert told.steps == (answers.Step(), second)


def test_the_start_alone_is_in_progress() -> None:
    told = machine.partial([events.Started(at=AT)], name="a")
    assert told == answers.Answer(name="a", state=answers.State.IN_PROGRESS, create_time=AT)
