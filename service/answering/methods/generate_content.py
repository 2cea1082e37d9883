"""Answer generateContent: what the pipeline answers, told as candidates."""

from __future__ import annotations

import collections
import contextlib
import datetime as dt
import functools
import secrets
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any, Final

import msgspec

from service.answering.direct import chat_messages, prompt_guards
from service.answering.direct.direct_generation import DirectGeneration
from service.answering.direct.interleaving import interleaved
from service.answering.methods import prompt_contents
from service.answering.methods.models import Models
from service.answering.methods.prompt_contents import PromptRequest
from service.answering.pipeline.pipeline import Pipeline
from service.answering.pipeline.stateless import StatelessAnswers
from service.answering.proof import safety
from service.answering.query_classes.portal_policy import PortalPolicy
from service.answering.requests import content_texts
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval.contexts import Contexts
from service.answering.views import candidates as views
from service.answering.views import usage_metadata, web_sources
from service.answering.views.candidate_parts import TextPlaces
from service.answering.views.web_sources import WebReport
from service.answering.web.web_grounding import WebGrounding, WebQuery
from service.answering.web.web_tools import OfferedWeb
from service.generation.generator import Usage
from service.generation.stop_sequences import TextEnd
from service.thread_pools import ThreadPools
from sessions.errors import failure
from sessions.resources import answers, candidates, generate_content
from sessions.resources.candidates import Candidate, FinishReason, GenerateContentResponse
from sessions.resources.contents import Content, Part
from streaming.protocol import rpc_status
from streaming.reading.elements import PlacedElement


