"""Open connections to what strangers name, and to nothing that is not public or listed.

The address is held against the rules at the very socket that connects to it. So it does not matter
how a host was written, what its name meant a moment ago, or how many addresses it has.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Any, Final

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from service.thread_pools import ThreadPool
from service.url_hosts import UrlHosts
from service.version import VERSION

AGENT: Final = "Colloquy"
"""What a robots.txt calls this service."""

_RESOLVED_AT_ONCE: Final = 8
"""Names that are looked up at a time: a name server may take its time, and holds a thread."""
_CONNECTIONS: Final = 64
_PER_HOST: Final = 4
"""Connections that one site sees, of all requests together."""
_LOOKUP: Final = socket.AI_ADDRCONFIG


class AddressRefused(OSError):
    """The address that a host has is not one to connect to."""


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


def client(hosts: UrlHosts) -> aiohttp.ClientSession:
    """Return an HTTP client that connects to what *hosts* admit; whoever opens it closes it.

    It follows no environment (proxies), keeps no cookies, and decodes no bodies by itself.
    """

    def checked_socket(info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, address = info
        if not hosts.admit_address(ipaddress.ip_address(address[0])):
            raise AddressRefused("the address is not public")
        return socket.socket(family, kind, protocol)

    return aiohttp.ClientSession(
        connector=aiohttp.TCPConnector(
            resolver=Resolver(),
            use_dns_cache=False,
            socket_factory=checked_socket,
            limit=_CONNECTIONS,
            limit_per_host=_PER_HOST,
        ),
        cookie_jar=aiohttp.DummyCookieJar(),
        auto_decompress=False,
        trust_env=False,
        headers={"User-Agent": f"{AGENT}/{VERSION}", "Accept-Encoding": "gzip"},
        timeout=aiohttp.ClientTimeout(total=None),
    )
