"""The calls of one candidate, whole at its end or, where that is wanted, while they are written."""

from __future__ import annotations

from collections.abc import Iterator

from service.answering.requests.function_declarations import Functions
from service.answering.views import function_calls
from service.answering.views.partial_arguments import PartialArguments
from service.generation.chat_model.chat_events import ToolCallDelta
from service.generation.chat_model.tool_calls import ToolCalls
from sessions.resources.contents import FunctionCall, Part


class CandidateCalls:
    """Makes parts of what a model calls of *functions*; a machine without I/O.

    With *streams* the arguments are told as they come, and whether they can be used afterwards.
    """

    def __init__(self, functions: Functions | None, *, streams: bool) -> None:
        self._functions = functions
        self._streams = streams
        self._calls = ToolCalls()
        self._arguments: PartialArguments | None = None
        """Those of the call that is being told."""
        self._index = -1

    def feed(self, delta: ToolCallDelta) -> Iterator[Part]:
        """Yield what may be told now of the call that *delta* goes on with."""
        self._calls.feed(delta)
        if not self._streams:
            return
        if self._arguments is None or delta.index != self._index:
            yield from self._end()
            self._index, self._arguments = delta.index, PartialArguments()
            call = self._calls.call(delta.index)
            named = FunctionCall(id=call.id, name=call.function.name, will_continue=True)
            yield Part(function_call=named)
        if args := self._arguments.feed(delta.arguments):
            yield Part(function_call=FunctionCall(partial_args=args, will_continue=True))

    def finish(self) -> tuple[Part, ...]:
        """Return what is left to tell when the model has finished.

        Raises:
            UnusableCall: see `function_calls.parts`.
        """
        parts = function_calls.parts(self._calls.whole, self._functions)
        return tuple(self._end()) if self._streams else parts

    def _end(self) -> Iterator[Part]:
        """Yield the end of the call that is being told: a part that says nothing more of it."""
        if self._arguments is not None:
            yield Part(function_call=FunctionCall())
        self._arguments = None
