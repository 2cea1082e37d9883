"""Callers read in each response how they stand (draft-ietf-httpapi-ratelimit-headers-10)."""

from __future__ import annotations

from service.security.limits.header_fields import fields, of_refusal
from service.security.limits.local_buckets import Level
from service.security.limits.quotas import Quota
from service.security.limits.standings import Standing, exceeded, too_many


def test_policy_and_rest_are_structured_fields() -> None:
    """A list of one item each; seconds are whole, and none is said to be back too early."""
    standing = Standing(Quota("user", "u", 120), Level(0, 119, 0.4))
    assert dict(fields(standing)) == {
        b"ratelimit-policy": b'"user";q=120;w=60',
        b"ratelimit": b'"user";r=119;t=1',
    }


def test_a_refusal_says_how_the_caller_stands() -> None:
    """Not where too much is under way: of that there is no rate."""
    standing = Standing(Quota("user", "u", 120, 9), Level(3, 0, 60))
    assert of_refusal(exceeded(standing)) == {
        "ratelimit-policy": '"user";q=120;w=60',
        "ratelimit": '"user";r=0;t=60',
    }
    assert of_refusal(too_many(standing)) == {}
