"""Estimate what a completion costs for as long as its endpoint has not said.

What is estimated is too much rather than too little: a bound is held by it.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Generator
from typing import Final

import msgspec

from service.generation.chat_model.chat_requests import ChatRequest, ImagePart
from service.generation.chat_model.chat_stream import Completion

_BYTES: Final = 2
"""Bytes that a token of a prompt has at least, on average: four in English, three in Chinese."""
_IMAGE: Final = 2_000
"""Tokens of an image: usual models count fewer for one that they need not look at closely."""


class Spending:
    """The tokens of one completion, over all attempts to get it."""

    def __init__(self, request: ChatRequest, longest: int) -> None:
        """The model may write *longest* tokens to *request*."""
        self._request = request
        self._longest = longest
        self._attempts: list[Completion] = []

    @contextlib.contextmanager
    def asking(self, completion: Completion) -> Generator[None]:
        """Count *completion* and its prompt, which is sent inside, unless that fails."""
        self._attempts.append(completion)
        try:
            yield
        except Exception:
            self._attempts.pop()
            raise

    @property
    def most(self) -> int:
        """What one attempt may use."""
        return self._prompt + self._longest

    @property
    def used(self) -> int:
        """What was used up to now: what the endpoint says, or else prompt and text so far."""
        return sum(map(self._of, self._attempts))

    def _of(self, attempt: Completion) -> int:
        if (usage := attempt.usage) is not None:
            return usage.prompt + usage.completion
        # Three characters in Chinese are two tokens; in English they are less than one.
        return self._prompt + min(self._longest, -(-attempt.length * 2 // 3))

    @functools.cached_property
    def _prompt(self) -> int:
        request, size, images = self._request, 0, 0
        for message in request.messages:
            size += len(message.text.encode(errors="replace"))
            size += sum(len(call.function.arguments.encode()) for call in message.tool_calls)
            if isinstance(message.content, tuple):
                images += sum(isinstance(part, ImagePart) for part in message.content)
        if request.tools or request.response_format:
            size += len(msgspec.json.encode((request.tools, request.response_format)))
        return -(-size // _BYTES) + _IMAGE * images
