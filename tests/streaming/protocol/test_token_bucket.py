"""How often something may happen."""

from __future__ import annotations

from streaming.protocol.token_bucket import TokenBucket


def test_a_bucket_gives_back_what_time_brings() -> None:
    bucket = TokenBucket(rate=2, burst=1, now=0.0)
    assert bucket.take(0.0)
    assert not bucket.take(0.4)
    assert bucket.take(0.5)


def test_an_allowance_comes_back_at_its_rate_and_never_exceeds_its_burst() -> None:
    bucket = TokenBucket(rate=2, burst=5, now=100.0)
    assert [bucket.take(100.0) for _ in range(6)] == [True] * 5 + [False]
    assert [bucket.take(101.0) for _ in range(3)] == [True, True, False]
    assert [bucket.take(1000.0) for _ in range(6)] == [True] * 5 + [False]
    assert bucket.take(1002.0, 4)
    assert not bucket.take(1002.4)
    assert bucket.take(1002.5)
    assert not bucket.take(2000.0, 6)
    assert bucket.take(2000.0, 5)
