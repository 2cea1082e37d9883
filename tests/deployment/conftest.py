"""The same running service as for the clients."""

from tests.clients.conftest import api, buckets, service, v1

__all__ = ["api", "buckets", "service", "v1"]
