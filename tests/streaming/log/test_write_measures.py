"""What is written to the log is measured, batch by batch."""

from __future__ import annotations

import math

import pytest

from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.streaming import doubles
from tests.streaming.doubles import Puppet, Reader

pytestmark = pytest.mark.anyio


async def test_a_batch_is_measured_with_its_entries_bytes_and_seconds(
    redis: Redis, keys: Keys
) -> None:
    async with doubles.replica(redis, keys, Puppet()) as replica:
        accepted = await replica.submit()
        reader = Reader(replica.tail, accepted.answer)
        replica.puppet.say(accepted.answer, "some text")
        await reader.until("some text")
        measures = replica.runner.measures
        batches = dict(measures.entries.cumulative())[math.inf]
        assert batches >= 1
        assert measures.entries.total >= batches
        assert measures.sent_bytes > len("some text")
        for seconds in (measures.append_seconds, measures.lag_seconds):
            assert dict(seconds.cumulative())[math.inf] == batches
        assert 0 < measures.append_seconds.total <= measures.lag_seconds.total
        assert replica.runner.in_doubt == 0
