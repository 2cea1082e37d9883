"""Let the model write a candidate from the contents of a request alone."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncGenerator
from typing import Final

import msgspec

from service.answering.direct import chat_messages, structured_output
from service.answering.direct.candidate_calls import CandidateCalls
from service.answering.direct.candidate_text import CandidateText
from service.answering.direct.direct_prompt import DirectPrompt
from service.answering.proof import safety
from service.answering.query_classes.portal_policy import PortalPolicy
from service.answering.requests.response_formats import Misfit
from service.answering.views import candidates as views
from service.generation.chat_model.chat_completions import ChatCompletions
from service.generation.chat_model.chat_events import ChatEvent
from service.generation.chat_model.chat_requests import ChatRequest
from service.generation.generator import Usage
from service.generation.stop_sequences import TextEnd
from service.thread_pools import ThreadPools
from sessions.errors import InvalidArgument, ServiceError
from sessions.resources.answers import SafetyRating
from sessions.resources.candidates import (
    BlockedReason,
    Candidate,
    FinishReason,
    PromptFeedback,
)

_PROMPT_REFUSED: Final = frozenset({"content_filter", "content_policy_violation"})
"""Codes by which endpoints refuse a prompt before any text, for what it says."""
_ESCAPE: Final = re.compile(r"(?:\\u[0-9a-fA-F]{4})+|\\[^u]")
"""Characters of JSON that are written as others (RFC 8259, section 7)."""


class DirectGeneration:
    """Writes candidates by a model, which is told the contents and nothing else."""

    def __init__(
        self, completions: ChatCompletions, policy: PortalPolicy, pools: ThreadPools
    ) -> None:
        """*policy* says what the operator does not let be said."""
        self._completions = completions
        self._policy = policy
        self._pools = pools

    async def candidate(
        self, prompt: DirectPrompt, index: int, text_end: TextEnd
    ) -> AsyncGenerator[Candidate | PromptFeedback | Usage]:
        """Yield one candidate in pieces, as far as *text_end* lets them through, and its usage.

        The last piece ends it, and has text wherever there is some. Where the endpoint refuses
        the prompt, that is all. Closing it closes the request to the model.

        Raises:
            InvalidArgument: the model does not take the images or the functions of the prompt,
                or not as much at once.
            ServiceError: see `ChatCompletions`; what was yielded stands.
        """
        withholds = prompt.safety_spec is not None or self._policy.withholds
        functions, shows = prompt.functions, prompt.shows_thoughts
        streams = functions is not None and functions.streams_arguments and not withholds
        calls = CandidateCalls(functions, streams=streams)
        text = CandidateText(index, text_end, calls, withholds=withholds, shows_thoughts=shows)
        try:
            async with contextlib.aclosing(self._events(prompt, index)) as events:
                async for event in events:
                    for piece in text.feed(event):
                        yield piece
                    if isinstance(event, Usage):
                        yield event
                    elif text.ended:
                        break
        except ServiceError as exc:
            if feedback := _refusal(exc):
                yield feedback
                return
            if text.whole and not withholds:
                yield text.break_off()
            raise _of_request(exc, prompt.request) or exc from exc
        for piece in text.finish():
            yield await self._guarded(prompt, piece, _said(prompt, piece, text.shown))

    def _events(self, prompt: DirectPrompt, index: int) -> AsyncGenerator[ChatEvent | Misfit, None]:
        """Ask the model for candidate *index*."""
        request = prompt.request
        if index and request.seed is not None:
            # One seed would give one text, over and over.
            request = msgspec.structs.replace(request, seed=request.seed + index)
        if prompt.form is None:
            return self._completions.events(request)
        return structured_output.events(
            self._completions.events, request, prompt.form, self._pools.reading
        )

    async def _guarded(self, prompt: DirectPrompt, piece: Candidate, text: str) -> Candidate:
        """Return the last *piece* rated, and without text where the whole must not be shown."""
        if piece.finish_reason is FinishReason.FINISH_REASON_UNSPECIFIED:
            return piece
        if self._policy.withholds and await self._pools.reading.run(self._policy.bans, text):
            return views.withheld(piece, FinishReason.BLOCKLIST)
        if not prompt.rates:
            return piece
        ratings: tuple[SafetyRating, ...] = await self._pools.reading.run(
            safety.rate, text, prompt.safety_spec
        )
        piece = views.rated(piece, ratings)
        return views.withheld(piece, FinishReason.SAFETY) if safety.blocked(ratings) else piece


def _said(prompt: DirectPrompt, last: Candidate, shown: str) -> str:
    """Return what is *shown* as a program reads it: JSON without its escapes, and calls with it.

    JSON that was cut off says something as well, so that it is not parsed.
    """
    parts = last.content.parts if last.content else ()
    calls = [
        msgspec.json.encode(each.function_call.args).decode()
        for each in parts
        if each.function_call
    ]
    if prompt.form is None and not calls:
        return shown
    return "\n".join((shown, *(_ESCAPE.sub(_unescaped, each) for each in (shown, *calls))))


def _unescaped(escape: re.Match[str]) -> str:
    digits = escape[0].replace("\\u", "")
    if len(digits) == len(escape[0]):
        return " "  # a line feed, or a sign: between words
    return bytes.fromhex(digits).decode("utf-16-be", errors="replace")


def _refusal(error: ServiceError) -> PromptFeedback | None:
    """Return that the endpoint refused the prompt for what it says, None where it did not."""
    filtered = error.metadata.get("filtered", "")
    if not filtered and error.metadata.get("upstream") not in _PROMPT_REFUSED:
        return None
    reason = BlockedReason.SAFETY if filtered else BlockedReason.OTHER
    reason = BlockedReason.JAILBREAK if "jailbreak" in filtered else reason
    found = f"found in it: {filtered}" if filtered else "does not say why"
    message = f"The model's endpoint refused the prompt, and {found}."
    return PromptFeedback(block_reason=reason, block_reason_message=message)


def _of_request(error: ServiceError, request: ChatRequest) -> ServiceError | None:
    """Return what to tell whose contents are why the endpoint refuses the request."""
    if error.reason != "MODEL_REQUEST_INVALID":
        return None
    if error.metadata.get("upstream") == "context_length_exceeded":
        return InvalidArgument(
            "contents: longer than the model can read at once; send less",
            field="contents",
            reason="MODEL_CONTEXT_EXCEEDED",
        )
    if chat_messages.has_images(request.messages):
        return InvalidArgument(
            "contents: the model does not take these images; leave out inlineData, or configure a "
            "model that sees",
            field="contents",
            reason="MODEL_TAKES_NO_IMAGES",
        )
    if request.tools:
        return InvalidArgument(
            "tools: the model does not take these functions; leave out functionDeclarations, or "
            "configure a model that calls functions",
            field="tools",
            reason="MODEL_TAKES_NO_FUNCTIONS",
        )
    return None
