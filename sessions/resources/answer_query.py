"""``AnswerQueryRequest`` with all its specs, and its response (discoveryengine)."""

from __future__ import annotations

import msgspec

from sessions.resources import answers, search_requests, sessions, summaries
from sessions.resources.base import Int32, Resource, Struct, at_most_one
from sessions.resources.enums import Documented


class HarmBlockThreshold(Documented):
    """From which probability on a harmful text is blocked."""

    HARM_BLOCK_THRESHOLD_UNSPECIFIED = 0
    BLOCK_LOW_AND_ABOVE = 1
    BLOCK_MEDIUM_AND_ABOVE = 2
    BLOCK_ONLY_HIGH = 3
    BLOCK_NONE = 4
    OFF = 5


class FilteringLevel(Documented):
    """How well an answer must be grounded to be given."""

    FILTERING_LEVEL_UNSPECIFIED = 0
    FILTERING_LEVEL_LOW = 1
    FILTERING_LEVEL_HIGH = 2


class ModelType(Documented):
    """Size of the model that rephrases."""

    MODEL_TYPE_UNSPECIFIED = 0
    SMALL = 1
    LARGE = 2


class SafetySetting(Resource):
    """The threshold of one harm category."""

    category: answers.HarmCategory = answers.HarmCategory.HARM_CATEGORY_UNSPECIFIED
    threshold: HarmBlockThreshold = HarmBlockThreshold.HARM_BLOCK_THRESHOLD_UNSPECIFIED


class SafetySpec(Resource):
    """Whether unsafe answers are filtered."""

    enable: bool = False
    safety_settings: tuple[SafetySetting, ...] = ()


class RelatedQuestionsSpec(Resource):
    """Whether related questions are wanted."""

    enable: bool = False


class GroundingSpec(Resource):
    """Whether the answer is scored against its sources."""

    include_grounding_supports: bool = False
    filtering_level: FilteringLevel = FilteringLevel.FILTERING_LEVEL_UNSPECIFIED


class ModelSpec(Resource):
    """Version of the model that writes."""

    model_version: str = ""


class PromptSpec(Resource):
    """Instruction put before the prompt."""

    preamble: str = ""


class AnswerGenerationSpec(Resource):
    """How to write the answer.

    An absent ``ignore_low_relevant_content`` leaves the choice to the service.
    """

    model_spec: ModelSpec | None = None
    prompt_spec: PromptSpec | None = None
    include_citations: bool = False
    answer_language_code: str = ""
    ignore_adversarial_query: bool = False
    ignore_non_answer_seeking_query: bool = False
    ignore_low_relevant_content: bool | None = None
    ignore_jail_breaking_query: bool = False
    multimodal_spec: summaries.MultimodalSpec | None = None


class SearchParams(Resource):
    """How to find the sources."""

    max_return_results: Int32 = 0
    filter: str = ""
    boost_spec: search_requests.BoostSpec | None = None
    order_by: str = ""
    search_result_mode: search_requests.SearchResultMode = (
        search_requests.SearchResultMode.SEARCH_RESULT_MODE_UNSPECIFIED
    )
    data_store_specs: tuple[search_requests.DataStoreSpec, ...] = ()
    natural_language_query_understanding_spec: Struct | None = None
    custom_fine_tuning_spec: Struct | None = None


class Passage(Resource):
    """Text of a given document.

    The documents have it thrice: DocumentContext, ExtractiveSegment and ExtractiveAnswer.
    """

    page_identifier: str = ""
    content: str = ""


class GivenDocument(Resource):
    """A document to answer from; segments count only without contexts, answers never."""

    document: str = ""
    uri: str = ""
    title: str = ""
    document_contexts: tuple[Passage, ...] = ()
    extractive_segments: tuple[Passage, ...] = ()
    extractive_answers: tuple[Passage, ...] = ()


class GivenChunkMetadata(Resource):
    """Metadata of the document of a given chunk."""

    uri: str = ""
    title: str = ""


class GivenChunk(Resource):
    """A chunk to answer from."""

    chunk: str = ""
    content: str = ""
    document_metadata: GivenChunkMetadata | None = None


class GivenResult(Resource):
    """One result to answer from."""

    unstructured_document_info: GivenDocument | None = None
    chunk_info: GivenChunk | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "content",
            unstructuredDocumentInfo=self.unstructured_document_info,
            chunkInfo=self.chunk_info,
        )


class SearchResultList(Resource):
    """The only results to answer from; nothing is retrieved."""

    search_results: tuple[GivenResult, ...] = ()


class SearchSpec(Resource):
    """Where the sources come from."""

    search_params: SearchParams | None = None
    search_result_list: SearchResultList | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "input",
            searchParams=self.search_params,
            searchResultList=self.search_result_list,
        )


class QueryClassificationSpec(Resource):
    """The classifiers to run and report."""

    types: tuple[answers.QueryClassification, ...] = ()


class RephraserModelSpec(Resource):
    """The model that rephrases."""

    model_type: ModelType = ModelType.MODEL_TYPE_UNSPECIFIED


class QueryRephraserSpec(Resource):
    """Whether and how often to rephrase the query."""

    disable: bool = False
    max_rephrase_steps: Int32 = 0
    model_spec: RephraserModelSpec | None = None


class QueryUnderstandingSpec(Resource):
    """How to understand the query."""

    query_classification_spec: QueryClassificationSpec | None = None
    query_rephraser_spec: QueryRephraserSpec | None = None
    disable_spell_correction: bool = False


class EndUserDocumentMetadata(Resource):
    """Title of a text about the user."""

    title: str = ""


class EndUserChunk(Resource):
    """A text about the user."""

    content: str = ""
    document_metadata: EndUserDocumentMetadata | None = None


class EndUserMetadata(Resource):
    """One thing known about the user."""

    chunk_info: EndUserChunk | None = None


class EndUserSpec(Resource):
    """What is known about the user: usable as context, never cited."""

    end_user_metadata: tuple[EndUserMetadata, ...] = ()


class FollowAnswerRequest(Resource):
    """Follow an answer that was asked for: ``alt=sse`` as events, what comes ``after`` a position.

    No public API has it; it is the ``resume`` of the WebSocket.
    """

    name: str = ""
    alt: str = ""
    after: str = ""


class AnswerQueryRequest(Resource):
    """Ask a query, in a session or without one."""

    serving_config: str = ""
    query: sessions.Query | None = None
    session: str = ""
    safety_spec: SafetySpec | None = None
    related_questions_spec: RelatedQuestionsSpec | None = None
    grounding_spec: GroundingSpec | None = None
    answer_generation_spec: AnswerGenerationSpec | None = None
    search_spec: SearchSpec | None = None
    query_understanding_spec: QueryUnderstandingSpec | None = None
    asynchronous_mode: bool = False
    user_pseudo_id: str = ""
    user_labels: dict[str, str] = msgspec.field(default={})
    end_user_spec: EndUserSpec | None = None


class AnswerQueryResponse(Resource):
    """The answer, or one element of its stream (guide/answer-life-cycle.md)."""

    answer: answers.Answer | None = None
    session: sessions.Session | None = None
    answer_query_token: str = ""
