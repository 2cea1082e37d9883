"""Refuse a prompt for what it asks, where the request or the operator has that guarded.

It blocks for milliseconds, so call it beside the event loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.query_classes import classifiers
from service.answering.query_classes.portal_policy import PortalPolicy
from service.answering.views import candidates as views
from service.generation.generator import PastTurn
from sessions.resources.answer_query import HarmBlockThreshold
from sessions.resources.answers import AnswerSkippedReason as Skipped
from sessions.resources.answers import HarmProbability
from sessions.resources.candidates import HarmCategory, PromptFeedback, SafetyRating

_BLOCKED_FROM: Final = {
    HarmBlockThreshold.HARM_BLOCK_THRESHOLD_UNSPECIFIED: HarmProbability.MEDIUM,
    HarmBlockThreshold.BLOCK_LOW_AND_ABOVE: HarmProbability.LOW,
    HarmBlockThreshold.BLOCK_MEDIUM_AND_ABOVE: HarmProbability.MEDIUM,
    HarmBlockThreshold.BLOCK_ONLY_HIGH: HarmProbability.HIGH,
}
"""From which probability of an attack a threshold blocks; those that are not here never do."""
_LOW: Final = 0.3
_HIGH: Final = 0.75
"""Scores from which an attack is that probable; MEDIUM is what the classifier takes for one."""


class PromptGuards(msgspec.Struct, frozen=True, kw_only=True):
    """What of a prompt a request wants guarded: its rules by a threshold, and against harm."""

    rules: HarmBlockThreshold | None = None
    harm: bool = False

    def __bool__(self) -> bool:
        return self.rules in _BLOCKED_FROM or self.harm


def feedback(
    text: str, history: Sequence[PastTurn], guards: PromptGuards, policy: PortalPolicy
) -> PromptFeedback | None:
    """Return why a prompt that asks *text* is refused, None where it is not."""
    understood = policy.classified(text, classifiers.classify(text, history))
    if understood.banned:
        return views.refused(Skipped.CUSTOMER_POLICY_VIOLATION)
    if understood.ignored is not None:
        return views.refused(Skipped.USER_DEFINED_CLASSIFICATION_QUERY_IGNORED)
    rating = _rating(understood.scores["jail_breaking"], guards)
    if rating.blocked:
        refusal = views.refused(Skipped.JAIL_BREAKING_QUERY_IGNORED)
        return msgspec.structs.replace(refusal, safety_ratings=(rating,))
    if guards.harm and understood.adversarial:
        return views.refused(Skipped.ADVERSARIAL_QUERY_IGNORED)
    return None


def _rating(score: float, guards: PromptGuards) -> SafetyRating:
    """Return how likely a prompt with this *score* attacks the rules, and whether that blocks."""
    probability = _probability(score)
    least = _BLOCKED_FROM.get(guards.rules) if guards.rules is not None else None
    return SafetyRating(
        category=HarmCategory.HARM_CATEGORY_JAILBREAK,
        probability=probability,
        probability_score=round(score, 3),
        blocked=least is not None and probability.number >= least.number,
    )


def _probability(score: float) -> HarmProbability:
    if score < _LOW:
        return HarmProbability.NEGLIGIBLE
    if score < classifiers.THRESHOLDS["jail_breaking"]:
        return HarmProbability.LOW
    return HarmProbability.HIGH if score >= _HIGH else HarmProbability.MEDIUM
