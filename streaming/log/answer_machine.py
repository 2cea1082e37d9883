"""Fold the events of one answer into the Answer, and refuse what cannot follow.

Their order is drawn in `FOLLOWS`; that of the states that clients see is in
`sessions.resource_states.ANSWER`. What an event holds has laws, too:

- what is set again replaces what was, but an empty list says nothing; steps have no holes;
- a citation or a grounding support lies within the bytes of the text so far, on character
  boundaries, behind the one before it, and its sources resolve;
- `Failed` keeps the text; a step that it broke off has FAILED.
"""

from __future__ import annotations

import datetime as dt
import enum
from collections.abc import Mapping, Sequence
from typing import Any, Final, assert_never

import msgspec

from sessions import resource_states
from sessions.errors import FailedPrecondition
from sessions.resources import answers
from streaming.log import events
from streaming.log.events import (
    Cited,
    Failed,
    Grounded,
    QueryUnderstood,
    ReferencesFound,
    RelatedFound,
    SafetyRated,
    Skipped,
    Started,
    StepChanged,
    Succeeded,
    TextAppended,
)

_NO_STEP: Final = answers.Step()
_CONTINUATION: Final = 0x80  # the byte inside a character: 10xxxxxx


class AnswerPhase(enum.Enum):
    """What came of an answer, as far as it decides what may come next."""

    NEW = "nothing"
    STARTED = "neither text nor, in this epoch, references"
    REFERENCED = "no text, but in this epoch references"
    TEXT = "text"
    PROVEN = "text, and in this epoch its proof"
    RESUMED = "text, and in an earlier epoch its proof"
    SKIPPED = "the reasons why there is no answer"
    ENDED = "the event that ends it"


_TEXT: Final = AnswerPhase.TEXT  # reading it from the enum costs ten times as much, for each piece

_Row = Mapping[type[events.Event], AnswerPhase]


def _stays(phase: AnswerPhase) -> _Row:
    """Return what may come at any time, and what may end an answer at any time."""
    anytime: list[type[events.Event]] = [QueryUnderstood, StepChanged, RelatedFound, SafetyRated]
    return {
        **dict.fromkeys(anytime, phase),
        Succeeded: AnswerPhase.ENDED,
        Failed: AnswerPhase.ENDED,
    }


FOLLOWS: Final[Mapping[AnswerPhase, _Row]] = {
    AnswerPhase.NEW: {Started: AnswerPhase.STARTED},
    AnswerPhase.STARTED: {
        **_stays(AnswerPhase.STARTED),
        Started: AnswerPhase.STARTED,
        ReferencesFound: AnswerPhase.REFERENCED,
        TextAppended: AnswerPhase.TEXT,
        Skipped: AnswerPhase.SKIPPED,
    },
    AnswerPhase.REFERENCED: {
        **_stays(AnswerPhase.REFERENCED),
        Started: AnswerPhase.STARTED,  # of an epoch that retrieves anew: what it finds replaces
        TextAppended: AnswerPhase.TEXT,
        Skipped: AnswerPhase.SKIPPED,
    },
    AnswerPhase.TEXT: {
        **_stays(AnswerPhase.TEXT),
        Started: AnswerPhase.TEXT,
        TextAppended: AnswerPhase.TEXT,
        Cited: AnswerPhase.TEXT,
        Grounded: AnswerPhase.PROVEN,
    },
    # No text any more, in no epoch: a reader was told what supports the whole of it.
    AnswerPhase.PROVEN: {
        **_stays(AnswerPhase.PROVEN),
        Started: AnswerPhase.RESUMED,
        Cited: AnswerPhase.PROVEN,
    },
    AnswerPhase.RESUMED: {
        **_stays(AnswerPhase.RESUMED),
        Started: AnswerPhase.RESUMED,
        Cited: AnswerPhase.RESUMED,
        Grounded: AnswerPhase.PROVEN,
    },
    AnswerPhase.SKIPPED: {**_stays(AnswerPhase.SKIPPED), Started: AnswerPhase.SKIPPED},
    AnswerPhase.ENDED: {},
}
"""What may follow in each phase, and to which it leads. `Started` comes again only where a new
epoch goes on from what was told; one that does not gets a machine of its own."""

