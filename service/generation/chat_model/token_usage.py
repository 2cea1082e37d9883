"""Read what an endpoint says of the tokens of a completion."""

from __future__ import annotations

from typing import Annotated, Final

import msgspec

from service.generation.generator import Usage

_Count = Annotated[int, msgspec.Meta(ge=0, le=100_000_000)]


class _PromptDetails(msgspec.Struct, frozen=True):
    cached_tokens: _Count | None = None
    image_tokens: _Count | None = None
    audio_tokens: _Count | None = None


class _CompletionDetails(msgspec.Struct, frozen=True):
    reasoning_tokens: _Count | None = None


class _Usage(msgspec.Struct, frozen=True):
    prompt_tokens: _Count
    completion_tokens: _Count = 0
    total_tokens: _Count | None = None
    prompt_tokens_details: _PromptDetails | None = None
    completion_tokens_details: _CompletionDetails | None = None
    prompt_cache_hit_tokens: _Count | None = None
    """What DeepSeek calls the cached tokens."""


_USAGE: Final = msgspec.json.Decoder(_Usage)


def read(usage: bytes | msgspec.Raw) -> Usage | None:
    """Return the ``usage`` of an event, None where it is not as documented."""
    try:
        said = _USAGE.decode(usage)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    prompt = said.prompt_tokens_details or _PromptDetails()
    reasoning = (said.completion_tokens_details or _CompletionDetails()).reasoning_tokens
    completion = said.completion_tokens
    more = (said.total_tokens or 0) - said.prompt_tokens - completion
    if more > 0:
        # xAI and Google count what was thought in the total alone.
        completion, reasoning = completion + more, max(reasoning or 0, more)
    cached = said.prompt_cache_hit_tokens if prompt.cached_tokens is None else prompt.cached_tokens
    return Usage(
        prompt=said.prompt_tokens,
        completion=completion,
        cached=cached,
        reasoning=reasoning,
        prompt_image=prompt.image_tokens,
        prompt_audio=prompt.audio_tokens,
    )
