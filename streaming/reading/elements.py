"""Turn the log entries of one answer into the elements that one reader is told.

An element is an ``AnswerQueryResponse``; in which order they come, and what each holds, is in
guide/answer-life-cycle.md. What is the same in all elements of an answer is its `Envelope`. An
`ElementBuilder` turns entries into elements, live or as a replay; `element_frames` writes them, and
of those that come ninety-nine times of a hundred, pieces of text, it builds none.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from sessions import names
from sessions.resources import answer_query, answers
from sessions.resources import sessions as session_resources
from sessions.resources.operations import Status
from streaming.log import events
from streaming.log.event_log import LogEntry
from streaming.log.events import joined
from streaming.log.positions import BEGINNING, Position
from streaming.protocol.rpc_status import failure
from streaming.reading.partial_answers import NO_STEP, partial


class PlacedElement(msgspec.Struct, frozen=True):
    """One element, where it stands, and what goes with it.

    *reset* says that everything before must be dropped; *error* is why a FAILED answer ended.
    """

    position: Position
    response: answer_query.AnswerQueryResponse
    reset: bool = False
    error: Status | None = None

    @property
    def is_terminal(self) -> bool:
        """Whether this is the last element."""
        answer = self.response.answer
        return answer is not None and answer.state in _ENDED


_ENDED: Final = (answers.State.SUCCEEDED, answers.State.FAILED)


class Envelope(msgspec.Struct, frozen=True):
    """What is the same in all elements of an answer; an empty name is not told."""

    name: str
    session: str
    token: str

    def wrap(self, answer: answers.Answer) -> answer_query.AnswerQueryResponse:
        """Return the element that tells *answer*."""
        return answer_query.AnswerQueryResponse(
            answer=msgspec.structs.replace(answer, name=self.name),
            session=session_resources.Session(name=self.session) if self.session else None,
            answer_query_token=self.token,
        )


def envelope(answer: str) -> Envelope:
    """Return the envelope of the stored *answer*; a conversation is no session and not told."""
    owner = names.parent(answer)
    return Envelope(answer, "" if "/conversations/" in owner else owner, token(answer))


def token(answer: str) -> str:
    """Return the ``answerQueryToken`` of *answer*: the same whoever asks, and opaque."""
    digest = hashlib.blake2b(answer.encode(), digest_size=18, person=b"answerToken").digest()
    return base64.urlsafe_b64encode(digest).decode()


class ElementBuilder:
    """Turns the entries of one answer into elements for one reader."""

    __slots__ = ("_envelope", "_steps")

    def __init__(self, wrapping: Envelope) -> None:
        self._envelope = wrapping
        self._steps: tuple[answers.Step, ...] = ()

    def live(self, entries: Sequence[LogEntry]) -> list[PlacedElement]:
        """Tell *entries*, none of them terminal, as they come: text in a row as one element."""
        return [self._element(run) for run in _runs(entries)]

    def replay(self, entries: Sequence[LogEntry]) -> PlacedElement:
        """Tell *entries*, at least one and none of them terminal, in one element.

        Where the answer was written anew in between, what came before is left out.
        """
        last = max((n for n, entry in enumerate(entries) if entry.reset), default=0)
        return self._element(entries[last:])

    def end(self, entry: LogEntry, answer: answers.Answer) -> PlacedElement:
        """Tell the end of the whole *answer*, which *entry* brought."""
        failed = entry.event if isinstance(entry.event, events.Failed) else None
        return PlacedElement(
            position=entry.position,
            response=self._envelope.wrap(answer),
            error=failure(failed.code, failed.reason, failed.message) if failed else None,
        )

    def stored(self, answer: answers.Answer, *, reset: bool) -> PlacedElement:
        """Tell an ended *answer* as it is stored, where the log that could say more is gone."""
        failed = answer.state is answers.State.FAILED
        return PlacedElement(
            position=BEGINNING,
            response=self._envelope.wrap(answer),
            reset=reset,
            error=_UNKNOWN_FAILURE if failed else None,
        )

    def nothing(self) -> PlacedElement:
        """Tell that nothing is told of the answer any more, whatever was."""
        answer = answers.Answer(state=answers.State.IN_PROGRESS)
        return PlacedElement(BEGINNING, self._envelope.wrap(answer), reset=True)

    def _element(self, run: Sequence[LogEntry]) -> PlacedElement:
        reset = run[0].reset
        answer = partial(joined([entry.event for entry in run]))
        if answer.state is answers.State.IN_PROGRESS and run[0].position.epoch > 1 and not reset:
            # Another owner goes on: for a reader who was told text it does not begin again.
            answer = msgspec.structs.replace(answer, state=answers.State.STREAMING)
        if reset:
            self._steps = ()
        if answer.steps:
            self._steps = _changed_steps(self._steps, answer.steps)
            answer = msgspec.structs.replace(answer, steps=self._steps)
        return PlacedElement(run[-1].position, self._envelope.wrap(answer), reset)


_UNKNOWN_FAILURE: Final = failure(2, "ANSWER_FAILED", "the answer failed; why is forgotten")


def _runs(entries: Sequence[LogEntry]) -> Iterable[Sequence[LogEntry]]:
    """Cut *entries* before and after each that is not text."""
    start = 0
    for n, entry in enumerate(entries):
        if not isinstance(entry.event, events.TextAppended) or entry.reset:
            if start < n:
                yield entries[start:n]
            yield entries[n : n + 1]
            start = n + 1
    if start < len(entries):
        yield entries[start:]


def _changed_steps(
    known: tuple[answers.Step, ...], changed: tuple[answers.Step, ...]
) -> tuple[answers.Step, ...]:
    """Return *known* with what *changed*, where an empty step stands for an unchanged one."""
    known += (NO_STEP,) * (len(changed) - len(known))
    changed += (NO_STEP,) * (len(known) - len(changed))
    return tuple(old if new == NO_STEP else new for old, new in zip(known, changed, strict=True))
