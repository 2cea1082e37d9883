from __future__ import annotations

from service.answering.views import usage_metadata
from service.generation.generator import Usage
from sessions.resources.candidates import Modality, UsageMetadata

COUNTED = Usage(prompt=9, completion=5, reasoning=2)


def details(found: UsageMetadata) -> list[tuple[Modality, int]]:
    return [(one.modality, one.token_count) for one in found.prompt_tokens_details]


def test_an_estimate_counts_words_and_has_no_details() -> None:
    found = usage_metadata.of(4, ["One, two", "Three"])
    assert found == UsageMetadata(
        prompt_token_count=4, candidates_token_count=4, total_token_count=8
    )


def test_the_prompt_counts_once_for_all_candidates() -> None:
    found = usage_metadata.of(4, ["One", "Two"], [COUNTED, COUNTED])
    assert found.prompt_token_count == 9
    assert (found.candidates_token_count, found.thoughts_token_count) == (6, 4)
    assert found.total_token_count == 19


def test_what_was_counted_for_some_candidates_only_is_not_told() -> None:
    assert usage_metadata.of(4, ["One", "Two"], [COUNTED]).prompt_token_count == 4


def test_tokens_are_told_by_modality_as_far_as_the_model_does() -> None:
    said = Usage(prompt=9, completion=5, prompt_image=6, prompt_audio=1)
    by_modality = [(Modality.TEXT, 2), (Modality.IMAGE, 6), (Modality.AUDIO, 1)]
    assert details(usage_metadata.of(4, ["One"], [said], sees_images=True)) == by_modality
    assert details(usage_metadata.of(4, ["One"], [COUNTED], sees_images=True)) == []
    assert details(usage_metadata.of(4, ["One"], [COUNTED])) == [(Modality.TEXT, 9)]
