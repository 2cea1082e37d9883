"""Trace the writing of one answer: one span from the right to write to the end.

What goes to Redis becomes events of that span and sums on it, since a span a batch would cost more
than the batch; and so would an event for each. An answer that is not traced costs none of this: its
batches pass nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sessions.spans import Attributes, SpanKind, TraceSpan
from streaming.log.event_log import LogEntry
from streaming.log.events import AnswerEvent, Failed, TextAppended
from streaming.running.answer_author import Assignment

Acknowledged = Callable[[Sequence[LogEntry]], None]


class WritingSpan:
    """The span of one answer in one epoch, and what of it Redis acknowledged."""

    def __init__(self, parent: TraceSpan, assignment: Assignment) -> None:
        """Begin it as a part of *parent*, which gave the right to write."""
        about: Attributes = {
            "colloquy.answer": assignment.answer,
            "colloquy.epoch": assignment.epoch,
            "colloquy.attempts": assignment.attempts,
        }
        self._span = parent.child("write answer", about, SpanKind.CONSUMER)
        self._batches = self._entries = self._text = 0
        self._next = 1
        """The batch that becomes the next event: each time it is twice as many on."""

    def watching(self, tell: Acknowledged) -> Acknowledged:
        """Return *tell*, which hears of each batch, or where the span is kept one that notes it."""
        if not self._span.is_sampled:
            return tell

        def note_and_tell(entries: Sequence[LogEntry]) -> None:
            self._note(entries)
            tell(entries)

        return note_and_tell

    def _note(self, entries: Sequence[LogEntry]) -> None:
        self._batches += 1
        self._entries += len(entries)
        had_text = self._text > 0
        for entry in entries:
            self._text += _text_bytes(entry.event)
        if self._text and not had_text:
            self._span.note("first text")
        if self._batches == self._next:
            self._next *= 2
            position = str(entries[-1].position)
            about = {"colloquy.batches": self._batches, "colloquy.position": position}
            self._span.note("batch acknowledged", about)

    def end(self, terminal: AnswerEvent | None, why: str = "") -> None:
        """End it with the event that ended the answer, or with *why* it is not ours any more."""
        if self._span.is_sampled:
            self._span.set(
                {
                    "colloquy.batches": self._batches,
                    "colloquy.entries": self._entries,
                    "colloquy.text_bytes": self._text,
                }
            )
        self._span.end(terminal.reason if isinstance(terminal, Failed) else why)


def _text_bytes(event: AnswerEvent) -> int:
    return len(event.text.encode()) if type(event) is TextAppended else 0
