"""Who is named in records of what they do, by the id of their token, is named there no more."""

from __future__ import annotations

import msgspec
import pytest

from service.privacy.user_data import UserDataScope
from service.privacy.user_traces import UserTraces
from service.security.principals import PrincipalKind, person_mark
from service.security.tokens.trusted_issuers import principal_id
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

pytestmark = pytest.mark.anyio

LOCATION = "projects/p/locations/global"
ANN = UserDataScope(location=LOCATION, subject="ann")


@pytest.mark.parametrize("kind", [PrincipalKind.USER, PrincipalKind.VISITOR])
async def test_operations_that_a_person_began_go_with_them(
    redis: Redis, keys: Keys, kind: PrincipalKind
) -> None:
    theirs, others = (f"{LOCATION}/operations/export-{each}" for each in ("1", "2"))
    for name, subject in ((theirs, "ann"), (others, "anna")):
        mark = person_mark(principal_id(kind, "p", subject))
        key = keys.resource(name)
        await redis.execute(key, "SET", key, msgspec.json.encode({"startedBy": mark}))
    await UserTraces(redis, keys).delete(ANN)
    left = [await redis.execute(key, "EXISTS", key) for key in map(keys.resource, (theirs, others))]
    assert left == [0, 1]
