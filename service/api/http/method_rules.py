"""Hold each route to the rule of its method, before its handler is called.

An application with a route whose method has no rule does not start: what nobody decided about is
not open to everybody.
"""

from __future__ import annotations

from typing import Any, Final, cast

from litestar import Litestar, Request
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute

from service.api.http import versions
from service.api.http.json_bodies import METHOD, MessageRequest
from service.api.http.request_address import name_in
from service.security import permissions, principals

_PUBLIC: Final = frozenset({"Live", "Ready"})
"""Methods that tell nothing of any installation; `service.middleware.authentication` asks nobody
on their paths."""


def bind(app: Litestar) -> None:
    """Note at each handler of *app* which method it is of.

    Raises:
        LookupError: a method has no rule.
    """
    for route in app.routes:
        if not isinstance(route, HTTPRoute):
            continue
        for handler in route.route_handlers:
            if method := method_of(handler, route):
                permissions.rule(method)
                handler.opt[METHOD] = method


def method_of(handler: HTTPRouteHandler, route: HTTPRoute) -> str:
    """Return the method of the public APIs that *handler* is, "" where there is nothing to ask.

    Those are pages that tell nothing of the installation, what is refused by name, and OPTIONS.
    """
    given: Any = handler.operation_id
    verb = next(iter(handler.http_methods))
    made: Any = given(handler, verb, route.path_components) if callable(given) else given or ""
    if not made:
        # A page; were it of the API, its handler would have the name of a method.
        if route.path.startswith(("/v1/", "/upload/")) and verb != "OPTIONS":
            raise LookupError(f"{route.path}: give the handler an operation_id, and a rule to it")
        return ""
    method: str = made.partition("Of")[0]
    return "" if method in _PUBLIC or handler.opt.get("refused") else method


async def check(request: Request[Any, Any, Any]) -> None:
    """Refuse a request that the caller may not send, or that its route does not have.

    It is called before the handler, and before the body is read.

    Raises:
        ServiceError: as `versions.check`, `OriginPolicy.check_behind` and `Authorisation.admit` do.
    """
    versions.check(request)
    request = cast("MessageRequest", request)  # the application makes all of this class
    method = request.method_name
    if not method:
        return
    name = name_in(cast("Any", request.scope))
    if page := request.page:
        await request.origins.check_behind(page, name)
    if (principal := request.principal) is not principals.ANONYMOUS:
        request.admitted_resource = await request.authorisation.admit(principal, method, name)
