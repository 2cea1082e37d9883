"""Write answers with a chat model at any OpenAI-compatible endpoint."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator

from service.generation.chat_model.chat_completions import ChatCompletions
from service.generation.chat_model.model_text import ModelText
from service.generation.chat_model.prompts import messages
from service.generation.generator import Piece, Prompt


class OpenAIGenerator:
    """Streams the text of a model, which cites the sources by number.

    It raises what `ChatCompletions` raises.
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

        stream = self._completions.stream(messages(prompt), new_text, prompt.sampling)
        async with contextlib.aclosing(stream) as shown:
            async for text in shown:
                yield Piece(text)
        self._begins_within_thoughts = texts[-1].began_within_thoughts
