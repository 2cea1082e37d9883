"""Handlers of messages are called as the framework would, without it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar import Litestar, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from service.api.http import direct_calls
from service.api.http.direct_calls import DirectCalls
from service.api.http.json_bodies import METHOD
from service.api.http.request_address import ADDRESS, RequestAddress
from service.composition import asgi, handler_services
from service.composition.app import create_app
from service.settings import Settings
from sessions.resources.base import Empty

pytestmark = pytest.mark.anyio


class Panic(BaseException):
    """Raised as native code does."""


@get("/v1/panics")
async def panicking() -> Empty:
    """Panic."""
    raise Panic


@get("/v1/pages")
async def paging() -> bytes:
    """Return what is no message."""
    return b"a page"


def handlers(app: Litestar) -> list[HTTPRouteHandler]:
    found = (each for each in app.routes if isinstance(each, HTTPRoute))
    return [handler for each in found for handler in each.route_handlers]


async def answered(path: str, method: str = "GET") -> tuple[int, bytes]:
    """Return status and body of what an application with the two handlers answers."""
    app = Litestar([panicking, paging], openapi_config=None, logging_config=None)
    scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "headers": []}
    scope |= {"query_string": b"", "litestar_app": app, "state": {}}
    scope[ADDRESS] = RequestAddress("v1", path.removeprefix("/v1/"))
    sent: list[Any] = []

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    given: Any = scope
    await DirectCalls(app.asgi_handler, app, {})(given, receive, send)
    return sent[0]["status"], b"".join(each.get("body", b"") for each in sent)


def test_every_method_that_returns_a_message_is_called_directly(tmp_path: Path) -> None:
    app = asgi.routed(create_app(Settings(data_dir=tmp_path)))
    assert isinstance(app, Litestar)
    parts = dict.fromkeys(handler_services.PATHS, object)
    methods = [each for each in handlers(app) if METHOD in each.opt]
    left = [each for each in methods if direct_calls.direct(each, parts) is None]
    returned: set[Any] = {each.parsed_return_field.annotation for each in left}
    assert {each for each in returned if each not in (Response[Any], Response[bytes])} == set()


async def test_a_handler_that_panics_is_told_as_any_failure() -> None:
    status, body = await answered("/v1/panics")
    assert (status, msgspec.json.decode(body)["error"]["status"]) == (500, "INTERNAL")


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/v1/pages", "GET", 200), ("/v1/nothing", "GET", 404), ("/v1/panics", "PUT", 405)],
)
async def test_what_returns_no_message_is_left_to_the_framework(
    path: str, method: str, status: int
) -> None:
    assert (await answered(path, method))[0] == status
