"""Decide whether a query gets no answer although nothing failed, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.answering.pipeline.retrieving import Retrieved
from service.answering.proof import safety
from service.answering.query_classes.classifiers import QueryClasses
from service.answering.retrieval import scopes
from service.answering.views.replies import FALLBACK
from sessions.resources import answer_query, answers
from sessions.resources.answer_query import FilteringLevel
from sessions.resources.answers import AnswerSkippedReason as Reason
from streaming.log.events import Grounded, Skipped

LOW_GROUNDED: Final = "We do not have a summary for your query."
"""What a LOW_GROUNDED_ANSWER says instead; existing programs compare against it."""
THRESHOLDS: Final = {
    FilteringLevel.FILTERING_LEVEL_LOW: 0.3,
    FilteringLevel.FILTERING_LEVEL_HIGH: 0.7,
}
"""The grounding score that each level wants of the whole."""
LEAST: Final = {
    FilteringLevel.FILTERING_LEVEL_LOW: 0.46,
    FilteringLevel.FILTERING_LEVEL_HIGH: 0.5,
}
"""The score that each level wants of every claim: one that is made up does not pass among others.

A claim that is copied but for one invented word scores 0.45 at most (`guide/grounding.md`).
"""


def on_query(
    request: answer_query.AnswerQueryRequest,
    understood: QueryClasses,
) -> Skipped | None:
    """Tell why a query of its class gets no answer, where the request wants such ignored."""
    spec = request.answer_generation_spec or answer_query.AnswerGenerationSpec()
    candidates = (
        (
            Reason.JAIL_BREAKING_QUERY_IGNORED,
            spec.ignore_jail_breaking_query and understood.jail_breaking,
        ),
        (
            Reason.ADVERSARIAL_QUERY_IGNORED,
            spec.ignore_adversarial_query and understood.adversarial,
        ),
        (
            Reason.NON_ANSWER_SEEKING_QUERY_IGNORED,
            spec.ignore_non_answer_seeking_query and understood.small_talk,
        ),
        (
            Reason.NON_ANSWER_SEEKING_QUERY_IGNORED_V2,
            spec.ignore_non_answer_seeking_query and understood.no_clear_intent,
        ),
    )
    reasons = tuple(reason for reason, holds in candidates if holds)
    return Skipped(reasons, FALLBACK) if reasons else None


def on_retrieved(
    request: answer_query.AnswerQueryRequest, retrieved: Retrieved, *, judges: bool
) -> Skipped | None:
    """Tell why what was retrieved is no ground for an answer.

    Where the request leaves open whether low relevance is a reason, it is none for a generator that
    *judges*: relevance counts words, a model reads what they say, in other words and languages.
    """
    if not retrieved.hits:
        return Skipped((Reason.NO_RELEVANT_CONTENT,), FALLBACK)
    spec = request.answer_generation_spec
    wanted = spec.ignore_low_relevant_content if spec else None
    ignores = not judges if wanted is None else wanted
    if ignores and not is_relevant(retrieved):
        return Skipped((Reason.OUT_OF_DOMAIN_QUERY_IGNORED,), FALLBACK)
    return None


def is_relevant(retrieved: Retrieved) -> bool:
    """Tell whether anything of what was retrieved is a reason to answer."""
    return any(hit.relevance >= scopes.RELEVANT for hit in retrieved.hits)


def without_text() -> Skipped:
    """Tell that the sources, relevant as they looked, hold no answer."""
    return Skipped((Reason.NO_RELEVANT_CONTENT,), FALLBACK)


def may_withdraw(request: answer_query.AnswerQueryRequest) -> bool:
    """Tell whether a finished text may still be refused, so that none of it is shown before."""
    safety_spec, grounding_spec = request.safety_spec, request.grounding_spec
    return bool(
        (safety_spec and safety_spec.enable)
        or (grounding_spec and grounding_spec.filtering_level in THRESHOLDS)
    )


def on_text(
    request: answer_query.AnswerQueryRequest,
    ratings: Sequence[answers.SafetyRating],
    grounded: Grounded | None,
) -> Skipped | None:
    """Tell why a finished text with these *ratings*, *grounded* so well, is not shown.

    A claim without a score is unproven, and no level lets it pass.
    """
    if safety.blocked(ratings):
        return Skipped((Reason.POTENTIAL_POLICY_VIOLATION,), FALLBACK)
    level = request.grounding_spec.filtering_level if request.grounding_spec else None
    if level not in THRESHOLDS:
        return None
    supports, score = (grounded.supports, grounded.score) if grounded else ((), None)
    scores = [one.grounding_score or 0.0 for one in supports if one.grounding_check_required]
    if (score or 0.0) < THRESHOLDS[level] or min(scores, default=0.0) < LEAST[level]:
        return Skipped((Reason.LOW_GROUNDED_ANSWER,), LOW_GROUNDED)
    return None
