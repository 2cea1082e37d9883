"""Guard what a model writes from material that strangers may have planted orders in."""

from __future__ import annotations

from collections.abc import Iterable

from service.generation.chat_model.text_filters.instructions import InstructionFilter
from service.generation.chat_model.text_filters.links import LinkFilter


class OutputGuard:
    """Passes a text on without foreign links, and without what repeats the instructions."""

    def __init__(self, texts: Iterable[str], rules: str, added: str) -> None:
        """*texts* are all that the model was given, for `LinkFilter`; see `InstructionFilter`."""
        self._links = LinkFilter(texts)
        self._instructions = InstructionFilter(rules, added)

    def feed(self, text: str) -> str:
        """Return what may be told now."""
        return self._instructions.feed(self._links.feed(text))

    def finish(self) -> str:
        """Return what was held back, when there is no more text."""
        return self._instructions.feed(self._links.finish()) + self._instructions.finish()
