"""The retrieval stage: from a query to the hits, the references and the step that shows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from service.answering.requests.queries import PipelineRequest
from service.answering.retrieval import pages, scopes, sections
from service.blocks import Block, BlockKind
from service.corpus.index import Chunk, Hit, Index, SearchContext
from service.corpus.parsing.formats import plain
from service.generation.generator import PastTurn, Source
from sessions.resources import answer_query, answers
from sessions.resources.search_requests import SearchResultMode

MAX_DOCUMENTS: Final = 10
"""Most documents that an answer refers to."""
MAX_CHUNKS: Final = 20
"""Most chunks that an answer refers to in CHUNKS mode."""
_CHUNKS_PER_DOCUMENT: Final = 3
_SNIPPET: Final = 240
_OPENING: Final = 300
"""Characters of the last answer that tell what it was about."""


class Retrieved(msgspec.Struct, frozen=True, kw_only=True):
    """What retrieval gives to the later stages.

    ``references[reference_of[i]]`` is the reference that ``hits[i]`` belongs to.
    """

    hits: tuple[Hit, ...]
    references: tuple[answers.Reference, ...]
    reference_of: tuple[int, ...]
    results: tuple[answers.SearchResult, ...]

    def sources(self) -> tuple[Source, ...]:
        """Return the hits as a generator reads them, in the same order."""
        return tuple(
            Source(
                title=hit.chunk.title,
                text=hit.chunk.text,
                uri=hit.chunk.uri,
                headings=hit.chunk.headings,
                relevance=hit.relevance,
                document=hit.chunk.document,
                place=hit.chunk.number,
                blocks=_quotable(hit.chunk.blocks or plain.blocks(hit.chunk.text)),
            )
            for hit in self.hits
        )


def _quotable(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Return *blocks* without the captions of pictures, which say nothing without these."""
    return tuple(block for block in blocks if block.kind is not BlockKind.FIGURE)


async def retrieve(
    index: Index,
    pipeline_request: PipelineRequest,
    query: str,
    data_stores: Sequence[str],
    history: Sequence[PastTurn] = (),
) -> Retrieved:
    """Search *data_stores* for *query* as the request wants it, or take the results that it brings.

    *history* are the earlier turns in whose light *query* is read, oldest first.

    Raises:
        InvalidArgument: a filter cannot be read.
        Unavailable: the index is not there.
    """
    spec = pipeline_request.request.search_spec
    if spec is not None and spec.search_result_list is not None:
        return _given(spec.search_result_list)
    params = (spec.search_params if spec else None) or answer_query.SearchParams()
    count = params.max_return_results or MAX_DOCUMENTS
    groups = scopes.groups(pipeline_request, params, data_stores, _context(history))
    if params.search_result_mode is SearchResultMode.CHUNKS:
        hits = await scopes.search(index, query, groups, min(count, MAX_CHUNKS), params.order_by)
        return by_chunks(hits[: min(count, MAX_CHUNKS)])
    limit = min(count, MAX_DOCUMENTS)
    hits = await scopes.search(index, query, groups, limit * _CHUNKS_PER_DOCUMENT, params.order_by)
    return by_documents(hits, limit)


async def among_all(
    index: Index,
    pipeline_request: PipelineRequest,
    query: str,
    data_stores: Sequence[str],
    wanted: Callable[[Chunk], bool],
    documents: int = _CHUNKS_PER_DOCUMENT,
) -> Retrieved:
    """Return the few hits for *query*, of very many, that are *wanted*, one of each document."""
    spec = pipeline_request.request.search_spec
    params = (spec.search_params if spec else None) or answer_query.SearchParams()
    groups = scopes.groups(pipeline_request, params, data_stores, _context(()))
    hits = await scopes.search(index, query, groups, _VERY_MANY, params.order_by)
    return by_documents([hit for hit in hits if wanted(hit.chunk)], documents, 1)


_VERY_MANY: Final = 100


def joined(first: Retrieved, second: Retrieved) -> Retrieved:
    """Return the hits of *first* and what *second* has beside them, as many references as it."""
    hits = tuple({hit.chunk.name: hit for hit in (*first.hits, *second.hits)}.values())
    if second.references and second.references[0].chunk_info is not None:
        return by_chunks(hits[: len(second.references)])
    return by_documents(hits, max(len(second.references), 1))


