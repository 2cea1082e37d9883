"""The facts about one answer, in the order in which they happen.

An answer is the fold of its events (`streaming.log.answer_machine`). Events are our own messages,
not documented ones: a tagged union that is stored in the log and never shown to a client as such.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final

import msgspec

from sessions.resources import answers


class Event(msgspec.Struct, frozen=True, tag_field="type", omit_defaults=True, array_like=False):
    """A fact about one answer."""


class Started(Event, frozen=True, tag="started"):
    """The generation began; always first, exactly once an epoch."""

    at: dt.datetime


class QueryUnderstood(Event, frozen=True, tag="understood"):
    """The query was classified."""

    info: answers.QueryUnderstandingInfo


class StepChanged(Event, frozen=True, tag="step"):
    """The step at *index* is new or has changed; it is given whole."""

    index: int
    step: answers.Step


class ReferencesFound(Event, frozen=True, tag="references"):
    """All references of the answer; at most once, before any text.

    In the log the bytes of *attachments* stand for them (`streaming.reading.sources.LogSource`).
    """

    references: tuple[answers.Reference, ...]
    attachments: tuple[answers.BlobAttachment, ...] = ()


class TextAppended(Event, frozen=True, tag="text"):
    """The next piece of the answer text: never empty, never half a character."""

    text: str


class Cited(Event, frozen=True, tag="citations"):
    """New citations, in bytes of the whole text so far."""

    citations: tuple[answers.Citation, ...]


class Grounded(Event, frozen=True, tag="grounding"):
    """The claims of the text were scored; after all text."""

    supports: tuple[answers.GroundingSupport, ...]
    score: float | None = None


class RelatedFound(Event, frozen=True, tag="related"):
    """Questions that the same documents answer."""

    questions: tuple[str, ...]


class SafetyRated(Event, frozen=True, tag="safety"):
    """The text was rated for harm."""

    ratings: tuple[answers.SafetyRating, ...]


class Skipped(Event, frozen=True, tag="skipped"):
    """There is no answer, for documented *reasons*; *text* is the fallback text.

    It is only allowed before any text and is followed by `Succeeded`.
    """

    reasons: tuple[answers.AnswerSkippedReason, ...]
    text: str


class Succeeded(Event, frozen=True, tag="succeeded"):
    """The answer is complete."""

    at: dt.datetime


class Failed(Event, frozen=True, tag="failed"):
    """The answer ended early; the text so far is kept.

    *reason* is UPPER_SNAKE: CANCELLED, DEADLINE_EXCEEDED, WRITER_LOST, GENERATOR_FAILED, …
    *code* is the google.rpc.Code that the reason belongs to.
    """

    at: dt.datetime
    reason: str
    message: str
    code: int = 13


AnswerEvent = (
    Started
    | QueryUnderstood
    | StepChanged
    | ReferencesFound
    | TextAppended
    | Cited
    | Grounded
    | RelatedFound
    | SafetyRated
    | Skipped
    | Succeeded
    | Failed
)

TERMINAL: Final = (Succeeded, Failed)


def joined(events: Sequence[AnswerEvent]) -> list[AnswerEvent]:
    """Return *events* with neighbouring pieces of text made one.

    Pieces that wait for the same batch would be told in the same instant: they waited because the
    source is faster than the log, and one entry is then less work for everyone.
    """
    result: list[AnswerEvent] = []
    texts: list[str] = []
    for event in events:
        if type(event) is TextAppended:
            texts.append(event.text)
            continue
        if texts:
            result.append(TextAppended(text="".join(texts)))
            texts = []
        result.append(event)
    if texts:
        result.append(TextAppended(text="".join(texts)))
    return result
