"""Opens what tells who asks."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path

import msgspec

from service.portal.portal import Portal
from service.portal.token_issuer import TokenIssuer
from service.project_numbers import ProjectNumbers
from service.security import anonymous_access
from service.security.api_keys.registry import ApiKeyRegistry
from service.security.api_keys.store import ApiKeyStore
from service.security.authentication import Authentication
from service.security.limits.rate_limiter import RateLimiter
from service.security.tokens import portal_issuers
from service.security.tokens.ended_visitors import EndedVisitors
from service.security.tokens.provider_keys import ProviderKeys
from service.security.tokens.signing_keys import SigningKeys
from service.security.tokens.token_verifier import TokenVerifier
from service.security.tokens.trusted_issuers import TrustedIssuer
from service.security.tokens.verification_keys import KeySource
from service.security.tokens.visitor_store import VisitorStore
from service.settings import Settings
from service.stores import Stores
from service.web import key_sets
from service.web.key_sets import KeySetEndpoint


class Identity(msgspec.Struct, frozen=True, kw_only=True):
    """The callers that are known, and what makes them known."""

    authentication: Authentication
    api_keys: ApiKeyRegistry
    tokens: TokenVerifier
    signing_keys: SigningKeys
    visitors: VisitorStore
    ended_visitors: EndedVisitors


@contextlib.asynccontextmanager
async def issuers(
    settings: Settings, portal: Portal, numbers: ProjectNumbers
) -> AsyncGenerator[Mapping[str, TrustedIssuer]]:
    """Open what signs tokens beside this service; it needs no Redis.

    Raises:
        PortalError: a key of theirs cannot be used.
    """
    tables = portal.token_issuers
    if not tables:
        yield {}
        return
    async with key_sets.client() as http:

        def provider_keys(table: TokenIssuer) -> KeySource:
            return ProviderKeys(KeySetEndpoint(http, table.jwks_url).fetch, table.algorithms)

        folder = settings.portal.parent if settings.portal else Path()
        yield portal_issuers.made(tables, folder, provider_keys, numbers)


@contextlib.asynccontextmanager
async def opened(
    settings: Settings,
    portal: Portal,
    stores: Stores,
    issuers: Mapping[str, TrustedIssuer],
    limiter: RateLimiter,
) -> AsyncGenerator[Identity]:
    """Open everything that a caller is known by.

    Raises:
        SettingsError: strangers could reach the service, and nothing tells who they are.
        Unavailable: Redis is away.
    """
    redis, keys = stores.redis, stores.keys
    api_keys = ApiKeyRegistry(ApiKeyStore(redis, keys))
    async with api_keys.kept():
        if not api_keys.any_known:
            anonymous_access.check(settings, portal.origins)
        signing_keys, visitors = SigningKeys(redis, keys), VisitorStore(redis, keys)
        tokens = TokenVerifier(
            signing_keys,
            issuers,
            holds=api_keys.holds,
            visitors=visitors,
            # While no key was ever made everybody is let in, and visitors may be tried out.
            anonymous=lambda: settings.anonymous or not api_keys.any_known,
        )
        yield Identity(
            authentication=Authentication(
                api_keys,
                tokens,
                anonymous=settings.anonymous,
                count_failure=limiter.count_failed_credential,
            ),
            api_keys=api_keys,
            tokens=tokens,
            signing_keys=signing_keys,
            visitors=visitors,
            ended_visitors=EndedVisitors(visitors),
        )
