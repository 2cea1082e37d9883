"""What it costs to rank records."""

from __future__ import annotations

from service.answering.methods import rank
from sessions.resources.rank import RankingRecord, RankRequest
from tests.answering.processor_time import cpu


def test_a_title_is_ranked_by_its_beginning() -> None:
    record = RankingRecord(id="1", title="fee " * 100_000)
    assert cpu(lambda: rank.rank(RankRequest(query="What is the fee?", records=(record,)))) < 5
