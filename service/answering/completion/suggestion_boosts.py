"""Move suggestions of some languages up or down (``AdvancedCompleteQueryRequest.boost_spec``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from service.answering.completion.suggestion_table import Suggestion
from service.answering.requests import field_checks
from service.corpus import document_filters
from service.corpus.document_filters import Facts, Filter
from service.language import detection
from sessions.errors import InvalidArgument
from sessions.resources.complete_query import BoostSpec

_LANGUAGE: Final = "lang_code"
_WEIGHT: Final = 0.5
"""What a boost of 1 adds to a score: what has all words then comes before what begins so."""


class SuggestionBoost(NamedTuple):
    """How far suggestions that match are moved, -1 to 1."""

    condition: Filter
    boost: float


def read(spec: BoostSpec | None) -> list[SuggestionBoost]:
    """Return the boosts of a request.

    Raises:
        InvalidArgument: there are too many, one is out of range, or a condition cannot be read.
    """
    given = spec.condition_boost_specs if spec else ()
    field_checks.check_at_most(
        len(given), field_checks.MAX_BOOSTS, "boostSpec.conditionBoostSpecs", "conditions"
    )
    boosts: list[SuggestionBoost] = []
    for at, each in enumerate(given):
        where = f"boostSpec.conditionBoostSpecs[{at}]"
        if not -1 <= each.boost <= 1:
            raise InvalidArgument(f"{where}.boost: give -1 to 1", field=f"{where}.boost")
        if each.condition.strip():
            condition = document_filters.parse(each.condition, field=f"{where}.condition")
            boosts.append(SuggestionBoost(condition, each.boost))
    return boosts


def of(suggestion: Suggestion, boosts: Sequence[SuggestionBoost]) -> float:
    """Return what *boosts* add to the score of *suggestion*; together no more than one of them."""
    if not boosts:
        return 0.0
    language = suggestion.language or detection.detect(suggestion.text, "")
    facts = Facts(id="", struct_data={_LANGUAGE: language.partition("-")[0]})
    total = sum(each.boost for each in boosts if document_filters.matches(each.condition, facts))
    return _WEIGHT * max(-1.0, min(1.0, total))
