"""The answer as generateContent tells it: Candidate and PromptFeedback.

Pure views: nothing here decides what the answer says. A skipped answer is a
blocked prompt, a blocked candidate, or an ordinary one that says that it has nothing to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from service.answering.views import candidate_parts, candidate_sources
from sessions.resources import answers, candidates
from sessions.resources.answers import AnswerSkippedReason as Skipped
from sessions.resources.candidates import BlockedReason, Candidate, FinishReason
from sessions.resources.contents import Content, Part

NOT_ANSWERED: Final = "The documents that I may use do not answer this."
"""What a candidate says where retrieval found nothing that answers."""
NOTHING_TO_USE: Final = (
    "I answer from documents only, and this request gives me none. Add a retrieval tool that names "
    "a corpus (tools.retrieval.vertexRagStore) or a data store (tools.retrieval.vertexAiSearch)."
)
"""What a candidate says where the request has no retrieval tool."""

_ROLE: Final = "model"
_PROMPT: Final = {
    Skipped.JAIL_BREAKING_QUERY_IGNORED: (
        BlockedReason.JAILBREAK,
        "The prompt tries to change the rules of the assistant.",
    ),
    Skipped.ADVERSARIAL_QUERY_IGNORED: (
        BlockedReason.PROHIBITED_CONTENT,
        "The prompt asks for something harmful.",
    ),
    Skipped.CUSTOMER_POLICY_VIOLATION: (
        BlockedReason.BLOCKLIST,
        "The prompt mentions what the operator does not allow.",
    ),
    Skipped.USER_DEFINED_CLASSIFICATION_QUERY_IGNORED: (
        BlockedReason.OTHER,
        "The prompt is of a class that the operator does not let be answered.",
    ),
}
_TEXT: Final = {
    Skipped.POTENTIAL_POLICY_VIOLATION: (FinishReason.SAFETY, "The text was found to be harmful."),
    Skipped.CUSTOMER_POLICY_VIOLATION: (
        FinishReason.BLOCKLIST,
        "The text mentions what the operator does not allow.",
    ),
}


def prompt_feedback(answer: answers.Answer) -> candidates.PromptFeedback | None:
    """Return why the prompt of *answer* was refused, None where it was not."""
    if answer.steps:  # it was searched for, so the prompt was no reason
        return None
    return next((refused(one) for one in answer.answer_skipped_reasons if one in _PROMPT), None)


def refused(reason: Skipped) -> candidates.PromptFeedback:
    """Return that a prompt was refused for the *reason* that a query would be skipped for."""
    blocked, message = _PROMPT[reason]
    return candidates.PromptFeedback(block_reason=blocked, block_reason_message=message)


def harmful_prompt(ratings: Sequence[answers.SafetyRating]) -> candidates.PromptFeedback:
    """Return that the prompt was refused for what *ratings* say of it."""
    feedback = candidates.PromptFeedback(
        block_reason=BlockedReason.SAFETY,
        block_reason_message="The prompt was found to be harmful.",
    )
    return rated_feedback(feedback, ratings)


def rated_feedback(
    feedback: candidates.PromptFeedback, ratings: Sequence[answers.SafetyRating]
) -> candidates.PromptFeedback:
    """Return *feedback* with what *ratings* say of the prompt."""
    rated = (*feedback.safety_ratings, *map(_rating, ratings))
    return msgspec.structs.replace(feedback, safety_ratings=rated)


def text_candidate(text: str, index: int = 0) -> Candidate:
    """Return the candidate of a chunk that brings nothing but the next *text*."""
    return Candidate(index=index, content=_content(text))


def thought(answer: answers.Answer) -> str:
    """Return what a model thought while it wrote *answer*, "" where that is not shown."""
    return "".join(step.thought for step in answer.steps)


def thought_candidate(thought: str, index: int = 0) -> Candidate:
    """Return the candidate of a chunk that brings nothing but the next of what the model thinks."""
    return Candidate(index=index, content=_content("", thought))


def whole_text(answer: answers.Answer) -> str:
    """Return the whole text of *answer*, before its caller's limits."""
    if not answer.answer_skipped_reasons:
        return answer.answer_text
    return "" if _blocked(answer) else NOT_ANSWERED


