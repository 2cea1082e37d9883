"""Read a generation configuration: refuse what is out of its range, hand on what a model obeys."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from service.generation.generator import Sampling
from sessions.errors import InvalidArgument
from sessions.resources.generate_content import (
    GenerationConfig,
    ResponseModality,
    ThinkingConfig,
    ThinkingLevel,
)

MAX_CANDIDATES: Final = 8
MAX_STOPS: Final = 5
MAX_LOGPROBS: Final = 20
"""Tokens that a model tells for each place; chat completion endpoints refuse more."""
_TOLD_STOPS: Final = 4
"""Stop sequences that endpoints take; where a text ends is held to all of them anyway."""
_DYNAMIC: Final = -1
"""The thinking budget that leaves it to the model."""
_FIELD: Final = "generationConfig"
_RANGES: Final = {
    "temperature": (0, 2),
    "top_p": (0, 1),
    "top_k": (0, 1_000_000),
    "presence_penalty": (-2, 2),
    "frequency_penalty": (-2, 2),
    "candidate_count": (1, MAX_CANDIDATES),
    "max_output_tokens": (1, 2**31 - 1),
    "logprobs": (0, MAX_LOGPROBS),
}


def check(config: GenerationConfig) -> None:
    """Refuse a *config* that is wrong in itself.

    Raises:
        InvalidArgument: a field is out of its range, or not with another; it is named by its path.
    """
    for field in msgspec.structs.fields(config):
        value: Any = getattr(config, field.name)
        low, high = _RANGES.get(field.name, (None, None))
        if value is not None and low is not None and not low <= value <= high:
            raise _refused(field.encode_name, f"give {low} to {high}")
    if config.top_k is not None and config.top_k != int(config.top_k):
        raise _refused("topK", "give a whole number")
    if len(config.stop_sequences) > MAX_STOPS or "" in config.stop_sequences:
        raise _refused("stopSequences", f"give at most {MAX_STOPS}, none empty")
    if any(one is not ResponseModality.TEXT for one in config.response_modalities):
        raise _refused("responseModalities", "only TEXT is written here")
    _check_thinking(config.thinking_config or ThinkingConfig())
    if config.logprobs is not None and not config.response_logprobs:
        raise _refused("logprobs", "needs responseLogprobs; set it to true")


def _check_thinking(config: ThinkingConfig) -> None:
    budget = config.thinking_budget
    if budget is not None and budget < _DYNAMIC:
        raise _refused("thinkingConfig.thinkingBudget", "give a number of tokens, 0 for none")
    if budget is not None and _effort(config.thinking_level):
        raise _refused("thinkingConfig", "give thinkingBudget or thinkingLevel, not both")


def sampling(config: GenerationConfig) -> Sampling:
    """Return how *config* wants a model to choose and bound its words."""
    thinking = config.thinking_config or ThinkingConfig()
    return Sampling(
        temperature=config.temperature,
        top_p=config.top_p,
        top_k=None if config.top_k is None else int(config.top_k),
        max_tokens=config.max_output_tokens,
        stop=config.stop_sequences[:_TOLD_STOPS],
        seed=config.seed,
        presence_penalty=config.presence_penalty,
        frequency_penalty=config.frequency_penalty,
        reasoning_effort=_effort(thinking.thinking_level),
        thinking_budget=None if thinking.thinking_budget == _DYNAMIC else thinking.thinking_budget,
    )


def _effort(level: ThinkingLevel | None) -> str | None:
    """Return *level* as models are told it."""
    if level is None or level is ThinkingLevel.THINKING_LEVEL_UNSPECIFIED:
        return None
    return level.name.lower()


def shows_thoughts(config: GenerationConfig) -> bool:
    """Tell whether what a model thinks is to be shown."""
    return bool(config.thinking_config and config.thinking_config.include_thoughts)


def _refused(name: str, remedy: str) -> InvalidArgument:
    field = f"{_FIELD}.{name}"
    return InvalidArgument(f"{field}: {remedy}", field=field)
