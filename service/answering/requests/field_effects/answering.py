"""What becomes of each field of a query to be answered, and of what is said in a conversation."""

from __future__ import annotations

from typing import Final

from service.answering.requests.field_effects.effects import Table, ignored, obeyed, with_model
from sessions.resources import answer_query, conversations, search_requests, sessions, summaries

_QUOTED: Final = "without a model, text is quoted from documents"
_ONE_MODEL: Final = "there is one model, which goes by every name"
_BILLS: Final = "they sort bills, and nothing is billed"

TABLE: Final[Table] = {
    answer_query.AnswerQueryRequest: (
        obeyed("query", "session", "asynchronous_mode", "user_pseudo_id"),
        obeyed("safety_spec", "related_questions_spec", "grounding_spec"),
        obeyed("answer_generation_spec", "search_spec", "query_understanding_spec"),
        with_model(_QUOTED, "end_user_spec"),
        ignored("the path of the request names the serving config", "serving_config"),
        ignored(_BILLS, "user_labels"),
    ),
    sessions.Query: (obeyed("text", "query_id"),),
    answer_query.SafetySpec: (obeyed("enable", "safety_settings"),),
    answer_query.SafetySetting: (obeyed("category", "threshold"),),
    answer_query.RelatedQuestionsSpec: (obeyed("enable"),),
    answer_query.GroundingSpec: (obeyed("include_grounding_supports", "filtering_level"),),
    answer_query.AnswerGenerationSpec: (
        obeyed("include_citations", "answer_language_code", "multimodal_spec"),
        obeyed("ignore_adversarial_query", "ignore_non_answer_seeking_query"),
        obeyed("ignore_low_relevant_content", "ignore_jail_breaking_query"),
        with_model(_QUOTED, "prompt_spec"),
        ignored(_ONE_MODEL, "model_spec"),
    ),
    answer_query.PromptSpec: (obeyed("preamble"),),
    answer_query.SearchSpec: (obeyed("search_params", "search_result_list"),),
    answer_query.SearchParams: (
        obeyed("max_return_results", "filter", "boost_spec", "order_by"),
        obeyed("search_result_mode", "data_store_specs"),
        ignored(
            "queries are read in one way",
            *("natural_language_query_understanding_spec", "custom_fine_tuning_spec"),
        ),
    ),
    search_requests.BoostSpec: (obeyed("condition_boost_specs"),),
    search_requests.ConditionBoostSpec: (
        obeyed("condition", "boost"),
        ignored("a boost is a number", "boost_control_spec"),
    ),
    search_requests.DataStoreSpec: (
        obeyed("data_store", "filter", "boost_spec", "num_results"),
        ignored("they are for the data stores of other products", "custom_search_operators"),
    ),
    answer_query.SearchResultList: (obeyed("search_results"),),
    answer_query.GivenResult: (obeyed("unstructured_document_info", "chunk_info"),),
    answer_query.GivenDocument: (
        obeyed("document", "uri", "title", "document_contexts", "extractive_segments"),
        ignored("they are parts of the segments", "extractive_answers"),
    ),
    answer_query.Passage: (obeyed("page_identifier", "content"),),
    answer_query.GivenChunk: (obeyed("chunk", "content", "document_metadata"),),
    answer_query.GivenChunkMetadata: (obeyed("uri", "title"),),
    answer_query.QueryUnderstandingSpec: (
        obeyed("query_classification_spec", "query_rephraser_spec"),
        ignored(
            "a slip is read as the word that it may be, beside what was written",
            "disable_spell_correction",
        ),
    ),
    answer_query.QueryClassificationSpec: (obeyed("types"),),
    answer_query.QueryRephraserSpec: (
        obeyed("disable"),
        ignored("one rewriting is one step", "max_rephrase_steps"),
        ignored(_ONE_MODEL, "model_spec"),
    ),
    answer_query.EndUserSpec: (obeyed("end_user_metadata"),),
    answer_query.EndUserMetadata: (obeyed("chunk_info"),),
    answer_query.EndUserChunk: (obeyed("content", "document_metadata"),),
    answer_query.EndUserDocumentMetadata: (obeyed("title"),),
    conversations.ConverseConversationRequest: (
        obeyed("query", "conversation", "safe_search", "summary_spec", "filter", "boost_spec"),
        ignored("the path of the request names the conversation", "name"),
        ignored("the conversation searches what it belongs to", "serving_config"),
        ignored(_BILLS, "user_labels"),
    ),
    conversations.TextInput: (obeyed("input", "context"),),
    conversations.ConversationContext: (obeyed("context_documents", "active_document"),),
    conversations.Conversation: (
        obeyed("user_pseudo_id"),
        ignored(
            "they are what the service keeps",
            *("name", "state", "messages", "start_time", "end_time"),
        ),
    ),
    summaries.SummarySpec: (
        obeyed("summary_result_count", "include_citations", "language_code"),
        obeyed("ignore_adversarial_query", "ignore_non_summary_seeking_query"),
        obeyed("ignore_low_relevant_content", "ignore_jail_breaking_query"),
        obeyed("use_semantic_chunks", "multimodal_spec"),
        with_model(_QUOTED, "model_prompt_spec"),
        ignored(_ONE_MODEL, "model_spec"),
    ),
    summaries.ModelPromptSpec: (obeyed("preamble"),),
    summaries.MultimodalSpec: (obeyed("image_source"),),
}
