"""Put the calls of a completion together from the pieces in which they come."""

from __future__ import annotations

import secrets

from service.generation.chat_model.chat_events import ToolCallDelta
from service.generation.chat_model.chat_requests import CalledFunction, ToolCall


class ToolCalls:
    """Collects the calls of one completion; a machine without I/O."""

    def __init__(self) -> None:
        self._calls: dict[int, list[ToolCallDelta]] = {}

    def feed(self, delta: ToolCallDelta) -> None:
        """Take the next piece of a call."""
        self._calls.setdefault(delta.index, []).append(delta)

    def call(self, index: int) -> ToolCall:
        """Return the call with number *index* as far as it is known."""
        return _joined(self._calls[index])

    @property
    def whole(self) -> tuple[ToolCall, ...]:
        """The calls so far, in their order; one without an id is given one."""
        return tuple(_joined(self._calls[index]) for index in sorted(self._calls))


def _joined(deltas: list[ToolCallDelta]) -> ToolCall:
    said = next((delta.id for delta in deltas if delta.id), "")
    name = next((delta.name for delta in deltas if delta.name), "")
    arguments = "".join(delta.arguments for delta in deltas)
    return ToolCall(said or f"call_{secrets.token_hex(8)}", CalledFunction(name, arguments))
