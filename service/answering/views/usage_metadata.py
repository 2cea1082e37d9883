"""What a text took, in tokens: as its model counted them, or as estimated here."""

from __future__ import annotations

from collections.abc import Sequence

from service.generation import token_counts
from service.generation.generator import Usage
from sessions.resources.candidates import Modality, ModalityTokenCount, UsageMetadata


def of(
    prompt: int,
    texts: Sequence[str],
    reported: Sequence[Usage] = (),
    *,
    sees_images: bool = False,
) -> UsageMetadata:
    """Return what it took to write *texts* after *prompt* tokens.

    Where the model *reported* the tokens of every text, these count, and the details say so:
    an estimate has none.
    """
    if reported and len(reported) == len(texts):
        return _reported(reported, sees_images=sees_images)
    written = sum(token_counts.count(text) for text in texts)
    return UsageMetadata(
        prompt_token_count=prompt,
        candidates_token_count=written,
        total_token_count=prompt + written,
    )


def text_token_counts(count: int) -> tuple[ModalityTokenCount, ...]:
    """Return *count* tokens as tokens of text."""
    if not count:
        return ()
    return (ModalityTokenCount(modality=Modality.TEXT, token_count=count),)


def _reported(usages: Sequence[Usage], *, sees_images: bool) -> UsageMetadata:
    """Return what the model says that it read once and wrote for each of several texts."""
    first = usages[0]
    thoughts = sum(one.reasoning or 0 for one in usages)
    written = max(0, sum(one.completion for one in usages) - thoughts)
    # Of how many images make up, a model that has seen some must have told.
    known = not sees_images or first.prompt_image is not None
    return UsageMetadata(
        prompt_token_count=first.prompt,
        candidates_token_count=written,
        thoughts_token_count=thoughts,
        total_token_count=first.prompt + written + thoughts,
        cached_content_token_count=first.cached or 0,
        prompt_tokens_details=_by_modality(first) if known else (),
        cache_tokens_details=text_token_counts(first.cached or 0),
        candidates_tokens_details=text_token_counts(written),
    )


def _by_modality(usage: Usage) -> tuple[ModalityTokenCount, ...]:
    images, audio = usage.prompt_image or 0, usage.prompt_audio or 0
    counts = {
        Modality.TEXT: usage.prompt - images - audio,
        Modality.IMAGE: images,
        Modality.AUDIO: audio,
    }
    return tuple(
        ModalityTokenCount(modality=modality, token_count=count)
        for modality, count in counts.items()
        if count > 0
    )
