"""Read a streamed chat completion from bytes, without I/O.

Two machines, one on the other: `EventParser` cuts bytes into server-sent events, `Completion`
takes the text out of them. Neither cares where the bytes were cut.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from sessions.errors import (
    FailedPrecondition,
    Internal,
    ResourceExhausted,
    ServiceError,
    Unavailable,
)

_LONGEST_EVENT: Final = 1 << 20
_PLAIN_CODE: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")
_END: Final = b"[DONE]"


class EventParser:
    """Cuts a stream of bytes into the data of its server-sent events.

    As the standard has it: lines end with CR, LF or both; comments and fields other than data
    say nothing; several data lines of one event are joined by LF.
    """

    def __init__(self) -> None:
        self._line = b""
        self._data: list[bytes] = []
        self._after_cr = False

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the data of the events that *chunk* completes.

        Raises:
            ValueError: an event is longer than 1 MiB.
        """
        if self._after_cr and chunk.startswith(b"\n"):
            chunk = chunk[1:]
        self._after_cr = chunk.endswith(b"\r")
        text = self._line + chunk
        lines = text.splitlines()
        self._line = b"" if text.endswith((b"\n", b"\r")) or not lines else lines.pop()
        events: list[bytes] = []
        for line in lines:
            if line.startswith(b"data:"):
                self._data.append(line[6:] if line.startswith(b"data: ") else line[5:])
            elif not line:
                events += self.finish()
        if len(self._line) + sum(map(len, self._data)) > _LONGEST_EVENT:
            raise ValueError("a server-sent event is longer than 1 MiB")
        return events

    def finish(self) -> list[bytes]:
        """Return the event that no blank line has ended yet, if there is one."""
        if not self._data:
            return []
        event = b"\n".join(self._data)
        self._data.clear()
        return [event]


class _Delta(msgspec.Struct, frozen=True, gc=False):
    content: str | None = None
    refusal: str | None = None


class _Choice(msgspec.Struct, frozen=True, gc=False):
    delta: _Delta | None = None
    finish_reason: str | None = None


class _Failure(msgspec.Struct, frozen=True):
    code: int | str | None = None
    type: str | None = None

    def __str__(self) -> str:
        """Name the failure where its name is plain: the rest may quote our request or key."""
        name = str(self.code or self.type or "")
        return name if _PLAIN_CODE.fullmatch(name) else ""


class _Event(msgspec.Struct, frozen=True, gc=False):
    choices: tuple[_Choice, ...] | None = None
    error: _Failure | str | None = None


_EVENT: Final = msgspec.json.Decoder(_Event)


def failure_code(body: bytes) -> str:
    """Return the code that an error document names, such as ``context_length_exceeded``, or ""."""
    try:
        error = _EVENT.decode(body).error
    except msgspec.MsgspecError:
        return ""
    return str(error) if isinstance(error, _Failure) else ""


class Completion:
    """Takes the text out of the events of one completion.

    *finished* tells that the model said so: the text is whole. *failure* is why the text is not,
    to be raised after what `feed` returned with it was used. Feed it no more after either.
    """

    def __init__(self) -> None:
        self._parser = EventParser()
        self.finished = False
        self.failure: ServiceError | None = None

    def feed(self, chunk: bytes) -> str:
        """Return the text that *chunk* adds, often none."""
        try:
            events = self._parser.feed(chunk)
        except ValueError as exc:
            self.failure = _malformed(str(exc))
            return ""
        return self._taken(events)

    def end(self) -> str:
        """Return the text of a last event without its blank line: the connection has ended.

        Where the model has not said that it finished, this is a failure: text may be missing.
        """
        text = self._taken(self._parser.finish())
        if not self.finished and self.failure is None:
            self.failure = Unavailable(
                "the model endpoint ended the answer half-way; ask again",
                reason="MODEL_UNAVAILABLE",
            )
        return text

    def _taken(self, events: list[bytes]) -> str:
        text = ""
        for data in events:
            if self.failure is not None:
                break
            if data == _END:
                self.finished = True
                break
            try:
                event = _EVENT.decode(data)
            except msgspec.MsgspecError:
                self.failure = _malformed("the model endpoint sent an event that is no completion")
                break
            if event.error is not None:
                self.failure = _upstream_failure(event.error)
            for choice in event.choices or ():
                text += self._chosen(choice)
        return text

    def _chosen(self, choice: _Choice) -> str:
        delta = choice.delta
        if choice.finish_reason:
            self._end_as(choice.finish_reason)
        if delta is None:
            return ""
        if delta.refusal:
            self._end_as("content_filter")
        return delta.content or ""

    def _end_as(self, finish_reason: str) -> None:
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
                self.failure = _malformed("the model called a tool where text was asked for")
            case _:  # "stop"; elsewhere also "end_turn", "eos_token", "stop_sequence"
                self.finished = True


def _malformed(message: str) -> ServiceError:
    return Internal(f"{message}; check COLLOQUY_LLM_BASE_URL", reason="MODEL_MALFORMED")


def _upstream_failure(error: _Failure | str) -> ServiceError:
    name = str(error) if isinstance(error, _Failure) else ""
    if name == "429" or "rate_limit" in name:
        return naming(rate_limited(), name)
    return naming(
        Unavailable(
            "the model endpoint failed while it answered; ask again", reason="MODEL_UNAVAILABLE"
        ),
        name,
    )


def rate_limited(retry_after: int = 1) -> ResourceExhausted:
    """Return the error of an endpoint that wants fewer requests."""
    return ResourceExhausted(
        "the model endpoint has too many requests; come back later",
        reason="MODEL_RATE_LIMITED",
        retry_after=retry_after,
    )


def naming(error: ServiceError, upstream: str) -> ServiceError:
    """Add the endpoint's own code for *error*, where it has one, to what a client is told."""
    if upstream:
        error.metadata["upstream"] = upstream
    return error
