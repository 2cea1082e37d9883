"""Histories of one answer, drawn at random: the events that the machine takes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Final

from hypothesis import strategies as st

from sessions.errors import FailedPrecondition
from sessions.resources import answers
from streaming.log import events
from streaming.log.answer_machine import AnswerMachine

AT: Final = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)

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


def fold(history: Iterable[events.AnswerEvent], *, name: str = "") -> AnswerMachine:
    """Return the machine of the answer *name* after a lawful *history*."""
    machine = AnswerMachine(name)
    for event in history:
        machine.apply(event)
    return machine


@st.composite
def lawful(draw: st.DrawFn) -> list[events.AnswerEvent]:
    """A lawful history: random events, without those that were refused."""
    answer = AnswerMachine()
    history: list[events.AnswerEvent] = []
    for event in [events.Started(at=AT), *draw(st.lists(any_event, max_size=25))]:
        try:
            answer.apply(event)
        except FailedPrecondition:
            continue
        history.append(event)
    return history
