"""A WebSocket client that loses connections and no answer; `client` is the entry."""

from streaming.client.client import Client as Client
