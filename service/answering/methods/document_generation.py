"""Let the pipeline write a candidate from the documents that a prompt may use."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import Final

import msgspec

from service.answering.methods.outcomes import raised
from service.answering.methods.prompt_contents import PromptRequest
from service.answering.pipeline.pipeline import Pipeline
from service.answering.pipeline.stateless import StatelessAnswers
from service.answering.proof import safety
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval.contexts import Contexts
from service.answering.views import candidates as views
from service.generation.generator import Usage
from service.generation.stop_sequences import TextEnd
from service.thread_pools import ThreadPools
from sessions.resources import answers, candidates
from sessions.resources.candidates import Candidate, FinishReason
from streaming.protocol import rpc_status
from streaming.reading.elements import PlacedElement

_EMPTY: Final = answers.Answer(state=answers.State.SUCCEEDED)
_BY_MODEL: Final = {
    "MODEL_TRUNCATED": FinishReason.MAX_TOKENS,
    "MODEL_FILTERED": FinishReason.SAFETY,
}
"""Failures of an answer that are ordinary ends of a candidate."""


class DocumentGeneration:
    """Writes candidates by the pipeline, over whatever the tools of a prompt name."""

    def __init__(
        self, contexts: Contexts, pipeline: Pipeline, pools: ThreadPools, *, deadline: float
    ) -> None:
        """Give each candidate *deadline* seconds."""
        self._contexts = contexts
        self._pipeline = pipeline
        self._pools = pools
        self._deadline = deadline

    async def answer(self, prompt: PromptRequest) -> answers.Answer:
        """Return the finished answer to what is asked.

        Raises:
            NotFound: there is no such corpus, data store or engine.
            ServiceError: the text could not be written.
        """
        async with contextlib.aclosing(self._elements(prompt)) as elements:
            async for element in elements:
                if element.is_terminal and element.response.answer is not None:
                    _raise_failed(element)
                    return element.response.answer
        raise AssertionError("the last element is terminal")

    async def candidate(
        self, prompt: PromptRequest, index: int, text_end: TextEnd
    ) -> AsyncGenerator[Candidate | candidates.PromptFeedback | Usage]:
        """Yield one candidate in pieces, as far as *text_end* lets them through, and its usage.

        The last piece ends it. Where the prompt is refused, that is all.

        Raises:
            NotFound: there is no such corpus, data store or engine.
            ServiceError: the text could not be finished; what was yielded stands.
        """
        held = ""  # one piece is held back, so that there is one for the last
        thought, usages = "", list[Usage]()
        elements = self._elements(prompt, index, usages.append)
        async with contextlib.aclosing(elements):
            async for element in elements:
                answer = element.response.answer or _EMPTY
                if element.is_terminal:
                    ended = _ended_by_model(element)
                    if not text_end.text and ended is None:
                        _raise_failed(element)
                    if feedback := views.prompt_feedback(answer):
                        yield feedback
                        return
                    rest = text_end.feed(views.whole_text(answer)) if _is_skipped(answer) else held
                    rest += text_end.finish()
                    answer = await self._with_ratings(prompt, answer, text_end.text)
                    for usage in usages:
                        yield usage
                    yield _last(answer, prompt, index, text_end, rest, ended)
                    if ended is None:
                        _raise_failed(element)
                elif (told := views.thought(answer)) and told != thought:
                    yield views.thought_candidate(told.removeprefix(thought), index)
                    thought = told
                elif not _is_skipped(answer) and (text := text_end.feed(answer.answer_text)):
                    if held:
                        yield views.text_candidate(held, index)
                    held = text

    async def without_tool(self, prompt: PromptRequest, index: int, text_end: TextEnd) -> Candidate:
        """Return the candidate that says that no tool brings anything to write from."""
        rest = text_end.feed(views.NOTHING_TO_USE) + text_end.finish()
        answer = await self._with_ratings(prompt, _EMPTY, text_end.text)
        return _last(answer, prompt, index, text_end, rest)

    async def rate(self, prompt: PromptRequest, text: str) -> tuple[answers.SafetyRating, ...]:
        """Return how harmful *text* is, where that is wanted; off the event loop."""
        if not prompt.shows_ratings:
            return ()
        return await self._pools.reading.run(safety.rate, text, prompt.query.safety_spec)

    def _elements(
        self,
        prompt: PromptRequest,
        index: int = 0,
        count: Callable[[Usage], None] | None = None,
    ) -> AsyncGenerator[PlacedElement]:
        if prompt.scope is None:
            raise AssertionError("there is something to retrieve from")
        found_in = prompt.sources or self._contexts.index_for(prompt.scope)
        pipeline = self._pipeline.over(found_in, prompt.sources, count=count)
        config = prompt.config
        if index and config is not None and config.seed is not None:
            # One seed would give one text, over and over.
            config = msgspec.structs.replace(config, seed=config.seed + index)
        request = PipelineRequest(
            parent=prompt.scope.parent,
            request=prompt.query,
            generation_config=config,
            viewer=prompt.scope.viewer,
        )
        stateless = StatelessAnswers(pipeline, deadline=self._deadline)
        return stateless.elements(request, prompt.history)

    async def _with_ratings(
        self, prompt: PromptRequest, answer: answers.Answer, text: str
    ) -> answers.Answer:
        """Return *answer* with how harmful it is, where that is wanted.

        One that the pipeline has not rated, such as a refusal, is rated by *text*, what was let
        through of it.
        """
        if answer.safety_ratings:
            return answer
        ratings = await self.rate(prompt, text)
        return msgspec.structs.replace(answer, safety_ratings=ratings)


def _is_skipped(answer: answers.Answer) -> bool:
    return bool(answer.answer_skipped_reasons)


def _last(
    answer: answers.Answer,
    prompt: PromptRequest,
    index: int,
    text_end: TextEnd,
    rest: str,
    ended: FinishReason | None = None,
) -> Candidate:
    reason = ended or text_end.reason or FinishReason.STOP
    if ended is not None:
        answer = msgspec.structs.replace(answer, state=answers.State.SUCCEEDED)
    return views.last_candidate(
        answer, text_end.text, reason, rest=rest, index=index, attributed=prompt.attributed
    )


def _ended_by_model(element: PlacedElement) -> FinishReason | None:
    """Return why the model or its endpoint ended the text, None where that is not why it ended."""
    error = element.error
    return _BY_MODEL.get(rpc_status.reason(error) or "") if error is not None else None


def _raise_failed(element: PlacedElement) -> None:
    """Raise what the answer failed of, if it did."""
    if (error := element.error) is None:
        return
    raise raised(error.code, error.message, reason=rpc_status.reason(error) or "ANSWER_FAILED")
