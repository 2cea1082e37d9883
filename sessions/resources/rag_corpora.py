"""The ``RagCorpus`` resource and the engine's configuration (aiplatform v1beta1)."""

from __future__ import annotations

from sessions.resources import operations
from sessions.resources.base import Empty, Int32, Resource, Struct, Timestamp, at_most_one
from sessions.resources.enums import Documented


class State(Documented):
    """Whether a corpus can be used."""

    UNKNOWN = 0
    INITIALIZED = 1
    ACTIVE = 2
    ERROR = 3


class ApproximateSearch(Resource):
    """Search approximately (the documents' ``ANN``)."""

    tree_depth: Int32 = 0
    leaf_count: Int32 = 0


class RagManagedDb(Resource):
    """The service's own index."""

    knn: Empty | None = None
    ann: ApproximateSearch | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "retrieval_strategy",
            knn=self.knn,
            ann=self.ann,
        )


class VertexPredictionEndpoint(Resource):
    """The model that embeds."""

    endpoint: str = ""
    model: str = ""
    model_version_id: str = ""


class RagEmbeddingModelConfig(Resource):
    """How texts are embedded."""

    vertex_prediction_endpoint: VertexPredictionEndpoint | None = None
    hybrid_search_config: Struct | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "model_config",
            vertexPredictionEndpoint=self.vertex_prediction_endpoint,
            hybridSearchConfig=self.hybrid_search_config,
        )


class RagVectorDbConfig(Resource):
    """Where vectors lie; all but the managed one are refused."""

    rag_managed_db: RagManagedDb | None = None
    pinecone: Struct | None = None
    vertex_vector_search: Struct | None = None
    api_auth: Struct | None = None
    rag_embedding_model_config: RagEmbeddingModelConfig | None = None
    weaviate: Struct | None = None
    vertex_feature_store: Struct | None = None
    rag_managed_vertex_vector_search: Struct | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "vector_db",
            ragManagedDb=self.rag_managed_db,
            pinecone=self.pinecone,
            vertexVectorSearch=self.vertex_vector_search,
            weaviate=self.weaviate,
            vertexFeatureStore=self.vertex_feature_store,
            ragManagedVertexVectorSearch=self.rag_managed_vertex_vector_search,
        )


class VertexAiSearchConfig(Resource):
    """The serving config that a corpus without files retrieves from."""

    serving_config: str = ""


class CorpusStatus(Resource):
    """Whether a corpus can be used, and else why not."""

    state: State = State.UNKNOWN
    error_status: str = ""


class EncryptionSpec(Resource):
    """The key that a corpus is encrypted by; stored and echoed."""

    kms_key_name: str = ""


class RagCorpus(Resource):
    """A place for files that contexts are retrieved from."""

    vector_db_config: RagVectorDbConfig | None = None
    vertex_ai_search_config: VertexAiSearchConfig | None = None
    name: str = ""
    display_name: str = ""
    description: str = ""
    create_time: Timestamp | None = None
    update_time: Timestamp | None = None
    corpus_status: CorpusStatus | None = None
    encryption_spec: EncryptionSpec | None = None
    rag_embedding_model_config: RagEmbeddingModelConfig | None = None
    rag_vector_db_config: RagVectorDbConfig | None = None
    rag_files_count: Int32 = 0
    corpus_type_config: Struct | None = None
    satisfies_pzs: bool = False
    satisfies_pzi: bool = False

    def __post_init__(self) -> None:
        at_most_one(
            "backend_config",
            vectorDbConfig=self.vector_db_config,
            vertexAiSearchConfig=self.vertex_ai_search_config,
        )


class CreateRagCorpusRequest(Resource):
    """Create a corpus."""

    parent: str = ""
    rag_corpus: RagCorpus | None = None


class ListRagCorporaRequest(Resource):
    """Read one page of the corpora of a location."""

    parent: str = ""
    page_size: Int32 = 0
    page_token: str = ""


class ListRagCorporaResponse(Resource):
    """One page of corpora."""

    rag_corpora: tuple[RagCorpus, ...] = ()
    next_page_token: str = ""


class UpdateRagCorpusRequest(Resource):
    """Overwrite what the body brings; there is no mask."""

    rag_corpus: RagCorpus | None = None


class DeleteRagCorpusRequest(Resource):
    """Delete a corpus with its files, forced or not."""

    name: str = ""
    force: bool = False
    force_delete: bool = False


class RagManagedDbConfig(Resource):
    """The tier of the managed index."""

    scaled: Empty | None = None
    basic: Empty | None = None
    unprovisioned: Empty | None = None
    enterprise: Empty | None = None
    serverless: Empty | None = None
    spanner: Struct | None = None

    def __post_init__(self) -> None:
        at_most_one(
            "tier",
            scaled=self.scaled,
            basic=self.basic,
            unprovisioned=self.unprovisioned,
            enterprise=self.enterprise,
        )
        at_most_one(
            "mode",
            serverless=self.serverless,
            spanner=self.spanner,
        )


class RagEngineConfig(Resource):
    """The one configuration of a location."""

    name: str = ""
    rag_managed_db_config: RagManagedDbConfig | None = None


class UpdateRagEngineConfigRequest(Resource):
    """Change the configuration of a location."""

    rag_engine_config: RagEngineConfig | None = None


class GenericOperationMetadata(Resource):
    """When an operation ran."""

    partial_failures: tuple[operations.Status, ...] = ()
    create_time: Timestamp | None = None
    update_time: Timestamp | None = None


class OperationMetadata(Resource):
    """Metadata of every operation here but an import."""

    generic_metadata: GenericOperationMetadata | None = None
