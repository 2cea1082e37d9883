"""What administrators do over HTTP is in the audit log before they hear of it."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest

from service.api.http.json_bodies import METHOD
from service.middleware.auditing import Auditing
from service.privacy import audited_methods
from service.privacy.audit_log import AuditEntry
from service.privacy.audit_recorder import AuditRecorder
from service.security import principals
from service.security.principals import ANONYMOUS
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys
from tests.clients.discovery import Api, Service, call

pytestmark = pytest.mark.anyio


class Recorders:
    """A place to record in."""

    def __init__(self, audit: AuditRecorder | None) -> None:
        self.audit = audit


@pytest.fixture
def recorder(redis: Redis, keys: Keys) -> AuditRecorder:
    return AuditRecorder(redis, keys)


async def passed(recorder: AuditRecorder | None, method: str, handler: str, status: int) -> int:
    """Return the status that a client hears of a handler that answers *status*."""

    class Handler:
        handler_name = handler
        opt: ClassVar = {METHOD: audited_methods.EACH.get(handler, "")}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scope["route_handler"] = Handler()
        scope[principals.SCOPE_KEY] = ANONYMOUS
        await send({"type": "http.response.start", "status": status, "headers": []})

    heard: list[int] = []

    async def send(message: Any) -> None:
        heard.append(message["status"])

    async def receive() -> Any:
        raise AssertionError("nobody reads a body")

    scope: Any = {"type": "http", "method": method, "client": ("192.0.2.1", 1)}
    await Auditing(app, Recorders(recorder))(scope, receive, send)
    return heard[0]


async def recorded(recorder: AuditRecorder) -> list[AuditEntry]:
    await recorder.write()
    return [each.entry async for each in recorder.log.read()]


async def test_an_act_and_its_outcome_are_recorded(recorder: AuditRecorder) -> None:
    assert await passed(recorder, "POST", "create_engine", 200) == 200
    assert await passed(recorder, "DELETE", "delete_engine", 404) == 404
    told = [(each.method, each.outcome, each.principal) for each in await recorded(recorder)]
    assert told == [("CreateEngine", "OK", "anonymous"), ("DeleteEngine", "NOT_FOUND", "anonymous")]


async def test_refusals_are_counted_whatever_was_asked(recorder: AuditRecorder) -> None:
    for _ in range(3):
        await passed(recorder, "GET", "get_session", 403)
    (entry,) = await recorded(recorder)
    assert (entry.outcome, entry.count, entry.method) == ("PERMISSION_DENIED", 3, "get_session")


async def test_what_people_ask_is_not_recorded(recorder: AuditRecorder) -> None:
    await passed(recorder, "POST", "answer_query", 200)
    await passed(recorder, "GET", "get_engine", 200)
    assert await recorded(recorder) == []


async def test_requests_pass_while_there_is_no_place_to_record() -> None:
    assert await passed(None, "POST", "create_engine", 200) == 200


def test_a_service_records_what_its_clients_do(v1: Api, service: Service) -> None:
    store = f"{service.url}/v1/{v1.collection}/dataStores"
    assert call(f"{store}?dataStoreId=audited", "POST", {"displayName": "a"}).status == 200
    assert call(f"{store}/audited", "DELETE").status == 200
    assert call(f"{store}/never-there", "DELETE").status == 404

    async def acts() -> list[tuple[str, str, str]]:
        recorder = service.application.audit
        assert recorder is not None
        found = [each.entry async for each in recorder.log.read()]
        return [
            (each.method, each.resource.rpartition("/")[2], each.outcome)
            for each in found
            if v1.project in each.resource
        ]

    assert service.run(acts()) == [
        ("CreateDataStore", "dataStores", "OK"),
        ("DeleteDataStore", "audited", "OK"),
        ("DeleteDataStore", "never-there", "NOT_FOUND"),
    ]
