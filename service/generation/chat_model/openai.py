"""Write answers with a chat model at any OpenAI-compatible endpoint."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncGenerator

import msgspec

from service.generation.chat_model import endpoint_errors
from service.generation.chat_model.chat_completions import ChatCompletions
from service.generation.chat_model.chat_events import Finished, TextDelta, ThoughtDelta
from service.generation.chat_model.chat_requests import ChatRequest
from service.generation.chat_model.model_text import ModelText
from service.generation.chat_model.prompts import RULES, messages, texts
from service.generation.chat_model.text_filters.output_guard import OutputGuard
from service.generation.generator import Piece, Prompt, Usage


class OpenAIGenerator:
    """Streams the text of a model, which cites the sources by number.

    It raises what `ChatCompletions` raises, and where the text is not whole MODEL_TRUNCATED,
    MODEL_FILTERED or MODEL_MALFORMED.
    """

    continues = False
    marks_inline = True
    judges = True

    def __init__(self, completions: ChatCompletions) -> None:
        self._completions = completions

    async def generate(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        """Yield the text as it comes; nothing where the model finds no answer in the sources."""
        guard = functools.partial(OutputGuard, tuple(texts(prompt)), RULES, prompt.preamble)
        new_text = functools.partial(
            ModelText, tells_thoughts=prompt.shows_thoughts, new_guard=guard
        )
        stream = self._completions.events(_request(prompt), new_text)
        async with contextlib.aclosing(stream) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    yield Piece(event.text)
                elif isinstance(event, ThoughtDelta):
                    yield Piece("", thought=event.text)
                elif isinstance(event, Usage):
                    yield Piece("", usage=event)
                elif isinstance(event, Finished):
                    endpoint_errors.raise_unless_whole(event.reason)


def _request(prompt: Prompt) -> ChatRequest:
    sampling = {} if prompt.sampling is None else msgspec.structs.asdict(prompt.sampling)
    return ChatRequest(messages=messages(prompt), **sampling)
