"""Requests as they stand: no client library touches their paths or their headers."""

from __future__ import annotations

import http.client
import json
from typing import Any
from urllib.parse import urlsplit

from tests.clients.discovery import Reply, Service


def send(service: Service, method: str, path: str, headers: dict[str, str] | None = None) -> Reply:
    """Send a request as it stands: no client library touches its path or its headers."""
    connection = http.client.HTTPConnection(urlsplit(service.url).netloc, timeout=10)
    try:
        connection.request(method, path, headers=headers or {})
        response = connection.getresponse()
        body: Any = json.loads(response.read() or b"null")
        return Reply(response.status, response.headers, body)
    finally:
        connection.close()
