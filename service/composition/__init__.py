"""Builds and wires the service, in one place; `app` is what the server is given."""
