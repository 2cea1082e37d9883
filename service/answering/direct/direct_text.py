"""What is told of a completion that writes freely: all but the thoughts in its text."""

from __future__ import annotations

from collections.abc import Sequence

from service.generation.chat_model.chat_events import Delta, TextDelta, TokenLogprob
from service.generation.chat_model.reasoning import ReasoningFilter


class DirectText:
    """Takes thoughts out of the text; calls and thoughts in fields of their own pass.

    *tokens* are those of all text, thoughts in it included, where they were asked for.
    """

    refused = False

    def __init__(self, *, within_thoughts: bool = False) -> None:
        self._reasoning = ReasoningFilter(within_thoughts=within_thoughts)
        self.tokens: list[TokenLogprob] = []

    @property
    def began_within_thoughts(self) -> bool:
        """Whether thoughts ended that nothing had opened."""
        return self._reasoning.began_within_thoughts

    def feed(self, event: Delta) -> Sequence[Delta]:
        """Return what may be told now."""
        if not isinstance(event, TextDelta):
            return (event,)
        self.tokens += event.logprobs
        return _told(self._reasoning.feed(event.text))

    def finish(self) -> Sequence[Delta]:
        """Return what was held back, when nothing more comes."""
        return _told(self._reasoning.finish())


def _told(text: str) -> Sequence[Delta]:
    return (TextDelta(text),) if text else ()
