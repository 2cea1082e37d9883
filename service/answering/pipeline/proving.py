"""Prove a finished text as far as its request asks: rate it, ground it, or rule it out.

It blocks for milliseconds a kilobyte, so call it beside the event loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from service.answering.pipeline import skipping
from service.answering.pipeline.retrieving import Retrieved
from service.answering.proof import grounding, safety
from service.answering.query_classes.portal_policy import PortalPolicy
from sessions.resources import answer_query, answers
from streaming.log.events import AnswerEvent, Grounded, SafetyRated, Skipped


class Proof(NamedTuple):
    """What came of it; *skipped* is why the text must not be shown."""

    ratings: tuple[answers.SafetyRating, ...] = ()
    grounded: Grounded | None = None
    skipped: Skipped | None = None


UNPROVEN: Final = Proof()
"""What nobody asked to have proven."""


def is_wanted(request: answer_query.AnswerQueryRequest, policy: PortalPolicy) -> bool:
    """Tell whether anybody asks for a proof."""
    return request.grounding_spec is not None or skipping.may_withdraw(request, policy)


def prove(
    request: answer_query.AnswerQueryRequest,
    text: str,
    retrieved: Retrieved,
    citations: Sequence[answers.Citation],
    policy: PortalPolicy,
) -> Proof:
    """Return what *request* asks for of *text*, which was written from what was *retrieved*.

    What *policy* bans is skipped, whatever is asked for.
    """
    ratings = safety.rate(text, request.safety_spec) if _rates(request) else ()
    grounded = None
    if request.grounding_spec is not None:
        sources = [hit.chunk.text for hit in retrieved.hits]
        grounded = Grounded(*grounding.supports(text, sources, retrieved.reference_of, citations))
    skipped = skipping.on_text(request, ratings, grounded, banned=policy.bans(text))
    return Proof(ratings, grounded, skipped)


def events(request: answer_query.AnswerQueryRequest, proof: Proof) -> Iterator[AnswerEvent]:
    """Yield as much of *proof* as *request* asks for."""
    spec, grounded = request.grounding_spec, proof.grounded
    shows_supports = spec is not None and spec.include_grounding_supports
    if grounded and grounded.supports and shows_supports and not proof.skipped:
        yield grounded
    if _rates(request):
        yield SafetyRated(proof.ratings)
    if proof.skipped:
        yield proof.skipped


def _rates(request: answer_query.AnswerQueryRequest) -> bool:
    return request.safety_spec is not None and request.safety_spec.enable
