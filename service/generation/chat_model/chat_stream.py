"""Read a streamed chat completion from bytes, without I/O.

Two machines, one on the other: `EventParser` cuts bytes into server-sent events, `Completion`
tells what these add to a completion. Neither cares where the bytes were cut.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from service.generation.chat_model import endpoint_errors, token_usage
from service.generation.chat_model.chat_events import (
    Delta,
    FinishReason,
    TextDelta,
    ThoughtDelta,
    TokenLogprob,
    ToolCallDelta,
    Usage,
)
from service.generation.chat_model.endpoint_errors import NOT_JSON, RetryableError, UpstreamError
from sessions.errors import ServiceError

_LONGEST_EVENT: Final = 1 << 20
"""Bytes; an endpoint that sends a line without an end must not fill the memory."""
_LONGEST: Final = 1_000_000
"""Characters of one completion, thoughts included: nobody sees most of what a model may repeat."""
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


class _Part(msgspec.Struct, frozen=True, gc=False):
    """A part of content or reasoning, as those servers send it that do not send plain text."""

    text: str | None = None
    thinking: str | tuple[_Part, ...] | None = None


_Parts = str | tuple[_Part, ...] | _Part | None


class _Function(msgspec.Struct, frozen=True, gc=False):
    name: str | None = None
    arguments: str | None = None


class _Call(msgspec.Struct, frozen=True, gc=False):
    index: int | None = None
    id: str | None = None
    function: _Function | None = None


class _Delta(msgspec.Struct, frozen=True, gc=False):
    content: _Parts = None
    refusal: str | None = None
    reasoning_content: _Parts = None
    reasoning: _Parts = None
    tool_calls: tuple[_Call, ...] | None = None


class _Logprobs(msgspec.Struct, frozen=True, gc=False):
    content: tuple[TokenLogprob, ...] | None = None


class _Choice(msgspec.Struct, frozen=True, gc=False):
    delta: _Delta | None = None
    finish_reason: str | None = None
    logprobs: _Logprobs | None = None


_NOTHING: Final = msgspec.Raw()
_NULL: Final = msgspec.Raw(b"null")


class _Event(msgspec.Struct, frozen=True, gc=False):
    choices: tuple[_Choice, ...] | None = None
    error: UpstreamError | str | None = None
    usage: msgspec.Raw = _NOTHING


_EVENT: Final = msgspec.json.Decoder(_Event)
_REASONS: Final[dict[str, FinishReason]] = {
    "length": "length",
    "content_filter": "content_filter",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
}
"""All others are "stop" in other words, such as "end_turn", "eos_token", "stop_sequence"."""
_FILTERS: Final = frozenset({"SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"})
"""Why Google's endpoints filter: they say ``content_filter: RECITATION``, or the bare word."""
_DETAIL: Final = re.compile(r"(?:[\w ]{1,32}:\s*)?([A-Z][A-Z_]{2,47})")
"""A finish reason that says more than those of OpenAI's API."""


