"""What of one completion is told: the answer, where there is one, and thoughts where wanted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from service.generation.chat_model.chat_events import (
    Delta,
    TextDelta,
    ThoughtDelta,
    TokenLogprob,
)
from service.generation.chat_model.text_filters.no_answer import NoAnswerFilter
from service.generation.chat_model.text_filters.output_guard import OutputGuard
from service.generation.chat_model.text_filters.reasoning import ReasoningFilter
from service.generation.chat_model.text_filters.source_lists import SourceListFilter


class CompletionParts:
    """Tells all of a completion, the thoughts in its text as thoughts.

    Log probabilities of a text that was held back come with a later piece of it.
    """

    refused = False

    def __init__(self, *, within_thoughts: bool) -> None:
        self._reasoning = ReasoningFilter(
            within_thoughts=within_thoughts, guesses=False, keeps_thoughts=True
        )
        self._tokens: tuple[TokenLogprob, ...] = ()
        """Those of text that is held back, or was told without them."""
        self._untold = 0
        """How many characters were told without their tokens."""

    @property
    def began_within_thoughts(self) -> bool:
        """Whether thoughts ended that nothing had opened."""
        return self._reasoning.began_within_thoughts

    def feed(self, event: Delta) -> Sequence[Delta]:
        """Return what may be told now."""
        if not isinstance(event, TextDelta):
            return (event,)
        return self._told(self._reasoning.feed(event.text), event.logprobs)

    def finish(self) -> Sequence[Delta]:
        """Return what was held back, when there is no more text."""
        return self._told(self._reasoning.finish(), ())

    def _told(self, text: str, logprobs: tuple[TokenLogprob, ...]) -> Sequence[Delta]:
        if logprobs or self._tokens:
            logprobs = self._tokens_of(text, logprobs)
        deltas: list[Delta] = [TextDelta(text, logprobs)] if text or logprobs else []
        if thoughts := self._reasoning.take_thoughts():
            deltas.insert(0, ThoughtDelta(thoughts))
        return deltas

    def _tokens_of(self, text: str, logprobs: tuple[TokenLogprob, ...]) -> tuple[TokenLogprob, ...]:
        """Return the tokens of what was told, once nothing of them is held back any more."""
        self._tokens += logprobs
        self._untold += len(text)
        if self._reasoning.holds:
            return ()
        # Thoughts and tags come before what is told: its tokens are the last ones.
        first, left = len(self._tokens), self._untold
        while first and left > 0:
            first -= 1
            left -= len(self._tokens[first].token)
        tokens, self._tokens, self._untold = self._tokens[first:], (), 0
        return tokens


class ModelText:
    """Takes thoughts and noise out of the text, then tells whether the rest is an answer.

    A list of sources below that is no part of it. *refused* says that it is none. Where thoughts
    are told, they come with the text that follows: of what is no answer, nothing is.
    """

    def __init__(
        self,
        *,
        within_thoughts: bool = False,
        tells_thoughts: bool = False,
        new_guard: Callable[[], OutputGuard] | None = None,
    ) -> None:
        """*new_guard* makes what text and thoughts pass at last; without it nothing is taken out.

        That is for text which nobody is shown, such as a ranking.
        """
        self._guard, self._thought_guard = new_guard and new_guard(), new_guard and new_guard()
        self._reasoning = ReasoningFilter(
            within_thoughts=within_thoughts, keeps_thoughts=tells_thoughts
        )
        self._tells_thoughts = tells_thoughts
        self._thoughts = list[str]()
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
        if isinstance(event, TextDelta):
            text = self._no_answer.feed(self._reasoning.feed(event.text))
            return self._told(self._source_list.feed(text))
        if self._tells_thoughts and isinstance(event, ThoughtDelta):
            self._thoughts.append(event.text)
        return ()

    def finish(self) -> Sequence[Delta]:
        """Return what was held back, when there is no more text."""
        rest = self._no_answer.feed(self._reasoning.finish()) + self._no_answer.finish()
        return self._told(self._source_list.feed(rest) + self._source_list.finish(), last=True)

    def _told(self, text: str, *, last: bool = False) -> Sequence[Delta]:
        if self._tells_thoughts:
            self._thoughts.append(self._reasoning.take_thoughts())
        text = _guarded(self._guard, text, last=last)
        if not text:
            return ()
        thoughts, self._thoughts = "".join(self._thoughts), []
        thoughts = _guarded(self._thought_guard, thoughts, last=last)
        return (ThoughtDelta(thoughts), TextDelta(text)) if thoughts else (TextDelta(text),)


def _guarded(guard: OutputGuard | None, text: str, *, last: bool) -> str:
    if guard is None:
        return text
    told = guard.feed(text) if text else ""
    return told + guard.finish() if last else told
