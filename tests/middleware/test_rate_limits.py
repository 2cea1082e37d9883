"""Requests of known callers pass while their quotas last, and are told how they stand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.api.http.request_address import ADDRESS, RequestAddress
from service.middleware.rate_limits import RateLimiting
from service.security import principals
from service.security.limits.quotas import MINTING, READS, Quotas
from service.security.limits.rate_limiter import RateLimiter
from service.security.principals import ANONYMOUS, Principal, PrincipalKind
from sessions.redis.connection import Redis
from sessions.redis.keys import Keys

pytestmark = pytest.mark.anyio

_USER = Principal(kind=PrincipalKind.USER, id="user:p:u", project="p")
_ANSWER = "/v1/projects/p/locations/l/x/:answer"


class Door:
    """Requests through the middleware to an application that answers, or *breaks* off."""

    def __init__(self, redis: Redis, keys: Keys, rates: dict[str, int], **places: int) -> None:
        self.rate_limiter = RateLimiter(redis, keys, Quotas(rates, places), longest=60)
        self.breaks = False
        self.app = RateLimiting(self._application, self)  # pyright: ignore[reportArgumentType]

    async def _application(self, _scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        if not self.breaks:
            await send({"type": "http.response.body", "body": b"{}"})

    async def ask(
        self,
        path: str = _ANSWER,
        method: str = "POST",
        who: Principal | None = _USER,
        address: str = "192.0.2.1",
    ) -> tuple[int, dict[bytes, bytes], bytes]:
        """Return the status, headers and body of a reply."""
        sent: list[Any] = []
        scope: dict[str, Any] = {
            "type": "http",
            "method": method,
            "path": path,
            "headers": [],
            "query_string": b"",
            "client": (address, 1),
            ADDRESS: RequestAddress("v1", "projects/p/locations/l"),
        }
        if who is not None:
            scope[principals.SCOPE_KEY] = who

        async def send(message: Any) -> None:
            sent.append(message)

        async def receive() -> Any:
            return {"type": "http.request", "body": b"", "more_body": False}

        await self.app(scope, receive, send)  # pyright: ignore[reportArgumentType]
        body = b"".join(each.get("body", b"") for each in sent[1:])
        return sent[0]["status"], dict(sent[0]["headers"]), body

    async def statuses(self, count: int, **asked: Any) -> list[int]:
        """Return the statuses of so many requests."""
        return [(await self.ask(**asked))[0] for _ in range(count)]


async def test_each_response_tells_how_the_caller_stands(redis: Redis, keys: Keys) -> None:
    """The policy, and what is left of it."""
    status, headers, _ = await Door(redis, keys, {"user": 3, "project": 9}).ask()
    assert status == 200
    assert headers[b"ratelimit-policy"] == b'"user";q=3;w=60'
    assert headers[b"ratelimit"] == b'"user";r=2;t=20'


async def test_a_refusal_says_when_to_come_back(redis: Redis, keys: Keys) -> None:
    """In headers, and in the details of the error."""
    door = Door(redis, keys, {"user": 2})
    assert await door.statuses(2) == [200, 200]
    status, headers, body = await door.ask()
    assert (status, headers[b"retry-after"]) == (429, b"30")
    assert headers[b"ratelimit"].startswith(b'"user";r=0;')
    error = json.loads(body)["error"]
    assert error["status"] == "RESOURCE_EXHAUSTED"
    details = {detail["@type"].rpartition(".")[2]: detail for detail in error["details"]}
    assert details["ErrorInfo"]["reason"] == "RATE_LIMIT_EXCEEDED"
    assert details["RetryInfo"]["retryDelay"] == "30s"
    assert details["QuotaFailure"]["violations"][0]["subject"] == "user"


async def test_reads_have_more(redis: Redis, keys: Keys) -> None:
    """And a write by GET is none."""
    door = Door(redis, keys, {"user": 1})
    assert await door.statuses(READS + 1, method="GET") == [200] * READS + [429]
    assert await door.statuses(2, method="GET", path="/v1/projects/p/:collect") == [200, 429]


async def test_a_new_visitor_costs_its_address(redis: Redis, keys: Keys) -> None:
    """As many requests as make it useless to become another one again and again."""
    nobody = Principal(kind=PrincipalKind.NOBODY, id="nobody")
    door = Door(redis, keys, {"address": 2 * MINTING})
    path = "/v1/projects/p/:mintVisitorToken"
    assert await door.statuses(3, path=path, who=nobody) == [200, 200, 429]
    assert await door.statuses(1, path=path, who=nobody, address="192.0.2.2") == [200]


async def test_who_is_on_this_machine_has_no_bound(redis: Redis, keys: Keys) -> None:
    """While nobody is asked who it is; and public paths ask nobody ever."""
    door = Door(redis, keys, {"address": 1})
    status, headers, _ = await door.ask(who=ANONYMOUS, address="127.0.0.1")
    assert (status, headers) == (200, {})
    assert await door.statuses(3, who=ANONYMOUS, address="127.0.0.1") == [200] * 3
    assert await door.statuses(3, who=None) == [200] * 3
    assert await door.statuses(2, who=ANONYMOUS) == [200, 429]


async def test_a_place_is_free_when_the_response_is_told(redis: Redis, keys: Keys) -> None:
    """One that broke off keeps its place for a lease, and is not renewed."""
    door = Door(redis, keys, {}, user=1)
    for _ in range(2):
        assert (await door.ask())[0] == 200
        await door.rate_limiter.places.tell_released()
    door.breaks = True
    await door.ask()
    await door.rate_limiter.places.tell_released()
    assert (await door.ask())[0] == 429


async def test_a_back_end_pays_for_what_it_mints(redis: Redis, keys: Keys) -> None:
    """A visitor costs it as much as an address, a token of a user one; its address pays nothing."""
    back_end = Principal(kind=PrincipalKind.SERVER, id="key:1", project="p")
    door = Door(redis, keys, {"key": MINTING + 2, "address": 1})
    for path, left in ((":mintVisitorToken", b"2"), (":mintToken", b"1"), (":answer", b"0")):
        status, headers, _ = await door.ask(f"/v1/projects/p/{path}", who=back_end)
        assert status == 200
        assert headers[b"ratelimit"].startswith(b'"key";r=' + left)
    assert await door.statuses(1, who=back_end) == [429]
    # What is asked with the tokens counts for others.
    assert await door.statuses(1) == [200]
