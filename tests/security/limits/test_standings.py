"""What callers are told where a quota is used up."""

from __future__ import annotations

import pytest

from service.security.limits.local_buckets import Level
from service.security.limits.quotas import Quota, of_failed_credentials
from service.security.limits.standings import QuotaExceeded, Standing, exceeded, scarcest, too_many

(_GUESSES,) = of_failed_credentials("192.0.2.1")
_USER = Quota("user", "user:p:ada", 120, 9)


@pytest.mark.parametrize(
    ("refusal", "reason", "bound"),
    [
        (exceeded(Standing(_USER, Level(2.5, 0, 60))), "RATE_LIMIT_EXCEEDED", "user"),
        (
            too_many(Standing(_USER, Level(1, 0, 1))),
            "TOO_MANY_CONCURRENT_REQUESTS",
            "concurrent_requests",
        ),
        (
            exceeded(Standing(_GUESSES, Level(1, 0, 60))),
            "TOO_MANY_FAILED_CREDENTIALS",
            "failed_credentials",
        ),
    ],
)
def test_a_refusal_names_its_quota_and_no_holder(
    refusal: QuotaExceeded, reason: str, bound: str
) -> None:
    """Holders are ids and addresses of people."""
    quota = refusal.standing.quota
    assert refusal.reason == reason
    assert refusal.metadata["quota"] == quota.kind
    assert refusal.bound == bound
    assert quota.holder not in f"{refusal.message} {refusal.metadata}"


def test_when_to_come_back_is_in_whole_seconds() -> None:
    """Rounded up: earlier there is nothing yet."""
    refusal = exceeded(Standing(_USER, Level(2.5, 0, 60)))
    assert refusal.retry_after == 3
    assert "in 3 s" in refusal.message


def test_the_scarcest_is_what_is_nearest_to_its_end() -> None:
    """By its share, not its number."""
    plenty = Standing(Quota("user", "u", 10), Level(0, 9, 1))
    scarce = Standing(Quota("project", "p", 1000), Level(0, 10, 1))
    assert scarcest([plenty, scarce]) is scarce
    assert scarcest([]) is None
