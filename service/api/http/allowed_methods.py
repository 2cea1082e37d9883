"""Which HTTP methods a path has, for ``Allow`` (RFC 9110, 10.2.1)."""

from __future__ import annotations

from typing import Any, Final

from litestar.exceptions import HTTPException
from litestar.handlers import BaseRouteHandler
from litestar.types import Scope
from litestar.utils import normalize_path

from service.api.http import versions
from service.api.http.request_address import ADDRESS, RequestAddress

_METHODS: Final = ("GET", "POST", "PATCH", "PUT", "DELETE")


def allowed_methods(scope: Scope) -> tuple[str, ...]:
    """Return the methods of the path of *scope* in its version; none where there is no such path.

    The path of a WebSocket has GET, since that is what a handshake is.
    """
    methods = [method for method in _METHODS if _has(scope, method)]
    if not methods and is_socket(scope):
        methods = ["GET"]
    if "GET" in methods:
        methods.append("HEAD")
    return (*methods, "OPTIONS") if methods else ()


def is_socket(scope: Scope) -> bool:
    """Whether the path of *scope* is that of a WebSocket."""
    return _has(scope, None)


def _has(scope: Scope, method: str | None) -> bool:
    given: Any = scope
    path = normalize_path(given["path"])
    try:
        routed: Any = given["litestar_app"].asgi_router.handle_routing(path=path, method=method)
    except HTTPException:  # no such path, or not with this method
        return False
    handler: BaseRouteHandler = routed[1]
    address: RequestAddress | None = given.get(ADDRESS)
    offered = versions.of(handler, path)
    return address is None or not offered or address.version in offered
