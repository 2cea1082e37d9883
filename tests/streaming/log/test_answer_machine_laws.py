"""Each law of the machine at its bound, one case on either side.

`test_answer_machine` draws histories at random, where what is near a bound is rare.
"""

from __future__ import annotations

import datetime as dt

import msgspec
import pytest

from sessions.errors import FailedPrecondition
from sessions.resources import answers
from streaming.log import answer_machine, events
from streaming.reading.partial_answers import partial
from tests.streaming.log.histories import fold
from tests.streaming.reading.test_partial_answers import merge

AT = dt.datetime(2025, 1, 1, tzinfo=dt.UTC)
LATER = AT + dt.timedelta(seconds=1)
STARTED = events.Started(at=AT)
TEXT = events.TextAppended(text="aé😀.")  # a at 0, é at 1, 😀 at 3, the full stop at 7, end at 8
REFERENCES = tuple(answers.Reference(chunk_info=answers.ChunkInfo(chunk=str(n))) for n in range(3))
TOLD = [STARTED, events.ReferencesFound(REFERENCES), TEXT]
REASONS = (answers.AnswerSkippedReason.NO_RELEVANT_CONTENT,)
SKIPPED = events.Skipped(reasons=REASONS, text="no")
FAILED = events.Failed(at=AT, reason="CANCELLED", message="stopped")
FIRST, SECOND = answers.Step(description="first"), answers.Step(description="second")
RATING = answers.SafetyRating(category=answers.HarmCategory.HARM_CATEGORY_HARASSMENT)


def sources(*ids: str) -> tuple[answers.CitationSource, ...]:
    return tuple(answers.CitationSource(reference_id=each) for each in ids)


def citation(start: int | str, end: int | str, *ids: str) -> answers.Citation:
    return answers.Citation(
        start_index=str(start), end_index=str(end), sources=sources(*ids or ("0",))
    )


def cited(*spans: tuple[int, int]) -> events.Cited:
    return events.Cited(tuple(citation(*span) for span in spans))


def support(start: int, end: int, *ids: str) -> answers.GroundingSupport:
    return answers.GroundingSupport(
        start_index=str(start), end_index=str(end), sources=sources(*ids)
    )


def grounded(*spans: tuple[int, int], score: float | None = None) -> events.Grounded:
    return events.Grounded(supports=tuple(support(*span) for span in spans), score=score)


@pytest.mark.parametrize(
    ("told", "event"),
    [
        (TOLD, cited((0, 8))),
        (TOLD, cited((1, 3), (3, 7))),
        (TOLD, events.Cited((citation(0, 1, "0", "2"),))),
        ([*TOLD, cited((0, 3))], cited((3, 7))),
        ([*TOLD, cited((0, 3))], cited((7, 8))),
        ([*TOLD, grounded((0, 1))], cited((0, 1))),
        ([*TOLD, cited((3, 7))], grounded((0, 1), (1, 8))),
        (TOLD, grounded()),
        ([*TOLD, grounded(), STARTED], grounded()),
        ([STARTED, events.ReferencesFound(REFERENCES), STARTED], events.ReferencesFound(())),
        ([STARTED], events.StepChanged(index=0, step=FIRST)),
        ([STARTED, events.StepChanged(index=0, step=FIRST)], events.StepChanged(1, SECOND)),
        ([STARTED, events.StepChanged(index=0, step=FIRST)], events.StepChanged(0, SECOND)),
        ([STARTED], SKIPPED),
        ([STARTED, SKIPPED], events.Succeeded(at=AT)),
        (TOLD, events.SafetyRated((RATING,))),
        (TOLD, FAILED),
    ],
)
def test_what_may_follow_is_taken(
    told: list[events.AnswerEvent], event: events.AnswerEvent
) -> None:
    fold([*told, event])


