"""Requests as they stand, to the last byte, over a connection of their own."""

from __future__ import annotations

import http.client
import json
import socket
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.clients.discovery import Service


class Response(NamedTuple):
    """What came back."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def reason(self) -> str:
        """The reason in the error."""
        error: Any = json.loads(self.body)["error"]
        assert error["code"] == self.status
        return error["details"][0]["reason"]

    @property
    def allowed(self) -> set[str]:
        """The methods in ``Allow``."""
        return {each.strip() for each in (self.headers["Allow"] or "").split(",") if each.strip()}


def exchange(service: Service, request: bytes, method: str = "GET") -> Response:
    """Write *request* and read one response to *method*."""
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as line:
        line.sendall(request)
        response = http.client.HTTPResponse(line, method=method)
        response.begin()
        return Response(response.status, response.headers, response.read())


def send(service: Service, method: str, path: str, *lines: str, body: bytes = b"") -> Response:
    """Send a request with those header *lines* and no others but the length and the host."""
    head = [f"{method} {path} HTTP/1.1", *lines]
    if not any(line.lower().startswith("host:") for line in lines):
        head.append("Host: localhost")
    if body:
        head.append(f"Content-Length: {len(body)}")
    return exchange(service, "\r\n".join([*head, "", ""]).encode("latin-1") + body, method)
