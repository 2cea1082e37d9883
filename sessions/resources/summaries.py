"""``SearchResponse.Summary`` and ``SummarySpec``, which shapes it (discoveryengine)."""

from __future__ import annotations

from sessions.resources import answers
from sessions.resources.base import Int32, Int64, Resource
from sessions.resources.enums import Documented


class SummarySkippedReason(Documented):
    """Why there is no summary, although nothing failed."""

    SUMMARY_SKIPPED_REASON_UNSPECIFIED = 0
    ADVERSARIAL_QUERY_IGNORED = 1
    NON_SUMMARY_SEEKING_QUERY_IGNORED = 2
    OUT_OF_DOMAIN_QUERY_IGNORED = 3
    POTENTIAL_POLICY_VIOLATION = 4
    LLM_ADDON_NOT_ENABLED = 5
    NO_RELEVANT_CONTENT = 6
    JAIL_BREAKING_QUERY_IGNORED = 7
    CUSTOMER_POLICY_VIOLATION = 8
    NON_SUMMARY_SEEKING_QUERY_IGNORED_V2 = 9
    TIME_OUT = 10


class ImageSource(Documented):
    """Where images beside a text may come from."""

    IMAGE_SOURCE_UNSPECIFIED = 0
    ALL_AVAILABLE_SOURCES = 1
    CORPUS_IMAGE_ONLY = 2
    FIGURE_GENERATION_ONLY = 3


class ModelPromptSpec(Resource):
    """Instruction put before the prompt."""

    preamble: str = ""


class ModelSpec(Resource):
    """Version of the model that writes."""

    version: str = ""


class MultimodalSpec(Resource):
    """Where the images of a summary come from; answers have the same."""

    image_source: ImageSource = ImageSource.IMAGE_SOURCE_UNSPECIFIED


class SummarySpec(Resource):
    """How to write a summary."""

    summary_result_count: Int32 = 0
    include_citations: bool = False
    ignore_adversarial_query: bool = False
    ignore_non_summary_seeking_query: bool = False
    ignore_low_relevant_content: bool = False
    ignore_jail_breaking_query: bool = False
    model_prompt_spec: ModelPromptSpec | None = None
    language_code: str = ""
    model_spec: ModelSpec | None = None
    use_semantic_chunks: bool = False
    multimodal_spec: MultimodalSpec | None = None


class SafetyAttributes(Resource):
    """Safety categories with their scores, as parallel lists."""

    categories: tuple[str, ...] = ()
    scores: tuple[float, ...] = ()


class CitationSource(Resource):
    """Source of a citation: an index into the references, 0-based."""

    reference_index: Int64 = "0"


class Citation(Resource):
    """Citation info for a segment of ``summary``, in UTF-8 bytes, half open."""

    start_index: Int64 = "0"
    end_index: Int64 = "0"
    sources: tuple[CitationSource, ...] = ()


class CitationMetadata(Resource):
    """The citations of a summary."""

    citations: tuple[Citation, ...] = ()


class ChunkContent(Resource):
    """A passage of a document that the summary used."""

    content: str = ""
    page_identifier: str = ""
    blob_attachment_indexes: tuple[Int64, ...] = ()


class Reference(Resource):
    """One source of the summary."""

    title: str = ""
    document: str = ""
    uri: str = ""
    chunk_contents: tuple[ChunkContent, ...] = ()


class SummaryWithMetadata(Resource):
    """The summary without markers, and its proof."""

    summary: str = ""
    citation_metadata: CitationMetadata | None = None
    references: tuple[Reference, ...] = ()
    blob_attachments: tuple[answers.BlobAttachment, ...] = ()


class Summary(Resource):
    """A summary of search results; markers `` [1]`` are 1-based."""

    summary_text: str = ""
    summary_skipped_reasons: tuple[SummarySkippedReason, ...] = ()
    safety_attributes: SafetyAttributes | None = None
    summary_with_metadata: SummaryWithMetadata | None = None
