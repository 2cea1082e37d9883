"""Limiters as each replica has one, and a visitor who asks them."""

from __future__ import annotations

from typing import Final

from service.security.limits.held_places import Admission
from service.security.limits.quotas import Quotas
from service.security.limits.rate_limiter import RateLimiter
from service.security.principals import Principal, PrincipalKind
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

VISITOR: Final = Principal(kind=PrincipalKind.VISITOR, id="visitor:p:visitor-1", project="p")


def limiter(redis: Redis, keys: Keys, rates: dict[str, int], **places: int) -> RateLimiter:
    """Return the limiter of one replica."""
    return RateLimiter(redis, keys, Quotas(rates, places), longest=5)


async def admit(replica: RateLimiter, who: Principal = VISITOR, cost: int = 1) -> Admission:
    """Ask from one address, in one project."""
    return await replica.admit(who, "192.0.2.1", "p", cost=cost)
