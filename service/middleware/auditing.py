"""Record administrative acts, and refusals of who may not act, where requests pass."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final, Protocol

from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.api.http.request_address import ADDRESS, RequestAddress
from service.middleware.request_metrics import method_of
from service.privacy import audited_methods
from service.privacy.audit_recorder import AuditedAct, AuditRecorder
from service.security import principals
from service.security.principals import Principal, PrincipalKind

_FORBIDDEN: Final = 403
_FIRST_FAILURE: Final = 400
_WRITES: Final = frozenset({"POST", "PATCH", "PUT", "DELETE"})
_DOWNLOAD: Final = "DownloadUserData"
"""The one read that is an administrative act."""
_OUTCOMES: Final = {
    400: "INVALID_ARGUMENT",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    409: "ALREADY_EXISTS",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
"""How the statuses of refusals are told (AIP-193); of several codes the usual one."""
_UNKNOWN: Final = Principal(kind=PrincipalKind.NOBODY, id="unknown")
"""Whoever was refused before it was clear who it is."""


class Recorders(Protocol):
    """Where acts are recorded, as soon as there is a place."""

    @property
    def audit(self) -> AuditRecorder | None:
        """What records, None while Redis was never there."""
        ...


class Auditing:
    """Records an act before its reply leaves: who hears of success finds it in the log."""

    def __init__(self, app: ASGIApp, recorders: Recorders) -> None:
        self._app = app
        self._recorders = recorders

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass the request on, and look at what became of it."""
        if scope["type"] != "http":
            return self._app(scope, receive, send)

        def look(message: Message) -> Awaitable[None]:
            if message["type"] == "http.response.start":
                status = int(message["status"])
                if status == _FORBIDDEN or _is_act(scope):
                    return self._recorded(scope, status, send, message)
            return send(message)

        return self._app(scope, receive, look)

    async def _recorded(self, scope: Any, status: int, send: Send, message: Message) -> None:
        await self._record(scope, status)
        await send(message)

    async def _record(self, scope: Any, status: int) -> None:
        handler = scope.get("route_handler")
        name = handler.handler_name if handler is not None else ""
        method = audited_methods.EACH.get(name) or audited_methods.COUNTED.get(name)
        recorder = self._recorders.audit
        if recorder is None or not (method or status == _FORBIDDEN):
            return
        act = _act(scope, method or name, status)
        if status == _FORBIDDEN or name in audited_methods.COUNTED:
            await recorder.count(act)
        else:
            await recorder.record(act)


def _is_act(scope: Any) -> bool:
    return scope["method"] in _WRITES or method_of(scope) == _DOWNLOAD


def _act(scope: Any, method: str, status: int) -> AuditedAct:
    principal: Principal = scope.get(principals.SCOPE_KEY) or _UNKNOWN
    client = scope.get("client")
    outcome = "OK" if status < _FIRST_FAILURE else _OUTCOMES.get(status, str(status))
    return AuditedAct(
        principal, method, _resource(scope, status), client[0] if client else "", outcome
    )


def _resource(scope: Any, status: int) -> str:
    address: RequestAddress | None = scope.get(ADDRESS)
    # What is refused may be anything that a caller makes up.
    if address is None or status == _FORBIDDEN:
        return ""
    if scope["route_handler"].handler_name in audited_methods.COUNTED:
        # What those that are counted together have in common: the collection.
        return address.name if scope["method"] == "POST" else address.name.rpartition("/")[0]
    return address.name
