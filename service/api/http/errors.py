"""Write every failure as ``{"error": google.rpc.Status}``, whoever raised it (AIP-193)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, ValidationException
from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.http.allowed_methods import allowed_methods
from service.api.http.request_address import ADDRESS, RequestAddress
from service.project_numbers import ProjectNumbers
from sessions.errors import (
    Cancelled,
    FailedPrecondition,
    Internal,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    ResourceExhausted,
    ServiceError,
    Unauthenticated,
    Unavailable,
    Unimplemented,
)
from sessions.supervision import PASSING
from streaming.protocol.rpc_status import status

_GONE: Final = "client disconnected prematurely"
"""What Litestar says of a client that vanishes in the middle of a body."""

_log = logging.getLogger(__name__)


class PanicMiddleware:
    """Has what handlers raise past `Exception` told like any other failure.

    The framework lets that through, and the client would see its connection break.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Call the handler."""
        try:
            await self._app(scope, receive, send)
        except (Exception, *PASSING):
            raise
        except BaseException as exc:
            raise RuntimeError("a handler failed past Exception") from exc


def rest_body(error: ServiceError, http: int | None = None) -> dict[str, Any]:
    """Return the error body of REST: ``code`` is the HTTP status (AIP-193)."""
    return {
        "error": {
            "code": http or error.http,
            "message": error.message,
            "status": error.status,
            "details": status(error).details,
        }
    }


def respond(
    error: ServiceError, http: int | None = None, headers: Mapping[str, str] | None = None
) -> Response[bytes]:
    """Return the response that tells *error*, with *headers* beside its own."""
    headers = dict(headers or {})
    if isinstance(error, ResourceExhausted | Unavailable):
        headers["Retry-After"] = str(error.retry_after)
    if isinstance(error, Unauthenticated):
        headers["WWW-Authenticate"] = "Bearer"
    return Response(
        msgspec.json.encode(rest_body(error, http)),
        status_code=http or error.http,
        media_type="application/json; charset=UTF-8",
        headers=headers,
    )


async def send(
    error: ServiceError,
    scope: Scope,
    receive: Receive,
    send: Send,
    *,
    http: int | None = None,
    headers: Mapping[str, str] | None = None,
) -> None:
    """Tell *error* before the request was routed."""
    request = Request[Any, Any, Any](scope)  # pyright: ignore[reportArgumentType]
    response: Any = respond(error, http, headers)
    await response.to_asgi_response(app=None, request=request)(scope, receive, send)


async def tell(error: BaseException, request: Request[Any, Any, Any], send: Send) -> None:
    """Answer a *request* whose handler raised *error*, whatever that is."""
    response: Any = response_to(request, error)
    answer = response.to_asgi_response(app=None, request=request)
    await answer(request.scope, request.receive, send)


def response_to(request: Request[Any, Any, Any], error: BaseException) -> Response[bytes]:
    """Return the response to a *request* whose handler raised *error*."""
    match error:
        case ServiceError():
            return handle_service_error(request, error)
        case HTTPException():
            return handle_http_exception(request, error)
        case _:
            return handle_exception(request, error)


def handle_service_error(request: Request[Any, Any, Any], error: ServiceError) -> Response[bytes]:
    """Tell a failure of our own, with the project named as in the path."""
    scope: Any = request.scope
    address: RequestAddress | None = scope.get(ADDRESS)
    if address is None:
        return respond(error)
    # An id that is no name names nothing: that it is none says more than that nothing is there.
    cause = address.fault if address.fault and isinstance(error, NotFound) else error
    if address.number:
        numbers: ProjectNumbers = request.app.state.project_numbers
        cause.message = numbers.told(cause.message, address.number)
        cause.metadata = {
            key: numbers.told(value, address.number) for key, value in cause.metadata.items()
        }
    return respond(cause)


def handle_http_exception(request: Request[Any, Any, Any], error: HTTPException) -> Response[bytes]:
    """Tell a failure that the framework found, in our own form."""
    where = f"{request.method} {request.scope['path']}"
    match error.status_code:
        case 404:
            return respond(NotFound(f"there is no such route: {where}", reason="ROUTE_NOT_FOUND"))
        case 405:
            return _no_method(request, where)
        case 413:
            return respond(
                InvalidArgument("the request body is too large", reason="BODY_TOO_LARGE"), 413
            )
        case 401:
            return respond(Unauthenticated(error.detail, reason="CREDENTIALS_MISSING"))
        case 403:
            return respond(PermissionDenied(error.detail, reason="NOT_PERMITTED"))
        case code if code < 500:
            return respond(_invalid(error))
        case _ if error.detail == _GONE:
            return respond(Cancelled("the body did not come to its end", reason="CANCELLED"))
        case _:
            return handle_exception(request, error)


def _no_method(request: Request[Any, Any, Any], where: str) -> Response[bytes]:
    """Say which methods the path has; without any in this version it does not exist there."""
    methods = allowed_methods(request.scope)
    if not methods:
        return respond(NotFound(f"there is no such route: {where}", reason="ROUTE_NOT_FOUND"))
    if request.method in methods:  # the router knows it for handshakes only
        upgrade = {"Upgrade": "websocket", "Connection": "upgrade"}
        error = FailedPrecondition(
            f"{where} is a WebSocket; connect to it with one", reason="UPGRADE_REQUIRED"
        )
        return respond(error, 426, upgrade)
    error = Unimplemented(
        f"{where} is not offered; the path has {', '.join(methods)}", reason="METHOD_NOT_ALLOWED"
    )
    return respond(error, 405, {"Allow": ", ".join(methods)})


def _invalid(error: HTTPException) -> InvalidArgument:
    """Name the parameter that the framework could not convert."""
    if isinstance(error, ValidationException) and isinstance(error.extra, list):
        for item in error.extra:  # pyright: ignore[reportUnknownVariableType]
            if isinstance(item, dict) and "key" in item:
                field, why = str(item["key"]), str(item.get("message", ""))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
                return InvalidArgument(f"{field}: {why}", field=field)
    return InvalidArgument(error.detail, reason="BAD_REQUEST")


def handle_exception(request: Request[Any, Any, Any], error: BaseException) -> Response[bytes]:
    """Tell a failure that nobody foresaw, without its details, and log them."""
    _log.error("request_failed", exc_info=error, extra={"path": request.scope["path"]})
    return respond(Internal("the service failed; its log has the details", reason="INTERNAL"))
