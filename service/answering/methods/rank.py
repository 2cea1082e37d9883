"""Rank records by how likely they answer a query."""

from __future__ import annotations

from typing import Final

import msgspec

from service.answering.requests import field_checks
from service.generation import extractive
from service.generation.generator import Source
from sessions.errors import InvalidArgument
from sessions.resources.rank import RankingRecord, RankRequest, RankResponse

RECORDS: Final = 200
"""Records that one call may bring."""

_LEAST: Final = 0.0001
_READ: Final = 10_000
_TITLE: Final = 1_000


def check(request: RankRequest) -> None:
    """Refuse what cannot be ranked.

    Raises:
        InvalidArgument: a field is out of its bounds; it is named.
    """
    field_checks.check_query(request.query, field="query")
    if not 1 <= len(request.records) <= RECORDS:
        raise InvalidArgument(f"records: give 1 to {RECORDS}", field="records")
    for at, record in enumerate(request.records):
        if not record.title.strip() and not record.content.strip():
            field = f"records[{at}].content"
            raise InvalidArgument(f"{field}: give a title or a content", field=field)
    field_checks.check_labels(request.user_labels)


def rank(request: RankRequest) -> RankResponse:
    """Return the best records, the best first; blocks, so call it in a thread."""
    scored = [(_score(request.query, record), record) for record in request.records]
    scored.sort(key=lambda one: -one[0])
    kept = scored[: request.top_n] if request.top_n > 0 else scored
    bare = request.ignore_record_details_in_response
    return RankResponse(records=tuple(_shown(record, score, bare=bare) for score, record in kept))


def _score(query: str, record: RankingRecord) -> float:
    source = Source(title=record.title[:_TITLE], text=(record.content or record.title)[:_READ])
    return extractive.answerability(query, (source,))


def _shown(record: RankingRecord, score: float, *, bare: bool) -> RankingRecord:
    rounded = max(_LEAST, round(score, 2))
    if bare:
        return RankingRecord(id=record.id, score=rounded)
    return msgspec.structs.replace(record, score=rounded)
