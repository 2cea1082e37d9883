"""Answer generateContent: what the pipeline answers, told as candidates."""

from __future__ import annotations

import contextlib
import datetime as dt
import functools
import secrets
from collections.abc import AsyncGenerator
from typing import Any, Final

import msgspec

from service.answering.methods import prompt_contents
from service.answering.methods.models import Models
from service.answering.methods.prompt_contents import PromptRequest
from service.answering.pipeline.pipeline import Pipeline
from service.answering.pipeline.stateless import StatelessAnswers
from service.answering.proof import safety
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval.contexts import Contexts
from service.answering.views import candidates as views
from service.generation.stop_sequences import TextEnd
from service.thread_pools import ThreadPools
from sessions.errors import failure
from sessions.resources import answers, candidates, generate_content
from sessions.resources.candidates import Candidate, FinishReason, GenerateContentResponse
from sessions.resources.contents import Content
from streaming.protocol import rpc_status
from streaming.reading.elements import PlacedElement


class GenerateContentMethods:
    """Writes candidates, whole or piece by piece; nothing is stored."""

    def __init__(
        self,
        contexts: Contexts,
        models: Models,
        pipeline: Pipeline,
        pools: ThreadPools,
        *,
        deadline: float,
        has_model: bool = False,
    ) -> None:
        """Give each candidate *deadline* seconds; *has_model* tells whether a model writes."""
        self._contexts = contexts
        self._models = models
        self._pipeline = pipeline
        self._pools = pools
        self._deadline = deadline
        self._read_contents = functools.partial(prompt_contents.read, has_model=has_model)

    async def generate(
        self, model: str, request: generate_content.GenerateContentRequest
    ) -> GenerateContentResponse:
        """Return the whole response.

        Raises:
            InvalidArgument, Unimplemented: see `prompt_contents.read`.
            NotFound: there is no such model, corpus, data store or engine.
            ServiceError: the text could not be written.
        """
        async with contextlib.aclosing(self.stream(model, request)) as stream:
            return views.joined([chunk async for chunk in stream])

    async def stream(
        self, model: str, request: generate_content.GenerateContentRequest
    ) -> AsyncGenerator[GenerateContentResponse]:
        """Yield the response piece by piece: text as it is written, the rest with its last piece.

        Candidates follow one another. Where the text breaks off, its last piece says so and the
        error follows.

        Raises:
            ServiceError: as `generate`; what was yielded stands.
        """
        self._models.check(model)
        prompt = await self._read(request)
        base = GenerateContentResponse(
            model_version=self._models.generator,
            create_time=dt.datetime.now(dt.UTC),
            response_id=secrets.token_urlsafe(18),
        )
        ratings = await self._rate(prompt, prompt.text)
        if safety.blocked(ratings):
            yield _refusal(base, prompt, views.harmful_prompt(ratings))
            return
        texts: list[str] = []
        for index in range(prompt.count):
            text_end = TextEnd(prompt.stops, prompt.max_tokens)
            async with contextlib.aclosing(self._candidate(prompt, index, text_end)) as parts:
                async for part in parts:
                    if isinstance(part, candidates.PromptFeedback):
                        yield _refusal(base, prompt, views.rated_feedback(part, ratings))
                        return
                    is_last = index == prompt.count - 1 and part.finish_reason is not _UNFINISHED
                    usage = views.usage(prompt.tokens, (*texts, text_end.text)) if is_last else None
                    yield _with(base, candidates=(part,), usage_metadata=usage)
            texts.append(text_end.text)

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

    def _elements(self, prompt: PromptRequest) -> AsyncGenerator[PlacedElement]:
        if prompt.scope is None:
            raise AssertionError("there is something to retrieve from")
        pipeline = self._pipeline.over(self._contexts.index_for(prompt.scope))
        request = PipelineRequest(
            parent=prompt.scope.parent, request=prompt.query, generation_config=prompt.config
        )
        stateless = StatelessAnswers(pipeline, deadline=self._deadline)
        return stateless.elements(request, prompt.history)

    async def _candidate(
        self, prompt: PromptRequest, index: int, text_end: TextEnd
    ) -> AsyncGenerator[Candidate | candidates.PromptFeedback]:
        """Yield one candidate in pieces, as far as *text_end* lets them through.

        The last piece has text wherever there is some: a chat that is replayed by its client
        leaves out turns with a content that says nothing.
        """
        if prompt.scope is None:
            yield await self._without_tool(prompt, index, text_end)
            return
        held = ""  # one piece is held back, so that there is one for the last
        async with contextlib.aclosing(self._elements(prompt)) as elements:
            async for element in elements:
                answer = element.response.answer or _EMPTY
                if element.is_terminal:
                    if not text_end.text:
                        _raise_failed(element)
                    if feedback := views.prompt_feedback(answer):
                        yield feedback
                        return
                    rest = text_end.feed(views.whole_text(answer)) if _is_skipped(answer) else held
                    rest += text_end.finish()
                    answer = await self._with_ratings(prompt, answer, text_end.text)
                    yield _last(answer, prompt, index, text_end, rest)
                    _raise_failed(element)
                elif not _is_skipped(answer) and (text := text_end.feed(answer.answer_text)):
                    if held:
                        yield views.text_candidate(held, index)
                    held = text

    async def _without_tool(
        self, prompt: PromptRequest, index: int, text_end: TextEnd
    ) -> Candidate:
        rest = text_end.feed(views.NOTHING_TO_USE) + text_end.finish()
        answer = await self._with_ratings(prompt, _EMPTY, text_end.text)
        return _last(answer, prompt, index, text_end, rest)

    async def _read(self, request: generate_content.GenerateContentRequest) -> PromptRequest:
        """Return what *request* asks for; a long conversation is read beside the event loop."""
        given = (*request.contents, request.system_instruction or Content())
        size = sum(len(part.text or "") for content in given for part in content.parts)
        if size <= _LONG:
            return self._read_contents(request)
        return await self._pools.reading.run(self._read_contents, request)

    async def _with_ratings(
        self, prompt: PromptRequest, answer: answers.Answer, text: str
    ) -> answers.Answer:
        """Return *answer* with how harmful it is, where that is wanted.

        One that the pipeline has not rated, such as a refusal, is rated by *text*, what was let
        through of it.
        """
        if answer.safety_ratings:
            return answer
        ratings = await self._rate(prompt, text)
        return msgspec.structs.replace(answer, safety_ratings=ratings)

    async def _rate(self, prompt: PromptRequest, text: str) -> tuple[answers.SafetyRating, ...]:
        """Return how harmful *text* is, where that is wanted; off the event loop."""
        if not prompt.shows_ratings:
            return ()
        return await self._pools.reading.run(safety.rate, text, prompt.query.safety_spec)


