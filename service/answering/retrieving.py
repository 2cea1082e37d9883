"""The find stage: from a query to the hits, the references and the step that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.asks import Ask
from service.corpus.index import Boost, Chunk, Hit, Index, SearchScope
from service.generation.generator import PastTurn, Source
from sessions.resources import answers, queries
from sessions.resources.searches import SearchResultMode

DOCUMENTS: Final = 10
"""Most documents that an answer refers to (api.md 18)."""
CHUNKS: Final = 20
"""Most chunks that an answer refers to in CHUNKS mode (api.md 18)."""
_CHUNKS_PER_DOCUMENT: Final = 3
_SNIPPET: Final = 240
_CONTEXT: Final = 10
"""Earlier queries and answers that a search is given; more did not find more."""
_OPENING: Final = 300
"""Characters of an earlier answer that tell what it was about."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
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
            )
            for hit in self.hits
        )


async def find(
    index: Index,
    ask: Ask,
    query: str,
    data_stores: Sequence[str],
    history: Sequence[PastTurn] = (),
) -> Found:
    """Search *data_stores* for *query* as *ask* wants it, or take the results that it brings.

    *history* are the earlier turns in whose light *query* is read, oldest first.

    Raises:
        InvalidArgument: a filter cannot be read.
        Unavailable: the index is not there.
    """
    spec = ask.request.search_spec
    if spec is not None and spec.search_result_list is not None:
        return _given(spec.search_result_list)
    params = (spec.search_params if spec else None) or queries.SearchParams()
    wanted = params.max_return_results or DOCUMENTS
    by_chunk = params.search_result_mode is SearchResultMode.CHUNKS
    scope = SearchScope(
        data_stores=_narrowed(data_stores, params),
        filter=_filter(params),
        boosts=_boosts(params),
        preferred_documents=_preferred(ask),
        context=_context(history),
    )
    if by_chunk:
        hits = await index.search(query, scope, limit=min(wanted, CHUNKS))
        return by_chunks(hits)
    limit = min(wanted, DOCUMENTS)
    hits = await index.search(query, scope, limit=limit * _CHUNKS_PER_DOCUMENT)
    return by_documents(hits, limit)


def by_chunks(hits: Sequence[Hit]) -> Found:
    """Make each hit a reference of its own."""
    return Found(
        hits=tuple(hits),
        references=tuple(
            answers.Reference(
                chunk_info=answers.ChunkInfo(
                    chunk=hit.chunk.name,
                    content=hit.chunk.text,
                    relevance_score=hit.relevance,
                    document_metadata=answers.DocumentMetadata(
                        document=hit.chunk.document,
                        uri=hit.chunk.uri,
                        title=hit.chunk.title,
                        page_identifier=_page(hit.chunk),
                        struct_data=hit.chunk.struct_data or None,
                    ),
                )
            )
            for hit in hits
        ),
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


def by_documents(hits: Sequence[Hit], limit: int) -> Found:
    """Gather the hits of each document into one reference, *limit* documents at most."""
    grouped: dict[str, list[Hit]] = {}
    for hit in hits:
        chunks = grouped.setdefault(hit.chunk.document, [])
        if len(chunks) < _CHUNKS_PER_DOCUMENT and len(grouped) <= limit:
            chunks.append(hit)
    documents = [name for name, chunks in grouped.items() if chunks]
    place = {name: number for number, name in enumerate(documents)}
    kept = [hit for hit in hits if hit in grouped[hit.chunk.document]]
    return Found(
        hits=tuple(kept),
        references=tuple(_document_reference(grouped[name]) for name in documents),
        reference_of=tuple(place[hit.chunk.document] for hit in kept),
        results=tuple(_document_result(grouped[name]) for name in documents),
    )


def _document_reference(hits: Sequence[Hit]) -> answers.Reference:
    chunk = hits[0].chunk
    if chunk.start_byte == chunk.end_byte:  # the document has fields and no text
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
                    page_identifier=_page(hit.chunk),
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
            answers.SnippetInfo(snippet=_snippet(hit.chunk.text), snippet_status="SUCCESS")
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


def _page(chunk: Chunk) -> str:
    return str(chunk.page) if chunk.page else ""


def _context(history: Sequence[PastTurn]) -> tuple[str, ...]:
    """Return what was said before, the latest first, as far as it helps to find."""
    said = [text for turn in reversed(history) for text in (turn.answer[:_OPENING], turn.query)]
    return tuple(said[:_CONTEXT])


def _narrowed(data_stores: Sequence[str], params: queries.SearchParams) -> tuple[str, ...]:
    """Keep the stores that the request names; none named means all."""
    named = {names_of.data_store for names_of in params.data_store_specs}
    return tuple(store for store in data_stores if not named or store in named)


def _filter(params: queries.SearchParams) -> str:
    filters = [params.filter, *(spec.filter for spec in params.data_store_specs)]
    given = [f"({expression})" for expression in filters if expression]
    return " AND ".join(given) if len(given) > 1 else (given[0][1:-1] if given else "")


def _boosts(params: queries.SearchParams) -> tuple[Boost, ...]:
    if params.boost_spec is None:
        return ()
    return tuple(
        Boost(spec.condition, spec.boost) for spec in params.boost_spec.condition_boost_specs
    )


def _preferred(ask: Ask) -> tuple[str, ...]:
    """Return the documents that the user of a conversation has before them (api.md 13.1)."""
    query = ask.converse.query if ask.converse else None
    context = query.context if query else None
    if context is None:
        return ()
    active = (context.active_document,) if context.active_document else ()
    return (*active, *context.context_documents)


def _given(results: queries.SearchResultList) -> Found:
    """Read the results that the request brings instead of a search (api.md 10)."""
    hits: list[Hit] = []
    by_document = True
    for result in results.search_results:
        if result.chunk_info is not None:
            by_document = False
            meta = result.chunk_info.document_metadata
            hits.append(
                _given_hit(
                    result.chunk_info.chunk.partition("/chunks/")[0],
                    result.chunk_info.content,
                    name=result.chunk_info.chunk,
                    title=meta.title if meta else "",
                    uri=meta.uri if meta else "",
                )
            )
        elif (info := result.unstructured_document_info) is not None:
            contents = [(c.content, c.page_identifier) for c in info.document_contexts] or [
                (s.content, s.page_identifier) for s in info.extractive_segments
            ]
            hits.extend(
                _given_hit(info.document, content, title=info.title, uri=info.uri, page=page)
                for content, page in contents
            )
    return by_documents(hits, DOCUMENTS) if by_document else by_chunks(hits[:CHUNKS])


def _given_hit(
    document: str, text: str, *, name: str = "", title: str = "", uri: str = "", page: str = ""
) -> Hit:
    chunk = Chunk(
        name=name or document,
        document=document,
        title=title,
        uri=uri,
        text=text,
        page=int(page) if page.isdecimal() else 0,
        start_byte=0,
        end_byte=len(text.encode()),
    )
    return Hit(chunk=chunk, score=1.0, relevance=1.0)
