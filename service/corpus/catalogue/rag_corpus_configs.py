"""Read what a RAG corpus is to be, and refuse what is not offered.

Of ``RagCorpus``: fields that are deprecated say the same as those of today, and each corpus has the
one index and the one embedding that there are here.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec import structs

from service.corpus.catalogue.catalogue import DISPLAY_NAME
from sessions.errors import InvalidArgument, Unimplemented
from sessions.resources import rag_corpora
from sessions.resources.base import Struct
from sessions.resources.rag_corpora import RagCorpus, RagVectorDbConfig

EMBEDDING: Final = "publishers/colloquy/models/lexical"
"""The embedding that every corpus has, told as the endpoint of one that names none."""


def current(resource: RagCorpus) -> RagCorpus:
    """Return *resource* with what it says in deprecated fields where it is said today."""
    if resource.rag_vector_db_config is not None and resource.vector_db_config is None:
        resource = structs.replace(resource, vector_db_config=resource.rag_vector_db_config)
    if (model := resource.rag_embedding_model_config) is not None:
        config = resource.vector_db_config or RagVectorDbConfig()
        config = structs.replace(config, rag_embedding_model_config=model)
        resource = structs.replace(resource, vector_db_config=config)
    return structs.replace(resource, rag_vector_db_config=None, rag_embedding_model_config=None)


def check(resource: RagCorpus) -> None:
    """Refuse what a corpus cannot be.

    Raises:
        InvalidArgument: a field cannot be used.
        Unimplemented: it is of a kind that is not offered.
    """
    field = "ragCorpus.displayName"
    if not resource.display_name.strip():
        raise InvalidArgument(f"{field}: give a name to show", field=field)
    if len(resource.display_name) > DISPLAY_NAME:
        raise InvalidArgument(f"{field}: at most {DISPLAY_NAME} characters", field=field)
    if resource.vector_db_config is not None and resource.vertex_ai_search_config is not None:
        raise InvalidArgument(
            "ragCorpus: only one of vectorDbConfig and vertexAiSearchConfig may be set",
            field="ragCorpus",
        )
    kind: Struct = resource.corpus_type_config or {}
    memory = kind.get("memoryCorpus") or kind.get("memory_corpus")
    refuse("ragCorpus.corpusTypeConfig", memoryCorpus=memory)
    if resource.encryption_spec and resource.encryption_spec.kms_key_name:
        refuse("ragCorpus", encryptionSpec=resource.encryption_spec)


def managed(given: RagVectorDbConfig | None, location: str) -> RagVectorDbConfig:
    """Return how vectors are kept: here, by the one embedding there is."""
    config = given or RagVectorDbConfig()
    refuse(
        "ragCorpus.vectorDbConfig",
        pinecone=config.pinecone,
        vertexVectorSearch=config.vertex_vector_search,
        weaviate=config.weaviate,
        vertexFeatureStore=config.vertex_feature_store,
        ragManagedVertexVectorSearch=config.rag_managed_vertex_vector_search,
        apiAuth=config.api_auth,
    )
    model = config.rag_embedding_model_config or rag_corpora.RagEmbeddingModelConfig()
    refuse(
        "ragCorpus.vectorDbConfig.ragEmbeddingModelConfig",
        hybridSearchConfig=model.hybrid_search_config,
    )
    endpoint = model.vertex_prediction_endpoint or rag_corpora.VertexPredictionEndpoint()
    if not endpoint.endpoint:
        endpoint = structs.replace(endpoint, endpoint=f"{location}/{EMBEDDING}")
    return RagVectorDbConfig(
        rag_managed_db=config.rag_managed_db or rag_corpora.RagManagedDb(),
        rag_embedding_model_config=rag_corpora.RagEmbeddingModelConfig(
            vertex_prediction_endpoint=endpoint
        ),
    )


def refuse(where: str, **members: msgspec.Struct | Struct | None) -> None:
    """Refuse those of *members* that are set: they are known and not offered."""
    for member, value in members.items():
        if value is not None:
            raise Unimplemented(
                f"{where}.{member}: this service does not offer it; leave it out",
                reason="NOT_OFFERED",
                field=f"{where}.{member}",
            )
