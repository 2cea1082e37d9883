"""``SearchRequest`` and its specs (discoveryengine)."""

from __future__ import annotations

import msgspec

from sessions.resources import summaries
from sessions.resources.base import Int32, Resource, Struct, at_most_one
from sessions.resources.enums import Documented


class SearchResultMode(Documented):
    """Whether results are documents or chunks."""

    SEARCH_RESULT_MODE_UNSPECIFIED = 0
    DOCUMENTS = 1
    CHUNKS = 2


class ExpansionCondition(Documented):
    """When a query is expanded (the documents' ``Condition``)."""

    CONDITION_UNSPECIFIED = 0
    DISABLED = 1
    AUTO = 2


class SpellCorrectionMode(Documented):
    """What is done with a spelling correction (the documents' ``Mode``)."""

    MODE_UNSPECIFIED = 0
    SUGGESTION_ONLY = 1
    AUTO = 2


class RelevanceThreshold(Documented):
    """How relevant a result must be."""

    RELEVANCE_THRESHOLD_UNSPECIFIED = 0
    LOWEST = 1
    LOW = 2
    MEDIUM = 3
    HIGH = 4


class RankingExpressionBackend(Documented):
    """Who evaluates a ranking expression."""

    RANKING_EXPRESSION_BACKEND_UNSPECIFIED = 0
    BYOE = 1
    CLEARBOX = 2
    RANK_BY_EMBEDDING = 3
    RANK_BY_FORMULA = 4


class ConditionBoostSpec(Resource):
    """Raise or lower, by -1 to 1, what matches a condition."""

    condition: str = ""
    boost: float = 0.0
    boost_control_spec: Struct | None = None


class BoostSpec(Resource):
    """Boosts of a search."""

    condition_boost_specs: tuple[ConditionBoostSpec, ...] = ()


class DataStoreSpec(Resource):
    """One data store of an engine, and how to search it."""

    data_store: str = ""
    filter: str = ""
    boost_spec: BoostSpec | None = None
    custom_search_operators: str = ""
    num_results: Int32 = 0


class Interval(Resource):
    """A range of numbers; an absent bound is infinite."""

    minimum: float | None = None
    exclusive_minimum: float | None = None
    maximum: float | None = None
    exclusive_maximum: float | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "min",
            minimum=self.minimum,
            exclusiveMinimum=self.exclusive_minimum,
        )
        at_most_one(
            "max",
            maximum=self.maximum,
            exclusiveMaximum=self.exclusive_maximum,
        )


class FacetKey(Resource):
    """A field to count values of."""

    key: str = ""
    intervals: tuple[Interval, ...] = ()
    restricted_values: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()
    case_insensitive: bool = False
    order_by: str = ""


class FacetSpec(Resource):
    """Which values of a field to count."""

    facet_key: FacetKey | None = None
    limit: Int32 = 0
    excluded_filter_keys: tuple[str, ...] = ()
    enable_dynamic_position: bool = False


class QueryExpansionSpec(Resource):
    """When to expand the query."""

    condition: ExpansionCondition = ExpansionCondition.CONDITION_UNSPECIFIED
    pin_unexpanded_results: bool = False


class SpellCorrectionSpec(Resource):
    """What to do about misspelt queries."""

    mode: SpellCorrectionMode = SpellCorrectionMode.MODE_UNSPECIFIED


class SnippetSpec(Resource):
    """Whether results carry snippets."""

    max_snippet_count: Int32 = 0
    reference_only: bool = False
    return_snippet: bool = False


class ExtractiveContentSpec(Resource):
    """Which verbatim passages results carry."""

    max_extractive_answer_count: Int32 = 0
    max_extractive_segment_count: Int32 = 0
    return_extractive_segment_score: bool = False
    num_previous_segments: Int32 = 0
    num_next_segments: Int32 = 0


class ChunkSpec(Resource):
    """How many neighbours a chunk brings along."""

    num_previous_chunks: Int32 = 0
    num_next_chunks: Int32 = 0


class ContentSearchSpec(Resource):
    """What results carry beside the document."""

    snippet_spec: SnippetSpec | None = None
    summary_spec: summaries.SummarySpec | None = None
    extractive_content_spec: ExtractiveContentSpec | None = None
    search_result_mode: SearchResultMode = SearchResultMode.SEARCH_RESULT_MODE_UNSPECIFIED
    chunk_spec: ChunkSpec | None = None


class SessionSpec(Resource):
    """The turn of the session that the search belongs to."""

    query_id: str = ""
    search_result_persistence_count: Int32 | None = None


class RelevanceScoreSpec(Resource):
    """Whether results carry their score."""

    return_relevance_score: bool = False


class UserInfo(Resource):
    """Who searches; stored with user events, else ignored."""

    user_id: str = ""
    user_agent: str = ""
    time_zone: str = ""
    precise_location: Struct | None = None


class SearchAddonSpec(Resource):
    """The add-ons that a search does without."""

    disable_semantic_add_on: bool = False
    disable_kpi_personalization_add_on: bool = False
    disable_generative_answer_add_on: bool = False


class SearchRequest(Resource):
    """A search; what stands as ``Struct`` is never looked into."""

    serving_config: str = ""
    branch: str = ""
    query: str = ""
    page_categories: tuple[str, ...] = ()
    image_query: Struct | None = None
    page_size: Int32 = 0
    page_token: str = ""
    offset: Int32 = 0
    one_box_page_size: Int32 = 0
    data_store_specs: tuple[DataStoreSpec, ...] = ()
    num_results_per_data_store: Int32 = 0
    filter: str = ""
    canonical_filter: str = ""
    order_by: str = ""
    user_info: UserInfo | None = None
    language_code: str = ""
    facet_specs: tuple[FacetSpec, ...] = ()
    boost_spec: BoostSpec | None = None
    params: Struct = msgspec.field(default={})
    query_expansion_spec: QueryExpansionSpec | None = None
    spell_correction_spec: SpellCorrectionSpec | None = None
    user_pseudo_id: str = ""
    content_search_spec: ContentSearchSpec | None = None
    ranking_expression: str = ""
    ranking_expression_backend: RankingExpressionBackend = (
        RankingExpressionBackend.RANKING_EXPRESSION_BACKEND_UNSPECIFIED
    )
    safe_search: bool = False
    user_labels: dict[str, str] = msgspec.field(default={})
    natural_language_query_understanding_spec: Struct | None = None
    search_as_you_type_spec: Struct | None = None
    display_spec: Struct | None = None
    crowding_specs: tuple[Struct, ...] = ()
    session: str = ""
    session_spec: SessionSpec | None = None
    relevance_threshold: RelevanceThreshold = RelevanceThreshold.RELEVANCE_THRESHOLD_UNSPECIFIED
    relevance_filter_spec: Struct | None = None
    relevance_score_spec: RelevanceScoreSpec | None = None
    search_addon_spec: SearchAddonSpec | None = None
    custom_ranking_params: Struct | None = None
    entity: str = ""
    region_code: str = ""
    embedding_spec: Struct | None = None
    personalization_spec: Struct | None = None
    custom_fine_tuning_spec: Struct | None = None

    @property
    def by_chunk(self) -> bool:
        """Whether the results are chunks and not documents."""
        spec = self.content_search_spec
        return spec is not None and spec.search_result_mode is SearchResultMode.CHUNKS
