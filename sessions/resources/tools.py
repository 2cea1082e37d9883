"""What a generating model may use: ``Tool`` and ``Retrieval`` (aiplatform)."""

from __future__ import annotations

from typing import Any

from sessions.resources import retrieve_contexts
from sessions.resources.base import Empty, Int32, Resource, Struct, at_most_one
from sessions.resources.enums import Documented


class FunctionCallingMode(Documented):
    """Whether a model may or must call functions (the documents' ``Mode``)."""

    MODE_UNSPECIFIED = 0
    AUTO = 1
    ANY = 2
    NONE = 3
    VALIDATED = 5


class FunctionDeclaration(Resource):
    """A function that a model may call."""

    name: str = ""
    description: str = ""
    parameters: Struct | None = None
    parameters_json_schema: Any = None
    response: Struct | None = None
    response_json_schema: Any = None


class DataStoreSpec(Resource):
    """One data store of an engine, and its filter."""

    data_store: str = ""
    filter: str = ""


class VertexAISearch(Resource):
    """Retrieve from a data store or an engine."""

    datastore: str = ""
    engine: str = ""
    max_results: Int32 = 0
    filter: str = ""
    data_store_specs: tuple[DataStoreSpec, ...] = ()


class VertexRagStore(Resource):
    """Retrieve from a corpus."""

    rag_resources: tuple[retrieve_contexts.RagResource, ...] = ()
    similarity_top_k: Int32 | None = None
    vector_distance_threshold: float | None = None
    rag_retrieval_config: retrieve_contexts.RagRetrievalConfig | None = None
    rag_corpora: tuple[str, ...] = ()
    store_context: bool = False


class Retrieval(Resource):
    """Where a model's sources are retrieved from."""

    vertex_ai_search: VertexAISearch | None = None
    vertex_rag_store: VertexRagStore | None = None
    disable_attribution: bool = False

    def __post_init__(self) -> None:
        at_most_one(
            "source",
            vertexAiSearch=self.vertex_ai_search,
            vertexRagStore=self.vertex_rag_store,
        )


class PhishBlockThreshold(Documented):
    """From which confidence on that a site is risky it is left out of the results."""

    PHISH_BLOCK_THRESHOLD_UNSPECIFIED = 0
    BLOCK_LOW_AND_ABOVE = 30
    BLOCK_MEDIUM_AND_ABOVE = 40
    BLOCK_HIGH_AND_ABOVE = 50
    BLOCK_HIGHER_AND_ABOVE = 55
    BLOCK_VERY_HIGH_AND_ABOVE = 60
    BLOCK_ONLY_EXTREMELY_HIGH = 100


class GoogleSearch(Resource):
    """Search the web, but for some domains."""

    exclude_domains: tuple[str, ...] = ()
    blocking_confidence: PhishBlockThreshold | None = None


class DynamicRetrievalMode(Documented):
    """Whether the web is always searched (the documents' ``Mode``)."""

    MODE_UNSPECIFIED = 0
    MODE_DYNAMIC = 1


class DynamicRetrievalConfig(Resource):
    """How much a query must need the web for it to be searched."""

    mode: DynamicRetrievalMode = DynamicRetrievalMode.MODE_UNSPECIFIED
    dynamic_threshold: float | None = None


class GoogleSearchRetrieval(Resource):
    """Search the web, in the older form."""

    dynamic_retrieval_config: DynamicRetrievalConfig | None = None


class Tool(Resource):
    """What a model may use."""

    function_declarations: tuple[FunctionDeclaration, ...] = ()
    retrieval: Retrieval | None = None
    google_search: GoogleSearch | None = None
    google_search_retrieval: GoogleSearchRetrieval | None = None
    google_maps: Struct | None = None
    enterprise_web_search: Struct | None = None
    parallel_ai_search: Struct | None = None
    exa_ai_search: Struct | None = None
    code_execution: Empty | None = None
    url_context: Empty | None = None
    computer_use: Struct | None = None


class FunctionCallingConfig(Resource):
    """Whether a model may or must call functions."""

    mode: FunctionCallingMode = FunctionCallingMode.MODE_UNSPECIFIED
    allowed_function_names: tuple[str, ...] = ()
    stream_function_call_arguments: bool = False


class ToolConfig(Resource):
    """How tools are used."""

    function_calling_config: FunctionCallingConfig | None = None
    retrieval_config: Struct | None = None
