"""Hold requests to the versions and the query parameters that their routes have (guide/rest.md).

A handler says in ``opt`` which *versions* it is offered under, where those are not the ones of
search and answers, and which request type its *query* parameters are fields of.
"""

from __future__ import annotations

from typing import Any, Final

from litestar import Request
from litestar.handlers import BaseRouteHandler

from service.api.http.request_address import ADDRESS, RequestAddress
from sessions.codec import json_codec
from sessions.errors import InvalidArgument, NotFound

SEARCH: Final = ("v1", "v1beta", "v1alpha")
"""The versions of the search and answer routes."""
GENERATION: Final = ("v1", "v1beta1")
"""The versions of the RAG and generation routes."""
_COLLECTION: Final = "/collections/"


def of(handler: BaseRouteHandler, path: str) -> tuple[str, ...]:
    """Return the versions that *handler* is offered under at *path*, () for any."""
    given: tuple[str, ...] | None = handler.opt.get("versions")
    if given is not None:
        return given
    return SEARCH if _COLLECTION in path else ()


def check(request: Request[Any, Any, Any]) -> None:
    """Refuse a version that the route does not have, and parameters that it does not know.

    It is called before the handler, and is no guard of Litestar's: for each call of one the
    handler is copied.

    Raises:
        NotFound: there is no such route in this version.
        InvalidArgument: a query parameter is unknown.
    """
    scope: Any = request.scope
    address: RequestAddress | None = scope.get(ADDRESS)
    if address is None:
        return
    handler: BaseRouteHandler = request.route_handler
    offered = of(handler, scope["path"])
    if offered and address.version not in offered:
        raise NotFound(
            f"there is no such route in {address.version}; it is in {', '.join(offered)}",
            reason="ROUTE_NOT_FOUND",
        )
    if not scope["query_string"] or "query" in handler.opt:
        return  # the handler reads its parameters itself
    for key, _ in request.query_params.multi_items():
        if key not in json_codec.STANDARD_PARAMETERS and not key.startswith("$"):
            raise InvalidArgument(f"{key[:100]}: there is no such query parameter", field=key[:100])
