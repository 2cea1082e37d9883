"""Servers that wait for their clients for a moment only, and what they complain of."""

from __future__ import annotations

import logging

import pytest
import uvicorn

from service.server.http_protocol import BoundedHttpProtocol
from service.server.websocket_protocol import BoundedWebSocketProtocol


class Hasty(BoundedHttpProtocol):
    """It waits for nothing long."""

    patience = stall = stuck = linger = 0.2


class Calm(BoundedHttpProtocol):
    """It waits so long that its clients, in the same loop, are never late by chance."""

    patience = stall = stuck = linger = 1.0


class HastyWebSocket(BoundedWebSocketProtocol):
    """It closes soon, or the client is given up."""

    linger = 0.2


def hasty(config: uvicorn.Config) -> None:
    """Wait for nothing long, over HTTP and WebSockets."""
    config.http, config.ws = Hasty, HastyWebSocket


def calm(config: uvicorn.Config) -> None:
    """Wait for whatever is under way."""
    config.http = Calm


def pinging(config: uvicorn.Config) -> None:
    """Find WebSocket clients soon that do not answer."""
    hasty(config)
    config.ws_ping_interval, config.ws_ping_timeout = 0.1, 0.2


def complaints(log: pytest.LogCaptureFixture) -> list[str]:
    """Return what the service complained of."""
    return [record.getMessage() for record in log.records if record.levelno >= logging.WARNING]
