from __future__ import annotations

import pytest

from service.security.api_keys import lifecycle
from service.security.api_keys.api_key import Scope
from service.security.api_keys.registry import ApiKeyRegistry
from service.security.api_keys.store import ApiKeyStore
from service.security.authentication import NOBODY, Authentication
from service.security.credentials import Credentials
from service.security.limits.quotas import Quotas
from service.security.limits.rate_limiter import RateLimiter
from service.security.principals import ANONYMOUS, Principal, PrincipalKind
from sessions.errors import PermissionDenied, ServiceError
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

pytestmark = pytest.mark.anyio

USER = Principal(kind=PrincipalKind.USER, id="user:p:ada", subject="ada")


class OneToken:
    """Knows the token of one user."""

    async def principal(self, given: Credentials) -> Principal:
        if given.token != "a.user.token":
            raise PermissionDenied(
                "no", reason="TOKEN_EXPIRED" if given.token == "an.old.one" else "TOKEN_INVALID"
            )
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
    with pytest.raises(ServiceError) as refused:
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


async def test_too_much_that_is_not_valid_is_told_less(
    registry: ApiKeyRegistry, key: str, redis: Redis, keys: Keys
) -> None:
    """By all replicas together and to one address; what is valid is let in from there, too."""
    replicas = [
        Authentication(
            registry,
            OneToken(),
            count_failure=RateLimiter(
                redis, keys, Quotas({}, {}), longest=5
            ).count_failed_credential,
        )
        for _ in range(2)
    ]
    address = "2001:db8::1"

    async def told(token: str, address: str = address) -> list[str]:
        given = Credentials(token=token, address=address)
        return [await reason(replica, given) for replica in replicas]

    for _ in range(40):
        assert await told("") == ["CREDENTIALS_MISSING"] * 2
        assert await told("an.old.one") == ["TOKEN_EXPIRED"] * 2
        assert await told("colloquy_s_", "::1") == ["API_KEY_INVALID"] * 2
    guesses = [await told(each) for each in ["colloquy_s_", "a.b.c"] * 20]
    flat = [each for pair in guesses for each in pair]
    assert flat.count("TOO_MANY_FAILED_CREDENTIALS") == 20
    assert set(flat[:60]) == {"API_KEY_INVALID", "TOKEN_INVALID"}
    assert await told("an.old.one") == ["TOKEN_EXPIRED"] * 2
    assert await told("a.b.c", "2001:db8::2") == ["TOO_MANY_FAILED_CREDENTIALS"] * 2
    assert await told("a.b.c", "2001:db8:0:1::2") == ["TOKEN_INVALID"] * 2
    for replica in replicas:
        found = await replica.principal(Credentials(token=key, address=address))
        assert found.kind == "server"
        assert await replica.principal(Credentials(token="a.user.token", address=address)) is USER
