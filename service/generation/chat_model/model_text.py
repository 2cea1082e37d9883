"""What of the text of one completion is told: the answer, where there is one."""

from __future__ import annotations

from collections.abc import Sequence

from service.generation.chat_model.chat_events import Delta, TextDelta
from service.generation.chat_model.no_answer import NoAnswerFilter
from service.generation.chat_model.reasoning import ReasoningFilter
from service.generation.chat_model.source_lists import SourceListFilter


class ModelText:
    """Takes thoughts and noise out of the text, then tells whether the rest is an answer.

    A list of sources below that is no part of it; nor is what comes in fields of its own.

    *refused* says that it is none. *within_thoughts* says that the text begins in the middle of
    them, and `began_within_thoughts` afterwards whether it did.
    """

    def __init__(self, *, within_thoughts: bool = False) -> None:
        self._reasoning = ReasoningFilter(within_thoughts=within_thoughts)
        self._no_answer = NoAnswerFilter()
        self._source_list = SourceListFilter()

    @property
    def refused(self) -> bool:
        """Whether there is no answer."""
        return self._no_answer.refused

    @property
    def began_within_thoughts(self) -> bool:
        """Whether thoughts ended that nothing had opened."""
        return self._reasoning.began_within_thoughts

    def feed(self, event: Delta) -> Sequence[Delta]:
        """Return what may be told now."""
        if not isinstance(event, TextDelta):
            return ()
        text = self._no_answer.feed(self._reasoning.feed(event.text))
        return _delta(self._source_list.feed(text))

    def finish(self) -> Sequence[Delta]:
        """Return what was held back, when there is no more text."""
        rest = self._no_answer.feed(self._reasoning.finish()) + self._no_answer.finish()
        return _delta(self._source_list.feed(rest) + self._source_list.finish())


def _delta(text: str) -> Sequence[Delta]:
    return (TextDelta(text),) if text else ()
