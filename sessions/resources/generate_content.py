"""``GenerateContentRequest`` and its configuration (aiplatform)."""

from __future__ import annotations

from typing import Any

import msgspec

from sessions.resources import answer_query, candidates, contents, tools
from sessions.resources.base import Int32, Int64, Resource, Struct
from sessions.resources.enums import Documented


class HarmBlockMethod(Documented):
    """What a threshold is compared with."""

    HARM_BLOCK_METHOD_UNSPECIFIED = 0
    SEVERITY = 1
    PROBABILITY = 2


class ResponseModality(Documented):
    """A kind of output (the documents' ``Modality``)."""

    MODALITY_UNSPECIFIED = 0
    TEXT = 1
    IMAGE = 2
    AUDIO = 3


class MediaResolution(Documented):
    """How finely media are read."""

    MEDIA_RESOLUTION_UNSPECIFIED = 0
    MEDIA_RESOLUTION_LOW = 1
    MEDIA_RESOLUTION_MEDIUM = 2
    MEDIA_RESOLUTION_HIGH = 3


class ThinkingLevel(Documented):
    """How long a model thinks."""

    THINKING_LEVEL_UNSPECIFIED = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    MINIMAL = 4


class SafetySetting(Resource):
    """The threshold of one harm category."""

    category: candidates.HarmCategory = candidates.HarmCategory.HARM_CATEGORY_UNSPECIFIED
    threshold: answer_query.HarmBlockThreshold = (
        answer_query.HarmBlockThreshold.HARM_BLOCK_THRESHOLD_UNSPECIFIED
    )
    method: HarmBlockMethod = HarmBlockMethod.HARM_BLOCK_METHOD_UNSPECIFIED


class ModelArmorConfig(Resource):
    """Screening by a service outside; refused."""

    prompt_template_name: str = ""
    response_template_name: str = ""


class ThinkingConfig(Resource):
    """Whether and how long a model thinks."""

    include_thoughts: bool | None = None
    thinking_budget: Int32 | None = None
    thinking_level: ThinkingLevel | None = None


class GenerationConfig(Resource):
    """How to write; what stands as ``Struct`` is never looked into."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: float | None = None
    candidate_count: Int32 | None = None
    max_output_tokens: Int32 | None = None
    stop_sequences: tuple[str, ...] = ()
    response_logprobs: bool | None = None
    logprobs: Int32 | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: Int32 | None = None
    response_mime_type: str = ""
    response_schema: Struct | None = None
    response_json_schema: Any = None
    routing_config: Struct | None = None
    audio_timestamp: bool | None = None
    response_modalities: tuple[ResponseModality, ...] = ()
    media_resolution: MediaResolution | None = None
    speech_config: Struct | None = None
    thinking_config: ThinkingConfig | None = None
    image_config: Struct | None = None
    model_config: Struct | None = None


class GenerateContentRequest(Resource):
    """Write the next content of a model."""

    model: str = ""
    contents: tuple[contents.Content, ...] = ()
    system_instruction: contents.Content | None = None
    cached_content: str = ""
    tools: tuple[tools.Tool, ...] = ()
    tool_config: tools.ToolConfig | None = None
    labels: dict[str, str] = msgspec.field(default={})
    safety_settings: tuple[SafetySetting, ...] = ()
    model_armor_config: ModelArmorConfig | None = None
    generation_config: GenerationConfig | None = None


class CountTokensRequest(Resource):
    """Count the tokens of contents."""

    endpoint: str = ""
    model: str = ""
    instances: tuple[Any, ...] = ()
    contents: tuple[contents.Content, ...] = ()
    system_instruction: contents.Content | None = None
    tools: tuple[tools.Tool, ...] = ()
    generation_config: GenerationConfig | None = None


class CountTokensResponse(Resource):
    """How many tokens there are."""

    total_tokens: Int32 = 0
    total_billable_characters: Int32 = 0
    prompt_tokens_details: tuple[candidates.ModalityTokenCount, ...] = ()


class ComputeTokensRequest(Resource):
    """Cut contents into tokens."""

    endpoint: str = ""
    instances: tuple[Any, ...] = ()
    model: str = ""
    contents: tuple[contents.Content, ...] = ()


class TokensInfo(Resource):
    """The tokens of one content."""

    tokens: tuple[bytes, ...] = ()
    token_ids: tuple[Int64, ...] = ()
    role: str = ""


class ComputeTokensResponse(Resource):
    """The tokens of each content."""

    tokens_info: tuple[TokensInfo, ...] = ()
