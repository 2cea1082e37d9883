"""``SearchResponse`` and its results (discoveryengine)."""

from __future__ import annotations

import msgspec

from sessions.resources import chunks, documents, search_requests, summaries
from sessions.resources.base import Int32, Int64, Resource, Struct, at_most_one
from sessions.resources.enums import Documented


class RetrievalSource(Documented):
    """How a result was found."""

    RETRIEVAL_SOURCE_UNSPECIFIED = 0
    KEYWORD_SEARCH = 1
    SEMANTIC_SEARCH = 2


class SemanticState(Documented):
    """Whether the search was semantic."""

    SEMANTIC_STATE_UNSPECIFIED = 0
    DISABLED = 1
    ENABLED = 2


class DoubleList(Resource):
    """A list of numbers."""

    values: tuple[float, ...] = ()


class CustomSignal(Resource):
    """A ranking signal by name."""

    name: str = ""
    value: float = 0.0


class RankSignals(Resource):
    """The numbers that a result was ranked by."""

    keyword_similarity_score: float | None = None
    relevance_score: float | None = None
    semantic_similarity_score: float | None = None
    pctr_rank: float | None = None
    topicality_rank: float | None = None
    document_age: float | None = None
    boosting_factor: float | None = None
    default_rank: float = 0.0
    custom_signals: tuple[CustomSignal, ...] = ()
    precomputed_expression_values: tuple[float, ...] = ()


class RetrievalSignals(Resource):
    """How a result was found, and how close it is in meaning."""

    retrieval_sources: tuple[RetrievalSource, ...] = ()
    semantic_relevance_score: float = 0.0


class SearchResult(Resource):
    """One result: a document, or in CHUNKS mode a chunk."""

    id: str = ""
    document: documents.Document | None = None
    chunk: chunks.Chunk | None = None
    model_scores: dict[str, DoubleList] = msgspec.field(default={})
    rank_signals: RankSignals | None = None
    retrieval_signals: RetrievalSignals | None = None


class FacetValue(Resource):
    """How often one value, or a range of them, occurs."""

    value: str | None = None
    interval: search_requests.Interval | None = None
    count: Int64 = "0"

    def __post_init__(self) -> None:
        at_most_one(
            "facet_value",
            value=self.value,
            interval=self.interval,
        )


class Facet(Resource):
    """The counted values of one field."""

    key: str = ""
    values: tuple[FacetValue, ...] = ()
    dynamic_facet: bool = False


class QueryExpansionInfo(Resource):
    """Whether the query was expanded."""

    expanded_query: bool = False
    pinned_result_count: Int64 = "0"


class SessionInfo(Resource):
    """The turn that a search in a session was recorded as."""

    name: str = ""
    query_id: str = ""


class SearchResponse(Resource):
    """One page of results; what stands as ``Struct`` is never written."""

    results: tuple[SearchResult, ...] = ()
    facets: tuple[Facet, ...] = ()
    total_size: Int32 = 0
    attribution_token: str = ""
    redirect_uri: str = ""
    next_page_token: str = ""
    corrected_query: str = ""
    summary: summaries.Summary | None = None
    applied_controls: tuple[str, ...] = ()
    query_expansion_info: QueryExpansionInfo | None = None
    natural_language_query_understanding_info: Struct | None = None
    session_info: SessionInfo | None = None
    search_link_promotions: tuple[Struct, ...] = ()
    semantic_state: SemanticState = SemanticState.SEMANTIC_STATE_UNSPECIFIED
    guided_search_result: Struct | None = None
    suggested_query: str = ""
    geo_search_debug_info: tuple[Struct, ...] = ()
    one_box_results: tuple[Struct, ...] = ()
