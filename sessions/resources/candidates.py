"""``GenerateContentResponse`` with its grounding (aiplatform)."""

from __future__ import annotations

from sessions.resources import answers, contents, retrieve_contexts
from sessions.resources.base import Int32, Resource, Struct, Timestamp, at_most_one
from sessions.resources.enums import Documented


class HarmCategory(Documented):
    """Harm categories of generation, one more than those of answers."""

    HARM_CATEGORY_UNSPECIFIED = 0
    HARM_CATEGORY_HATE_SPEECH = 1
    HARM_CATEGORY_DANGEROUS_CONTENT = 2
    HARM_CATEGORY_HARASSMENT = 3
    HARM_CATEGORY_SEXUALLY_EXPLICIT = 4
    HARM_CATEGORY_CIVIC_INTEGRITY = 5
    HARM_CATEGORY_JAILBREAK = 6


class FinishReason(Documented):
    """Why a model stopped writing."""

    # UNEXPECTED_TOOL_CALL is younger than the generated clients; the generation client has it.

    FINISH_REASON_UNSPECIFIED = 0
    STOP = 1
    MAX_TOKENS = 2
    SAFETY = 3
    RECITATION = 4
    OTHER = 5
    BLOCKLIST = 6
    PROHIBITED_CONTENT = 7
    SPII = 8
    MALFORMED_FUNCTION_CALL = 9
    MODEL_ARMOR = 10
    UNEXPECTED_TOOL_CALL = 15


class BlockedReason(Documented):
    """Why a prompt was refused."""

    BLOCKED_REASON_UNSPECIFIED = 0
    SAFETY = 1
    OTHER = 2
    BLOCKLIST = 3
    PROHIBITED_CONTENT = 4
    MODEL_ARMOR = 5
    JAILBREAK = 6


class Modality(Documented):
    """Kinds of content that tokens are counted by."""

    MODALITY_UNSPECIFIED = 0
    TEXT = 1
    IMAGE = 2
    VIDEO = 3
    AUDIO = 4
    DOCUMENT = 5


class TrafficType(Documented):
    """How use is billed; never written."""

    TRAFFIC_TYPE_UNSPECIFIED = 0
    ON_DEMAND = 1
    PROVISIONED_THROUGHPUT = 2
    ON_DEMAND_PRIORITY = 3
    ON_DEMAND_FLEX = 4


class UrlRetrievalStatus(Documented):
    """Whether a page was read."""

    URL_RETRIEVAL_STATUS_UNSPECIFIED = 0
    URL_RETRIEVAL_STATUS_SUCCESS = 1
    URL_RETRIEVAL_STATUS_ERROR = 2


class Date(Resource):
    """A date; what is 0 is unknown."""

    year: Int32 = 0
    month: Int32 = 0
    day: Int32 = 0


class SafetyRating(Resource):
    """Safety of the text in one harm category; at most one rating per category."""

    category: HarmCategory = HarmCategory.HARM_CATEGORY_UNSPECIFIED
    probability: answers.HarmProbability = answers.HarmProbability.HARM_PROBABILITY_UNSPECIFIED
    probability_score: float = 0.0
    severity: answers.HarmSeverity = answers.HarmSeverity.HARM_SEVERITY_UNSPECIFIED
    severity_score: float = 0.0
    blocked: bool = False


class Citation(Resource):
    """A segment that quotes, and what it quotes."""

    start_index: Int32 = 0
    end_index: Int32 = 0
    uri: str = ""
    title: str = ""
    license: str = ""
    publication_date: Date | None = None


class CitationMetadata(Resource):
    """What a text quotes."""

    citations: tuple[Citation, ...] = ()


class TokenCandidate(Resource):
    """A token that was or could have been chosen (the documents' ``LogprobsResult.Candidate``)."""

    token: str | None = None
    token_id: Int32 | None = None
    log_probability: float | None = None


class TopCandidates(Resource):
    """The likeliest tokens of one step, likeliest first."""

    candidates: tuple[TokenCandidate, ...] = ()


class LogprobsResult(Resource):
    """The likeliest and the chosen tokens, one entry per step each."""

    top_candidates: tuple[TopCandidates, ...] = ()
    chosen_candidates: tuple[TokenCandidate, ...] = ()


class SearchEntryPoint(Resource):
    """Links to what was searched for in the web, as HTML; a blob is never written."""

    rendered_content: str = ""
    sdk_blob: bytes = b""


