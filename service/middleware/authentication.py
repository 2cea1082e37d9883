"""Name the principal of each request before it is routed."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Any, Final

from litestar.types import ASGIApp, Receive, Scope, Send

from service.api.http import errors
from service.api.http.request_address import ADDRESS, REFUSED
from service.security import credentials, principals
from service.security.credentials import Credentials
from service.security.limits import header_fields
from service.security.limits.standings import QuotaExceeded
from service.security.principals import Principal
from sessions import log_context
from sessions.errors import ServiceError

_OPEN: Final = re.compile(
    r"/(?:livez|readyz|docs|demo|guide(?:/[^/]*)?|openapi\.json|asyncapi\.json|"
    r"widget/(?:[^/]+/)?[^/]*|documents/.*)?"
)
"""Paths that tell nothing of any installation, and that a page needs before it has a token."""


class Authenticating:
    """Lets pass who is known; requests only, since sockets are asked in their first frame."""

    def __init__(
        self, app: ASGIApp, authenticate: Callable[[Credentials], Awaitable[Principal]]
    ) -> None:
        self._app = app
        self._authenticate = authenticate

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on the request with its principal, or answer what it is refused for."""
        given: Any = scope
        if given["type"] == "http" and (ADDRESS in given or not _OPEN.fullmatch(given["path"])):
            try:
                # A browser asks with OPTIONS before it sends a credential (Fetch, 4.8); what it
                # is told stands in the public documents.
                # Who asks on a connection of theirs is known already.
                if given["method"] != "OPTIONS" and principals.SCOPE_KEY not in given:
                    given[principals.SCOPE_KEY] = await self._authenticate(_credentials(given))
                if known := given.get(principals.SCOPE_KEY):
                    log_context.bind(principal=known.log_id)
                # Who asks is found out first: what addresses there are is for those who may ask.
                if REFUSED in given:
                    raise given[REFUSED]
            except QuotaExceeded as exc:
                told = header_fields.of_refusal(exc)
                await errors.send(exc, scope, receive, send, headers=told)
                return
            except ServiceError as exc:
                await errors.send(exc, scope, receive, send)
                return
        await self._app(scope, receive, send)


def _credentials(scope: Any) -> Credentials:
    client = scope.get("client")
    return credentials.read(scope["headers"], scope["query_string"], client[0] if client else "")
