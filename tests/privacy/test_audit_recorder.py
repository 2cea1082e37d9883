"""Acts are recorded one by one or by their number, and people by a digest."""

from __future__ import annotations

import pytest

from service.privacy.audit_log import RecordedEntry
from service.privacy.audit_recorder import AuditedAct, AuditRecorder
from service.security.principals import Principal, PrincipalKind
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

pytestmark = pytest.mark.anyio

KEY = Principal(kind=PrincipalKind.SERVER, id="key:k1", project="p")
USER = Principal(kind=PrincipalKind.USER, id="user:p:ada@x", project="p", subject="ada@x")
ENGINE = "projects/p/locations/global/collections/c/engines/e"


@pytest.fixture
def recorder(redis: Redis, keys: Keys) -> AuditRecorder:
    return AuditRecorder(redis, keys)


async def recorded(recorder: AuditRecorder) -> list[RecordedEntry]:
    return [each async for each in recorder.log.read()]


async def test_an_act_is_recorded_at_once(recorder: AuditRecorder) -> None:
    await recorder.record(AuditedAct(KEY, "CreateEngine", ENGINE, "192.0.2.1"))
    (found,) = await recorded(recorder)
    entry = found.entry
    assert (entry.principal, entry.method, entry.resource) == ("key:k1", "CreateEngine", ENGINE)
    assert (entry.address, entry.outcome, entry.count) == ("192.0.2.1", "OK", 1)


async def test_acts_of_a_kind_become_one_entry(recorder: AuditRecorder) -> None:
    for _ in range(3):
        await recorder.count(AuditedAct(KEY, "CreateDocument", ENGINE, "192.0.2.1"))
    await recorder.count(AuditedAct(KEY, "CreateDocument", ENGINE, "192.0.2.2"))
    assert await recorded(recorder) == []
    await recorder.write()
    assert [each.entry.count for each in await recorded(recorder)] == [3, 1]


async def test_made_up_addresses_do_not_fill_the_log(recorder: AuditRecorder) -> None:
    for number in range(1_100):
        await recorder.count(AuditedAct(KEY, "", "", f"a{number}", "PERMISSION_DENIED"))
    await recorder.write()
    found = [each.entry for each in await recorded(recorder)]
    assert len(found) == 1_001
    assert (found[-1].principal, found[-1].count) == ("others", 100)


async def test_a_person_is_a_digest_that_only_the_installation_can_make(
    redis: Redis, keys: Keys, recorder: AuditRecorder
) -> None:
    await recorder.record(AuditedAct(USER, "PurgeUserData", "projects/p/locations/l", "192.0.2.7"))
    (found,) = await recorded(recorder)
    assert b"ada" not in found.text
    assert b"192.0.2.7" not in found.text
    again = AuditRecorder(redis, keys).identities
    assert found.entry.principal == f"user:{await again.subject('p', 'ada@x')}"
    elsewhere = AuditRecorder(redis, Keys(f"{keys.prefix}o")).identities
    assert found.entry.principal != f"user:{await elsewhere.subject('p', 'ada@x')}"
