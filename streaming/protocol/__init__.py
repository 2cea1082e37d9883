"""The WebSocket subprotocol as plain values and one machine, without I/O; begin with `frames`."""
