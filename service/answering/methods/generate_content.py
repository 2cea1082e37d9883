"""Answer generateContent: the one pipeline, told as candidates (api.md 15)."""

from __future__ import annotations

import contextlib
import datetime as dt
import secrets
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any, Final

import msgspec

from service.answering.methods import prompt_contents
from service.answering.methods.prompt_contents import PromptRequest
from service.answering.pipeline.pipeline import Pipeline
from service.answering.pipeline.stateless import StatelessAnswers
from service.answering.proof import safety, token_counts
from service.answering.proof.stop_sequences import TextEnd
from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval.contexts import Contexts
from service.answering.views import candidates as views
from service.corpus.index import Index
from service.thread_pools import ThreadPools
from sessions import names
from sessions.errors import InvalidArgument, NotFound, failure
from sessions.resources import answers, candidates, generate_content
from sessions.resources.candidates import Candidate, FinishReason, GenerateContentResponse
from sessions.resources.contents import Content
from streaming.protocol import rpc_status
from streaming.reading.elements import PlacedElement


class Models:
    """The model ids that are answered to; whatever its id, it is the one generator."""

    def __init__(self, generator: str, ids: Sequence[str] = ()) -> None:
        """*generator* is the name of what really writes; without *ids* every id is good."""
        self.generator = generator
        self._ids = tuple(ids)

    def check(self, name: str) -> None:
        """Raise `NotFound` where no model or endpoint of this *name* is answered to."""
        model = names.last_id(name)
        if self._ids and model not in self._ids and model.partition("@")[0] not in self._ids:
            raise NotFound(f"there is no model '{model}' here", resource=name)

    def listed(self) -> tuple[str, ...]:
        """Return the ids to show; where every id is good, the generator's own."""
        return self._ids or (self.generator,)


