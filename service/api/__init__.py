"""Doors: one controller per resource, the WebSocket, errors."""
