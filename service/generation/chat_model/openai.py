"""Write answers with a chat model at any OpenAI-compatible endpoint."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator

import msgspec

from service.generation.chat_model import endpoint_errors
from service.generation.chat_model.chat_completions import ChatCompletions
from service.generation.chat_model.chat_events import Finished, FinishReason, TextDelta
from service.generation.chat_model.chat_requests import ChatRequest
from service.generation.chat_model.model_text import ModelText
from service.generation.chat_model.prompts import messages
from service.generation.generator import Piece, Prompt


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
        self._begins_within_thoughts = False
        """Whether the last answer did: the endpoint opens its thoughts, the model closes them."""

    async def generate(self, prompt: Prompt) -> AsyncGenerator[Piece, None]:
        """Yield the text as it comes; nothing where the model finds no answer in the sources."""
        texts = list[ModelText]()

        def new_text() -> ModelText:
            texts.append(ModelText(within_thoughts=self._begins_within_thoughts))
            return texts[-1]

        finish_reason: FinishReason = "stop"
        stream = self._completions.events(_request(prompt), new_text)
        async with contextlib.aclosing(stream) as events:
            async for event in events:
                if isinstance(event, TextDelta):
                    yield Piece(event.text)
                elif isinstance(event, Finished):
                    finish_reason = event.reason
        self._begins_within_thoughts = texts[-1].began_within_thoughts
        endpoint_errors.raise_unless_whole(finish_reason)


def _request(prompt: Prompt) -> ChatRequest:
    sampling = {} if prompt.sampling is None else msgspec.structs.asdict(prompt.sampling)
    return ChatRequest(messages=messages(prompt), **sampling)
