"""What becomes of each field of a generateContent request."""

from __future__ import annotations

from typing import Final

from service.answering.requests.field_effects.effects import (
    Table,
    configured,
    ignored,
    needs_model,
    not_offered,
    obeyed,
    refused,
    with_model,
)
from sessions.resources import base, contents, generate_content, retrieve_contexts, tools

_QUOTED: Final = "without a model, text is quoted from documents and not generated"
_TEXT_ONLY: Final = "text is all that is written"
_ELSEWHERE: Final = "it is a service of its own"
NO_SEARCH: Final = "the web is searched only through COLLOQUY_SEARCH_URL"
NO_PAGES: Final = "pages are read only from COLLOQUY_URL_HOSTS"

TABLE: Final[Table] = {
    generate_content.GenerateContentRequest: (
        obeyed("contents", "tools", "tool_config", "safety_settings", "generation_config"),
        with_model(_QUOTED, "system_instruction"),
        ignored("the path of the request names the model", "model"),
        ignored("they sort bills, and nothing is billed", "labels"),
        not_offered("no contents are kept between requests", "cached_content"),
        not_offered(_ELSEWHERE, "model_armor_config"),
    ),
    contents.Content: (obeyed("role", "parts"),),
    contents.Part: (
        obeyed("text", "thought"),
        needs_model(_QUOTED, "inline_data"),
        refused("files are not fetched; send the bytes in inlineData", "file_data"),
        needs_model(_QUOTED, "function_call", "function_response"),
        refused("no code is run", "executable_code", "code_execution_result"),
        ignored("no thoughts are signed", "thought_signature"),
        ignored("no video is read", "video_metadata"),
        with_model(_QUOTED, "media_resolution"),
    ),
    contents.Blob: (obeyed("mime_type", "data"),),
    contents.FileData: (refused("files are not fetched", "mime_type", "file_uri"),),
    contents.FunctionCall: (
        obeyed("name", "args", "id"),
        refused("send a call that was streamed whole, with args", "partial_args"),
        ignored("a call is read whole", "will_continue"),
    ),
    contents.PartialArg: (
        refused(
            "send a call that was streamed whole, with args",
            *("null_value", "number_value", "string_value", "bool_value"),
            *("json_path", "will_continue"),
        ),
    ),
    contents.FunctionResponse: (
        obeyed("name", "response", "id"),
        refused("models read text only from functions; put it into response", "parts"),
    ),
    generate_content.GenerationConfig: (
        obeyed("candidate_count", "max_output_tokens", "stop_sequences"),
        obeyed("response_mime_type", "response_modalities"),
        with_model(_QUOTED, "temperature", "top_p", "top_k", "seed"),
        with_model(_QUOTED, "presence_penalty", "frequency_penalty"),
        needs_model(_QUOTED, "response_logprobs", "logprobs"),
        needs_model(_QUOTED, "response_schema", "response_json_schema"),
        refused(_TEXT_ONLY, "speech_config", "image_config"),
        refused("no audio is read", "audio_timestamp"),
        ignored("there is one model to choose", "routing_config", "model_config"),
        with_model(_QUOTED, "media_resolution"),
        with_model(_QUOTED, "thinking_config"),
    ),
    generate_content.ThinkingConfig: (
        with_model(_QUOTED, "include_thoughts", "thinking_budget", "thinking_level"),
    ),
    generate_content.SafetySetting: (
        obeyed("category", "threshold"),
        ignored("thresholds are held against probabilities", "method"),
    ),
    generate_content.ModelArmorConfig: (
        not_offered(_ELSEWHERE, "prompt_template_name", "response_template_name"),
    ),
    tools.Tool: (
        obeyed("retrieval"),
        needs_model(_QUOTED, "function_declarations"),
        configured(NO_SEARCH, "google_search", "google_search_retrieval"),
        not_offered(_ELSEWHERE, "enterprise_web_search", "parallel_ai_search", "exa_ai_search"),
        configured(NO_PAGES, "url_context"),
        not_offered(_ELSEWHERE, "google_maps"),
        not_offered("nothing that a model writes is run", "code_execution", "computer_use"),
    ),
    tools.FunctionDeclaration: (
        obeyed("name", "description", "parameters", "parameters_json_schema"),
        ignored("models are not told what functions return", "response", "response_json_schema"),
    ),
    tools.GoogleSearch: (
        obeyed("exclude_domains"),
        refused("nothing is known of how risky sites are", "blocking_confidence"),
    ),
    tools.GoogleSearchRetrieval: (obeyed("dynamic_retrieval_config"),),
    tools.DynamicRetrievalConfig: (obeyed("mode", "dynamic_threshold"),),
    tools.ToolConfig: (
        obeyed("function_calling_config"),
        ignored("only places are searched by where the user is", "retrieval_config"),
    ),
    tools.FunctionCallingConfig: (
        obeyed("mode", "allowed_function_names", "stream_function_call_arguments"),
    ),
    tools.Retrieval: (obeyed("vertex_ai_search", "vertex_rag_store", "disable_attribution"),),
    tools.VertexAISearch: (
        obeyed("datastore", "engine", "max_results", "filter", "data_store_specs"),
    ),
    tools.DataStoreSpec: (obeyed("data_store", "filter"),),
    tools.VertexRagStore: (
        obeyed("rag_resources", "rag_corpora", "rag_retrieval_config"),
        obeyed("similarity_top_k", "vector_distance_threshold"),
        not_offered("no contexts are kept between requests", "store_context"),
    ),
    retrieve_contexts.RagResource: (obeyed("rag_corpus", "rag_file_ids"),),
    retrieve_contexts.RagRetrievalConfig: (obeyed("top_k", "filter", "ranking", "hybrid_search"),),
    retrieve_contexts.Filter: (
        obeyed("vector_distance_threshold", "vector_similarity_threshold", "metadata_filter"),
    ),
    retrieve_contexts.Ranking: (
        obeyed("rank_service"),
        needs_model("a model is to rank contexts there", "llm_ranker"),
    ),
    retrieve_contexts.Ranker: (ignored("there is one ranker, and one model", "model_name"),),
    retrieve_contexts.HybridSearch: (obeyed("alpha"),),
    base.Empty: (),
}