class GenerateContentMethods:
    """Writes candidates, whole or piece by piece; nothing is stored."""

    def __init__(
        self,
        contexts: Contexts,
        models: Models,
        pipeline: Pipeline,
        policy: PortalPolicy,
        pools: ThreadPools,
        *,
        deadline: float,
        direct: DirectGeneration | None = None,
        web: WebGrounding | None = None,
    ) -> None:
        """Give each candidate *deadline* seconds; *direct* writes where a model does."""
        self._contexts = contexts
        self._models = models
        self._pipeline = pipeline
        self._policy = policy
        self._pools = pools
        self._deadline = deadline
        self._direct = direct
        self._web = web

    async def generate(
        self, model: str, request: generate_content.GenerateContentRequest
    ) -> GenerateContentResponse:
        """Return the whole response.

        Raises:
            InvalidArgument, Unimplemented: see `prompt_contents.read`.
            NotFound: there is no such model, corpus, data store or engine.
            ServiceError: the text could not be written.
        """
        async with contextlib.aclosing(self.stream(model, _unstreamed(request))) as stream:
            return views.joined([chunk async for chunk in stream])

    async def stream(
        self, model: str, request: generate_content.GenerateContentRequest
    ) -> AsyncGenerator[GenerateContentResponse]:
        """Yield the response piece by piece: text as it is written, the rest with its last piece.

        Candidates are written beside each other. Where a text breaks off, its last piece says so
        and the error follows.

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
        if feedback := await self._guarded(prompt):
            yield _refusal(base, prompt, feedback)
            return
        prompt, report = await self._with_web(prompt)
        ends = [TextEnd(prompt.stops, prompt.max_tokens) for _ in range(prompt.count)]
        streams = [self._candidate(prompt, *numbered) for numbered in enumerate(ends)]
        reported, called = list[Usage](), [list[str]() for _ in ends]
        places = collections.defaultdict[int, TextPlaces](TextPlaces)
        left = prompt.count
        async with contextlib.aclosing(interleaved(streams, at_once=_AT_ONCE)) as parts:
            async for part in parts:
                if isinstance(part, Usage):
                    reported.append(part)
                    continue
                if isinstance(part, candidates.PromptFeedback):
                    ratings = await self._rate(prompt, prompt.text)
                    yield _refusal(base, prompt, views.rated_feedback(part, ratings))
                    return
                places[part.index].add(part.content)
                called[part.index] += filter(None, map(content_texts.call_text, _parts(part)))
                if part.finish_reason is not _UNFINISHED:
                    part = places[part.index].placed(part)  # noqa: PLW2901 - the same, with places
                    part = web_sources.shown(part, report) if report else part  # noqa: PLW2901
                    left -= 1
                texts = () if left else _written(ends, called)
                usage = None if left else _usage(prompt, texts, reported)
                yield _with(base, candidates=(part,), usage_metadata=usage)

    async def _guarded(self, prompt: PromptRequest) -> candidates.PromptFeedback | None:
        """Return why the prompt is refused before anything is written, None where it is not."""
        ratings = await self._rate(prompt, prompt.text)
        if safety.blocked(ratings):
            return views.harmful_prompt(ratings)
        if not prompt.guards and self._policy.is_empty:
            return None
        feedback = await self._pools.reading.run(
            prompt_guards.feedback, prompt.text, prompt.history, prompt.guards, self._policy
        )
        return views.rated_feedback(feedback, ratings) if feedback else None

    async def _with_web(self, prompt: PromptRequest) -> tuple[PromptRequest, WebReport | None]:
        """Return *prompt* over what it wants of the web as well, and what was done for that."""
        if self._web is None or prompt.web is None:
            return prompt, None
        query = WebQuery(prompt.text, prompt.history, prompt.scope, prompt.web, prompt.urls)
        grounds = await self._web.read(query, judges=self._direct is not None)
        if grounds.scope is None or grounds.sources is None:
            return prompt, grounds.report
        over = prompt_contents.over(prompt, grounds.text, grounds.scope, grounds.sources)
        return over, grounds.report

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
            parent=prompt.scope.parent, request=prompt.query, generation_config=config
        )
        stateless = StatelessAnswers(pipeline, deadline=self._deadline)
        return stateless.elements(request, prompt.history)

    async def _candidate(
        self, prompt: PromptRequest, index: int, text_end: TextEnd
    ) -> AsyncGenerator[Candidate | candidates.PromptFeedback | Usage]:
        """Yield one candidate in pieces, as far as *text_end* lets them through.

        The last piece has text wherever there is some: a chat that is replayed by its client
        leaves out turns with a content that says nothing.
        """
        if prompt.direct is not None and self._direct is not None:
            pieces = self._direct.candidate(prompt.direct, index, text_end)
        elif prompt.scope is not None:
            pieces = self._from_documents(prompt, index, text_end)
        else:
            yield await self._without_tool(prompt, index, text_end)
            return
        async with contextlib.aclosing(pieces):
            async for piece in pieces:
                yield piece

    async def _from_documents(
        self, prompt: PromptRequest, index: int, text_end: TextEnd
    ) -> AsyncGenerator[Candidate | candidates.PromptFeedback | Usage]:
        """Yield a candidate that the pipeline writes."""
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

    async def _without_tool(
        self, prompt: PromptRequest, index: int, text_end: TextEnd
    ) -> Candidate:
        rest = text_end.feed(views.NOTHING_TO_USE) + text_end.finish()
        answer = await self._with_ratings(prompt, _EMPTY, text_end.text)
        return _last(answer, prompt, index, text_end, rest)

    async def _read(self, request: generate_content.GenerateContentRequest) -> PromptRequest:
        """Return what *request* asks for; what is long, an image or a schema beside the loop."""
        given = (*request.contents, request.system_instruction or Content())
        read = functools.partial(
            prompt_contents.read,
            has_model=self._direct is not None,
            offered=self._web.offered if self._web else OfferedWeb(),
        )
        size = sum(_size(part) for content in given for part in content.parts)
        if size <= _LONG and not _has_schemas(request):
            return read(request)
        return await self._pools.reading.run(read, request)

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


_AT_ONCE: Final = 4
"""Candidates of one request that are written at a time: others ask the same model."""
_LONG: Final = 20_000
"""Characters whose tokens are counted within milliseconds."""
_EMPTY: Final = answers.Answer(state=answers.State.SUCCEEDED)
_BY_MODEL: Final = {
    "MODEL_TRUNCATED": FinishReason.MAX_TOKENS,
    "MODEL_FILTERED": FinishReason.SAFETY,
}
"""Failures of an answer that are ordinary ends of a candidate."""
_UNFINISHED: Final = FinishReason.FINISH_REASON_UNSPECIFIED


def _size(part: Part) -> int:
    """Return how much of *part* there is to read, in characters or bytes."""
    return len(part.text or "") + (len(part.inline_data.data) if part.inline_data else 0)


def _has_schemas(request: generate_content.GenerateContentRequest) -> bool:
    """Tell whether *request* brings schemas, which take their time to be checked."""
    config = request.generation_config or generate_content.GenerationConfig()
    given = (config.response_schema, config.response_json_schema)
    return any(one is not None for one in given) or any(
        tool.function_declarations for tool in request.tools
    )


def _unstreamed(
    request: generate_content.GenerateContentRequest,
) -> generate_content.GenerateContentRequest:
    """Return *request* for one whole response, in which no call comes in parts."""
    config = request.tool_config
    if config is None or config.function_calling_config is None:
        return request
    calling = msgspec.structs.replace(
        config.function_calling_config, stream_function_call_arguments=False
    )
    config = msgspec.structs.replace(config, function_calling_config=calling)
    return msgspec.structs.replace(request, tool_config=config)


def _written(ends: Sequence[TextEnd], called: Sequence[Sequence[str]]) -> list[str]:
    """Return what was written for each candidate, calls included."""
    return [" ".join((end.text, *calls)) for end, calls in zip(ends, called, strict=True)]


def _parts(candidate: Candidate) -> Sequence[Part]:
    return candidate.content.parts if candidate.content else ()


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


def _refusal(
    base: GenerateContentResponse, prompt: PromptRequest, feedback: candidates.PromptFeedback
) -> GenerateContentResponse:
    return _with(
        base, prompt_feedback=feedback, usage_metadata=usage_metadata.of(prompt.tokens, ())
    )


def _usage(
    prompt: PromptRequest, texts: Sequence[str], reported: Sequence[Usage]
) -> candidates.UsageMetadata:
    told = prompt.direct.request.messages if prompt.direct is not None else ()
    return usage_metadata.of(
        prompt.tokens, texts, reported, sees_images=chat_messages.has_images(told)
    )


def _ended_by_model(element: PlacedElement) -> FinishReason | None:
    """Return why the model or its endpoint ended the text, None where that is not why it ended."""
    error = element.error
    return _BY_MODEL.get(rpc_status.reason(error) or "") if error is not None else None


def _raise_failed(element: PlacedElement) -> None:
    """Raise what the answer failed of, if it did."""
    if (error := element.error) is None:
        return
    raise failure(error.code, error.message, reason=rpc_status.reason(error) or "ANSWER_FAILED")


def _with(base: GenerateContentResponse, **fields: Any) -> GenerateContentResponse:
    return msgspec.structs.replace(base, **fields)
