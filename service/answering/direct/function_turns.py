"""Tell a model of the calls that it made before, and of what came of each.

A result names its call by its id or, as older programs do, only by the name of the function: then
it belongs to the first call of that function that has none yet.
"""

from __future__ import annotations

from collections import defaultdict, deque
from itertools import islice
from typing import Final

import msgspec

from service.generation.chat_model.chat_requests import CalledFunction, ChatMessage, ToolCall
from sessions.errors import InvalidArgument
from sessions.resources import contents

_ENCODER: Final = msgspec.json.Encoder()


class FunctionTurns:
    """Matches results to calls, through the contents of one request in their order."""

    def __init__(self) -> None:
        self._count = 0
        self._open: dict[str, ToolCall] = {}
        """Calls of the last turn of the model that have no result yet, by their ids."""
        self._ids: defaultdict[str, deque[str]] = defaultdict(deque)
        """The ids of that turn's calls of each function, in their order; answered ones lead."""

    def call(self, given: contents.FunctionCall, field: str) -> ToolCall:
        """Return a call that the model made; *field* is where it stands.

        Raises:
            InvalidArgument: it has no name, or the id of another.
        """
        if not given.name:
            raise InvalidArgument(f"{field}.name: name the function", field=f"{field}.name")
        if given.id in self._open:
            raise InvalidArgument(f"{field}.id: another call has this id", field=f"{field}.id")
        arguments = _ENCODER.encode(given.args or {}).decode()
        call = ToolCall(given.id or self._new_id(), CalledFunction(given.name, arguments))
        self._open[call.id] = call
        self._ids[given.name].append(call.id)
        return call

    def result(self, given: contents.FunctionResponse, field: str) -> ChatMessage:
        """Return what came of a call.

        Raises:
            InvalidArgument: it belongs to no call of the turn before it, or brings media.
        """
        if given.parts:
            path = f"{field}.parts"
            raise InvalidArgument(
                f"{path}: models read text only from functions; put it into response", field=path
            )
        # A program may have ids of its own, where the call came without one.
        answered = given.id if given.id in self._open else self._first(given.name)
        if not answered:
            raise InvalidArgument(
                f"{field}: the content before it calls no such function that waits for a response",
                field=field,
            )
        del self._open[answered]
        said = _ENCODER.encode(given.response or {}).decode()
        return ChatMessage("tool", said, tool_call_id=answered)

    def end_turn(self, field: str) -> None:
        """Refuse the contents up to *field*, whose turn ends, if a call has no result.

        Raises:
            InvalidArgument: one has none.
        """
        if self._open:
            names = ", ".join(call.function.name for call in islice(self._open.values(), 8))
            raise InvalidArgument(
                f"{field}.parts: give a functionResponse for each functionCall before it; "
                f"missing: {names}",
                field=f"{field}.parts",
            )
        self._ids.clear()

    def _new_id(self) -> str:
        """Return an id that no call has that waits for its result."""
        self._count += 1
        while (made := f"call_{self._count}") in self._open:
            self._count += 1
        return made

    def _first(self, name: str) -> str:
        """Return the id of the first call of *name* that has no result yet, "" without one."""
        ids = self._ids[name]
        while ids and ids[0] not in self._open:
            ids.popleft()
        return ids[0] if ids else ""
