"""Answer generateContent: what the pipeline answers, told as candidates."""

from __future__ import annotations

import collections
import contextlib
import datetime as dt
import functools
import secrets
from collections.abc import AsyncGenerator, Sequence
from typing import Any, Final

import msgspec

from service.answering.direct import chat_messages, prompt_guards
from service.answering.direct.direct_generation import DirectGeneration
from service.answering.direct.interleaving import interleaved
from service.answering.methods import prompt_contents
from service.answering.methods.document_generation import DocumentGeneration
from service.answering.methods.prompt_contents import PromptRequest
from service.answering.proof import safety
from service.answering.query_classes.portal_policy import PortalPolicy
from service.answering.requests import content_texts
from service.answering.requests.models import Models
from service.answering.views import candidates as views
from service.answering.views import usage_metadata, web_sources
from service.answering.views.candidate_parts import TextPlaces
from service.answering.views.web_sources import WebReport
from service.answering.web.web_grounding import WebGrounding, WebQuery
from service.answering.web.web_tools import OfferedWeb
from service.corpus.document_access import Viewer
from service.generation.generator import Usage
from service.generation.stop_sequences import TextEnd
from service.thread_pools import ThreadPools
from sessions.resources import candidates, generate_content
from sessions.resources.candidates import Candidate, FinishReason, GenerateContentResponse
from sessions.resources.contents import Content, Part

_AT_ONCE: Final = 4
"""Candidates of one request that are written at a time: others ask the same model."""
_LONG: Final = 20_000
"""Characters whose tokens are counted within milliseconds."""
_UNFINISHED: Final = FinishReason.FINISH_REASON_UNSPECIFIED


class GenerateContentMethods:
    """Writes candidates, whole or piece by piece; nothing is stored."""

    def __init__(
        self,
        documents: DocumentGeneration,
        models: Models,
        policy: PortalPolicy,
        pools: ThreadPools,
        *,
        direct: DirectGeneration | None = None,
        web: WebGrounding | None = None,
    ) -> None:
        """*direct* writes where a model does and no tool brings *documents*."""
        self._documents = documents
        self._models = models
        self._policy = policy
        self._pools = pools
        self._direct = direct
        self._web = web

    async def generate(
        self, model: str, request: generate_content.GenerateContentRequest, viewer: Viewer
    ) -> GenerateContentResponse:
        """Return the whole response, from what *viewer* may see.

        Raises:
            InvalidArgument, Unimplemented: see `prompt_contents.read`.
            NotFound: there is no such model, corpus, data store or engine.
            ServiceError: the text could not be written.
        """
        async with contextlib.aclosing(self.stream(model, _unstreamed(request), viewer)) as stream:
            return views.joined([chunk async for chunk in stream])

    async def stream(
        self, model: str, request: generate_content.GenerateContentRequest, viewer: Viewer
    ) -> AsyncGenerator[GenerateContentResponse]:
        """Yield the response piece by piece: text as it is written, the rest with its last piece.

        Candidates are written beside each other. Where a text breaks off, its last piece says so
        and the error follows.

        Raises:
            ServiceError: as `generate`; what was yielded stands.
        """
        self._models.check(model)
        prompt = _for_viewer(await self._read(request), viewer)
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
                    ratings = await self._documents.rate(prompt, prompt.text)
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
        ratings = await self._documents.rate(prompt, prompt.text)
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
            pieces = self._documents.candidate(prompt, index, text_end)
        else:
            yield await self._documents.without_tool(prompt, index, text_end)
            return
        async with contextlib.aclosing(pieces):
            async for piece in pieces:
                yield piece

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


def _for_viewer(prompt: PromptRequest, viewer: Viewer) -> PromptRequest:
    """Return *prompt* with nothing to retrieve but what *viewer* may see."""
    if prompt.scope is None:
        return prompt
    scope = msgspec.structs.replace(prompt.scope, viewer=viewer)
    return msgspec.structs.replace(prompt, scope=scope)


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


def _with(base: GenerateContentResponse, **fields: Any) -> GenerateContentResponse:
    return msgspec.structs.replace(base, **fields)
