"""Read a generation configuration: refuse what is out of its range, hand on what a model obeys."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from service.generation.generator import Sampling
from sessions.errors import InvalidArgument
from sessions.resources.generate_content import GenerationConfig, ResponseModality

MAX_CANDIDATES: Final = 8
MAX_STOPS: Final = 5
MAX_LOGPROBS: Final = 20
"""Tokens that a model tells for each place; chat completion endpoints refuse more."""
_TOLD_STOPS: Final = 4
"""Stop sequences that endpoints take; where a text ends is held to all of them anyway."""
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
    if config.logprobs is not None and not config.response_logprobs:
        raise _refused("logprobs", "needs responseLogprobs; set it to true")


def sampling(config: GenerationConfig) -> Sampling:
    """Return how *config* wants a model to choose and bound its words."""
    return Sampling(
        temperature=config.temperature,
        top_p=config.top_p,
        top_k=None if config.top_k is None else int(config.top_k),
        max_tokens=config.max_output_tokens,
        stop=config.stop_sequences[:_TOLD_STOPS],
        seed=config.seed,
        presence_penalty=config.presence_penalty,
        frequency_penalty=config.frequency_penalty,
    )


def shows_thoughts(config: GenerationConfig) -> bool:
    """Tell whether what a model thinks is to be shown."""
    return bool(config.thinking_config and config.thinking_config.include_thoughts)


def _refused(name: str, remedy: str) -> InvalidArgument:
    field = f"{_FIELD}.{name}"
    return InvalidArgument(f"{field}: {remedy}", field=field)
