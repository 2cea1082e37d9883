"""Prove a finished text as far as its request asks: rate it, ground it, or rule it out.

It blocks for milliseconds a kilobyte, so call it beside the event loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from service.answering import grounding, safety, verdicts
from service.answering.retrieving import Found
from sessions.resources import answers, queries
from streaming.events import AnswerEvent, Grounded, SafetyRated, Skipped


class Proof(NamedTuple):
    """What was found out; *skipped* is why the text must not be told."""

    ratings: tuple[answers.SafetyRating, ...] = ()
    grounded: Grounded | None = None
    skipped: Skipped | None = None


UNASKED: Final = Proof()


def is_wanted(request: queries.AnswerQueryRequest, blocked_phrases: Sequence[str]) -> bool:
    """Tell whether anybody asks for a proof."""
    return request.grounding_spec is not None or verdicts.may_withdraw(request, blocked_phrases)


def prove(
    request: queries.AnswerQueryRequest,
    text: str,
    found: Found,
    citations: Sequence[answers.Citation],
    blocked_phrases: Sequence[str],
) -> Proof:
    """Return what *request* asks for of *text*, which was written from what was *found*."""
    ratings = safety.rate(text, request.safety_spec) if _rates(request) else ()
    grounded = None
    if request.grounding_spec is not None:
        sources = [hit.chunk.text for hit in found.hits]
        grounded = Grounded(*grounding.supports(text, sources, found.reference_of, citations))
    score = grounded.score if grounded else None
    skipped = verdicts.on_text(request, text, ratings, score, blocked_phrases)
    return Proof(ratings, grounded, skipped)


def events(request: queries.AnswerQueryRequest, proof: Proof) -> Iterator[AnswerEvent]:
    """Yield as much of *proof* as *request* asks for."""
    spec, grounded = request.grounding_spec, proof.grounded
    shows_supports = spec is not None and spec.include_grounding_supports
    if grounded and grounded.supports and shows_supports and not proof.skipped:
        yield grounded
    if _rates(request):
        yield SafetyRated(proof.ratings)
    if proof.skipped:
        yield proof.skipped


def _rates(request: queries.AnswerQueryRequest) -> bool:
    return request.safety_spec is not None and request.safety_spec.enable
