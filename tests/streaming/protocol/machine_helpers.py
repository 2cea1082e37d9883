"""A connection machine, and what its client says in second 0."""

from __future__ import annotations

import json
from typing import Any

from streaming.protocol import frames
from streaming.protocol.connection_commands import Command
from streaming.protocol.connection_machine import ConnectionMachine

STORE = "projects/p/locations/l/collections/default_collection/dataStores/d"
CONFIG = f"{STORE}/servingConfigs/default_config"
SESSION = f"{STORE}/sessions/1"
ANSWER = f"{SESSION}/answers/2"
CONVERSATION = f"{STORE}/conversations/3"
CLIENT = "0123456789abcdefghijkl"
OTHER = "a-secret_of_128_bits-0"


def connect(*, authenticate: bool = False, **limits: int) -> ConnectionMachine:
    """Return a connection that began at second 0; where nobody is asked it has said `ready`."""
    connection = ConnectionMachine(
        frames.Limits(**limits), version="1.0", client=CLIENT, authenticate=authenticate, now=0.0
    )
    if not authenticate:
        connection.frames_to_send()
    return connection


def say(connection: ConnectionMachine, type: str, **fields: Any) -> list[Command]:
    """Let the client send one frame in second 0."""
    return connection.receive(json.dumps({"type": type, **fields}), 0.0)


def ask(connection: ConnectionMachine, id: str = "1") -> list[Command]:
    """Let the client ask."""
    return say(connection, "answer", id=id, servingConfig=CONFIG, request={})


def sent(connection: ConnectionMachine) -> list[dict[str, Any]]:
    """Return what the connection has to send."""
    return [json.loads(frame) for frame in connection.frames_to_send()]


def refusals(connection: ConnectionMachine) -> list[tuple[str, str]]:
    """Return the ids and reasons of the errors that the connection has to send."""
    return [
        (frame.get("id", ""), frame["error"]["details"][0]["reason"])
        for frame in sent(connection)
        if frame["type"] == "error"
    ]
