"""Serve a mock support portal that embeds the chat from another origin, as a real one does.

The machine of the service has two names for itself, and a browser takes their pages for those of
two sites: the portal stands under the one, and loads the chat from the other. So what it shows is
what a portal gets: another origin, a strict Content-Security-Policy, Trusted Types. It is there
only as long as the service is for its own machine alone (`anonymous_access.demo_origins`).
"""

from __future__ import annotations

from collections.abc import Collection
from html import escape
from typing import Any, Final

from litestar import Request, Response, get

from service.api.pages.static_pages import HEADERS, asked_store, asset, chat_integrity, chat_version
from sessions import names
from sessions.errors import NotFound

_POLICY: Final = (
    "default-src 'none'; script-src 'self' {service}; connect-src 'self' {socket}; "
    "style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'"
)


@get("/demo", include_in_schema=False)
async def demo_page(request: Request[Any, Any, Any]) -> Response[bytes]:
    """Serve the portal, whose chat asks the data store of ``?data-store=``, or the sample guide.

    Raises:
        NotFound: the service is not for its own machine alone.
    """
    # What it may be asked by is what it is served at: behind any other name it would not connect.
    here = f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    others = _others(here, request.app.state["demo_origins"]())
    if not others:
        raise NotFound(
            "the mock portal is shown at localhost and 127.0.0.1 only, without TLS, while the "
            "service is for its own machine alone and has no API key",
            reason="ROUTE_NOT_FOUND",
        )
    service = others[0]
    store = asked_store(request) or names.SAMPLE_DATA_STORE
    page = (
        asset("demo.html")
        .decode()
        .format(
            service=escape(service),
            store=escape(store),
            version=chat_version(),
            integrity=chat_integrity(),
        )
    )
    policy = _POLICY.format(service=service, socket=service.replace("http", "ws", 1))
    told = HEADERS | {"Content-Security-Policy": policy, "Cache-Control": "no-store"}
    return Response(page.encode(), media_type="text/html", headers=told)


def _others(here: str, origins: Collection[str]) -> list[str]:
    """Return the other origins than *here*, none where *here* is not one of *origins*."""
    return [each for each in origins if each != here] if here in origins else []
