"""Read what a request may retrieve from, and refuse what it cannot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.pipeline.retrieving import MAX_CHUNKS
from service.answering.requests import field_checks
from service.answering.retrieval.context_scopes import (
    DEFAULT_COUNT,
    MAX_COUNT,
    ContextOrder,
    ContextScope,
    DistanceBounds,
)
from sessions import names
from sessions.errors import InvalidArgument, Unimplemented
from sessions.resources import retrieve_contexts, tools
from sessions.resources.retrieve_contexts import (
    RagQuery,
    RagResource,
    RagResources,
    RagRetrievalConfig,
)
from sessions.resources.search_requests import DataStoreSpec

_DEFAULT_RESULTS: Final = 10
"""Results where ``VertexAISearch.maxResults`` is 0."""

_BALANCED: Final = 0.5
"""The documented weight where a hybrid search names none."""


def scope_of_query(store: RagResources | None, query: RagQuery | None) -> ContextScope:
    """Return where RetrieveContexts retrieves from.

    Raises:
        InvalidArgument: a field cannot be used; it is named.
        Unimplemented: a reranking is wanted that is not offered.
    """
    if store is None:
        field = "vertexRagStore"
        raise InvalidArgument(f"{field}: name the corpus to retrieve from", field=field)
    query = query or RagQuery()
    config = query.rag_retrieval_config or RagRetrievalConfig()
    if query.ranking is not None and config.hybrid_search is None:
        config = msgspec.structs.replace(config, hybrid_search=query.ranking)
    return _scope(
        _resource(store.rag_resources, store.rag_corpora, "vertexRagStore"),
        _with_older_fields(
            config,
            count=query.similarity_top_k,
            below=store.vector_distance_threshold,
            fields=("query.similarityTopK", "vertexRagStore.vectorDistanceThreshold"),
        ),
        "query.ragRetrievalConfig",
    )


def scope_of_store(store: tools.VertexRagStore, field: str) -> ContextScope:
    """Return where a tool retrieves from that names a corpus; *field* is where it stands.

    Raises:
        InvalidArgument, Unimplemented: see `scope_of_query`; or contexts are to be stored.
    """
    if store.store_context:
        raise not_offered(f"{field}.storeContext")
    return _scope(
        _resource(store.rag_resources, store.rag_corpora, field),
        _with_older_fields(
            store.rag_retrieval_config or RagRetrievalConfig(),
            count=store.similarity_top_k or 0,
            below=store.vector_distance_threshold,
            fields=(f"{field}.similarityTopK", f"{field}.vectorDistanceThreshold"),
        ),
        f"{field}.ragRetrievalConfig",
    )


def scope_of_search(search: tools.VertexAISearch, field: str) -> ContextScope:
    """Return where a tool retrieves from that names a data store or an engine.

    Raises:
        InvalidArgument: it is not exactly one of them, or a field cannot be used.
    """
    if bool(search.datastore) == bool(search.engine):
        raise InvalidArgument(f"{field}: name either datastore or engine", field=field)
    if search.datastore:
        parent = names.checked(search.datastore, names.DATA_STORE, field=f"{field}.datastore")
    else:
        parent = names.checked(search.engine, names.ENGINE, field=f"{field}.engine")
    if not 0 <= search.max_results <= MAX_CHUNKS:
        where = f"{field}.maxResults"
        raise InvalidArgument(
            f"{where}: give 1 to {MAX_CHUNKS}, or 0 for {_DEFAULT_RESULTS}", field=where
        )
    field_checks.check_filter(search.filter, field=f"{field}.filter")
    specs: list[DataStoreSpec] = []
    for at, spec in enumerate(search.data_store_specs):
        where = f"{field}.dataStoreSpecs[{at}]"
        name = names.checked(spec.data_store, names.DATA_STORE, field=f"{where}.dataStore")
        field_checks.check_filter(spec.filter, field=f"{where}.filter")
        specs.append(DataStoreSpec(data_store=name, filter=spec.filter))
    return ContextScope(
        parent=parent,
        filter=search.filter,
        count=search.max_results or _DEFAULT_RESULTS,
        data_stores=tuple(specs),
    )


def read(given: Sequence[tools.Tool]) -> tuple[ContextScope, bool] | None:
    """Return where the retrieval tool among *given* retrieves from, and whether it is attributed.

    None without such a tool.

    Raises:
        InvalidArgument: there are several, or one says nothing; or as
            `scope_of_store` and `scope_of_search`.
        Unimplemented: there is a tool that is not offered.
    """
    found: tuple[ContextScope, bool] | None = None
    for at, tool in enumerate(given):
        field = f"tools[{at}]"
        if tool.retrieval is None:
            continue
        retrieval, field = tool.retrieval, f"{field}.retrieval"
        if found is not None:
            raise InvalidArgument(f"{field}: only one is used", field=field)
        if retrieval.vertex_rag_store is not None:
            scope = scope_of_store(retrieval.vertex_rag_store, f"{field}.vertexRagStore")
        elif retrieval.vertex_ai_search is not None:
            scope = scope_of_search(retrieval.vertex_ai_search, f"{field}.vertexAiSearch")
        else:
            raise InvalidArgument(f"{field}: name vertexRagStore or vertexAiSearch", field=field)
        found = scope, not retrieval.disable_attribution
    return found


def not_offered(field: str) -> Unimplemented:
    """Return the refusal of a *field* that is known, and not offered."""
    return Unimplemented(
        f"{field}: this service does not offer it; leave it out", reason="NOT_OFFERED", field=field
    )


def _resource(
    resources: Sequence[RagResource], corpora: Sequence[str], field: str
) -> tuple[str, tuple[str, ...]]:
    """Return the one corpus that is named, and the files that are, () for all."""
    if corpora and resources:
        raise InvalidArgument(
            f"{field}: name the corpus in ragResources or in ragCorpora, not in both", field=field
        )
    where = "ragCorpora" if corpora else "ragResources"
    given = [RagResource(rag_corpus=name) for name in corpora] or list(resources)
    if len(given) != 1:
        where = f"{field}.{where}"
        raise InvalidArgument(f"{where}: name one corpus", field=where)
    path = f"{field}.ragCorpora[0]" if corpora else f"{field}.ragResources[0].ragCorpus"
    corpus = names.checked(given[0].rag_corpus, names.RAG_CORPUS, field=path)
    for at, file in enumerate(given[0].rag_file_ids):
        if not file.isdecimal():
            path = f"{field}.ragResources[0].ragFileIds[{at}]"
            raise InvalidArgument(f"{path}: give the bare id of a file", field=path)
    return corpus, given[0].rag_file_ids


def _with_older_fields(
    config: RagRetrievalConfig, *, count: int, below: float | None, fields: tuple[str, str]
) -> RagRetrievalConfig:
    """Return *config* with what was said in fields of the older form."""
    if count:
        if config.top_k:
            raise InvalidArgument(f"{fields[0]}: topK says it already", field=fields[0])
        config = msgspec.structs.replace(config, top_k=count)
    if below is not None:
        near = config.filter or retrieve_contexts.Filter()
        if near.vector_distance_threshold is not None or near.vector_similarity_threshold:
            raise InvalidArgument(f"{fields[1]}: the filter says it already", field=fields[1])
        near = msgspec.structs.replace(near, vector_distance_threshold=below)
        config = msgspec.structs.replace(config, filter=near)
    return config


def _scope(
    resource: tuple[str, tuple[str, ...]], config: RagRetrievalConfig, field: str
) -> ContextScope:
    corpus, files = resource
    if not 0 <= config.top_k <= MAX_COUNT:
        raise InvalidArgument(
            f"{field}.topK: give 1 to {MAX_COUNT}, or 0 for {DEFAULT_COUNT}", field=f"{field}.topK"
        )
    near = config.filter or retrieve_contexts.Filter()
    field_checks.check_filter(near.metadata_filter, field=f"{field}.filter.metadataFilter")
    return ContextScope(
        parent=corpus,
        filter=_narrowed(near.metadata_filter, files),
        count=config.top_k or DEFAULT_COUNT,
        bounds=_bounds(near, config, field),
        field=field,
    )


def _bounds(
    near: retrieve_contexts.Filter, config: RagRetrievalConfig, field: str
) -> DistanceBounds:
    below, above = near.vector_distance_threshold, near.vector_similarity_threshold
    # Programs written for other metrics send 10: no distance is over 2, so it admits all.
    if below is not None and not 0 <= below < math.inf:
        path = f"{field}.filter.vectorDistanceThreshold"
        raise InvalidArgument(f"{path}: give a number, 0 or more", field=path)
    if above is not None and not -1 <= above < math.inf:
        path = f"{field}.filter.vectorSimilarityThreshold"
        raise InvalidArgument(f"{path}: give a number, -1 or more", field=path)
    alpha = config.hybrid_search.alpha if config.hybrid_search else None
    if config.hybrid_search and alpha is None:
        alpha = _BALANCED
    if alpha is not None and not 0 <= alpha <= 1:
        path = f"{field}.hybridSearch.alpha"
        raise InvalidArgument(f"{path}: give 0 to 1", field=path)
    return DistanceBounds(below=below, above=above, alpha=alpha, order=_order(config.ranking))


def _order(given: retrieve_contexts.Ranking | None) -> ContextOrder:
    if given is not None and given.llm_ranker is not None:
        return ContextOrder.MODEL
    if given is not None and given.rank_service is not None:
        return ContextOrder.RELEVANCE
    return ContextOrder.DISTANCE


def _narrowed(condition: str, files: Sequence[str]) -> str:
    """Return the filter of the documents that *condition* matches among *files*."""
    if not files:
        return condition
    ids = ", ".join(f'"{file}"' for file in files)
    among = f"id: ANY({ids})"
    return f"({condition}) AND {among}" if condition else among
