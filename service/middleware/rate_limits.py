"""Admit requests over HTTP while the quotas of their callers last."""

from __future__ import annotations

from typing import Any, Final, Protocol

from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.http import errors
from service.api.http.request_address import ADDRESS
from service.security import principals
from service.security.limits import daily_tokens, header_fields, quotas
from service.security.limits.held_places import FREE
from service.security.limits.rate_limiter import RateLimiter
from service.security.limits.standings import QuotaExceeded

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_COLLECT: Final = ":collect"
"""A write by GET."""
_MINTS: Final = ":mintVisitorToken"


class HasRateLimiter(Protocol):
    """Where the limiter is, once Redis is open."""

    @property
    def rate_limiter(self) -> RateLimiter:
        """The limiter, or raise `Unavailable`."""
        ...


class RateLimiting:
    """Refuses requests of known callers who ask too much; says to all how they stand."""

    def __init__(self, app: ASGIApp, limits: HasRateLimiter) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on what is admitted, and release it when its response is told."""
        given: Any = scope
        # Sockets are admitted frame by frame; public paths ask nobody who it is.
        if given["type"] != "http" or principals.SCOPE_KEY not in given:
            await self._app(scope, receive, send)
            return
        limiter = self._limits.rate_limiter
        address = given["client"][0] if given.get("client") else ""
        caller = principals.of(given), address, _project(given)
        daily_tokens.PROJECT.set(caller[2])
        path, admission = given["path"], FREE
        try:
            if given["method"] in _READS and not path.endswith(_COLLECT):
                standing = limiter.admit_read(*caller)
            else:
                cost = quotas.MINTING if path.endswith(_MINTS) else 1
                admission = await limiter.admit(*caller, cost=cost)
                standing = admission.standing
        except QuotaExceeded as exc:
            told = header_fields.of_refusal(exc)
            await errors.send(exc, scope, receive, send, headers=told)
            return
        if standing is None and admission is FREE:
            await self._app(scope, receive, send)
            return

        async def tell(message: Any) -> None:
            if message["type"] == "http.response.start":
                fields = header_fields.fields(standing) if standing else ()
                message["headers"] = [*message["headers"], *fields]
            elif not message.get("more_body"):
                await limiter.places.release_before_end(admission)
            await send(message)

        try:
            await self._app(scope, receive, tell)
        finally:
            limiter.places.abandon(admission)


def _project(scope: Any) -> str:
    address = scope.get(ADDRESS)
    return quotas.project_of(principals.of(scope), address.name if address is not None else "")
