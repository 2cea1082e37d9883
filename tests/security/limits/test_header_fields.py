"""Callers read in each response how they stand (draft-ietf-httpapi-ratelimit-headers-10)."""

from __future__ import annotations

from service.security.limits.header_fields import fields
from service.security.limits.local_buckets import Level
from service.security.limits.quotas import Quota
from service.security.limits.rate_limiter import Standing


def test_policy_and_rest_are_structured_fields() -> None:
    """A list of one item each; seconds are whole, and none is said to be back too early."""
    standing = Standing(Quota("user", "u", 120), Level(0, 119, 0.4))
    assert dict(fields(standing)) == {
        b"ratelimit-policy": b'"user";q=120;w=60',
        b"ratelimit": b'"user";r=119;t=1',
    }
