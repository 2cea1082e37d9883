"""What a generation configuration is refused for, and what of it a model is told."""

from __future__ import annotations

import math
from typing import Any

import pytest

from service.answering.requests import generation_configs
from service.generation.generator import Sampling
from sessions.errors import InvalidArgument
from sessions.resources.generate_content import GenerationConfig, ResponseModality


def config(**fields: Any) -> GenerationConfig:
    return GenerationConfig(**fields)


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (config(temperature=2.1), "temperature"),
        (config(top_p=math.nan), "topP"),
        (config(top_k=1.5), "topK"),
        (config(top_k=math.inf), "topK"),
        (config(candidate_count=9), "candidateCount"),
        (config(max_output_tokens=0), "maxOutputTokens"),
        (config(presence_penalty=-3), "presencePenalty"),
        (config(stop_sequences=("a",) * 6), "stopSequences"),
        (config(stop_sequences=("",)), "stopSequences"),
        (config(logprobs=3), "logprobs"),
        (config(logprobs=21, response_logprobs=True), "logprobs"),
        (config(response_modalities=(ResponseModality.IMAGE,)), "responseModalities"),
    ],
)
def test_what_is_wrong_in_itself_is_refused_by_its_path(
    wrong: GenerationConfig, field: str
) -> None:
    with pytest.raises(InvalidArgument) as refused:
        generation_configs.check(wrong)
    assert refused.value.field == f"generationConfig.{field}"


def test_a_model_is_told_how_to_choose_and_where_to_end() -> None:
    wanted = config(temperature=0, top_k=40.0, max_output_tokens=9, stop_sequences=tuple("abcde"))
    generation_configs.check(wanted)
    assert generation_configs.sampling(wanted) == Sampling(
        temperature=0, top_k=40, max_tokens=9, stop=("a", "b", "c", "d")
    )
