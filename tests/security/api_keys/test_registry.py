"""A real Redis; two registries stand for two processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec
import pytest

from service.security.api_keys import key_text, lifecycle
from service.security.api_keys.api_key import Scope
from service.security.api_keys.registry import ApiKeyRegistry
from service.security.api_keys.store import ApiKeyStore
from sessions.errors import FailedPrecondition, PermissionDenied, Unavailable
from sessions.redis import connection
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests import redis_servers
from tests.waiting import LONG, eventually

pytestmark = pytest.mark.anyio

NOW = 1_900_000_000.0


@pytest.fixture
def kept(redis: Redis, keys: Keys) -> ApiKeyStore:
    return ApiKeyStore(redis, keys)


def at(moment: list[float]) -> Callable[[], float]:
    return lambda: moment[0]


def refusal(held: ApiKeyRegistry, text: str) -> str:
    with pytest.raises(PermissionDenied) as refused:
        held.principal(text)
    assert refused.value.reason == "API_KEY_INVALID"
    assert not text[20:] or text[20:] not in refused.value.message
    return refused.value.message


async def heard(held: ApiKeyRegistry, credential: str) -> None:
    """Wait until *held* tells that *credential* has ended."""
    ended = asyncio.Event()
    held.on_revoked(lambda each: ended.set() if each == credential else None)
    async with asyncio.timeout(LONG):
        await ended.wait()


async def test_whoever_brings_a_key_is_what_it_says(kept: ApiKeyStore) -> None:
    data_store = "projects/p/locations/global/collections/c/dataStores/help"
    key, text = await lifecycle.create(
        kept, Scope.SERVER, now=NOW, project="p", data_stores=[data_store], expires=NOW + 9
    )
    held = ApiKeyRegistry(kept, clock=at([NOW]))
    await held.refresh()
    principal = held.principal(text)
    assert principal.kind == "server"
    assert principal.id == f"key:{key.id}"
    assert (principal.project, principal.data_stores) == ("p", (data_store,))
    assert principal.expires == NOW + 9
    assert held.holds(principal.credential)


async def test_no_key_is_known_until_the_first_and_some_ever_after(
    redis: Redis, keys: Keys, kept: ApiKeyStore
) -> None:
    """A Redis that lost its data must not let everybody in."""
    held = ApiKeyRegistry(kept)
    began: list[str] = []
    held.on_revoked(began.append)
    await held.refresh()
    assert not held.any_known
    key, _ = await lifecycle.create(kept, Scope.ADMIN, now=NOW)
    await lifecycle.revoke(kept, key.id, now=NOW)
    await held.refresh()
    assert held.any_known
    assert began == [""]
    await redis.execute(keys.api_keys("keys"), "DEL", keys.api_keys("keys"), keys.api_keys("state"))
    await held.refresh()
    assert held.any_known


async def test_nothing_of_a_key_is_kept_that_could_be_sent(
    redis: Redis, keys: Keys, kept: ApiKeyStore
) -> None:
    _, text = await lifecycle.create(kept, Scope.ADMIN, now=NOW)
    stored: list[bytes] = await redis.execute(b"", "HVALS", keys.api_keys("keys"))
    secret = text.split("_")[3].encode()
    assert all(secret[at : at + 8] not in stored[0] for at in range(len(secret) - 8))


def _cut_off(text: str) -> str:
    return text[:-1]


def _with_another_secret(text: str) -> str:
    return key_text.new("s", key_text.id_in(text))


def _lengthened(text: str) -> str:
    return text + "é" * 10_000


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_cut_off, "mistyped"),
        (_with_another_secret, "not known"),
        (_lengthened, "mistyped"),
    ],
    ids=["cut off", "another secret", "long"],
)
async def test_what_is_not_exactly_the_key_is_refused(
    kept: ApiKeyStore, change: Callable[[str], str], said: str
) -> None:
    _, text = await lifecycle.create(kept, Scope.SERVER, now=NOW)
    held = ApiKeyRegistry(kept)
    await held.refresh()
    assert said in refusal(held, change(text))


async def test_a_key_ends_when_it_expires_for_open_sockets_too(kept: ApiKeyStore) -> None:
    moment = [NOW]
    _, text = await lifecycle.create(kept, Scope.SERVER, now=NOW, expires=NOW + 60)
    held = ApiKeyRegistry(kept, clock=at(moment))
    await held.refresh()
    credential, told = held.principal(text).credential, list[str]()
    held.on_revoked(told.append)
    moment[0] = NOW + 59.9
    await held.refresh()
    assert held.principal(text)
    assert told == []
    moment[0] = NOW + 60
    assert "expired" in refusal(held, text)
    await held.refresh()
    assert told == [credential]
    assert not held.holds(credential)


async def test_a_rotated_key_is_the_same_principal_with_two_secrets_for_a_while(
    kept: ApiKeyStore,
) -> None:
    """What was begun under a key goes on under its next secret."""
    moment = [NOW]
    key, before = await lifecycle.create(kept, Scope.INTEGRATION, now=NOW)
    held = ApiKeyRegistry(kept, clock=at(moment))
    await held.refresh()
    old, told = held.principal(before).credential, list[str]()
    held.on_revoked(told.append)
    _, after = await lifecycle.rotate(kept, key.id, overlap=60, now=NOW)
    await held.refresh()
    assert held.principal(before).id == held.principal(after).id
    assert held.principal(before).expires == NOW + 60
    moment[0] = NOW + 60
    await held.refresh()
    assert told == [old]
    assert "expired" in refusal(held, before)
    assert held.principal(after).expires == 0


async def test_a_second_rotation_lengthens_no_overlap(kept: ApiKeyStore) -> None:
    key, _ = await lifecycle.create(kept, Scope.SERVER, now=NOW)
    await lifecycle.rotate(kept, key.id, overlap=60, now=NOW)
    key, _ = await lifecycle.rotate(kept, key.id, overlap=600, now=NOW + 1)
    assert [secret.expires for secret in key.secrets] == [NOW + 60, NOW + 601, 0]
    key, _ = await lifecycle.rotate(kept, key.id, overlap=0, now=NOW + 700)
    assert [(secret.number, secret.expires) for secret in key.secrets] == [(3, NOW + 700), (4, 0)]


async def test_a_revoked_key_is_refused_by_every_process_at_once(kept: ApiKeyStore) -> None:
    key, text = await lifecycle.create(kept, Scope.SERVER, now=NOW)
    one, other = ApiKeyRegistry(kept), ApiKeyRegistry(kept)
    async with one.kept(), other.kept(), asyncio.timeout(LONG), asyncio.TaskGroup() as tasks:
        for held in (one, other):
            credential = held.principal(text).credential
            tasks.create_task(heard(held, credential))
        await asyncio.sleep(0)
        await lifecycle.revoke(kept, key.id, now=NOW)
    for held in (one, other):
        assert "revoked" in refusal(held, text)


async def test_a_revocation_that_a_failover_forgot_is_remembered(
    redis: Redis, keys: Keys, kept: ApiKeyStore
) -> None:
    key, text = await lifecycle.create(kept, Scope.SERVER, now=NOW)
    held = ApiKeyRegistry(kept)
    await lifecycle.revoke(kept, key.id, now=NOW)
    await held.refresh()
    await redis.execute(b"", "HSET", keys.api_keys("keys"), key.id, msgspec.json.encode(key))
    await redis.execute(b"", "SET", keys.api_keys("state"), b"another")
    await held.refresh()
    assert "revoked" in refusal(held, text)


@pytest.mark.parametrize(
    "change", [(b"server", b"all"), (b'"digest":"', b'"digest":"x'), (b"{", b"")]
)
async def test_a_damaged_key_holds_nowhere_and_ends_no_other(
    redis: Redis, keys: Keys, kept: ApiKeyStore, change: tuple[bytes, bytes]
) -> None:
    key, text = await lifecycle.create(kept, Scope.SERVER, now=NOW)
    damaged = msgspec.json.encode(key).replace(*change)
    await redis.execute(b"", "HSET", keys.api_keys("keys"), "damaged", damaged)
    held = ApiKeyRegistry(kept)
    await held.refresh()
    assert held.principal(text)
    with pytest.raises(FailedPrecondition, match="is damaged"):
        await lifecycle.revoke(kept, "damaged", now=NOW)


async def test_a_change_that_nobody_tells_is_seen_all_the_same(
    redis: Redis, keys: Keys, kept: ApiKeyStore
) -> None:
    key, text = await lifecycle.create(kept, Scope.SERVER, now=NOW)
    held = ApiKeyRegistry(kept)
    deaf = ApiKeyStore(redis, keys)
    deaf.channel = b"elsewhere"
    async with held.kept(), asyncio.timeout(LONG), asyncio.TaskGroup() as tasks:
        tasks.create_task(heard(held, held.principal(text).credential))
        await asyncio.sleep(0)
        await lifecycle.revoke(deaf, key.id, now=NOW)


async def test_the_last_use_is_written_for_many_at_once(kept: ApiKeyStore) -> None:
    moment = [NOW]
    made = [await lifecycle.create(kept, Scope.SERVER, now=NOW) for _ in range(3)]
    held = ApiKeyRegistry(kept, clock=at(moment))
    async with held.kept():
        for _, text in made[:2]:
            held.principal(text)
        moment[0] = NOW + 5.5
        held.principal(made[0][1])
        assert await kept.uses() == {}
    assert await kept.uses() == {made[0][0].id: NOW + 5, made[1][0].id: NOW}


async def test_nobody_is_let_in_by_what_redis_has_not_confirmed(
    own_server: redis_servers.Server, keys: Keys
) -> None:
    async with connection.connect(own_server.url) as redis:
        held = ApiKeyRegistry(ApiKeyStore(redis, keys))
        async with held.kept():
            await held.current()
            own_server.stop()
            await eventually(lambda: not redis.available)
            held._read_at -= 2  # pyright: ignore[reportPrivateUsage] - seconds go by
            with pytest.raises(Unavailable, match="while Redis is away"):
                await held.current()
            assert not held.is_current


async def test_keys_are_kept_and_changes_told_in_a_cluster(
    redis_cluster: redis_servers.Cluster, keys: Keys
) -> None:
    async with connection.connect(redis_cluster.url) as redis:
        kept = ApiKeyStore(redis, keys)
        key, text = await lifecycle.create(kept, Scope.SERVER, now=NOW)
        held = ApiKeyRegistry(kept)
        async with held.kept(), asyncio.timeout(LONG), asyncio.TaskGroup() as tasks:
            tasks.create_task(heard(held, held.principal(text).credential))
            await asyncio.sleep(0)
            await lifecycle.revoke(kept, key.id, now=NOW)
