"""Who sends a request is known before it is routed, and asked of all but public paths."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

from service.api.http.request_address import REFUSED
from service.middleware.authentication import Authenticating
from service.security import principals
from service.security.credentials import Credentials
from service.security.principals import ANONYMOUS, Principal
from sessions.errors import NotFound, PermissionDenied, ServiceError


async def _authenticate(given: Credentials) -> Principal:
    if given.token != "right":
        raise PermissionDenied("bring a credential", reason="CREDENTIALS_MISSING")
    return ANONYMOUS


def outcome(
    path: str, token: str = "", fault: ServiceError | None = None, method: str = "GET"
) -> tuple[int, Any]:
    """Return the status of a request and the principal that the application saw."""
    seen: list[Any] = []

    async def application(scope: Any, _receive: Any, send: Any) -> None:
        seen.append(scope.get(principals.SCOPE_KEY))
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"{}"})

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    given: Any = {
        "type": "http",
        "method": method,
        "path": path,
        "headers": [(b"x-goog-api-key", token.encode())] if token else [],
        "query_string": b"",
        "client": ("192.0.2.1", 1),
    }
    if fault is not None:
        given[REFUSED] = fault
    anyio.run(Authenticating(application, _authenticate), given, receive, send)  # pyright: ignore[reportArgumentType]
    if sent[0]["status"] != 200:
        assert json.loads(sent[1]["body"])["error"]["code"] == sent[0]["status"]
    return sent[0]["status"], seen[0] if seen else None


def test_who_is_known_is_passed_on_by_name() -> None:
    """Handlers find the principal in the scope."""
    assert outcome("/v1/projects/p", "right") == (200, ANONYMOUS)


@pytest.mark.parametrize("path", ["/v1/projects/p", "/metrics", "/nowhere", "/livez/more"])
def test_who_is_not_known_is_refused(path: str) -> None:
    """Also where there is nothing: what there is, is for those who may ask."""
    assert outcome(path) == (403, None)


@pytest.mark.parametrize(
    "path", ["/", "/livez", "/readyz", "/docs", "/openapi.json", "/asyncapi.json", "/widget/a.js"]
)
def test_public_paths_ask_nobody(path: str) -> None:
    """They tell nothing of an installation."""
    assert outcome(path) == (200, None)


def test_what_is_wrong_with_an_address_is_told_to_who_may_ask() -> None:
    """To others the refusal is that of any address."""
    fault = NotFound("there is no such route", reason="ROUTE_NOT_FOUND")
    assert outcome("/v1/x", "right", fault)[0] == 404
    assert outcome("/v1/x", "", fault)[0] == 403


def test_a_browser_may_ask_before_it_shows_a_credential() -> None:
    """It sends none with OPTIONS, and would send nothing else if that were refused."""
    assert outcome("/v1/projects/p", method="OPTIONS") == (200, None)
    assert outcome("/v1/projects/p", fault=NotFound("x", reason="X"), method="OPTIONS")[0] == 404
