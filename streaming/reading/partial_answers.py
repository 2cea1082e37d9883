"""Tell a reader what some events add to an answer, as an Answer that holds only that."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any, Final, assert_never

import msgspec

from sessions.resources import answers
from streaming.log import events

NO_STEP: Final = answers.Step()
"""Stands for a step that did not change; no step that is told says as little."""


def partial(told: Iterable[events.AnswerEvent]) -> answers.Answer:
    """Return the element that tells a reader *told* and nothing else.

    ``answer_text`` and ``citations`` are what came, to be appended; everything else is whole, to
    replace what the reader has, except that an empty step stands for one that did not change.
    The state is STREAMING, or IN_PROGRESS where only the start is told, until the terminal event,
    whose state and completion time it then has. *told* follows the laws of `AnswerMachine`.
    """
    whole = answers.Answer(state=answers.State.IN_PROGRESS)
    text: list[str] = []
    citations: list[answers.Citation] = []
    steps: list[answers.Step] = []
    created: dt.datetime | None = None
    for event in told:
        match event:
            case events.Started(at=at):
                created = created or at
                continue
            case events.TextAppended(text=piece):
                text.append(piece)
            case events.Skipped():
                text.append(event.text)
            case events.Cited():
                citations += event.citations
            case events.StepChanged(index=index, step=step):
                steps += [NO_STEP] * (index + 1 - len(steps))
                steps[index] = step
            case _:
                pass
        whole = msgspec.structs.replace(whole, **_fields(event))
    return msgspec.structs.replace(
        whole,
        answer_text="".join(text),
        citations=tuple(citations),
        steps=tuple(steps),
        create_time=created,
    )


def _fields(event: events.AnswerEvent) -> dict[str, Any]:
    """Return the fields that *event* sets as a whole; an empty list says nothing."""
    fields: dict[str, Any]
    match event:
        case events.TextAppended() | events.Cited() | events.StepChanged() | events.Started():
            fields = {}
        case events.QueryUnderstood(info=info):
            fields = {"query_understanding_info": info}
        case events.ReferencesFound(references=references, attachments=attachments):
            fields = {"references": references, "blob_attachments": attachments}
        case events.Grounded(supports=supports, score=score):
            fields = {"grounding_supports": supports, "grounding_score": score}
        case events.RelatedFound(questions=questions):
            fields = {"related_questions": questions}
        case events.SafetyRated(ratings=ratings):
            fields = {"safety_ratings": ratings}
        case events.Skipped(reasons=reasons):
            fields = {"answer_skipped_reasons": reasons}
        case events.Succeeded(at=at):
            return {"state": answers.State.SUCCEEDED, "complete_time": at}
        case events.Failed(at=at):
            return {"state": answers.State.FAILED, "complete_time": at}
        case _:
            assert_never(event)
    told = {field: value for field, value in fields.items() if value not in ((), None)}
    return {"state": answers.State.STREAMING} | told