_LAWS: Final[Mapping[type[events.Event], str]] = {
    ReferencesFound: "references come once, before any text",
    TextAppended: "text comes neither after Skipped nor after Grounded",
    Cited: "citations come after text: an answer that was skipped has no citations",
    Grounded: "grounding comes once an epoch, after text",
    Skipped: "Skipped has a reason and comes before any text",
}


class AnswerMachine:
    """One answer in the making. Appending text costs no more than that text."""

    def __init__(self, name: str = "") -> None:
        self.phase = AnswerPhase.NEW
        self._parts = answers.Answer(name=name)  # all but the text
        # Decoded when it is asked for: to extend a str copies all of it, for each piece.
        self._text = bytearray()
        self._whole: answers.Answer | None = None  # the fold, where nothing came since it was made
        self._cited = 0  # where the last citation ends

    @property
    def answer(self) -> answers.Answer:
        """The fold of all events so far."""
        if self._whole is None:
            text = self._text.decode()
            self._whole = msgspec.structs.replace(self._parts, answer_text=text)
        return self._whole

    @property
    def done(self) -> bool:
        """Whether the terminal event came."""
        return self.phase is AnswerPhase.ENDED

    @property
    def started(self) -> bool:
        """Whether the first event came."""
        return self.phase is not AnswerPhase.NEW

    @property
    def text_size(self) -> int:
        """How many bytes of text were told, be it that of `Skipped`."""
        return len(self._text)

    @property
    def skipped(self) -> bool:
        """Whether there is no answer, for documented reasons."""
        return bool(self._parts.answer_skipped_reasons)

    def apply(self, event: events.AnswerEvent) -> None:
        """Advance the answer by one *event*.

        Raises:
            FailedPrecondition: it cannot follow (reason ANSWER_FINISHED or EVENT_NOT_ALLOWED); the
                answer is unchanged.
        """
        if type(event) is TextAppended:  # ninety-nine of a hundred
            self._append(event.text)
        else:
            phase = self._following(type(event))
            self._fold(event)  # before the phase: what is refused leaves no trace
            self.phase = phase
        self._whole = None

    def _following(self, event: type[events.AnswerEvent]) -> AnswerPhase:
        """Return the phase that *event* leads to, where it may come now."""
        phase = FOLLOWS[self.phase].get(event)
        if phase is None:
            if self.done:
                raise FailedPrecondition("the answer is finished", reason="ANSWER_FINISHED")
            raise _refusal(_LAWS[event] if self.started else "the first event is Started")
        return phase

    def _fold(self, event: events.AnswerEvent) -> None:  # noqa: C901 - one line per event
        match event:
            case Started(at=at):
                if not self.started:
                    self._put(state=answers.State.IN_PROGRESS, create_time=at)
            case TextAppended(text=text):
                self._append(text)
            case Cited(citations=citations):
                self._cite(citations)
            case StepChanged(index=index, step=step):
                self._change_step(index, step)
            case ReferencesFound(references=references, attachments=attachments):
                if references:
                    self._put(references=tuple(references), blob_attachments=tuple(attachments))
            case QueryUnderstood(info=info):
                self._put(query_understanding_info=info)
            case RelatedFound(questions=questions):
                self._put(related_questions=questions or self._parts.related_questions)
            case Grounded(supports=supports, score=score):
                self._ground(supports, score)
            case SafetyRated(ratings=ratings):
                self._rate(ratings)
            case Skipped(reasons=reasons, text=text):
                self._skip(reasons, text)
            case Succeeded(at=at):
                self._end(answers.State.SUCCEEDED, at)
            case Failed(at=at):
                self._end(answers.State.FAILED, at)
            case _:
                assert_never(event)

    def _put(self, **fields: Any) -> None:
        self._parts = msgspec.structs.replace(self._parts, **fields)

    def _append(self, text: str) -> None:
        first = self.phase is not _TEXT
        if first:
            self._following(TextAppended)
        encoded = _utf8(text)
        if not encoded:
            raise _refusal("a piece of text is not empty")
        if first:
            self.phase = _TEXT
            self._put(state=answers.State.STREAMING)
        self._text += encoded

    def _cite(self, citations: Sequence[answers.Citation]) -> None:
        if not citations or not all(citation.sources for citation in citations):
            raise _refusal("a citation has a source")
        self._cited = self._check_spans(citations, self._cited)
        self._put(citations=self._parts.citations + tuple(citations))

    def _ground(self, supports: Sequence[answers.GroundingSupport], score: float | None) -> None:
        self._check_spans(supports, 0)
        self._put(
            grounding_supports=tuple(supports) or self._parts.grounding_supports,
            grounding_score=self._parts.grounding_score if score is None else score,
        )

    def _change_step(self, index: int, step: answers.Step) -> None:
        steps = self._parts.steps
        if not 0 <= index <= len(steps):
            raise _refusal("steps come in order")
        if step == _NO_STEP:
            raise _refusal("a step says something")
        self._put(steps=(*steps[:index], step, *steps[index + 1 :]))

    def _rate(self, ratings: Sequence[answers.SafetyRating]) -> None:
        if len({rating.category for rating in ratings}) < len(ratings):
            raise _refusal("there is at most one safety rating of a category")
        self._put(safety_ratings=tuple(ratings) or self._parts.safety_ratings)

    def _skip(self, reasons: Sequence[answers.AnswerSkippedReason], text: str) -> None:
        if not reasons:
            raise _refusal(_LAWS[Skipped])
        self._text += _utf8(text)
        self._put(answer_skipped_reasons=tuple(reasons))

    def _end(self, state: answers.State, at: dt.datetime) -> None:
        if state not in resource_states.ANSWER[self._parts.state]:
            raise AssertionError("every running state may end either way")
        if state is answers.State.FAILED:
            self._put(steps=tuple(map(_broken_off, self._parts.steps)))
        self._put(state=state, complete_time=at)

    def _check_spans(
        self, spans: Sequence[answers.Citation] | Sequence[answers.GroundingSupport], end: int
    ) -> int:
        """Return where the last of *spans* ends; the first begins at *end* or later."""
        for span in spans:
            start, stop = _offset(span.start_index), _offset(span.end_index)
            if not end <= start < stop <= len(self._text):
                raise _refusal("spans are ordered and lie within the text so far")
            if not (self._is_boundary(start) and self._is_boundary(stop)):
                raise _refusal("spans lie on character boundaries")
            self._check_sources(span.sources)
            end = stop
        return end

    def _is_boundary(self, offset: int) -> bool:
        return offset == len(self._text) or self._text[offset] & 0xC0 != _CONTINUATION

    def _check_sources(self, sources: Sequence[answers.CitationSource]) -> None:
        known = len(self._parts.references)
        indexes = [_offset(source.reference_id) for source in sources]
        if len(set(indexes)) < len(indexes) or not all(0 <= index < known for index in indexes):
            raise _refusal("the sources of a span are distinct and resolve")


def _broken_off(step: answers.Step) -> answers.Step:
    """Return *step* as the end of a failed answer leaves it."""
    if step.state is not answers.StepState.IN_PROGRESS:
        return step
    return msgspec.structs.replace(step, state=answers.StepState.FAILED)


def _refusal(law: str) -> FailedPrecondition:
    return FailedPrecondition(law, reason="EVENT_NOT_ALLOWED")


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError as exc:
        raise _refusal("a piece of text does not split a character") from exc


def _offset(number: str) -> int:
    """Return the int64 *number*, or -1 where it is none that could be an offset."""
    return int(number) if number.isascii() and number.isdigit() else -1