def with_best(
    pipeline_request: PipelineRequest, whole: Retrieved, of_parts: Sequence[Retrieved]
) -> Retrieved:
    """Return *whole* with the best of each *of_parts*, which may stand for its last references.

    What is found for one question of several may be far behind for all of them together.
    """
    spec = pipeline_request.request.search_spec
    params = (spec.search_params if spec else None) or answer_query.SearchParams()
    if (spec and spec.search_result_list is not None) or params.order_by:
        return whole  # what the request brings, or the order that it wants
    by_chunk = params.search_result_mode is SearchResultMode.CHUNKS
    most = MAX_CHUNKS if by_chunk else MAX_DOCUMENTS
    limit = min(params.max_return_results or MAX_DOCUMENTS, most)
    kept = _kept(whole, max(limit - _BEST * len(of_parts), 1))
    best = (hit for part in of_parts for hit in _kept(part, _BEST))
    hits = tuple({hit.chunk.name: hit for hit in (*kept, *best, *whole.hits)}.values())
    return by_chunks(hits[:limit]) if by_chunk else by_documents(hits, limit)


_BEST: Final = 2
"""References that each question of several may bring."""


def _kept(found: Retrieved, references: int) -> Iterator[Hit]:
    """Yield the hits of the first *references*."""
    for hit, reference in zip(found.hits, found.reference_of, strict=True):
        if reference < references:
            yield hit


def narrowed(pipeline_request: PipelineRequest) -> PipelineRequest:
    """Return the same request for one result, which costs a fraction: what counts is the best."""
    request = pipeline_request.request
    spec = request.search_spec or answer_query.SearchSpec()
    if spec.search_result_list is not None:
        return pipeline_request
    params = spec.search_params or answer_query.SearchParams()
    params = msgspec.structs.replace(params, max_return_results=1)
    spec = msgspec.structs.replace(spec, search_params=params)
    request = msgspec.structs.replace(request, search_spec=spec)
    return msgspec.structs.replace(pipeline_request, request=request)


async def with_sections(
    index: Index,
    pipeline_request: PipelineRequest,
    retrieved: Retrieved,
    history: Sequence[PastTurn] = (),
) -> Retrieved:
    """Return *retrieved* with the chunks that go on with the sections of its hits, behind these.

    After the turns of *history* that is all of the document that the last answer came from.

    Their relevance is unknown, 0. Results that the request brought stay as they are, and so does
    what the step shows.

    Raises:
        Unavailable: the index is not there.
    """
    spec = pipeline_request.request.search_spec
    if spec is not None and spec.search_result_list is not None:
        return retrieved
    last = history[-1].documents[:1] if history else ()
    around = await sections.around(index, retrieved.hits, pipeline_request.viewer, *last)
    hits = (*retrieved.hits, *(Hit(chunk=chunk, score=0.0, relevance=0.0) for chunk in around))
    params = (spec.search_params if spec else None) or answer_query.SearchParams()
    if params.search_result_mode is SearchResultMode.CHUNKS:
        wider = by_chunks(hits)
    else:
        wider = by_documents(hits, MAX_DOCUMENTS, len(hits))
    return msgspec.structs.replace(wider, results=retrieved.results)


def by_chunks(hits: Sequence[Hit]) -> Retrieved:
    """Make each hit a reference of its own."""
    return Retrieved(
        hits=tuple(hits),
        references=tuple(_chunk_reference(hit) for hit in hits),
        reference_of=tuple(range(len(hits))),
        results=tuple(
            answers.SearchResult(
                document=hit.chunk.document,
                uri=hit.chunk.uri,
                title=hit.chunk.title,
                chunk_info=(
                    answers.ObservedChunkInfo(
                        chunk=hit.chunk.name,
                        content=hit.chunk.text,
                        relevance_score=hit.relevance,
                    ),
                ),
                struct_data=hit.chunk.struct_data or None,
            )
            for hit in hits
        ),
    )


def by_documents(hits: Sequence[Hit], limit: int, each: int = _CHUNKS_PER_DOCUMENT) -> Retrieved:
    """Gather the hits of a document into one reference: *limit* documents, *each* so many hits."""
    grouped: dict[str, list[Hit]] = {}
    kept: list[Hit] = []
    for hit in hits:
        if hit.chunk.document not in grouped and len(grouped) == limit:
            continue
        chunks = grouped.setdefault(hit.chunk.document, [])
        if len(chunks) < each:
            chunks.append(hit)
            kept.append(hit)
    number_of = {name: number for number, name in enumerate(grouped)}
    return Retrieved(
        hits=tuple(kept),
        references=tuple(_document_reference(chunks) for chunks in grouped.values()),
        reference_of=tuple(number_of[hit.chunk.document] for hit in kept),
        results=tuple(_document_result(chunks) for chunks in grouped.values()),
    )


