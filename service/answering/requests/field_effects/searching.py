"""What becomes of each field of a search, and of a retrieval of contexts.

What a search shares with answers is in their table, what a retrieval shares with tools in theirs.
"""

from __future__ import annotations

from typing import Final

from service.answering.requests.field_effects.effects import (
    Table,
    ignored,
    not_offered,
    obeyed,
)
from sessions.resources import retrieve_contexts, search_requests

TABLE: Final[Table] = {
    search_requests.SearchRequest: (
        obeyed("branch", "query", "page_size", "page_token", "offset"),
        obeyed("data_store_specs", "num_results_per_data_store", "filter", "order_by"),
        obeyed("facet_specs", "boost_spec", "user_pseudo_id", "content_search_spec"),
        obeyed("safe_search", "session", "session_spec"),
        obeyed("relevance_threshold", "relevance_score_spec", "search_addon_spec"),
        ignored("the path of the request names the serving config", "serving_config"),
        ignored("results are pages of documents", "page_categories", "one_box_page_size"),
        not_offered("nothing but text is searched for; give query", "image_query"),
        ignored("queries are not expanded", "canonical_filter", "query_expansion_spec"),
        ignored("results are the same for everybody", "user_info", "region_code"),
        ignored("results are the same for everybody", "personalization_spec"),
        ignored("a query tells its language", "language_code"),
        ignored("a slip is read as the word that it may be, too", "spell_correction_spec"),
        ignored(
            "results are ranked in one way",
            *("params", "ranking_expression", "ranking_expression_backend"),
            *("custom_ranking_params", "custom_fine_tuning_spec", "embedding_spec"),
            *("relevance_filter_spec", "natural_language_query_understanding_spec"),
        ),
        ignored("results are shown as they are", "display_spec", "crowding_specs"),
        ignored("it is for other kinds of data stores", "entity", "search_as_you_type_spec"),
        ignored("they sort bills, and nothing is billed", "user_labels"),
    ),
    search_requests.FacetSpec: (
        obeyed("facet_key", "limit", "excluded_filter_keys"),
        ignored("facets come in the order of the request", "enable_dynamic_position"),
    ),
    search_requests.FacetKey: (
        obeyed("key", "intervals", "restricted_values", "prefixes", "contains"),
        obeyed("case_insensitive", "order_by"),
    ),
    search_requests.Interval: (
        obeyed("minimum", "exclusive_minimum", "maximum", "exclusive_maximum"),
    ),
    search_requests.ContentSearchSpec: (
        obeyed("snippet_spec", "summary_spec", "extractive_content_spec"),
        obeyed("search_result_mode", "chunk_spec"),
    ),
    search_requests.SnippetSpec: (
        obeyed("max_snippet_count", "return_snippet"),
        ignored("snippets are always of the text", "reference_only"),
    ),
    search_requests.ExtractiveContentSpec: (
        obeyed("max_extractive_answer_count", "max_extractive_segment_count"),
        obeyed("return_extractive_segment_score"),
        obeyed("num_previous_segments", "num_next_segments"),
    ),
    search_requests.ChunkSpec: (obeyed("num_previous_chunks", "num_next_chunks"),),
    search_requests.SessionSpec: (obeyed("query_id", "search_result_persistence_count"),),
    search_requests.SearchAddonSpec: (
        obeyed("disable_generative_answer_add_on"),
        ignored("whether meaning counts is for the operator to say", "disable_semantic_add_on"),
        ignored("results are the same for everybody", "disable_kpi_personalization_add_on"),
    ),
    search_requests.RelevanceScoreSpec: (obeyed("return_relevance_score"),),
    retrieve_contexts.RetrieveContextsRequest: (
        obeyed("vertex_rag_store", "query"),
        ignored("the path of the request names the location", "parent"),
    ),
    retrieve_contexts.RagResources: (
        obeyed("rag_resources", "rag_corpora", "vector_distance_threshold"),
    ),
    retrieve_contexts.RagQuery: (
        obeyed("text", "rag_retrieval_config", "similarity_top_k", "ranking"),
    ),
}
