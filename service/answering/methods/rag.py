"""Answer the RAG methods: contexts, and the answers, prompts and checks that are made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.methods import check_grounding, prompt_contents, retrieval_tools
from service.answering.methods.document_generation import DocumentGeneration
from service.answering.methods.prompt_contents import PromptRequest
from service.answering.pipeline import rephrasing
from service.answering.proof import grounding
from service.answering.proof.source_texts import SourceTexts
from service.answering.requests import content_texts, field_checks
from service.answering.requests.field_effects import effective_requests
from service.answering.retrieval.contexts import Contexts
from service.answering.views import candidates
from service.answering.web import web_tools
from service.answering.web.web_tools import OfferedWeb
from service.corpus.document_access import Viewer
from sessions.errors import InvalidArgument
from sessions.resources import contents, retrieve_contexts
from sessions.resources.augmentations import (
    AskContextsRequest,
    AskContextsResponse,
    AugmentPromptRequest,
    AugmentPromptResponse,
    Claim,
    CorroborateContentRequest,
    CorroborateContentResponse,
    Fact,
)

MAX_FACTS: Final = 200
"""Facts that a content is held against."""
MAX_LENGTH: Final = 100_000
"""Characters of a content that is held against facts."""
_OPENING: Final = "Answer from these facts alone."


class RagMethods:
    """The RAG methods that do more than retrieve."""

    def __init__(
        self, contexts: Contexts, documents: DocumentGeneration, *, has_model: bool
    ) -> None:
        self._contexts = contexts
        self._has_model = has_model
        self._documents = documents

    async def retrieve(
        self, request: retrieve_contexts.RetrieveContextsRequest, viewer: Viewer
    ) -> retrieve_contexts.RetrieveContextsResponse:
        """Return the contexts of a query of *viewer*.

        Raises:
            InvalidArgument, Unimplemented: see `retrieval_tools.scope_of_query`.
            NotFound: there is no such corpus.
        """
        scope = retrieval_tools.scope_of_query(request.vertex_rag_store, request.query)
        scope = msgspec.structs.replace(scope, viewer=viewer)
        query = _query(request.query)
        found = await self._contexts.retrieve(query, scope)
        return retrieve_contexts.RetrieveContextsResponse(
            contexts=retrieve_contexts.RagContexts(contexts=found)
        )

    async def ask(self, request: AskContextsRequest, viewer: Viewer) -> AskContextsResponse:
        """Return the contexts of a query of *viewer* and what they answer.

        Raises:
            InvalidArgument, Unimplemented: see `read`.
            NotFound: there is no such corpus.
            ServiceError: the text could not be written.
        """
        prompt = self.read(request, viewer)
        contexts = await self.retrieve_for(prompt)
        answer = await self._documents.answer(prompt)
        return AskContextsResponse(response=candidates.whole_text(answer), contexts=contexts)

    def read(self, request: AskContextsRequest, viewer: Viewer) -> PromptRequest:
        """Return what *request* of *viewer* asks of the corpus that its tool names.

        Raises:
            InvalidArgument, Unimplemented: a field cannot be used; it is named.
        """
        text = _query(request.query)
        for at, given in enumerate(request.tools):
            effective_requests.effective(given, has_model=self._has_model, path=f"tools[{at}]")
        web_tools.read(request.tools, OfferedWeb())  # a corpus is asked, and nothing beside it
        tool = retrieval_tools.read(request.tools)
        if tool is None:
            raise InvalidArgument("tools: add a retrieval tool that names a corpus", field="tools")
        scope, attributed = tool
        if request.query and (request.query.rag_retrieval_config or request.query.similarity_top_k):
            # A query may say how to retrieve as well as the tool; then it has the last word.
            retrieval = next(tool.retrieval for tool in request.tools if tool.retrieval)
            if (store := retrieval.vertex_rag_store) is not None:
                resources = retrieve_contexts.RagResources(
                    rag_resources=store.rag_resources, rag_corpora=store.rag_corpora
                )
                scope = retrieval_tools.scope_of_query(resources, request.query)
        scope = msgspec.structs.replace(scope, viewer=viewer)
        self._contexts.check(scope)
        query = prompt_contents.query_of(text, scope, attributed=attributed)
        return PromptRequest(query=query, scope=scope)

    async def retrieve_for(self, prompt: PromptRequest) -> retrieve_contexts.RagContexts:
        """Return the contexts of a *prompt* with a tool."""
        if prompt.scope is None:
            raise AssertionError("a tool names the corpus")
        found = await self._contexts.retrieve(prompt.text, prompt.scope)
        return retrieve_contexts.RagContexts(contexts=found)

    async def augment(self, request: AugmentPromptRequest, viewer: Viewer) -> AugmentPromptResponse:
        """Return the contents with the facts for *viewer* put before the last of them.

        Raises:
            InvalidArgument, Unimplemented: see `content_texts.last_text` and
                `retrieval_tools.scope_of_store`.
            NotFound: there is no such corpus.
        """
        text, history = content_texts.last_text(request.contents)
        store = request.vertex_rag_store
        if store is None:
            field = "vertexRagStore"
            raise InvalidArgument(f"{field}: name the corpus to retrieve from", field=field)
        scope = retrieval_tools.scope_of_store(store, "vertexRagStore")
        scope = msgspec.structs.replace(scope, viewer=viewer)
        query = rephrasing.rephrase(text, history)
        found = await self._contexts.retrieve(query, scope)
        facts = tuple(_fact(context, query) for context in found)
        return AugmentPromptResponse(
            augmented_prompt=_augmented(request.contents, facts), facts=facts
        )


def corroborate(request: CorroborateContentRequest) -> CorroborateContentResponse:
    """Hold each claim of a content against the facts; blocks for what it has to read.

    Raises:
        InvalidArgument: there is no content or no fact, or the threshold is out of its range.
    """
    text = content_texts.text_of(request.content, "content")
    if not text.strip():
        raise InvalidArgument("content: say what to check", field="content")
    if len(text) > MAX_LENGTH:
        raise InvalidArgument(f"content: at most {MAX_LENGTH} characters", field="content")
    if not 1 <= len(request.facts) <= MAX_FACTS:
        raise InvalidArgument(f"facts: give 1 to {MAX_FACTS}", field="facts")
    for at, fact in enumerate(request.facts):
        if len(_fact_text(fact)) > check_grounding.FACT:
            field = f"facts[{at}].summary" if fact.summary else f"facts[{at}].chunk.text"
            raise InvalidArgument(
                f"{field}: at most {check_grounding.FACT} characters", field=field
            )
    threshold = request.parameters.citation_threshold if request.parameters else 0.0
    if not 0 <= threshold <= 1:
        field = "parameters.citationThreshold"
        raise InvalidArgument(f"{field}: give 0 to 1", field=field)
    evidence = SourceTexts([_fact_text(fact) for fact in request.facts])
    found: list[Claim] = []
    for start, end, claim in grounding.claims(text):
        if not grounding.needs_support(claim):
            continue
        scores = evidence.scores(claim)
        least = threshold or grounding.SUPPORTED
        found.append(
            Claim(
                start_index=start,
                end_index=end,
                fact_indexes=tuple(at for at, one in enumerate(scores) if one >= least),
                score=round(max(scores), 4),
            )
        )
    whole = sum(claim.score or 0.0 for claim in found) / len(found) if found else 0.0
    return CorroborateContentResponse(corroboration_score=round(whole, 4), claims=tuple(found))


def _query(query: retrieve_contexts.RagQuery | None) -> str:
    text = (query and query.text) or ""
    field_checks.check_query(text, field="query.text")
    return text


def _fact(context: retrieve_contexts.Context, query: str) -> Fact:
    return Fact(
        query=query,
        title=context.source_display_name,
        uri=context.source_uri,
        summary=context.text,
        vector_distance=context.distance,
        score=context.score,
        chunk=context.chunk,
    )


def _fact_text(fact: Fact) -> str:
    return fact.summary or (fact.chunk.text if fact.chunk else "") or ""


def _augmented(
    given: Sequence[contents.Content], facts: Sequence[Fact]
) -> tuple[contents.Content, ...]:
    """Return *given* with *facts* as the first part of the last content."""
    if not facts:
        return tuple(given)
    listed = "\n\n".join(
        f"[{number}] {fact.title}\n{fact.summary}" for number, fact in enumerate(facts, start=1)
    )
    before = contents.Part(text=f"{_OPENING}\n\n{listed}\n\n")
    last = contents.Content(role=given[-1].role or "user", parts=(before, *given[-1].parts))
    return (*given[:-1], last)
