"""Tell callers how they stand with their quotas (draft-ietf-httpapi-ratelimit-headers-10).

``RateLimit-Policy: "user";q=120;w=60`` says how much there is in how many seconds, and
``RateLimit: "user";r=119;t=1`` how much is left, and in how many seconds all will be back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from service.security.limits.quotas import WINDOW
from service.security.limits.standings import TOO_MANY, QuotaExceeded, Standing


def fields(standing: Standing) -> Sequence[tuple[bytes, bytes]]:
    """Return the header fields that tell of *standing*."""
    quota, level = standing.quota, standing.level
    policy = f'"{quota.kind}";q={quota.requests};w={WINDOW:g}'
    left = f'"{quota.kind}";r={max(0, level.remaining)};t={math.ceil(level.reset)}'
    return [(b"ratelimit-policy", policy.encode()), (b"ratelimit", left.encode())]


def of_refusal(error: QuotaExceeded) -> Mapping[str, str]:
    """Return the header fields of a refusal; of places there is no such field."""
    if error.reason == TOO_MANY:
        return {}
    return {name.decode(): value.decode() for name, value in fields(error.standing)}
