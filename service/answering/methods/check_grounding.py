"""Check what an answer says against given facts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.answering.proof import grounding
from service.answering.proof.source_texts import SourceTexts
from service.answering.requests import field_checks
from service.language import words
from sessions.errors import InvalidArgument
from sessions.resources.check_grounding import (
    CheckGroundingFactChunk,
    CheckGroundingRequest,
    CheckGroundingResponse,
    CheckGroundingSpec,
    Claim,
    FactChunk,
    GroundingFact,
)

TOKENS: Final = 4096
"""Words that an answer candidate may have."""
FACTS: Final = 200
"""Facts that one call may bring."""
FACT: Final = 10_000
"""Characters of a fact."""


def check(request: CheckGroundingRequest) -> None:
    """Refuse what cannot be checked.

    Raises:
        InvalidArgument: a field is out of its bounds; it is named.
    """
    candidate = request.answer_candidate
    if not candidate.strip():
        raise InvalidArgument("answerCandidate: give the text to check", field="answerCandidate")
    if len(candidate) > TOKENS * 60 or len(words.words(candidate)) > TOKENS:
        raise InvalidArgument(f"answerCandidate: at most {TOKENS} tokens", field="answerCandidate")
    check_facts(request.facts, field="facts")
    threshold = (request.grounding_spec or CheckGroundingSpec()).citation_threshold
    if threshold is not None and not 0 <= threshold <= 1:
        field = "groundingSpec.citationThreshold"
        raise InvalidArgument(f"{field}: give 0 to 1", field=field)
    field_checks.check_labels(request.user_labels)


def check_facts(facts: Sequence[GroundingFact], *, field: str) -> None:
    """Refuse too many facts, and facts that say nothing or too much."""
    if len(facts) > FACTS:
        raise InvalidArgument(f"{field}: at most {FACTS}", field=field)
    for at, fact in enumerate(facts):
        where = f"{field}[{at}].factText"
        if not fact.fact_text.strip():
            raise InvalidArgument(f"{where}: give the text of the fact", field=where)
        if len(fact.fact_text) > FACT:
            raise InvalidArgument(f"{where}: at most {FACT} characters", field=where)


def support(request: CheckGroundingRequest) -> CheckGroundingResponse:
    """Hold each claim of the candidate against the facts; blocks, so call it in a thread.

    The support score is the mean over the claims that need support, 0 where there is none: then
    nothing is shown.
    """
    spec = request.grounding_spec or CheckGroundingSpec()
    threshold = spec.citation_threshold
    least = grounding.SUPPORTED if threshold is None else threshold
    evidence = SourceTexts([fact.fact_text for fact in request.facts])
    cited: dict[int, int] = {}
    claims: list[Claim] = []
    scores: list[float] = []
    for start, end, text in grounding.claims(request.answer_candidate):
        needs = grounding.needs_support(text)
        by_fact = evidence.scores(text) if needs else []
        score = max(by_fact, default=0.0)
        good = [at for at, one in enumerate(by_fact) if one >= least and one > 0]
        good.sort(key=lambda at, of=by_fact: (-of[at], at))
        if needs:
            scores.append(score)
        claims.append(
            Claim(
                start_pos=start,
                end_pos=end,
                claim_text=text,
                citation_indices=tuple(cited.setdefault(at, len(cited)) for at in good),
                grounding_check_required=needs,
                score=round(score, 4) if needs and spec.enable_claim_level_score else None,
            )
        )
    chunks = tuple(fact_chunk(request.facts[at], at, index) for at, index in cited.items())
    return CheckGroundingResponse(
        support_score=round(sum(scores) / len(scores), 4) if scores else 0.0,
        cited_chunks=chunks,
        cited_facts=tuple(CheckGroundingFactChunk(chunk_text=one.chunk_text) for one in chunks),
        claims=tuple(claims),
    )


def fact_chunk(fact: GroundingFact, source: int, index: int) -> FactChunk:
    """Return *fact*, the one of the place *source* in the request, as the chunk *index*."""
    return FactChunk(
        chunk_text=fact.fact_text,
        source=str(source),
        index=index,
        source_metadata=fact.attributes,
        uri=fact.attributes.get("uri", ""),
        title=fact.attributes.get("title", ""),
    )