_LONG: Final = 20_000
"""Characters whose tokens are counted within milliseconds."""
_EMPTY: Final = answers.Answer(state=answers.State.SUCCEEDED)
_UNFINISHED: Final = FinishReason.FINISH_REASON_UNSPECIFIED


def _is_skipped(answer: answers.Answer) -> bool:
    return bool(answer.answer_skipped_reasons)


def _last(
    answer: answers.Answer, prompt: PromptRequest, index: int, text_end: TextEnd, rest: str
) -> Candidate:
    reason = text_end.reason or FinishReason.STOP
    return views.last_candidate(
        answer, text_end.text, reason, rest=rest, index=index, attributed=prompt.attributed
    )


def _refusal(
    base: GenerateContentResponse, prompt: PromptRequest, feedback: candidates.PromptFeedback
) -> GenerateContentResponse:
    return _with(base, prompt_feedback=feedback, usage_metadata=views.usage(prompt.tokens, ()))


def _raise_failed(element: PlacedElement) -> None:
    """Raise what the answer failed of, if it did."""
    if (error := element.error) is None:
        return
    raise failure(error.code, error.message, reason=rpc_status.reason(error) or "ANSWER_FAILED")


def _with(base: GenerateContentResponse, **fields: Any) -> GenerateContentResponse:
    return msgspec.structs.replace(base, **fields)
