"""Each route is held to a rule, or the application does not start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar, get, route
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from service.api.http import method_rules, routes
from service.api.http.json_bodies import METHOD
from service.composition import asgi
from service.composition.app import create_app
from service.security import permissions
from service.settings import Settings


def application(handler: Any) -> Litestar:
    return Litestar([handler], openapi_config=None)


def handlers(app: Litestar) -> list[HTTPRouteHandler]:
    found = (each for each in app.routes if isinstance(each, HTTPRoute))
    return [handler for each in found for handler in each.route_handlers]


@pytest.mark.parametrize("operation_id", ["Frobnicate", None])
def test_a_route_without_a_rule_keeps_the_service_from_starting(operation_id: str | None) -> None:
    @get("/v1/frobnicators", operation_id=operation_id)
    async def frobnicate() -> None:
        """Do what nobody decided about."""

    with pytest.raises(LookupError, match="rule"):
        method_rules.bind(application(frobnicate))


def test_a_route_is_of_the_method_of_its_name() -> None:
    @route(
        routes.both("/sessions"), http_method="GET", operation_id=routes.operation("ListSessions")
    )
    async def list_sessions() -> None:
        """Stand for the method."""

    app = application(list_sessions)
    method_rules.bind(app)
    methods = [each.opt.get(METHOD) for each in handlers(app) if "GET" in each.http_methods]
    assert methods == ["ListSessions"] * 2


def test_every_method_of_the_table_is_offered_and_every_route_has_one(tmp_path: Path) -> None:
    """Frames are the methods that begin with a small letter."""
    app = asgi.routed(create_app(Settings(data_dir=tmp_path)))
    assert isinstance(app, Litestar)
    offered = {each.opt[METHOD] for each in handlers(app) if METHOD in each.opt}
    known = {method for rule in permissions.RULES for method in rule.methods}
    assert offered == {method for method in known if method[0].isupper()}
    open_to_all = {
        each.path
        for each in app.routes
        if isinstance(each, HTTPRoute)
        for handler in each.route_handlers
        if METHOD not in handler.opt and "refused" not in handler.opt
        if "OPTIONS" not in handler.http_methods
    }
    assert open_to_all == {
        *(
            "/",
            "/docs",
            "/demo",
            "/guide",
            "/guide/sections.json",
            "/guide/{page:str}",
            "/openapi.json",
            "/asyncapi.json",
            "/widget/{file:str}",
        ),
        "/widget/{version:str}/colloquy-chat.js",
        "/documents/{name:path}",
        *("/livez", "/readyz"),
    }
