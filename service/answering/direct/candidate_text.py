"""Make the pieces of one candidate of what becomes known of a completion; a machine without I/O."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from service.answering.direct import logprobs
from service.answering.direct.candidate_calls import CandidateCalls
from service.answering.requests.response_formats import Misfit
from service.answering.views import candidates as views
from service.answering.views.function_calls import UnusableCall
from service.generation.chat_model.chat_events import (
    ChatEvent,
    Finished,
    TextDelta,
    ThoughtDelta,
    TokenLogprob,
    ToolCallDelta,
)
from service.generation.stop_sequences import TextEnd
from sessions.resources.candidates import Candidate, FinishReason

_MESSAGES: Final = {
    FinishReason.SAFETY: "The model declined to go on, or its endpoint found the text harmful.",
    FinishReason.RECITATION: "The model's endpoint found that the text recites a work.",
    FinishReason.BLOCKLIST: "The model's endpoint found words that it blocks.",
    FinishReason.PROHIBITED_CONTENT: "The model's endpoint found content that it prohibits.",
    FinishReason.SPII: "The model's endpoint found sensitive personal data.",
    FinishReason.OTHER: "The text could not be finished.",
}
_MISFIT: Final = "The text is not in the form that was asked for: {fault}"
_FILTERED: Final = frozenset(_MESSAGES) - {FinishReason.OTHER}
"""What the model's endpoint ends a text for."""


class CandidateText:
    """Lets the text of candidate *index* through as far as *text_end* does.

    One piece is held back, so that there is text for the last; with *withholds*, all of it is.
    Thoughts are told as they come, or with *withholds* in the last piece; so are *calls*, as they
    come or with the last piece.
    """

    def __init__(
        self,
        index: int,
        text_end: TextEnd,
        calls: CandidateCalls,
        *,
        withholds: bool,
        shows_thoughts: bool = False,
    ) -> None:
        self._calls = calls
        self._index = index
        self._shows_thoughts = shows_thoughts
        self._thoughts = list[str]()
        self._tokens = list[TokenLogprob]()
        self._end = text_end
        self._withholds = withholds
        self._held = list[str]()
        self._finished: Finished | None = None
        self._misfit: Misfit | None = None

    @property
    def whole(self) -> str:
        """All text so far, told or not."""
        return self._end.text

    @property
    def shown(self) -> str:
        """All that is shown of the candidate: its text, and the thoughts that are told with it."""
        return "\n\n".join(filter(None, ("".join(self._thoughts), self.whole)))

    @property
    def ended(self) -> bool:
        """Whether the text has reached the end that its caller wants, so that no more is."""
        return self._end.reason is not None

    def feed(self, event: ChatEvent | Misfit) -> Iterator[Candidate]:
        """Yield the next pieces, if there are any."""
        if isinstance(event, TextDelta):
            self._tokens += event.logprobs
            shown = self._end.feed(event.text)
            if shown and not self._withholds:
                yield from self._told()
            self._held.append(shown)
        elif isinstance(event, ThoughtDelta) and self._shows_thoughts:
            if not self._withholds:
                yield from self._told()
                yield views.thought_candidate(event.text, self._index)
            self._thoughts.append(event.text)
        elif isinstance(event, ToolCallDelta):
            for part in self._calls.feed(event):
                yield from self._told()
                yield views.part_candidate(part, self._index)
        elif isinstance(event, Finished):
            self._finished = event
        elif isinstance(event, Misfit):
            self._misfit = event

    def finish(self) -> Iterator[Candidate]:
        """Yield the last pieces: the text has ended."""
        self._held.append(self._end.finish())
        reason = self._reason()
        message, calls = _MESSAGES.get(reason), ()
        if reason in _FILTERED:
            # The piece that tells of a filter is empty, as the documents say; what is withheld
            # until it is whole was never let pass, and is not told at all.
            if not self._withholds:
                yield from self._told()
            self._held.clear()
        elif self._misfit is not None:
            reason, message = FinishReason.OTHER, _MISFIT.format(fault=self._misfit.fault)
        elif reason is FinishReason.STOP:
            try:
                calls = self._calls.finish()
            except UnusableCall as unusable:
                reason, message = unusable.reason, unusable.message
        last = views.direct_candidate(
            "".join(self._held),
            reason,
            index=self._index,
            message=message,
            thoughts="".join(self._thoughts) if self._withholds else "",
            calls=calls,
        )
        if found := logprobs.result(self._tokens, self.whole):
            average = logprobs.average(found)
            last = msgspec.structs.replace(last, logprobs_result=found, avg_logprobs=average)
        yield last

    def break_off(self) -> Candidate:
        """Return the last piece of a text that could not be finished."""
        reason = FinishReason.OTHER
        held = "".join(self._held)
        return views.direct_candidate(held, reason, index=self._index, message=_MESSAGES[reason])

    def _told(self) -> Iterator[Candidate]:
        if held := "".join(self._held):
            yield views.text_candidate(held, self._index)
        self._held.clear()

    def _reason(self) -> FinishReason:
        """Return why the text ended: what ended it here counts before what the model says."""
        if self._end.reason is not FinishReason.STOP or self._finished is None:
            return self._end.reason or FinishReason.STOP
        detail = FinishReason.__members__.get(self._finished.detail)
        if detail in _MESSAGES:
            return detail
        match self._finished.reason:
            case "length":
                return FinishReason.MAX_TOKENS
            case "content_filter":
                return FinishReason.SAFETY
            case _:
                return FinishReason.STOP
