"""Say of each request who sent it, not which proxy passed it on."""

from __future__ import annotations

from typing import Any, Final

from litestar.types import ASGIApp, Receive, Scope, Send

from service.security.client_address import Proxies

_SOCKET_SCHEMES: Final = {"http": "ws", "https": "wss"}


class ClientAddress:
    """Puts client, scheme and host that a listed proxy tells into the scope of the request.

    Everything behind it reads them there, as if the client had connected itself.
    """

    def __init__(self, app: ASGIApp, proxies: Proxies) -> None:
        self._app = app
        self._proxies = proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on the request as its client sent it."""
        given: Any = scope
        if self._proxies and given["type"] != "lifespan" and given.get("client"):
            peer, port = given["client"]
            client = self._proxies.client(peer, given["headers"])
            # A port of the proxy's is none of the client's.
            given["client"] = (client.address, port if client.address == peer else 0)
            if client.scheme:
                of_socket = given["type"] == "websocket"
                scheme = client.scheme
                given["scheme"] = _SOCKET_SCHEMES[scheme] if of_socket else scheme
            if client.host:
                others = [each for each in given["headers"] if each[0] != b"host"]
                given["headers"] = [(b"host", client.host.encode()), *others]
        await self._app(scope, receive, send)