@pytest.mark.parametrize(
    ("told", "event", "law"),
    [
        ([], TEXT, "the first event is Started"),
        ([*TOLD, FAILED], TEXT, "the answer is finished"),
        ([*TOLD, FAILED], STARTED, "the answer is finished"),
        (TOLD, events.TextAppended(text=""), "a piece of text is not empty"),
        (TOLD, events.TextAppended(text="\ud83d"), "does not split a character"),
        ([*TOLD, grounded()], TEXT, "neither after Skipped nor after Grounded"),
        ([STARTED, SKIPPED], TEXT, "neither after Skipped nor after Grounded"),
        (TOLD, cited((0, 9)), "within the text so far"),
        (TOLD, cited((3, 3)), "spans are ordered"),
        (TOLD, cited((3, 1)), "spans are ordered"),
        (TOLD, cited((3, 7), (0, 1)), "spans are ordered"),
        (TOLD, cited((0, 3), (1, 7)), "spans are ordered"),
        ([*TOLD, cited((3, 7))], cited((0, 1)), "spans are ordered"),
        ([*TOLD, cited((3, 7))], cited((1, 8)), "spans are ordered"),
        (TOLD, events.Cited((citation(-1, 1),)), "spans are ordered"),
        (TOLD, events.Cited((citation("", "1"),)), "spans are ordered"),
        (TOLD, events.Cited((citation("٠", "1"),)), "spans are ordered"),
        (TOLD, cited((2, 3)), "character boundaries"),
        (TOLD, cited((1, 2)), "character boundaries"),
        (TOLD, cited((4, 7)), "character boundaries"),
        (TOLD, cited((1, 6)), "character boundaries"),
        (TOLD, grounded((3, 7), (0, 1)), "spans are ordered"),
        (TOLD, grounded((2, 3)), "character boundaries"),
        (TOLD, events.Cited(()), "a citation has a source"),
        (
            TOLD,
            events.Cited((citation(0, 1), answers.Citation(start_index="1", end_index="3"))),
            "a citation has a source",
        ),
        (TOLD, events.Cited((citation(0, 1, "3"),)), "are distinct and resolve"),
        (TOLD, events.Cited((citation(0, 1, "-1"),)), "are distinct and resolve"),
        (TOLD, events.Cited((citation(0, 1, "0", "0"),)), "are distinct and resolve"),
        (TOLD, events.Cited((citation(0, 1, "0", "00"),)), "are distinct and resolve"),
        (TOLD, events.Cited((citation(0, 1, "0", "3"),)), "are distinct and resolve"),
        ([STARTED, TEXT], cited((0, 1)), "are distinct and resolve"),
        (TOLD, events.Grounded((support(0, 1, "x"),)), "are distinct and resolve"),
        ([STARTED, SKIPPED], cited((0, 1)), "skipped has no citations"),
        ([STARTED, SKIPPED], grounded(), "once an epoch, after text"),
        ([STARTED], grounded(), "once an epoch, after text"),
        ([*TOLD, grounded()], grounded(), "once an epoch, after text"),
        (TOLD, events.StepChanged(index=1, step=FIRST), "steps come in order"),
        (TOLD, events.StepChanged(index=-1, step=FIRST), "steps come in order"),
        (TOLD, events.StepChanged(index=0, step=answers.Step()), "a step says something"),
        (TOLD, events.ReferencesFound(REFERENCES), "before any text"),
        (TOLD[:2], events.ReferencesFound(()), "references come once"),
        (TOLD, events.SafetyRated((RATING, RATING)), "one safety rating of a category"),
        (TOLD, SKIPPED, "before any text"),
        ([STARTED, SKIPPED], SKIPPED, "before any text"),
        ([STARTED, events.Skipped(reasons=REASONS, text="")], SKIPPED, "before any text"),
        ([STARTED], events.Skipped(reasons=(), text="no"), "Skipped has a reason"),
        ([STARTED], events.Skipped(reasons=REASONS, text="\ud83d"), "does not split a character"),
    ],
)
def test_what_may_not_follow_is_refused(
    told: list[events.AnswerEvent], event: events.AnswerEvent, law: str
) -> None:
    """The law is named, and the answer is as it was."""
    answer = fold(told)
    before = answer.answer
    with pytest.raises(FailedPrecondition, match=law) as refusal:
        answer.apply(event)
    finished = FAILED in told
    assert refusal.value.reason == ("ANSWER_FINISHED" if finished else "EVENT_NOT_ALLOWED")
    assert answer.answer == before


def test_everything_that_came_is_in_the_answer_in_its_order() -> None:
    """Also of a second epoch, in which what is set again replaces what was."""
    info = answers.QueryUnderstandingInfo(
        query_classification_info=(answers.QueryClassificationInfo(positive=True),)
    )
    told = [
        STARTED,
        events.QueryUnderstood(info),
        events.StepChanged(index=0, step=answers.Step(description="to be replaced")),
        events.StepChanged(index=1, step=SECOND),
        events.StepChanged(index=0, step=FIRST),
        events.ReferencesFound(REFERENCES),
        TEXT,
        cited((0, 1), (1, 3)),
        cited((3, 8)),
        grounded((0, 3), score=0.25),
        events.Started(at=LATER),
        events.Grounded(supports=(), score=None),
        events.RelatedFound(("and then?",)),
        events.SafetyRated((RATING,)),
        events.Succeeded(at=LATER),
    ]
    whole = answers.Answer(
        name="a",
        state=answers.State.SUCCEEDED,
        answer_text=TEXT.text,
        citations=(citation(0, 1), citation(1, 3), citation(3, 8)),
        references=REFERENCES,
        steps=(FIRST, SECOND),
        grounding_supports=(support(0, 3),),
        grounding_score=0.25,
        related_questions=("and then?",),
        query_understanding_info=info,
        safety_ratings=(RATING,),
        create_time=AT,
        complete_time=LATER,
    )
    assert fold(told, name="a").answer == whole
    told_to_readers = msgspec.structs.replace(whole, name="")  # their envelope has it
    assert partial(told) == told_to_readers
    for cut in range(1, len(told)):
        assert merge(partial(told[:cut]), partial(told[cut:])) == told_to_readers


def test_grounding_that_comes_again_replaces_what_was() -> None:
    told = [*TOLD, grounded((0, 1), score=0.5), STARTED, grounded((1, 3), score=0.0)]
    answer = fold(told).answer
    assert answer.grounding_supports == (support(1, 3),)
    assert answer.grounding_score == 0.0


def test_a_skipped_answer_says_so_and_keeps_its_words() -> None:
    told = fold([STARTED, SKIPPED])
    assert (told.skipped, told.text_size) == (True, 2)
    assert told.answer.answer_skipped_reasons == REASONS
    assert told.answer.answer_text == "no"
    assert told.answer.state is answers.State.IN_PROGRESS


def test_a_machine_without_a_name_makes_an_answer_without() -> None:
    assert answer_machine.AnswerMachine().answer == answers.Answer()
    assert not answer_machine.AnswerMachine().started