class Web(Resource):
    """A web page as a source."""

    uri: str | None = None
    title: str | None = None


class RetrievedContext(Resource):
    """A retrieved context as a source."""

    rag_chunk: retrieve_contexts.RagChunk | None = None
    uri: str | None = None
    title: str | None = None
    text: str | None = None
    document_name: str | None = None


class GroundingChunk(Resource):
    """One source."""

    web: Web | None = None
    retrieved_context: RetrievedContext | None = None
    maps: Struct | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "chunk_type",
            web=self.web,
            retrievedContext=self.retrieved_context,
            maps=self.maps,
        )


class Segment(Resource):
    """Some bytes of a part, half open, and their text."""

    part_index: Int32 = 0
    start_index: Int32 = 0
    end_index: Int32 = 0
    text: str = ""


class GroundingSupport(Resource):
    """A segment with the sources that support it, and how far each does."""

    segment: Segment | None = None
    grounding_chunk_indices: tuple[Int32, ...] = ()
    confidence_scores: tuple[float, ...] = ()


class RetrievalMetadata(Resource):
    """How likely a web search helps, 0 to 1, where that decided whether there was one."""

    google_search_dynamic_retrieval_score: float = 0.0


class SourceFlaggingUri(Resource):
    """Where to report a source; never written."""

    source_id: str = ""
    flag_content_uri: str = ""


class GroundingMetadata(Resource):
    """What a candidate is grounded in."""

    web_search_queries: tuple[str, ...] = ()
    search_entry_point: SearchEntryPoint | None = None
    retrieval_queries: tuple[str, ...] = ()
    grounding_chunks: tuple[GroundingChunk, ...] = ()
    grounding_supports: tuple[GroundingSupport, ...] = ()
    retrieval_metadata: RetrievalMetadata | None = None
    google_maps_widget_context_token: str | None = None
    source_flagging_uris: tuple[SourceFlaggingUri, ...] = ()


class UrlMetadata(Resource):
    """A page that was read."""

    retrieved_url: str = ""
    url_retrieval_status: UrlRetrievalStatus = UrlRetrievalStatus.URL_RETRIEVAL_STATUS_UNSPECIFIED


class UrlContextMetadata(Resource):
    """The pages that contents name, in the order in which they were read."""

    url_metadata: tuple[UrlMetadata, ...] = ()


class Candidate(Resource):
    """One text that was written."""

    index: Int32 = 0
    content: contents.Content | None = None
    score: float = 0.0
    avg_logprobs: float = 0.0
    logprobs_result: LogprobsResult | None = None
    finish_reason: FinishReason = FinishReason.FINISH_REASON_UNSPECIFIED
    safety_ratings: tuple[SafetyRating, ...] = ()
    finish_message: str | None = None
    citation_metadata: CitationMetadata | None = None
    grounding_metadata: GroundingMetadata | None = None
    url_context_metadata: UrlContextMetadata | None = None


class ModalityTokenCount(Resource):
    """Tokens of one kind of content."""

    modality: Modality = Modality.MODALITY_UNSPECIFIED
    token_count: Int32 = 0


class PromptFeedback(Resource):
    """Why the prompt was refused."""

    block_reason: BlockedReason = BlockedReason.BLOCKED_REASON_UNSPECIFIED
    safety_ratings: tuple[SafetyRating, ...] = ()
    block_reason_message: str = ""


class UsageMetadata(Resource):
    """What a request cost, in tokens."""

    prompt_token_count: Int32 = 0
    candidates_token_count: Int32 = 0
    thoughts_token_count: Int32 = 0
    total_token_count: Int32 = 0
    cached_content_token_count: Int32 = 0
    prompt_tokens_details: tuple[ModalityTokenCount, ...] = ()
    cache_tokens_details: tuple[ModalityTokenCount, ...] = ()
    candidates_tokens_details: tuple[ModalityTokenCount, ...] = ()
    tool_use_prompt_tokens_details: tuple[ModalityTokenCount, ...] = ()
    traffic_type: TrafficType = TrafficType.TRAFFIC_TYPE_UNSPECIFIED


class GenerateContentResponse(Resource):
    """The candidates, or one piece of their stream."""

    candidates: tuple[Candidate, ...] = ()
    model_version: str = ""
    create_time: Timestamp | None = None
    response_id: str = ""
    prompt_feedback: PromptFeedback | None = None
    usage_metadata: UsageMetadata | None = None
