"""How callers stand with their quotas, and what they are told where one is used up."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from typing import Final

import msgspec

from service.security.limits.local_buckets import Level
from service.security.limits.quotas import FAILED_CREDENTIALS, Quota
from sessions.errors import ResourceExhausted

TOO_MANY: Final = "TOO_MANY_CONCURRENT_REQUESTS"


class Standing(msgspec.Struct, frozen=True):
    """How the caller stands with its scarcest quota after a request."""

    quota: Quota
    level: Level


class QuotaExceeded(ResourceExhausted):
    """A quota is used up; *standing* is how the caller stands with it."""

    def __init__(self, message: str, standing: Standing, *, reason: str, limit: str) -> None:
        """Refuse until the bucket gives again; metadata as that of google.api.ErrorReason."""
        quota = standing.quota
        super().__init__(
            message,
            reason=reason,
            retry_after=max(1, math.ceil(standing.level.wait)),
            quota=quota.kind,
            quota_limit=limit,
        )
        self.standing = standing

    @property
    def bound(self) -> str:
        """What was met: the kind of the quota, or ``concurrent_requests`` of any kind."""
        many = self.reason == TOO_MANY
        return "concurrent_requests" if many else self.standing.quota.kind


def scarcest(standings: Sequence[Standing]) -> Standing | None:
    """Return which quota is used up first, as far as one can tell; None of none."""
    with contextlib.suppress(ValueError):
        return min(standings, key=lambda each: each.level.remaining / each.quota.requests)
    return None


def exceeded(standing: Standing) -> QuotaExceeded:
    """Return the refusal of a request that its bucket has nothing for."""
    quota, limit = standing.quota, f"{standing.quota.requests}/minute"
    wait = max(1, math.ceil(standing.level.wait))
    if quota.kind == FAILED_CREDENTIALS:
        return QuotaExceeded(
            "too many API keys and tokens from this address were refused, more than "
            f"{quota.requests} in a minute: send one that is valid, which is let in at any time, "
            f"or try again in {wait} s",
            standing,
            reason="TOO_MANY_FAILED_CREDENTIALS",
            limit=limit,
        )
    return QuotaExceeded(
        f"the quota of this {quota.kind} is used up, {quota.requests} requests a minute: "
        f"ask again in {wait} s",
        standing,
        reason="RATE_LIMIT_EXCEEDED",
        limit=limit,
    )


def too_many(standing: Standing) -> QuotaExceeded:
    """Return the refusal of a request beside too many others."""
    quota = standing.quota
    return QuotaExceeded(
        f"{quota.concurrent} requests of this {quota.kind} are worked at already: ask again when "
        "one of them has ended",
        standing,
        reason=TOO_MANY,
        limit=f"{quota.concurrent} at once",
    )
