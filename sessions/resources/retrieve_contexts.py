"""Retrieve contexts from a corpus: ``RetrieveContextsRequest`` (aiplatform v1beta1)."""

from __future__ import annotations

from sessions.resources.base import Int32, Resource, at_most_one


class Filter(Resource):
    """Which contexts are close enough."""

    vector_distance_threshold: float | None = None
    vector_similarity_threshold: float | None = None
    metadata_filter: str = ""

    def __post_init__(self) -> None:
        at_most_one(
            "vector_db_threshold",
            vectorDistanceThreshold=self.vector_distance_threshold,
            vectorSimilarityThreshold=self.vector_similarity_threshold,
        )


class Ranker(Resource):
    """A model that reranks (the documents' ``RankService`` and ``LlmRanker``)."""

    model_name: str | None = None


class Ranking(Resource):
    """How contexts are reranked."""

    rank_service: Ranker | None = None
    llm_ranker: Ranker | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "ranking_config",
            rankService=self.rank_service,
            llmRanker=self.llm_ranker,
        )


class HybridSearch(Resource):
    """The weight of dense against sparse retrieval; 1 is dense only."""

    alpha: float | None = None


class RagRetrievalConfig(Resource):
    """How contexts are retrieved."""

    top_k: Int32 = 0
    filter: Filter | None = None
    ranking: Ranking | None = None
    hybrid_search: HybridSearch | None = None


class RagQuery(Resource):
    """What to retrieve contexts for."""

    text: str | None = None
    rag_retrieval_config: RagRetrievalConfig | None = None
    similarity_top_k: Int32 = 0
    ranking: HybridSearch | None = None


class RagResource(Resource):
    """A corpus, or some files of it."""

    rag_corpus: str = ""
    rag_file_ids: tuple[str, ...] = ()


class RagResources(Resource):
    """The corpus to retrieve from (the documents' nested ``VertexRagStore``)."""

    rag_resources: tuple[RagResource, ...] = ()
    vector_distance_threshold: float | None = None
    rag_corpora: tuple[str, ...] = ()


class RetrieveContextsRequest(Resource):
    """Retrieve the contexts of a query."""

    vertex_rag_store: RagResources | None = None
    parent: str = ""
    query: RagQuery | None = None


class PageSpan(Resource):
    """First and last page of a chunk, 1-based and inclusive."""

    first_page: Int32 = 0
    last_page: Int32 = 0


class RagChunk(Resource):
    """The text of a chunk and its pages."""

    text: str = ""
    page_span: PageSpan | None = None
    file_id: str = ""
    chunk_id: str = ""


class Context(Resource):
    """One retrieved text; of a smaller ``score`` the closer it is."""

    source_uri: str = ""
    source_display_name: str = ""
    text: str = ""
    score: float | None = None
    chunk: RagChunk | None = None
    distance: float = 0.0
    sparse_distance: float = 0.0


class RagContexts(Resource):
    """Retrieved texts, closest first."""

    contexts: tuple[Context, ...] | None = None
    """Written also where it is empty, as programs index it without a look."""


class RetrieveContextsResponse(Resource):
    """What was retrieved."""

    contexts: RagContexts | None = None
