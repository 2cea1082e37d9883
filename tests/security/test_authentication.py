from __future__ import annotations

import pytest

from service.security.api_keys import lifecycle
from service.security.api_keys.api_key import Scope
from service.security.api_keys.registry import ApiKeyRegistry
from service.security.api_keys.store import ApiKeyStore
from service.security.authentication import NOBODY, Authentication
from service.security.credentials import Credentials
from service.security.principals import ANONYMOUS, Principal, PrincipalKind
from sessions.errors import InvalidArgument, PermissionDenied
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

pytestmark = pytest.mark.anyio

USER = Principal(kind=PrincipalKind.USER, id="user:p:ada", subject="ada")


class OneToken:
    """Knows the token of one user."""

    async def principal(self, given: Credentials) -> Principal:
        if given.token != "a.user.token":
            raise PermissionDenied("no", reason="TOKEN_INVALID")
        return USER


@pytest.fixture
async def registry(redis: Redis, keys: Keys) -> ApiKeyRegistry:
    registry = ApiKeyRegistry(ApiKeyStore(redis, keys))
    await registry.refresh()
    return registry


@pytest.fixture
async def key(redis: Redis, keys: Keys, registry: ApiKeyRegistry) -> str:
    _, text = await lifecycle.create(ApiKeyStore(redis, keys), Scope.SERVER, now=0.0)
    await registry.refresh()
    return text


async def reason(authentication: Authentication, given: Credentials) -> str:
    with pytest.raises((PermissionDenied, InvalidArgument)) as refused:
        await authentication.principal(given)
    return refused.value.reason


@pytest.mark.parametrize("token", ["", "anything", "colloquy_s_", "a.user.token"])
async def test_without_keys_everybody_is_anonymous(registry: ApiKeyRegistry, token: str) -> None:
    authentication = Authentication(registry, OneToken())
    assert not authentication.required
    assert await authentication.principal(Credentials(token=token, in_url=True)) is ANONYMOUS


async def test_with_a_key_who_brings_nothing_or_something_wrong_is_refused(
    registry: ApiKeyRegistry, key: str
) -> None:
    authentication = Authentication(registry, OneToken())
    assert authentication.required
    assert await reason(authentication, Credentials()) == "CREDENTIALS_MISSING"
    assert await reason(authentication, Credentials(token="colloquy_s_")) == "API_KEY_INVALID"
    assert await reason(authentication, Credentials(token="a.b.c")) == "TOKEN_INVALID"
    assert (await authentication.principal(Credentials(token=key))).kind == "server"
    assert await authentication.principal(Credentials(token="a.user.token")) is USER


async def test_a_credential_in_the_url_is_refused_though_another_one_is_right(
    registry: ApiKeyRegistry, key: str
) -> None:
    authentication = Authentication(registry, OneToken(), anonymous=True)
    given = Credentials(token=key, in_url=True)
    assert await reason(authentication, given) == "CREDENTIAL_IN_URL"


async def test_strangers_are_nobody_where_visitors_are_welcome(
    registry: ApiKeyRegistry, key: str
) -> None:
    """What is wrong is no stranger's: whoever has it should hear that it does not hold."""
    authentication = Authentication(registry, OneToken(), anonymous=True)
    assert await authentication.principal(Credentials()) is NOBODY
    assert await reason(authentication, Credentials(token=f"{key}x")) == "API_KEY_INVALID"


async def test_without_a_verifier_whatever_is_no_key_is_refused(
    registry: ApiKeyRegistry, key: str
) -> None:
    authentication = Authentication(registry)
    assert await reason(authentication, Credentials(token="a.user.token")) == "API_KEY_INVALID"
