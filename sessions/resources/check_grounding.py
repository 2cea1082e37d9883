"""Check what a text says against given facts: ``CheckGroundingRequest`` (discoveryengine)."""

from __future__ import annotations

import msgspec

from sessions.resources.base import Int32, Resource


class GroundingFact(Resource):
    """A text that claims are checked against."""

    fact_text: str = ""
    attributes: dict[str, str] = msgspec.field(default={})


class CheckGroundingSpec(Resource):
    """How strictly to check."""

    citation_threshold: float | None = None
    enable_claim_level_score: bool | None = None


class CheckGroundingRequest(Resource):
    """Check ``answer_candidate`` against ``facts``."""

    grounding_config: str = ""
    answer_candidate: str = ""
    facts: tuple[GroundingFact, ...] = ()
    grounding_spec: CheckGroundingSpec | None = None
    user_labels: dict[str, str] = msgspec.field(default={})


class FactChunk(Resource):
    """A piece of a fact; ``source`` is the index of the fact as a string."""

    chunk_text: str = ""
    source: str = ""
    index: Int32 = 0
    source_metadata: dict[str, str] = msgspec.field(default={})
    uri: str = ""
    title: str = ""
    domain: str = ""


class CheckGroundingFactChunk(Resource):
    """The text of a cited piece."""

    chunk_text: str = ""


class Claim(Resource):
    """One sentence of the candidate, in UTF-8 bytes, half open, with its citations."""

    start_pos: Int32 | None = None
    end_pos: Int32 | None = None
    claim_text: str = ""
    citation_indices: tuple[Int32, ...] = ()
    grounding_check_required: bool | None = None
    score: float | None = None


class CheckGroundingResponse(Resource):
    """How far the candidate is supported, claim by claim."""

    support_score: float | None = None
    cited_chunks: tuple[FactChunk, ...] = ()
    cited_facts: tuple[CheckGroundingFactChunk, ...] = ()
    claims: tuple[Claim, ...] = ()