def last_candidate(
    answer: answers.Answer,
    text: str,
    reason: FinishReason,
    *,
    rest: str = "",
    index: int = 0,
    attributed: bool = True,
) -> Candidate:
    """Return the candidate of the last chunk of *answer*, of which *text* was told in all.

    *rest* is what of the text comes with it. What lies behind a cut of the text is not cited.
    """
    message: str | None = None
    if blocked := _blocked(answer):
        reason, message = blocked
    elif answer.state is answers.State.FAILED:
        reason, message = FinishReason.OTHER, "The text could not be finished."
    citations = tuple(candidate_sources.citations(answer, text)) if attributed else ()
    return Candidate(
        index=index,
        content=_content(rest),
        finish_reason=reason,
        finish_message=message,
        safety_ratings=tuple(_rating(rating) for rating in answer.safety_ratings),
        citation_metadata=candidates.CitationMetadata(citations=citations) if citations else None,
        grounding_metadata=candidate_sources.grounding_metadata(
            answer, text, attributed=attributed
        ),
    )


def part_candidate(part: Part, index: int = 0) -> Candidate:
    """Return the candidate of a chunk that brings nothing but *part*."""
    return Candidate(index=index, content=Content(role=_ROLE, parts=(part,)))


def direct_candidate(
    rest: str,
    reason: FinishReason,
    *,
    index: int = 0,
    message: str | None = None,
    thoughts: str = "",
    calls: Sequence[Part] = (),
) -> Candidate:
    """Return the candidate of the last chunk of what was written without documents."""
    content = _content(rest, thoughts)
    if calls:
        content = msgspec.structs.replace(content, parts=(*content.parts, *calls))
    return Candidate(
        index=index,
        content=content,
        finish_reason=reason,
        finish_message=message,
    )


def rated(candidate: Candidate, ratings: Sequence[answers.SafetyRating]) -> Candidate:
    """Return *candidate* with what *ratings* say of its text."""
    return msgspec.structs.replace(candidate, safety_ratings=tuple(map(_rating, ratings)))


def withheld(candidate: Candidate, reason: FinishReason) -> Candidate:
    """Return *candidate* without anything of its text, which must not be shown for *reason*."""
    return Candidate(
        index=candidate.index,
        content=_content(""),
        finish_reason=reason,
        finish_message=next(message for one, message in _TEXT.values() if one is reason),
        safety_ratings=candidate.safety_ratings,
    )


def joined(
    chunks: Sequence[candidates.GenerateContentResponse],
) -> candidates.GenerateContentResponse:
    """Return the whole response that the *chunks* of a stream make together."""
    parts: dict[int, list[Part]] = {}
    ends: dict[int, Candidate] = {}
    for chunk in chunks:
        for one in chunk.candidates:
            parts.setdefault(one.index, []).extend(one.content.parts if one.content else ())
            ends[one.index] = one
    whole = tuple(
        msgspec.structs.replace(
            end, content=Content(role=_ROLE, parts=tuple(candidate_parts.joined(parts[index])))
        )
        for index, end in sorted(ends.items())
    )
    return msgspec.structs.replace(chunks[-1], candidates=whole)


def _blocked(answer: answers.Answer) -> tuple[FinishReason, str] | None:
    return next((_TEXT[one] for one in answer.answer_skipped_reasons if one in _TEXT), None)


def _content(text: str, thoughts: str = "") -> Content:
    parts = (Part(text=thoughts, thought=True),) if thoughts else ()
    return Content(role=_ROLE, parts=(*parts, Part(text=text)) if text else parts)


def _rating(rating: answers.SafetyRating) -> candidates.SafetyRating:
    return candidates.SafetyRating(
        category=candidates.HarmCategory[rating.category.name],
        probability=rating.probability,
        probability_score=rating.probability_score,
        severity=rating.severity,
        severity_score=rating.severity_score,
        blocked=rating.blocked,
    )
