"""What a listed proxy tells of a client stands in the scope of its request."""

from __future__ import annotations

from typing import Any

import anyio

from service.middleware.client_address import ClientAddress
from service.security.client_address import Proxies

_HEADERS = [
    (b"host", b"inner:8080"),
    (b"x-forwarded-for", b"192.0.2.1"),
    (b"x-forwarded-proto", b"https"),
    (b"x-forwarded-host", b"help.example.org"),
]


def seen(peer: str, kind: str = "http", scheme: str = "http") -> Any:
    """Return the scope that the application is given for a request of *peer*."""
    scopes: list[Any] = []

    async def application(scope: Any, _receive: Any, _send: Any) -> None:
        scopes.append(scope)

    async def nothing(*_: Any) -> Any:
        raise AssertionError("nothing is read or sent")

    scope = {"type": kind, "scheme": scheme, "headers": _HEADERS, "client": (peer, 7)}
    middleware = ClientAddress(application, Proxies(["10.0.0.5"]))  # pyright: ignore[reportArgumentType]
    anyio.run(middleware, scope, nothing, nothing)  # pyright: ignore[reportArgumentType]
    return scopes[0]


def test_a_listed_proxy_speaks_for_its_client() -> None:
    """Address, scheme and host are the client's."""
    scope = seen("10.0.0.5")
    assert scope["client"] == ("192.0.2.1", 0)
    assert scope["scheme"] == "https"
    assert [value for name, value in scope["headers"] if name == b"host"] == [b"help.example.org"]
    assert seen("10.0.0.5", "websocket", "ws")["scheme"] == "wss"


def test_anybody_else_speaks_for_itself() -> None:
    """The headers are not looked at."""
    scope = seen("10.0.0.6")
    assert (scope["client"], scope["scheme"], scope["headers"]) == (
        ("10.0.0.6", 7),
        "http",
        _HEADERS,
    )