class Completion:
    """Tells what each event adds to one completion.

    *finish_reason* is set when the model said that it ended; after that only `usage` may follow,
    and *done* says that nothing does. *failure* is why the completion is not whole, to be raised
    after what `feed` returned with it was used.
    """

    def __init__(self) -> None:
        self._parser = EventParser()
        self.length = 0
        """Characters of it so far, thoughts included."""
        self._calls: list[str] = []
        """The ids of the tool calls so far."""
        self._usage = _NOTHING
        self.finish_reason: FinishReason | None = None
        self.finish_detail = ""
        self.done = False
        self.failure: ServiceError | RetryableError | None = None

    @property
    def usage(self) -> Usage | None:
        """What the endpoint said last of the tokens; None where that was nothing, or nonsense."""
        return token_usage.read(self._usage)

    def feed(self, chunk: bytes) -> list[Delta]:
        """Return what *chunk* adds, often nothing; neighbouring pieces of text are one."""
        deltas = list[Delta]()
        try:
            for data in self._parser.feed(chunk):
                self._read(data, deltas)
        except ValueError:
            self.failure = endpoint_errors.malformed("the model endpoint sent an endless event")
        if self.length > _LONGEST:
            self.failure = endpoint_errors.too_long(_LONGEST)
        return deltas

    def end(self) -> list[Delta]:
        """Return what a last event without its blank line adds: the connection has ended.

        Where the model has not said that it finished, this is a failure: text may be missing.
        """
        deltas = list[Delta]()
        for data in self._parser.finish():
            self._read(data, deltas)
        self.done = True
        if self.finish_reason is None and self.failure is None:
            self.failure = endpoint_errors.connection_lost()
        return deltas

    def _read(self, data: bytes, deltas: list[Delta]) -> None:
        """Add what one event says to *deltas*."""
        if self.done or self.failure is not None:
            return
        if data == _END:
            self.done = True
            self._finish_as("stop")
            return
        try:
            event = _EVENT.decode(data)
        except NOT_JSON:
            if self.finish_reason is None:
                what = "the model endpoint sent an event that is no completion"
                self.failure = endpoint_errors.malformed(what)
            return
        if event.usage is not _NOTHING and event.usage != _NULL:
            self._usage = event.usage
        if self.finish_reason is not None:
            return
        if event.error is not None:
            self.failure = endpoint_errors.error_of_event(event.error)
        for choice in event.choices or ():
            self._read_choice(choice, deltas)

    def _read_choice(self, choice: _Choice, deltas: list[Delta]) -> None:
        if (delta := choice.delta) is not None:
            if thought := delta.reasoning_content or delta.reasoning:
                deltas.append(self._thought(thought))
            if content := delta.content:
                if not isinstance(content, str):
                    content = self._read_parts(content, deltas)
                tokens = choice.logprobs.content or () if choice.logprobs is not None else ()
                self._add_text(content, tokens, deltas)
            if delta.tool_calls:
                deltas.extend(map(self._read_call, delta.tool_calls))
            if delta.refusal:
                self._finish_as("content_filter")
        if choice.finish_reason:
            self._finish(choice.finish_reason)

    def _add_text(self, text: str, logprobs: tuple[TokenLogprob, ...], deltas: list[Delta]) -> None:
        self.length += len(text)
        last = deltas[-1] if deltas else None
        if isinstance(last, TextDelta):
            deltas[-1] = TextDelta(last.text + text, last.logprobs + logprobs)
        elif text:
            deltas.append(TextDelta(text, logprobs))

    def _read_parts(self, content: tuple[_Part, ...] | _Part, deltas: list[Delta]) -> str:
        """Return the text among the parts of *content*; what is thought of it is told at once."""
        parts = content if isinstance(content, tuple) else (content,)
        deltas.extend(self._thought(part.thinking) for part in parts if part.thinking)
        return "".join(part.text or "" for part in parts)

    def _thought(self, parts: _Parts) -> ThoughtDelta:
        thought = ThoughtDelta(_plain(parts))
        self.length += len(thought.text)
        return thought

    def _read_call(self, call: _Call) -> ToolCallDelta:
        """Return the next of a tool call; some servers number all calls 0, −1, or none."""
        index = -1 if call.index is None else call.index
        if index < 0:
            index = max(len(self._calls) - 1, 0)
        if index < len(self._calls) and call.id and call.id != self._calls[index]:
            index = len(self._calls)
        if index >= len(self._calls):
            index = len(self._calls)
            self._calls.append(call.id or "")
        function = call.function or _Function()
        delta = ToolCallDelta(index, call.id or "", function.name or "", function.arguments or "")
        # One more, so that calls of nothing come to an end as well.
        self.length += 1 + len(delta.id) + len(delta.name) + len(delta.arguments)
        return delta

    def _finish(self, said: str) -> None:
        """Finish as an endpoint has *said*, perhaps in words of its own."""
        reason = _REASONS.get(said.partition(":")[0].strip(), "stop")
        if (found := _DETAIL.fullmatch(said)) and not self.finish_detail:
            self.finish_detail = found[1]
            reason = "content_filter" if found[1] in _FILTERS else reason
            reason = "length" if found[1] == "MAX_TOKENS" else reason
        self._finish_as(reason)

    def _finish_as(self, reason: FinishReason) -> None:
        if self.finish_reason is None:
            # Some servers say "stop" where a call was forced.
            called = reason == "stop" and self._calls
            self.finish_reason = "tool_calls" if called else reason


def _plain(parts: _Parts) -> str:
    """Return the text of *parts*, whatever their form."""
    if parts is None or isinstance(parts, str):
        return parts or ""
    if isinstance(parts, tuple):
        return "".join(map(_plain, parts))
    return (parts.text or "") + _plain(parts.thinking)
