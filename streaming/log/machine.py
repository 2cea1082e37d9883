"""Fold the events of one answer into the Answer, and refuse what cannot follow.

The laws, beside the order of the states in `sessions.lifecycle.ANSWER`:

- `Started` comes first; it comes again only where a new epoch goes on from what was told;
- references come at most once an epoch and before any text, steps at any time and without holes;
  what is set again replaces what was, but an empty list says nothing;
- a citation or a grounding support lies within the bytes of the text so far, on character
  boundaries, behind the one before it, and its sources resolve;
- no text follows `Grounded`; after `Skipped`, which stands in place of text, there is neither
  text nor proof;
- `Succeeded` or `Failed` comes last, once. `Failed` keeps the text.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Any, Final, assert_never

import msgspec

from sessions import lifecycle
from sessions.errors import FailedPrecondition
from sessions.resources import answers
from streaming.log import events

_NO_STEP: Final = answers.Step()
_CONTINUATION: Final = 0x80  # the byte inside a character: 10xxxxxx


class AnswerMachine:
    """One answer in the making. Appending text costs no more than that text."""

    def __init__(self, name: str = "") -> None:
        self._parts = answers.Answer(name=name)  # all but the text
        self._text = bytearray()
        self._whole: answers.Answer | None = None  # the fold, where nothing came since it was made
        self._open_to_text = False
        self._cited = 0  # where the last citation ends
        self._referenced = False  # in this epoch
        self._grounded = False

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
        return lifecycle.is_terminal(self._parts.state)

    @property
    def started(self) -> bool:
        """Whether the first event came."""
        return self._parts.state is not answers.State.STATE_UNSPECIFIED

    @property
    def has_text(self) -> bool:
        """Whether any text was told, be it that of `Skipped`."""
        return bool(self._text)

    @property
    def told(self) -> int:
        """How many bytes of text were told."""
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
        if type(event) is events.TextAppended:  # ninety-nine of a hundred
            self._append(event.text)
        else:
            self._check_running(event)
            self._fold(event)
        self._whole = None

    def _fold(self, event: events.AnswerEvent) -> None:  # noqa: C901 - one line per event
        match event:
            case events.Started(at=at):
                self._start(at)
            case events.TextAppended(text=text):
                self._append(text)
            case events.Cited(citations=citations):
                self._cite(citations)
            case events.StepChanged(index=index, step=step):
                self._change_step(index, step)
            case events.ReferencesFound(references=references):
                self._refer(references)
            case events.QueryUnderstood() | events.RelatedFound():
                self._put(**_fields(event) | {"state": self._parts.state})
            case events.Grounded(supports=supports, score=score):
                self._ground(supports, score)
            case events.SafetyRated(ratings=ratings):
                self._rate(ratings)
            case events.Skipped(reasons=reasons, text=text):
                self._skip(reasons, text)
            case events.Succeeded(at=at):
                self._end(answers.State.SUCCEEDED, at)
            case events.Failed(at=at):
                self._end(answers.State.FAILED, at)
            case _:
                assert_never(event)

    def _check_running(self, event: events.AnswerEvent) -> None:
        if self.done:
            raise FailedPrecondition("the answer is finished", reason="ANSWER_FINISHED")
        if not self.started and type(event) is not events.Started:
            raise _refusal("the first event is Started")

    def _put(self, **fields: Any) -> None:
        self._parts = msgspec.structs.replace(self._parts, **fields)

    def _start(self, at: dt.datetime) -> None:
        if not self.started:
            self._put(state=answers.State.IN_PROGRESS, create_time=at)
            self._open_to_text = True
        self._referenced = self._grounded = False

    def _append(self, text: str) -> None:
        if not self._open_to_text:
            self._check_running(events.TextAppended(text=text))
            raise _refusal("text comes neither after Skipped nor after Grounded")
        encoded = _utf8(text)
        if not encoded:
            raise _refusal("a piece of text is not empty")
        if not self._text:
            self._put(state=answers.State.STREAMING)
        self._text += encoded

    def _cite(self, citations: Sequence[answers.Citation]) -> None:
        if self.skipped:
            raise _refusal("an answer that was skipped has no citations")
        if not citations or not all(citation.sources for citation in citations):
            raise _refusal("a citation has a source")
        self._cited = self._check_spans(citations, self._cited)
        self._put(citations=self._parts.citations + tuple(citations))

    def _ground(self, supports: Sequence[answers.GroundingSupport], score: float | None) -> None:
        if not self._text or self.skipped or self._grounded:
            raise _refusal("grounding comes once an epoch, after text")
        self._check_spans(supports, 0)
        self._put(
            grounding_supports=tuple(supports) or self._parts.grounding_supports,
            grounding_score=self._parts.grounding_score if score is None else score,
        )
        self._grounded = True
        self._open_to_text = False

    def _change_step(self, index: int, step: answers.Step) -> None:
        steps = self._parts.steps
        if not 0 <= index <= len(steps):
            raise _refusal("steps come in order")
        if step == _NO_STEP:
            raise _refusal("a step says something")
        self._put(steps=(*steps[:index], step, *steps[index + 1 :]))

    def _refer(self, references: Sequence[answers.Reference]) -> None:
        if self._text or self._referenced:
            raise _refusal("references come once, before any text")
        self._put(references=tuple(references) or self._parts.references)
        self._referenced = True

    def _rate(self, ratings: Sequence[answers.SafetyRating]) -> None:
        if len({rating.category for rating in ratings}) < len(ratings):
            raise _refusal("there is at most one safety rating of a category")
        self._put(safety_ratings=tuple(ratings) or self._parts.safety_ratings)

    def _skip(self, reasons: Sequence[answers.AnswerSkippedReason], text: str) -> None:
        if self._text or self.skipped or not reasons:
            raise _refusal("Skipped has a reason and comes before any text")
        self._text += _utf8(text)
        self._put(answer_skipped_reasons=tuple(reasons))
        self._open_to_text = False

    def _end(self, state: answers.State, at: dt.datetime) -> None:
        if state not in lifecycle.ANSWER[self._parts.state]:
            raise AssertionError("every running state may end either way")
        self._put(state=state, complete_time=at)
        self._open_to_text = False

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


def fold(told: Iterable[events.AnswerEvent], *, name: str = "") -> AnswerMachine:
    """Return the machine of the answer *name* after the events *told*, which follow the laws."""
    machine = AnswerMachine(name)
    for event in told:
        machine.apply(event)
    return machine


def partial(told: Iterable[events.AnswerEvent], *, name: str = "") -> answers.Answer:
    """Return the element that tells a reader *told* and nothing else.

    ``answer_text`` and ``citations`` are what came, to be appended; everything else is whole, to
    replace what the reader has, except that an empty step stands for one that did not change.
    The state is STREAMING, or IN_PROGRESS where only the start is told, until the terminal event,
    whose state and completion time it then has. *told* follows the laws of `AnswerMachine`.
    """
    whole = answers.Answer(name=name, state=answers.State.IN_PROGRESS)
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
                steps += [_NO_STEP] * (index + 1 - len(steps))
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
        case events.ReferencesFound(references=references):
            fields = {"references": references}
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


def merge(first: answers.Answer, second: answers.Answer) -> answers.Answer:
    """Return the element that tells *first* and then *second*, both made by `partial`."""
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
    kept = tuple(old if new == _NO_STEP else new for old, new in zip(first, second, strict=False))
    return (*kept, *first[len(kept) :], *second[len(kept) :])


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
