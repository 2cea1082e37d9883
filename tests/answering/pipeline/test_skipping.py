"""What is said although nobody may be told it."""

from __future__ import annotations

import pytest

from service.answering.pipeline import skipping
from service.answering.proof import grounding
from sessions.resources.answer_query import AnswerQueryRequest, FilteringLevel, GroundingSpec
from sessions.resources.answers import AnswerSkippedReason
from streaming.log.events import Grounded

SOURCES = (
    "The suspension bridge over the strait is 2,737 metres long and was opened in 1937.",
    "The toll for the bridge is $9 for each car that drives to the south.",
)
TRUE = "The suspension bridge was opened in 1937. The toll for the bridge is $9 for each car."
LEVELS = (FilteringLevel.FILTERING_LEVEL_LOW, FilteringLevel.FILTERING_LEVEL_HIGH)


def passes(text: str, level: FilteringLevel) -> bool:
    """Tell whether *text* passes the filter of *level*."""
    request = AnswerQueryRequest(grounding_spec=GroundingSpec(filtering_level=level))
    grounded = Grounded(*grounding.supports(text, SOURCES, (0, 1)))
    skipped = skipping.on_text(request, (), grounded)
    assert skipped is None or skipped.reasons == (AnswerSkippedReason.LOW_GROUNDED_ANSWER,)
    return skipped is None


@pytest.mark.parametrize("level", LEVELS)
def test_what_the_sources_say_passes_every_level(level: FilteringLevel) -> None:
    assert passes(SOURCES[0], level)
    assert passes(f"{SOURCES[0]} {SOURCES[1]}", level)
    assert passes(TRUE, FilteringLevel.FILTERING_LEVEL_LOW)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    "invented",
    ["The bridge is made of gold.", "Dogs must be carried.", "El puente es de oro y brilla."],
)
def test_one_claim_that_is_made_up_does_not_pass_among_others(
    invented: str, level: FilteringLevel
) -> None:
    """The mean of ten claims would hide it."""
    assert not passes(f"{SOURCES[0]} {SOURCES[1]} {TRUE} {invented}", level)
    assert not passes(invented, level)


def test_without_a_level_everything_passes() -> None:
    assert passes("The bridge is made of gold.", FilteringLevel.FILTERING_LEVEL_UNSPECIFIED)
