"""Rank records by their relevance to a query: ``RankRequest`` (discoveryengine)."""

from __future__ import annotations

import msgspec

from sessions.resources.base import Int32, Resource


class RankingRecord(Resource):
    """A text to rank, and its score."""

    id: str = ""
    title: str = ""
    content: str = ""
    score: float = 0.0


class RankRequest(Resource):
    """Rank ``records``."""

    ranking_config: str = ""
    model: str = ""
    top_n: Int32 = 0
    query: str = ""
    records: tuple[RankingRecord, ...] = ()
    ignore_record_details_in_response: bool = False
    user_labels: dict[str, str] = msgspec.field(default={})


class RankResponse(Resource):
    """The records, best first."""

    records: tuple[RankingRecord, ...] = ()
