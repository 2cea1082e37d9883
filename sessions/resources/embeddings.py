"""``PredictRequest`` and ``EmbedContentRequest``, in both APIs' forms, and text embeddings.

Instances, parameters and predictions are google.protobuf.Value in the documents; their form is that
of the schema ``text_embedding_1.0.0`` of text embedding models.
"""

from __future__ import annotations

from typing import Any

import msgspec

from sessions.resources.base import Int32, Resource
from sessions.resources.candidates import ModalityTokenCount
from sessions.resources.contents import Content
from sessions.resources.enums import Documented


class EmbeddingTaskType(Documented):
    """What an embedding is for."""

    UNSPECIFIED = 0
    RETRIEVAL_QUERY = 2
    RETRIEVAL_DOCUMENT = 3
    SEMANTIC_SIMILARITY = 4
    CLASSIFICATION = 5
    CLUSTERING = 6
    QUESTION_ANSWERING = 7
    FACT_VERIFICATION = 8
    CODE_RETRIEVAL_QUERY = 9


class TrafficType(Documented):
    """What a request was paid by."""

    TRAFFIC_TYPE_UNSPECIFIED = 0
    ON_DEMAND = 1
    PROVISIONED_THROUGHPUT = 2


class PredictRequest(Resource):
    """Ask a model for a prediction on each of several instances."""

    endpoint: str = ""
    instances: tuple[Any, ...] = ()
    parameters: Any = None
    labels: dict[str, str] = msgspec.field(default={})


class PredictResponse(Resource):
    """The predictions, in the order of the instances."""

    predictions: tuple[Any, ...] = ()
    deployed_model_id: str = ""
    model: str = ""
    model_version_id: str = ""
    model_display_name: str = ""
    metadata: Any = None


class EmbedContentConfig(Resource):
    """How a content is embedded."""

    title: str | None = None
    task_type: EmbeddingTaskType | None = None
    auto_truncate: bool | None = None
    output_dimensionality: Int32 | None = None
    document_ocr: bool | None = None
    audio_track_extraction: bool | None = None


class EmbedContentRequest(Resource):
    """Ask for the embedding of one content; the config wins over the older fields beside it."""

    model: str | None = None
    content: Content | None = None
    title: str | None = None
    task_type: EmbeddingTaskType | None = None
    output_dimensionality: Int32 | None = None
    auto_truncate: bool | None = None
    embed_content_config: EmbedContentConfig | None = None


class Embedding(Resource):
    """A vector of length 1."""

    values: tuple[float, ...] = ()


class UsageMetadata(Resource):
    """What a request cost, in tokens; only those of the prompt are written."""

    prompt_token_count: Int32 = 0
    candidates_token_count: Int32 = 0
    thoughts_token_count: Int32 = 0
    tool_use_prompt_token_count: Int32 = 0
    total_token_count: Int32 = 0
    cached_content_token_count: Int32 = 0
    prompt_tokens_details: tuple[ModalityTokenCount, ...] = ()
    cache_tokens_details: tuple[ModalityTokenCount, ...] = ()
    candidates_tokens_details: tuple[ModalityTokenCount, ...] = ()
    tool_use_prompt_tokens_details: tuple[ModalityTokenCount, ...] = ()
    traffic_type: TrafficType = TrafficType.TRAFFIC_TYPE_UNSPECIFIED


class EmbedContentResponse(Resource):
    """The embedding of one content."""

    embedding: Embedding | None = None
    usage_metadata: UsageMetadata | None = None
    truncated: bool = False


class BatchEmbedContentsRequest(Resource):
    """Ask for the embeddings of several contents, all by the model in the path."""

    requests: tuple[EmbedContentRequest, ...] = ()


class BatchEmbedContentsResponse(Resource):
    """The embeddings, in the order of the requests."""

    embeddings: tuple[Embedding, ...] = ()
