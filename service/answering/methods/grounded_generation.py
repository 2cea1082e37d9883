"""Write from given facts or from what a search finds, and prove it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from service.answering.methods import check_grounding
from service.answering.pipeline import rephrasing
from service.answering.proof import grounding
from service.answering.proof.citations import CitationBuilder
from service.answering.requests import content_texts, field_checks
from service.answering.views import replies
from service.corpus.catalogue.catalogue import Catalogue
from service.corpus.document_access import Viewer
from service.corpus.index import Index, SearchScope
from service.generation import output_limits
from service.generation.generator import Generator, PastTurn, Prompt, Sampling, Source
from service.thread_pools import ThreadPools
from sessions import names
from sessions.errors import DeadlineExceeded, InvalidArgument, Unimplemented
from sessions.resources import answers
from sessions.resources.check_grounding import FactChunk
from sessions.resources.grounded_generation import (
    Candidate,
    Content,
    GenerateGroundedContentRequest,
    GenerateGroundedContentResponse,
    GenerationSpec,
    GroundingMetadata,
    GroundingSource,
    GroundingSpec,
    GroundingSupport,
    InlineSource,
    Part,
    RetrievalMetadata,
    RetrievalSource,
    SearchSource,
)

SOURCES: Final = 10
"""Sources, of facts or of a search, that a text may be written from."""
RESULTS: Final = 10
"""Results of a search that are written from, at most."""

_RANGES: Final = {
    "temperature": (0.0, 2.0),
    "top_p": (0.0, 1.0),
    "top_k": (1, 1000),
    "frequency_penalty": (-2.0, 2.0),
    "presence_penalty": (-2.0, 2.0),
    "max_output_tokens": (1, 2**31 - 1),
}


class _Grounds(NamedTuple):
    """What is written from: each source, and how a reader is told of it."""

    sources: tuple[Source, ...]
    chunks: tuple[FactChunk, ...]
    kinds: tuple[RetrievalSource, ...]


class GroundedGeneration:
    """Writes the next content of a conversation from sources."""

    def __init__(
        self,
        index: Index,
        catalogue: Catalogue,
        generator: Generator,
        pools: ThreadPools,
        *,
        deadline: float,
    ) -> None:
        """Give each text *deadline* seconds."""
        self._index = index
        self._catalogue = catalogue
        self._generator = generator
        self._pools = pools
        self._deadline = deadline

    async def generate(
        self, request: GenerateGroundedContentRequest, viewer: Viewer
    ) -> GenerateGroundedContentResponse:
        """Return one candidate with its proof, from what *viewer* may see.

        Where the sources hold no answer it says so, with a score of 0.

        Raises:
            InvalidArgument: a field is wrong; it is named.
            Unimplemented: a source is not offered here.
            NotFound: there is no such serving config, data store or engine.
            ServiceError: the text could not be written.
        """
        query, history = check(request)
        standalone = rephrasing.rephrase(query, history)
        grounds = await self._grounds(request, standalone, viewer)
        spec = request.generation_spec or GenerationSpec()
        prompt = Prompt(
            query=standalone,
            sources=grounds.sources,
            history=tuple(history),
            preamble=content_texts.check_length(
                _text(request.system_instruction), "systemInstruction"
            ),
            language=spec.language_code,
            sampling=Sampling(
                temperature=spec.temperature,
                top_p=spec.top_p,
                presence_penalty=spec.presence_penalty,
                frequency_penalty=spec.frequency_penalty,
                seed=spec.seed,
            ),
        )
        try:
            async with asyncio.timeout(self._deadline):
                text, citations = await self._written(prompt)
        except TimeoutError as exc:
            raise DeadlineExceeded(
                "the text took too long; ask something narrower", reason="DEADLINE_EXCEEDED"
            ) from exc
        candidate = await self._pools.proving.run(_candidate, text, citations, grounds)
        return GenerateGroundedContentResponse(candidates=(candidate,))

    async def _written(self, prompt: Prompt) -> tuple[str, list[answers.Citation]]:
        builder = CitationBuilder(
            range(len(prompt.sources)), marks_inline=self._generator.marks_inline
        )
        text, citations = "", list[answers.Citation]()
        async with contextlib.aclosing(
            output_limits.enforce(self._generator.generate(prompt))
        ) as pieces:
            async for piece in pieces:
                more, found = builder.feed(piece)
                text += more
                citations += found
        more, found = builder.finish()
        return text + more, [*citations, *found]

    async def _grounds(
        self, request: GenerateGroundedContentRequest, query: str, viewer: Viewer
    ) -> _Grounds:
        sources: list[Source] = []
        chunks: list[FactChunk] = []
        kinds: dict[RetrievalSource, None] = {}
        for given in (request.grounding_spec or GroundingSpec()).grounding_sources:
            if (inline := given.inline_source) is not None:
                kinds[RetrievalSource.INLINE_CONTENT] = None
                for at, fact in enumerate(inline.grounding_facts):
                    chunk = check_grounding.fact_chunk(fact, at, len(chunks))
                    chunks.append(chunk)
                    sources.append(Source(title=chunk.title, text=fact.fact_text, relevance=1.0))
            elif (search := given.search_source) is not None:
                kinds[RetrievalSource.VERTEX_AI_SEARCH] = None
                for source, chunk in await self._searched(search, query, len(chunks), viewer):
                    sources.append(source)
                    chunks.append(chunk)
        return _Grounds(tuple(sources), tuple(chunks), tuple(kinds))

    async def _searched(
        self, search: SearchSource, query: str, first: int, viewer: Viewer
    ) -> list[tuple[Source, FactChunk]]:
        parent = names.check_serving_config(names.canonical(search.serving_config))
        stores = await self._catalogue.data_stores(parent)
        scope = SearchScope(data_stores=tuple(stores), viewer=viewer, filter=search.filter)
        limit = min(search.max_result_count or RESULTS, RESULTS)
        found: list[tuple[Source, FactChunk]] = []
        for index, hit in enumerate(await self._index.search(query, scope, limit=limit), first):
            chunk = hit.chunk
            source = Source(
                title=chunk.title,
                text=chunk.text,
                uri=chunk.uri,
                headings=chunk.headings,
                relevance=hit.relevance,
            )
            metadata = {"document_id": names.last_id(chunk.document), "document": chunk.document}
            shown = FactChunk(
                chunk_text=chunk.text,
                source=chunk.document,
                index=index,
                source_metadata=metadata,
                uri=chunk.uri,
                title=chunk.title,
            )
            found.append((source, shown))
        return found


def check(request: GenerateGroundedContentRequest) -> tuple[str, Sequence[PastTurn]]:
    """Return what the last content asks, and the turns before it.

    Raises:
        InvalidArgument, Unimplemented: see `GroundedGeneration.generate`.
    """
    query, history = _turns(request.contents)
    spec = request.generation_spec or GenerationSpec()
    for name, (low, high) in _RANGES.items():
        value = getattr(spec, name)
        if value is not None and not low <= value <= high:
            head, *rest = name.split("_")
            field = f"generationSpec.{head}{''.join(word.title() for word in rest)}"
            raise InvalidArgument(f"{field}: give {low} to {high}", field=field)
    field_checks.check_labels(request.user_labels)
    given = (request.grounding_spec or GroundingSpec()).grounding_sources
    if not given:
        field = "groundingSpec.groundingSources"
        raise InvalidArgument(f"{field}: say what to write from", field=field)
    if len(given) > SOURCES:
        field = "groundingSpec.groundingSources"
        raise InvalidArgument(f"{field}: at most {SOURCES}", field=field)
    for at, source in enumerate(given):
        _check_source(source, f"groundingSpec.groundingSources[{at}]")
    return query, history


def _check_source(source: GroundingSource, where: str) -> None:
    for member, wire in (
        (source.google_search_source, "googleSearchSource"),
        (source.enterprise_web_retrieval_source, "enterpriseWebRetrievalSource"),
    ):
        if member is not None:
            field = f"{where}.{wire}"
            raise Unimplemented(
                f"{field}: this service does not search the web; give inlineSource or searchSource",
                reason="SOURCE_NOT_SUPPORTED",
                field=field,
            )
    if source.inline_source is None and source.search_source is None:
        raise InvalidArgument(f"{where}: give inlineSource or searchSource", field=where)
    inline = source.inline_source or InlineSource()
    check_grounding.check_facts(
        inline.grounding_facts, field=f"{where}.inlineSource.groundingFacts"
    )
    if (search := source.search_source) is not None:
        field = f"{where}.searchSource"
        names.checked(search.serving_config, names.SERVING_CONFIG, field=f"{field}.servingConfig")
        field_checks.check_filter(search.filter, field=f"{field}.filter")
        if not 0 <= search.max_result_count <= RESULTS:
            count = f"{field}.maxResultCount"
            raise InvalidArgument(f"{count}: give 0 (the default) to {RESULTS}", field=count)


def _turns(contents: Sequence[Content]) -> tuple[str, list[PastTurn]]:
    history: list[PastTurn] = []
    parts: list[str] = []
    for at, content in enumerate(contents):
        if content.role not in ("", "user", "model"):
            field = f"contents[{at}].role"
            raise InvalidArgument(f"{field}: give user or model", field=field)
        if content.role == "model":
            history.append(PastTurn(_joined(parts), _text(content)))
            parts = []
        else:
            parts.append(_text(content))
    said = _joined(parts)
    if not contents or contents[-1].role == "model":
        raise InvalidArgument("contents: the last one must be the user's", field="contents")
    field_checks.check_query(said, field=f"contents[{len(contents) - 1}].parts")
    if sum(len(turn.query) + len(turn.answer) for turn in history) > content_texts.MAX_LENGTH:
        raise InvalidArgument(
            f"contents: at most {content_texts.MAX_LENGTH} characters", field="contents"
        )
    return said, history


def _joined(parts: Sequence[str]) -> str:
    return "\n".join(filter(None, parts)).strip()


def _text(content: Content | None) -> str:
    return "\n".join(part.text or "" for part in content.parts) if content else ""


def _candidate(text: str, citations: Sequence[answers.Citation], grounds: _Grounds) -> Candidate:
    texts = [source.text for source in grounds.sources]
    found, score = grounding.supports(text, texts, range(len(texts)), citations)
    data = text.encode()
    supports = tuple(
        GroundingSupport(
            claim_text=data[int(one.start_index) : int(one.end_index)].decode(),
            support_chunk_indices=tuple(int(source.reference_id) for source in one.sources),
            support_score=one.grounding_score,
        )
        for one in found
        if one.grounding_check_required
    )
    return Candidate(
        content=Content(role="model", parts=(Part(text=text or replies.FALLBACK),)),
        # Without a text nothing is supported; claims that cannot be scored leave it open.
        grounding_score=round(score or 0.0, 4) if score is not None or not found else None,
        grounding_metadata=GroundingMetadata(
            retrieval_metadata=tuple(RetrievalMetadata(source=kind) for kind in grounds.kinds),
            support_chunks=grounds.chunks,
            grounding_support=supports,
        ),
    )
