"""Decide whether a query gets no answer although nothing failed, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.answering.pipeline.retrieving import Retrieved
from service.answering.proof import safety
from service.answering.query_classes.classifiers import QueryClasses
from service.answering.query_classes.portal_policy import PortalPolicy
from service.answering.retrieval import scopes
from service.answering.small_talk import wordings
from service.answering.views.replies import FALLBACK
from service.language import detection
from service.portal import localized_text
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
    """Tell why a query of its class gets no answer, where request or operator want such ignored."""
    spec = request.answer_generation_spec or answer_query.AnswerGenerationSpec()
    candidates = (
        (Reason.CUSTOMER_POLICY_VIOLATION, understood.banned),
        (Reason.USER_DEFINED_CLASSIFICATION_QUERY_IGNORED, understood.ignored is not None),
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
    if not reasons:
        return None
    reply = understood.ignored.reply if understood.ignored else ""
    if not reply:
        return Skipped(reasons, FALLBACK)
    asked = (request.query and request.query.text) or ""
    language = spec.answer_language_code or detection.detect(asked)
    return Skipped(reasons, wordings.joined(FALLBACK, localized_text.in_language(reply, language)))


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


def without_text(retrieved: Retrieved, *, judges: bool) -> Skipped:
    """Tell that the sources hold no answer, or that nothing was made of them.

    A generator that *judges* wrote no text that helps, although by its words what was *retrieved*
    is about the query.
    """
    unhelpful = judges and is_relevant(retrieved)
    reason = Reason.UNHELPFUL_ANSWER if unhelpful else Reason.NO_RELEVANT_CONTENT
    return Skipped((reason,), FALLBACK)


def may_withdraw(request: answer_query.AnswerQueryRequest, policy: PortalPolicy) -> bool:
    """Tell whether a finished text may still be refused, so that none of it is shown before."""
    safety_spec, grounding_spec = request.safety_spec, request.grounding_spec
    return bool(
        (safety_spec and safety_spec.enable)
        or (grounding_spec and grounding_spec.filtering_level in THRESHOLDS)
        or policy.withholds
    )


def on_text(
    request: answer_query.AnswerQueryRequest,
    ratings: Sequence[answers.SafetyRating],
    grounded: Grounded | None,
    *,
    banned: bool = False,
) -> Skipped | None:
    """Tell why a finished text with these *ratings*, *grounded* so well, is not shown.

    *banned* tells that it has a phrase which the operator bans. A claim without a score is
    unproven, and no level lets it pass.
    """
    if banned:
        return Skipped((Reason.CUSTOMER_POLICY_VIOLATION,), FALLBACK)
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
