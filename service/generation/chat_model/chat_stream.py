"""Read a streamed chat completion from bytes, without I/O.

Two machines, one on the other: `EventParser` cuts bytes into server-sent events, `Completion`
takes the text out of them. Neither cares where the bytes were cut.
"""

from __future__ import annotations

from typing import Final

import msgspec

from service.generation.chat_model import endpoint_errors
from service.generation.chat_model.endpoint_errors import NOT_JSON, RetryableError, UpstreamError
from sessions.errors import FailedPrecondition, ResourceExhausted, ServiceError

_LONGEST_EVENT: Final = 1 << 20
"""Bytes; an endpoint that sends a line without an end must not fill the memory."""
_END: Final = b"[DONE]"


class EventParser:
    """Cuts a stream of bytes into the data of its server-sent events.

    As the standard has it: lines end with CR, LF or both; comments and fields other than data
    say nothing; several data lines of one event are joined by LF.
    """

    def __init__(self) -> None:
        self._line = bytearray()
        self._data: list[bytes] = []
        self._size = 0
        self._after_cr = False

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the data of the events that *chunk* completes.

        Raises:
            ValueError: an event is longer than 1 MiB.
        """
        if self._is_one_event(chunk):
            return [chunk[6:-2]]
        if self._after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        self._after_cr = chunk.endswith(b"\r")
        lines = chunk.splitlines()
        open_line = b"" if chunk.endswith((b"\n", b"\r")) or not lines else lines.pop()
        events: list[bytes] = []
        for end in lines:
            line = bytes(self._line + end) if self._line else end
            self._line.clear()
            if line.startswith(b"data:"):
                self._data.append(line[6:] if line.startswith(b"data: ") else line[5:])
                self._size += len(line)
            elif not line:
                events += self.finish()
        self._line += open_line
        if len(self._line) + self._size > _LONGEST_EVENT:
            raise ValueError("a server-sent event is longer than 1 MiB")
        return events

    def finish(self) -> list[bytes]:
        """Return the event that no blank line has ended yet, if there is one."""
        if not self._data:
            return []
        event = b"\n".join(self._data)
        self._data.clear()
        self._size = 0
        return [event]

    def _is_one_event(self, chunk: bytes) -> bool:
        """Tell whether *chunk* is one event of one line, as it nearly always is."""
        return (
            not self._line
            and not self._data
            and chunk.startswith(b"data: ")
            and chunk.find(b"\n") == len(chunk) - 2
            and chunk.endswith(b"\n")
            and b"\r" not in chunk
        )


class _Delta(msgspec.Struct, frozen=True, gc=False):
    content: str | None = None
    refusal: str | None = None
    reasoning_content: str | None = None
    reasoning: str | None = None


class _Choice(msgspec.Struct, frozen=True, gc=False):
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Event(msgspec.Struct, frozen=True, gc=False):
    choices: tuple[_Choice, ...] | None = None
    error: UpstreamError | str | None = None


_EVENT: Final = msgspec.json.Decoder(_Event)


class Completion:
    """Takes the text out of the events of one completion.

    *finished* tells that the model said so: the text is whole. *failure* is why the text is not,
    to be raised after what `feed` returned with it was used. Feed it no more after either.
    *thought* tells that the model was last seen to think, in a field of its own: nothing of that is
    text, but the endpoint is at work.
    """

    def __init__(self) -> None:
        self._parser = EventParser()
        self.finished = self.thought = False
        self.failure: ServiceError | RetryableError | None = None

    def feed(self, chunk: bytes) -> str:
        """Return the text that *chunk* adds, often none."""
        try:
            events = self._parser.feed(chunk)
        except ValueError:
            self.failure = endpoint_errors.malformed("the model endpoint sent an endless event")
            return ""
        self.thought = False
        return "".join(map(self._text_of, events))

    def end(self) -> str:
        """Return the text of a last event without its blank line: the connection has ended.

        Where the model has not said that it finished, this is a failure: text may be missing.
        """
        text = "".join(map(self._text_of, self._parser.finish()))
        if not self.finished and self.failure is None:
            self.failure = endpoint_errors.connection_lost()
        return text

    def _text_of(self, data: bytes) -> str:
        """Return the text of one event, "" where an earlier one was the last."""
        if self.finished or self.failure is not None:
            return ""
        if data == _END:
            self.finished = True
            return ""
        try:
            event = _EVENT.decode(data)
        except NOT_JSON:
            what = "the model endpoint sent an event that is no completion"
            self.failure = endpoint_errors.malformed(what)
            return ""
        if event.error is not None:
            self.failure = endpoint_errors.error_of_event(event.error)
        return "".join(map(self._text_of_choice, event.choices or ()))

    def _text_of_choice(self, choice: _Choice) -> str:
        delta = choice.delta
        if choice.finish_reason:
            self._finish_as(choice.finish_reason)
        if delta is None:
            return ""
        if delta.refusal:
            self._finish_as("content_filter")
        self.thought = bool(delta.reasoning_content or delta.reasoning)
        return delta.content or ""

    def _finish_as(self, finish_reason: str) -> None:
        match finish_reason:
            case "length":
                self.failure = ResourceExhausted(
                    "the model reached the longest output it may write; the answer is cut short",
                    reason="MODEL_TRUNCATED",
                )
            case "content_filter":
                self.failure = FailedPrecondition(
                    "the model declined to go on; put the query in other words",
                    reason="MODEL_FILTERED",
                )
            case "tool_calls" | "function_call":
                what = "the model called a tool where text was asked for"
                self.failure = endpoint_errors.malformed(what)
            case _:  # "stop"; elsewhere also "end_turn", "eos_token", "stop_sequence"
                self.finished = True
