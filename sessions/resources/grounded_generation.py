"""Write from given or found sources: ``GenerateGroundedContentRequest`` (discoveryengine)."""

from __future__ import annotations

import msgspec

from sessions.resources import check_grounding
from sessions.resources.base import Int32, Resource, Struct, at_most_one
from sessions.resources.enums import Documented


class ProvisionedThroughputSetting(Documented):
    """How use is billed; known, not acted on."""

    PROVISIONED_THROUGHPUT_SETTING_UNSPECIFIED = 0
    PROVISIONED_THROUGHPUT_ONLY = 1
    PAY_AS_YOU_GO_ONLY = 2


class RetrievalSource(Documented):
    """Where supporting chunks come from (the documents' ``Source``)."""

    SOURCE_UNSPECIFIED = 0
    VERTEX_AI_SEARCH = 1
    INLINE_CONTENT = 2
    GOOGLE_SEARCH = 3
    GOOGLE_MAPS = 4


class Part(Resource):
    """A piece of text."""

    text: str | None = None


class Content(Resource):
    """What one role says."""

    role: str = ""
    parts: tuple[Part, ...] = ()


class GenerationSpec(Resource):
    """How to write."""

    model_id: str = ""
    language_code: str = ""
    temperature: float | None = None
    top_p: float | None = None
    top_k: Int32 | None = None
    frequency_penalty: float | None = None
    seed: Int32 | None = None
    presence_penalty: float | None = None
    max_output_tokens: Int32 | None = None
    provisioned_throughput_setting: ProvisionedThroughputSetting = (
        ProvisionedThroughputSetting.PROVISIONED_THROUGHPUT_SETTING_UNSPECIFIED
    )


class InlineSource(Resource):
    """Facts in the request itself."""

    grounding_facts: tuple[check_grounding.GroundingFact, ...] = ()
    attributes: dict[str, str] = msgspec.field(default={})


class SearchSource(Resource):
    """What a serving config finds."""

    serving_config: str = ""
    max_result_count: Int32 = 0
    filter: str = ""
    safe_search: bool = False


class GroundingSource(Resource):
    """One kind of sources; web search is refused."""

    inline_source: InlineSource | None = None
    search_source: SearchSource | None = None
    google_search_source: Struct | None = None
    enterprise_web_retrieval_source: Struct | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "source",
            inlineSource=self.inline_source,
            searchSource=self.search_source,
            googleSearchSource=self.google_search_source,
            enterpriseWebRetrievalSource=self.enterprise_web_retrieval_source,
        )


class GroundingSpec(Resource):
    """The sources to write from."""

    grounding_sources: tuple[GroundingSource, ...] = ()


class GenerateGroundedContentRequest(Resource):
    """Write the next content from sources."""

    location: str = ""
    system_instruction: Content | None = None
    contents: tuple[Content, ...] = ()
    generation_spec: GenerationSpec | None = None
    grounding_spec: GroundingSpec | None = None
    user_labels: dict[str, str] = msgspec.field(default={})


class RetrievalMetadata(Resource):
    """Where the sources come from."""

    source: RetrievalSource = RetrievalSource.SOURCE_UNSPECIFIED
    dynamic_retrieval_metadata: Struct | None = None


class GroundingSupport(Resource):
    """A claim with its chunks and its score."""

    claim_text: str = ""
    support_chunk_indices: tuple[Int32, ...] = ()
    support_score: float | None = None


class GroundingMetadata(Resource):
    """What the text is grounded in; what stands as ``Struct`` is never written."""

    retrieval_metadata: tuple[RetrievalMetadata, ...] = ()
    support_chunks: tuple[check_grounding.FactChunk, ...] = ()
    web_search_queries: tuple[str, ...] = ()
    search_entry_point: Struct | None = None
    grounding_support: tuple[GroundingSupport, ...] = ()
    images: tuple[Struct, ...] = ()
    videos: tuple[Struct, ...] = ()


class Candidate(Resource):
    """One text that was written."""

    index: Int32 = 0
    content: Content | None = None
    grounding_score: float | None = None
    grounding_metadata: GroundingMetadata | None = None


class GenerateGroundedContentResponse(Resource):
    """What was written."""

    candidates: tuple[Candidate, ...] = ()
