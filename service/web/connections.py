"""Open connections to what strangers name, and to nothing that is not public or listed.

The address is held against the rules at the very socket that connects to it. So it does not matter
how a host was written, what its name meant a moment ago, or how many addresses it has.
"""

from __future__ import annotations

import ipaddress
import socket
from typing import Any, Final

import aiohttp

from service.url_hosts import UrlHosts
from service.version import VERSION

AGENT: Final = "Colloquy"
"""What a robots.txt calls this service."""

_CONNECTIONS: Final = 64
_PER_HOST: Final = 4
"""Connections that one site sees, of all requests together."""


class AddressRefused(OSError):
    """The address that a host has is not one to connect to."""


def client(hosts: UrlHosts) -> aiohttp.ClientSession:
    """Return an HTTP client that connects to what *hosts* admit; whoever opens it closes it.

    It follows no environment (proxies), keeps no cookies, and decodes no bodies by itself.
    """
    # What it stands on is loaded where somebody reads the web, and not at each start.
    from service.web.resolver import Resolver  # noqa: PLC0415

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
