"""What becomes known of a chat completion, in order: pieces of it, its usage, and how it ended."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from service.generation.generator import Usage

FinishReason = Literal["stop", "length", "content_filter", "tool_calls"]
"""Why a completion ended: by itself, cut short, declined, or in calls that wait for results."""


class TokenAlternative(msgspec.Struct, frozen=True, gc=False):
    """A token that may have stood in a place, and the natural logarithm of its probability.

    *id* is its number in the vocabulary, which llama.cpp tells.
    """

    token: str
    logprob: float
    id: Any = None


class TokenLogprob(msgspec.Struct, frozen=True):
    """A token of a text, its log probability, and the likeliest for its place, best first."""

    token: str
    logprob: float
    top_logprobs: tuple[TokenAlternative, ...] = ()
    id: Any = None


class TextDelta(msgspec.Struct, frozen=True):
    """The next text; *logprobs* has its tokens where these were asked for and are told."""

    text: str
    logprobs: tuple[TokenLogprob, ...] = ()


class ThoughtDelta(msgspec.Struct, frozen=True, gc=False):
    """The next of what the model thinks before or while it writes; no part of the text."""

    text: str


class ToolCallDelta(msgspec.Struct, frozen=True, gc=False):
    """The next of the call with number *index*, from 0.

    *id* and *name* come whole, with the first of a call; the *arguments* of all are to be joined.
    """

    index: int
    id: str = ""
    name: str = ""
    arguments: str = ""


class Finished(msgspec.Struct, frozen=True, gc=False):
    """The last event: the completion has ended, as the model or its endpoint says.

    *detail* is what some endpoints say beyond the reason, in capitals, such as RECITATION.
    """

    reason: FinishReason
    detail: str = ""


Delta = TextDelta | ThoughtDelta | ToolCallDelta
"""A piece of a completion."""
ChatEvent = Delta | Usage | Finished