def _chunk_reference(hit: Hit) -> answers.Reference:
    if hit.chunk.from_fields:
        return _document_reference([hit])
    return answers.Reference(
        chunk_info=answers.ChunkInfo(
            chunk=hit.chunk.name,
            content=hit.chunk.text,
            relevance_score=hit.relevance,
            document_metadata=answers.DocumentMetadata(
                document=hit.chunk.document,
                uri=hit.chunk.uri,
                title=hit.chunk.title,
                page_identifier=pages.identifier(hit.chunk.page, hit.chunk.last_page),
                struct_data=hit.chunk.struct_data or None,
            ),
        )
    )


def _document_reference(hits: Sequence[Hit]) -> answers.Reference:
    chunk = hits[0].chunk
    if chunk.from_fields:
        return answers.Reference(
            structured_document_info=answers.StructuredDocumentInfo(
                document=chunk.document,
                struct_data=chunk.struct_data or None,
                title=chunk.title,
                uri=chunk.uri,
            )
        )
    return answers.Reference(
        unstructured_document_info=answers.UnstructuredDocumentInfo(
            document=chunk.document,
            uri=chunk.uri,
            title=chunk.title,
            chunk_contents=tuple(
                answers.ChunkContent(
                    content=hit.chunk.text,
                    page_identifier=pages.identifier(hit.chunk.page, hit.chunk.last_page),
                    relevance_score=hit.relevance,
                )
                for hit in hits
            ),
            struct_data=chunk.struct_data or None,
        )
    )


def _document_result(hits: Sequence[Hit]) -> answers.SearchResult:
    chunk = hits[0].chunk
    return answers.SearchResult(
        document=chunk.document,
        uri=chunk.uri,
        title=chunk.title,
        snippet_info=tuple(
            answers.SnippetInfo(snippet=snippet, snippet_status="SUCCESS")
            if (snippet := _snippet(hit.chunk.text))
            else answers.SnippetInfo(snippet_status="NO_SNIPPET_AVAILABLE")
            for hit in hits
        ),
        struct_data=chunk.struct_data or None,
    )


def _snippet(text: str) -> str:
    """Return the beginning of *text*, cut at a word."""
    flat = " ".join(text.split())
    if len(flat) <= _SNIPPET:
        return flat
    return flat[:_SNIPPET].rpartition(" ")[0] + " …"


def _context(history: Sequence[PastTurn]) -> SearchContext:
    """Return what was said before, as far as it helps to find."""
    queries = tuple(turn.query for turn in reversed(history))
    return SearchContext(
        queries=queries,
        answer=history[-1].answer[:_OPENING] if history else "",
        documents=tuple(turn.documents for turn in reversed(history)),
    )


def _given(results: answer_query.SearchResultList) -> Retrieved:
    """Read the results that the request brings instead of a search."""
    passages: list[Hit] = []
    chunks: list[Hit] = []
    for result in results.search_results:
        if (chunk := result.chunk_info) is not None:
            meta = chunk.document_metadata or answer_query.GivenChunkMetadata()
            document = chunk.chunk.partition("/chunks/")[0]
            chunks.append(
                _given_hit(
                    document, chunk.content, name=chunk.chunk, title=meta.title, uri=meta.uri
                )
            )
        elif (info := result.unstructured_document_info) is not None:
            # Extractive answers are part of the segments, or not to be used.
            passages.extend(
                _given_hit(
                    info.document,
                    passage.content,
                    title=info.title,
                    uri=info.uri,
                    page=passage.page_identifier,
                )
                for passage in info.document_contexts or info.extractive_segments
            )
    return _joined(
        by_documents(passages, MAX_DOCUMENTS, MAX_CHUNKS), by_chunks(chunks[:MAX_CHUNKS])
    )


def _joined(one: Retrieved, other: Retrieved) -> Retrieved:
    """Return both, the references of *other* behind those of *one*."""
    behind = len(one.references)
    return Retrieved(
        hits=one.hits + other.hits,
        references=one.references + other.references,
        reference_of=one.reference_of + tuple(behind + each for each in other.reference_of),
        results=one.results + other.results,
    )


def _given_hit(
    document: str, text: str, *, name: str = "", title: str = "", uri: str = "", page: str = ""
) -> Hit:
    first_page, last_page = pages.numbers(page)
    chunk = Chunk(
        name=name or document,
        document=document,
        title=title,
        uri=uri,
        text=text,
        page=first_page,
        last_page=last_page,
        start_byte=0,
        end_byte=len(text.encode()),
    )
    return Hit(chunk=chunk, score=1.0, relevance=1.0)
