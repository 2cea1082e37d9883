"""Admit requests over HTTP while the quotas of their callers last."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Final, Protocol

from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.http import errors
from service.api.http.request_address import ADDRESS
from service.security import principals
from service.security.limits import daily_tokens, header_fields, quotas
from service.security.limits.held_places import FREE
from service.security.limits.rate_limiter import RateLimiter
from service.security.limits.standings import QuotaExceeded, Standing
from service.security.principals import Principal

_READS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_COLLECT: Final = ":collect"
"""A write by GET."""
_MINTS: Final = ":mintVisitorToken"


_Caller = tuple[Principal, str, str]
"""Who asks, from which address, in which project."""


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

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Pass on what is admitted, and release it when its response is told."""
        given: Any = scope
        # Sockets are admitted frame by frame; public paths ask nobody who it is.
        if given["type"] != "http" or principals.SCOPE_KEY not in given:
            return self._app(scope, receive, send)
        limiter = self._limits.rate_limiter
        address = given["client"][0] if given.get("client") else ""
        caller = principals.of(given), address, _project(given)
        daily_tokens.PROJECT.set(caller[2])
        if given["method"] not in _READS or given["path"].endswith(_COLLECT):
            return self._write(limiter, caller, scope, receive, send)
        try:
            standing = limiter.admit_read(*caller)
        except QuotaExceeded as exc:
            return _refuse(exc, scope, receive, send)
        if standing is None:
            return self._app(scope, receive, send)
        return self._app(scope, receive, _telling(send, standing))

    async def _write(
        self, limiter: RateLimiter, caller: _Caller, scope: Scope, receive: Receive, send: Send
    ) -> None:
        cost = quotas.MINTING if scope["path"].endswith(_MINTS) else 1
        try:
            admission = await limiter.admit(*caller, cost=cost)
        except QuotaExceeded as exc:
            await _refuse(exc, scope, receive, send)
            return
        telling = _telling(send, admission.standing)

        async def tell(message: Any) -> None:
            if message["type"] != "http.response.start" and not message.get("more_body"):
                await limiter.places.release_before_end(admission)
            await telling(message)

        try:
            await self._app(scope, receive, tell if admission is not FREE else telling)
        finally:
            limiter.places.abandon(admission)


def _telling(send: Send, standing: Standing | None) -> Send:
    """Return what sends a response that says how its caller stands."""
    if standing is None:
        return send

    def tell(message: Any) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *header_fields.fields(standing)]
        return send(message)

    return tell


def _refuse(exceeded: QuotaExceeded, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
    told = header_fields.of_refusal(exceeded)
    return errors.send(exceeded, scope, receive, send, headers=told)


def _project(scope: Any) -> str:
    address = scope.get(ADDRESS)
    return quotas.project_of(principals.of(scope), address.name if address is not None else "")
