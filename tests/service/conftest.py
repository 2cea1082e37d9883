"""The same running service as for the clients."""

from tests.clients.conftest import buckets, service

__all__ = ["buckets", "service"]
