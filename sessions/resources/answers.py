"""The ``Answer`` resource and its parts (discoveryengine)."""

from __future__ import annotations

from sessions.resources.base import Int64, Resource, Struct, Timestamp, at_most_one
from sessions.resources.enums import Documented


class State(Documented):
    """State of the answer generation.

    What may follow what is in `sessions.resource_states`.
    """

    STATE_UNSPECIFIED = 0
    IN_PROGRESS = 1
    FAILED = 2
    SUCCEEDED = 3
    STREAMING = 4


class StepState(Documented):
    """State of one step."""

    STATE_UNSPECIFIED = 0
    IN_PROGRESS = 1
    FAILED = 2
    SUCCEEDED = 3


class AnswerSkippedReason(Documented):
    """Why there is no answer, although nothing failed (guide/refusals.md)."""

    ANSWER_SKIPPED_REASON_UNSPECIFIED = 0
    ADVERSARIAL_QUERY_IGNORED = 1
    NON_ANSWER_SEEKING_QUERY_IGNORED = 2
    OUT_OF_DOMAIN_QUERY_IGNORED = 3
    POTENTIAL_POLICY_VIOLATION = 4
    NO_RELEVANT_CONTENT = 5
    JAIL_BREAKING_QUERY_IGNORED = 6
    CUSTOMER_POLICY_VIOLATION = 7
    NON_ANSWER_SEEKING_QUERY_IGNORED_V2 = 8
    LOW_GROUNDED_ANSWER = 9
    USER_DEFINED_CLASSIFICATION_QUERY_IGNORED = 10
    UNHELPFUL_ANSWER = 11


class QueryClassification(Documented):
    """Kinds of queries that a classifier can report (the documents' ``Type``)."""

    TYPE_UNSPECIFIED = 0
    ADVERSARIAL_QUERY = 1
    NON_ANSWER_SEEKING_QUERY = 2
    JAIL_BREAKING_QUERY = 3
    NON_ANSWER_SEEKING_QUERY_V2 = 4
    USER_DEFINED_CLASSIFICATION_QUERY = 5


class AttributionType(Documented):
    """Where a blob comes from."""

    ATTRIBUTION_TYPE_UNSPECIFIED = 0
    CORPUS = 1
    GENERATED = 2


class HarmCategory(Documented):
    """Harm categories of safety ratings and settings."""

    HARM_CATEGORY_UNSPECIFIED = 0
    HARM_CATEGORY_HATE_SPEECH = 1
    HARM_CATEGORY_DANGEROUS_CONTENT = 2
    HARM_CATEGORY_HARASSMENT = 3
    HARM_CATEGORY_SEXUALLY_EXPLICIT = 4
    HARM_CATEGORY_CIVIC_INTEGRITY = 5


class HarmProbability(Documented):
    """How likely a text is harmful."""

    HARM_PROBABILITY_UNSPECIFIED = 0
    NEGLIGIBLE = 1
    LOW = 2
    MEDIUM = 3
    HIGH = 4


class HarmSeverity(Documented):
    """How harmful a text would be."""

    HARM_SEVERITY_UNSPECIFIED = 0
    HARM_SEVERITY_NEGLIGIBLE = 1
    HARM_SEVERITY_LOW = 2
    HARM_SEVERITY_MEDIUM = 3
    HARM_SEVERITY_HIGH = 4


class CitationSource(Resource):
    """Source of a citation: ``reference_id`` is a decimal index into ``Answer.references``."""

    reference_id: str = ""


class Citation(Resource):
    """Citation info for a segment of ``answer_text``, in UTF-8 bytes, half open."""

    start_index: Int64 = "0"
    end_index: Int64 = "0"
    sources: tuple[CitationSource, ...] = ()


class GroundingSupport(Resource):
    """How far one claim of ``answer_text`` is supported, in UTF-8 bytes, half open."""

    start_index: Int64 = "0"
    end_index: Int64 = "0"
    sources: tuple[CitationSource, ...] = ()
    grounding_score: float | None = None
    grounding_check_required: bool | None = None


class ChunkContent(Resource):
    """A passage of a document that the answer used."""

    content: str = ""
    page_identifier: str = ""
    blob_attachment_indexes: tuple[Int64, ...] = ()
    relevance_score: float | None = None