class GenerateContentMethods:
    """Writes candidates, whole or piece by piece; nothing is stored."""

    def __init__(
        self,
        contexts: Contexts,
        models: Models,
        pipeline: Callable[[Index], Pipeline],
        pools: ThreadPools,
        *,
        deadline: float,
    ) -> None:
        """*pipeline* makes the pipeline over an index; each candidate gets *deadline* seconds."""
        self._contexts = contexts
        self._models = models
        self._pipeline = pipeline
        self._pools = pools
        self._deadline = deadline

    async def generate(
        self, model: str, request: generate_content.GenerateContentRequest
    ) -> GenerateContentResponse:
        """Return the whole response.

        Raises:
            InvalidArgument, Unimplemented: see `prompting.read`.
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
        asked = await self._read(request)
        base = GenerateContentResponse(
            model_version=self._models.generator,
            create_time=dt.datetime.now(dt.UTC),
            response_id=secrets.token_urlsafe(18),
        )
        ratings = await self._rated(asked, asked.text)
        if safety.blocked(ratings):
            feedback = views.harmful_prompt(ratings)
            usage = views.usage(asked.tokens, ())
            yield _with(base, prompt_feedback=feedback, usage_metadata=usage)
            return
        texts: list[str] = []
        for index in range(asked.count):
            ending = TextEnd(asked.stops, asked.most_tokens)
            async with contextlib.aclosing(self._candidate(asked, index, ending)) as told:
                async for one in told:
                    if isinstance(one, candidates.PromptFeedback):
                        feedback = views.rated_feedback(one, ratings)
                        usage = views.usage(asked.tokens, ())
                        yield _with(base, prompt_feedback=feedback, usage_metadata=usage)
                        return
                    is_last = index == asked.count - 1 and one.finish_reason is not _UNFINISHED
                    usage = views.usage(asked.tokens, (*texts, ending.text)) if is_last else None
                    yield _with(base, candidates=(one,), usage_metadata=usage)
            texts.append(ending.text)

    async def count_tokens(
        self, model: str, request: generate_content.CountTokensRequest
    ) -> generate_content.CountTokensResponse:
        """Count what *request* brings.

        Raises:
            NotFound: there is no such model.
            InvalidArgument: it brings nothing, or something other than text.
        """
        self._models.check(model)
        return await self._pools.reading.run(_counted, request)

    async def compute_tokens(
        self, model: str, request: generate_content.ComputeTokensRequest
    ) -> generate_content.ComputeTokensResponse:
        """Cut what *request* brings into tokens.

        Raises:
            NotFound, InvalidArgument: see `count_tokens`.
        """
        self._models.check(model)
        return await self._pools.reading.run(_cut, request)

    async def answer(self, asked: PromptRequest) -> answers.Answer:
        """Return the finished answer to what is asked.

        Raises:
            NotFound: there is no such corpus, data store or engine.
            ServiceError: the text could not be written.
        """
        async with contextlib.aclosing(self._elements(asked)) as elements:
            async for element in elements:
                if element.is_terminal and element.response.answer is not None:
                    _raise_failed(element)
                    return element.response.answer
        raise AssertionError("the last element is terminal")

    def _elements(self, asked: PromptRequest) -> AsyncGenerator[PlacedElement]:
        if asked.reach is None:
            raise AssertionError("there is something to retrieve from")
        pipeline = self._pipeline(self._contexts.index_for(asked.reach))
        ask = PipelineRequest(parent=asked.reach.parent, request=asked.request())
        return StatelessAnswers(pipeline, deadline=self._deadline).elements(ask, asked.history)

    async def _candidate(
        self, asked: PromptRequest, index: int, ending: TextEnd
    ) -> AsyncGenerator[Candidate | candidates.PromptFeedback]:
        """Yield one candidate in pieces, as far as *ending* lets them through.

        The last piece has text wherever there is some: a chat that is replayed by its client
        leaves out turns with a content that says nothing.
        """
        if asked.reach is None:
            rest = ending.feed(views.NOTHING_TO_USE) + ending.finish()
            answer = await self._told(asked, _EMPTY, ending.text)
            yield views.last(answer, ending.text, _reason(ending), rest=rest, index=index)
            return
        held = ""
        async with contextlib.aclosing(self._elements(asked)) as elements:
            async for element in elements:
                answer = element.response.answer or _EMPTY
                if element.is_terminal:
                    if not ending.text:
                        _raise_failed(element)
                    if feedback := views.prompt_feedback(answer):
                        yield feedback
                        return
                    rest = ending.feed(views.said(answer)) if _is_skipped(answer) else held
                    rest += ending.finish()
                    answer = await self._told(asked, answer, ending.text)
                    yield _last(answer, asked, index, ending, rest)
                    _raise_failed(element)
                elif not _is_skipped(answer) and (text := ending.feed(answer.answer_text)):
                    if held:
                        yield views.piece(held, index)
                    held = text

    async def _read(self, request: generate_content.GenerateContentRequest) -> PromptRequest:
        """Return what *request* asks for; a long conversation is read beside the event loop."""
        given = (*request.contents, request.system_instruction or Content())
        size = sum(len(part.text or "") for content in given for part in content.parts)
        if size <= _LONG:
            return prompt_contents.read(request)
        return await self._pools.reading.run(prompt_contents.read, request)

    async def _told(
        self, asked: PromptRequest, answer: answers.Answer, text: str
    ) -> answers.Answer:
        """Return *answer* with how harmful it is, where that is wanted; *text* is what was told.

        One that the pipeline has not rated, such as a refusal, is rated by that.
        """
        if answer.safety_ratings:
            return answer
        ratings = await self._rated(asked, text)
        return msgspec.structs.replace(answer, safety_ratings=ratings)

    async def _rated(self, asked: PromptRequest, text: str) -> tuple[answers.SafetyRating, ...]:
        """Return how harmful *text* is, where that is wanted; off the event loop."""
        if not asked.rated:
            return ()
        return await self._pools.reading.run(safety.rate, text, asked.safety)


_LONG: Final = 20_000
"""Characters whose tokens are counted within milliseconds."""
_EMPTY: Final = answers.Answer(state=answers.State.SUCCEEDED)
_UNFINISHED: Final = FinishReason.FINISH_REASON_UNSPECIFIED


def _is_skipped(answer: answers.Answer) -> bool:
    return bool(answer.answer_skipped_reasons)


def _last(
    answer: answers.Answer, asked: PromptRequest, index: int, ending: TextEnd, rest: str
) -> Candidate:
    return views.last(
        answer,
        ending.text,
        _reason(ending),
        rest=rest,
        index=index,
        attributed=asked.attributed,
    )


def _reason(ending: TextEnd) -> FinishReason:
    return ending.reason or FinishReason.STOP


def _raise_failed(element: PlacedElement) -> None:
    """Raise what the answer failed of, if it did."""
    if (error := element.error) is None:
        return
    raise failure(error.code, error.message, reason=rpc_status.reason(error) or "ANSWER_FAILED")


def _with(base: GenerateContentResponse, **fields: Any) -> GenerateContentResponse:
    return msgspec.structs.replace(base, **fields)


def _counted(request: generate_content.CountTokensRequest) -> generate_content.CountTokensResponse:
    texts = _texts(request)
    if request.system_instruction is not None:
        instruction = prompt_contents.text_of(request.system_instruction, "systemInstruction")
        texts.append(prompt_contents.check_length(instruction, "systemInstruction"))
    total = sum(token_counts.count(text) for text in texts)
    return generate_content.CountTokensResponse(
        total_tokens=total,
        total_billable_characters=sum(token_counts.billable(text) for text in texts),
        prompt_tokens_details=views.of_text(total),
    )


def _cut(request: generate_content.ComputeTokensRequest) -> generate_content.ComputeTokensResponse:
    infos = list[generate_content.TokensInfo]()
    for content, text in zip(request.contents, _texts(request), strict=True):
        found = token_counts.cut(text)
        infos.append(
            generate_content.TokensInfo(
                tokens=tuple(token.encode() for token in found),
                token_ids=tuple(str(token_counts.number(token)) for token in found),
                role=content.role or "user",
            )
        )
    return generate_content.ComputeTokensResponse(tokens_info=tuple(infos))


def _texts(
    request: generate_content.CountTokensRequest | generate_content.ComputeTokensRequest,
) -> list[str]:
    if request.instances:
        raise InvalidArgument("instances: give contents instead", field="instances")
    if not request.contents:
        raise InvalidArgument("contents: give at least one", field="contents")
    texts = [
        prompt_contents.text_of(content, f"contents[{at}]")
        for at, content in enumerate(request.contents)
    ]
    # As long as what may be generated from; more would keep a thread busy for half a minute.
    if sum(map(len, texts)) > prompt_contents.LONGEST:
        raise InvalidArgument(
            f"contents: at most {prompt_contents.LONGEST} characters", field="contents"
        )
    return texts
