"""Look the hosts of pages up, so that a slow name server holds up nothing else."""

from __future__ import annotations

import socket
from typing import Final

from aiohttp.abc import AbstractResolver, ResolveResult

from service.thread_pools import ThreadPool

_RESOLVED_AT_ONCE: Final = 8
"""Names that are looked up at a time: a name server may take its time, and holds a thread."""
_LOOKUP: Final = socket.AI_ADDRCONFIG


class Resolver(AbstractResolver):
    """Looks names up in threads of its own: slow names keep nobody waiting but who asked."""

    def __init__(self) -> None:
        self._threads = ThreadPool("resolving", _RESOLVED_AT_ONCE)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """Return the addresses of *host*.

        Raises:
            OSError: it has none.
        """
        found = await self._threads.run(
            socket.getaddrinfo, host, port, family, socket.SOCK_STREAM, 0, _LOOKUP
        )
        return [
            ResolveResult(
                hostname=host,
                host=str(address[0]),
                port=port,
                family=kind,
                proto=protocol,
                flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
            )
            for kind, _, protocol, _, address in found
        ]

    async def close(self) -> None:
        """Nothing is open."""