class UnstructuredDocumentInfo(Resource):
    """A document with text, and the passages used."""

    document: str = ""
    uri: str = ""
    title: str = ""
    chunk_contents: tuple[ChunkContent, ...] = ()
    struct_data: Struct | None = None


class DocumentMetadata(Resource):
    """Metadata of the document that a chunk comes from."""

    document: str = ""
    uri: str = ""
    title: str = ""
    page_identifier: str = ""
    struct_data: Struct | None = None


class ChunkInfo(Resource):
    """A chunk used as a reference."""

    chunk: str = ""
    content: str = ""
    document_metadata: DocumentMetadata | None = None
    blob_attachment_indexes: tuple[Int64, ...] = ()
    relevance_score: float | None = None


class StructuredDocumentInfo(Resource):
    """A document that has fields and no text."""

    document: str = ""
    struct_data: Struct | None = None
    title: str = ""
    uri: str = ""


class Reference(Resource):
    """One source of the answer; exactly one member is set in what we write."""

    unstructured_document_info: UnstructuredDocumentInfo | None = None
    chunk_info: ChunkInfo | None = None
    structured_document_info: StructuredDocumentInfo | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "content",
            unstructuredDocumentInfo=self.unstructured_document_info,
            chunkInfo=self.chunk_info,
            structuredDocumentInfo=self.structured_document_info,
        )


class Blob(Resource):
    """Bytes of a media type."""

    mime_type: str = ""
    data: bytes = b""


class BlobAttachment(Resource):
    """Binary data that goes with the answer text."""

    data: Blob | None = None
    attribution_type: AttributionType = AttributionType.ATTRIBUTION_TYPE_UNSPECIFIED


class SearchAction(Resource):
    """A search that a step ran."""

    query: str = ""


class SnippetInfo(Resource):
    """A snippet of a document-level result."""

    snippet: str = ""
    snippet_status: str = ""


class ObservedChunkInfo(Resource):
    """A chunk-level result (the documents' ``SearchResult.ChunkInfo``)."""

    chunk: str = ""
    content: str = ""
    relevance_score: float | None = None


class SearchResult(Resource):
    """One result that a search action observed."""

    document: str = ""
    uri: str = ""
    title: str = ""
    snippet_info: tuple[SnippetInfo, ...] = ()
    chunk_info: tuple[ObservedChunkInfo, ...] = ()
    struct_data: Struct | None = None


class Observation(Resource):
    """What an action found."""

    search_results: tuple[SearchResult, ...] = ()


class Action(Resource):
    """An action of a step and what it observed."""

    observation: Observation | None = None
    search_action: SearchAction | None = None


class Step(Resource):
    """One documented stage of the answer generation."""

    state: StepState = StepState.STATE_UNSPECIFIED
    description: str = ""
    thought: str = ""
    actions: tuple[Action, ...] = ()


class QueryClassificationInfo(Resource):
    """The outcome of one classifier."""

    type: QueryClassification = QueryClassification.TYPE_UNSPECIFIED
    positive: bool = False


class QueryUnderstandingInfo(Resource):
    """What was understood of the query."""

    query_classification_info: tuple[QueryClassificationInfo, ...] = ()


class SafetyRating(Resource):
    """Safety of the text in one harm category; at most one rating per category."""

    category: HarmCategory = HarmCategory.HARM_CATEGORY_UNSPECIFIED
    probability: HarmProbability = HarmProbability.HARM_PROBABILITY_UNSPECIFIED
    probability_score: float = 0.0
    severity: HarmSeverity = HarmSeverity.HARM_SEVERITY_UNSPECIFIED
    severity_score: float = 0.0
    blocked: bool = False


class Answer(Resource):
    """An answer and its proof: what is computed, stored, streamed and read later."""

    name: str = ""
    state: State = State.STATE_UNSPECIFIED
    answer_text: str = ""
    citations: tuple[Citation, ...] = ()
    grounding_supports: tuple[GroundingSupport, ...] = ()
    references: tuple[Reference, ...] = ()
    blob_attachments: tuple[BlobAttachment, ...] = ()
    related_questions: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    query_understanding_info: QueryUnderstandingInfo | None = None
    answer_skipped_reasons: tuple[AnswerSkippedReason, ...] = ()
    create_time: Timestamp | None = None
    complete_time: Timestamp | None = None
    safety_ratings: tuple[SafetyRating, ...] = ()
    grounding_score: float | None = None
