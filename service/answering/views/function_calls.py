"""The calls that a model made as parts of a content, or why they are none that can be made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from service.answering.requests.function_declarations import Functions
from service.generation.chat_model.chat_requests import ToolCall
from sessions.resources.candidates import FinishReason
from sessions.resources.contents import FunctionCall, Part

_NOT_JSON: Final = (msgspec.MsgspecError, UnicodeError, RecursionError)
_MOST_TOLD: Final = 200
"""Characters of what a model wrote that are told of a call that cannot be made."""


class UnusableCall(Exception):
    """What a model wants cannot be called; *reason* and *message* are what a candidate says."""

    def __init__(self, reason: FinishReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


def parts(calls: Sequence[ToolCall], functions: Functions | None) -> tuple[Part, ...]:
    """Return the parts of a whole content that makes *calls*.

    Raises:
        UnusableCall: a function was not declared, or not allowed; arguments are no JSON object or,
            where that is asked for, do not match; or there is no call where there has to be one.
    """
    if functions is not None and functions.must_call and not calls:
        raise UnusableCall(
            FinishReason.MALFORMED_FUNCTION_CALL,
            "The model wrote text where it had to call a function.",
        )
    return tuple(_part(call, functions) for call in calls)


def _part(call: ToolCall, functions: Functions | None) -> Part:
    name, arguments = call.function.name, call.function.arguments
    if functions is None or name not in functions.parameters:
        raise UnusableCall(
            FinishReason.UNEXPECTED_TOOL_CALL,
            f"The model called a function that it was not offered: {_excerpt(name)}",
        )
    try:
        values = msgspec.json.decode(arguments or "{}", type=dict[str, Any])
        fault = functions.parameters[name].fault(values) if functions.must_match else ""
    except _NOT_JSON:
        values, fault = {}, "the arguments are no JSON object"
    if fault:
        raise UnusableCall(
            FinishReason.MALFORMED_FUNCTION_CALL,
            f"Malformed function call: {name}({_excerpt(arguments)}): {fault}",
        )
    return Part(function_call=FunctionCall(id=call.id, name=name, args=values))


def _excerpt(text: str) -> str:
    return text if len(text) <= _MOST_TOLD else f"{text[:_MOST_TOLD]}…"
