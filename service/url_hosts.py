"""Decide which addresses of the web may be asked for, by the hosts that the operator lists.

Pages are named by strangers, so that they may name what only this machine reaches: another service
on it, a router, the credentials of a cloud. Names are therefore held against the list, and the
address that a name turns out to have against what is public, right where it is connected to.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from yarl import URL

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network

ALL: Final = "*"
"""The entry that lists every public host."""
_SUBDOMAINS: Final = "*."
_NAME: Final = re.compile(
    r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_-]{1,63}){0,20}"
)
_NUMBER: Final = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")
"""A name that ends in a number: systems read it as an address, each in its own way."""
_PORT: Final = re.compile(r"^(.*?)(?::([0-9]{1,5}))?$")
_PORTS: Final = {"http": 80, "https": 443}
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_PUBLIC: Final = ipaddress.IPv6Network("2000::/3")
_TUNNELS: Final = (ipaddress.IPv6Network("2001::/23"), ipaddress.IPv6Network("2002::/16"))
"""Teredo with other protocols, and 6to4: addresses that wrap others, and that no site has."""
_SPECIAL: Final = (
    ipaddress.IPv4Network("168.63.129.16/32"),  # a cloud's own services answer here
    ipaddress.IPv4Network("192.0.0.0/24"),  # and here; not all tables of Python have it whole
    ipaddress.IPv4Network("192.88.99.0/24"),  # RFC 7526
    ipaddress.IPv6Network("3fff::/20"),  # RFC 9637
)
"""What Python takes for global, and is not."""


class _Entry(NamedTuple):
    """What one entry of the list admits: a host or a network, on *port* beside the usual ones."""

    name: str
    network: _Network | None
    port: int | None

    def matches(self, host: str, address: Address | None) -> bool:
        if self.network is not None:
            return address is not None and address in self.network
        if self.name.startswith(_SUBDOMAINS):
            return host.endswith(self.name[1:])
        return self.name in (ALL, host)


class UrlHosts:
    """The hosts whose pages may be asked for; false where there are none.

    An entry is ``*`` for all that is public, a name such as ``www.example.org``, ``*.example.org``
    for what lies below a name, or an address or a network such as ``10.1.0.0/16``, which may be an
    internal one. Each may end in a port; without one only the usual ports are asked.
    """

    def __init__(self, hosts: Sequence[str] = ()) -> None:
        """Read *hosts*.

        Raises:
            ValueError: one of them is none of these.
        """
        self._entries = tuple(_entry(host) for host in hosts)

    def __bool__(self) -> bool:
        return bool(self._entries)

    def admit_url(self, url: URL) -> bool:
        """Tell whether a page at *url* may be asked for, as far as its address tells."""
        if url.scheme not in _PORTS or url.user is not None or url.password is not None:
            return False
        host = (url.raw_host or "").removesuffix(".").lower()
        address = _address(host)
        if address is None and not _is_name(host):
            return False
        if address is not None and not self.admit_address(address):
            return False
        usual = url.port == _PORTS[url.scheme]
        return any(
            one.matches(host, address) and (usual if one.port is None else one.port == url.port)
            for one in self._entries
        )

    def admit_address(self, address: Address) -> bool:
        """Tell whether *address* may be connected to: it is public, or listed by its number."""
        if is_public(address):
            return True
        inner = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
        return any(
            one.network is not None
            and (address in one.network or (inner or address) in one.network)
            for one in self._entries
        )


def is_public(address: Address) -> bool:
    """Tell whether anybody on the internet may have *address*, whatever it is wrapped in."""
    if any(address in network for network in _SPECIAL):
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not address.is_multicast
    if address.scope_id is not None:
        return False
    if address.ipv4_mapped is not None:
        return is_public(address.ipv4_mapped)
    if address in _NAT64:  # how networks without IPv4 reach the rest
        return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    wrapped = any(address in network for network in _TUNNELS)
    return address in _PUBLIC and address.is_global and not wrapped


def _entry(given: str) -> _Entry:
    bare, port = _split(given)
    try:
        return _Entry("", ipaddress.ip_network(bare.strip("[]"), strict=False), port)
    except ValueError:
        pass
    if bare == ALL:
        return _Entry(ALL, None, port)
    name = bare.removeprefix(_SUBDOMAINS)
    host = _ascii(name)
    if not _is_name(host):
        raise ValueError(
            "give hosts such as www.example.org, *.example.org or 10.1.0.0/16, or * for all public"
        )
    return _Entry(bare.removesuffix(name) + host, None, port)


def _ascii(name: str) -> str:
    """Return *name* as it is looked up: what only looks like it becomes another one."""
    try:
        return URL.build(scheme="http", host=name).raw_host or ""
    except ValueError:
        return ""


def _is_name(host: str) -> bool:
    return _NAME.fullmatch(host) is not None and not _NUMBER.fullmatch(host)


def _split(given: str) -> tuple[str, int | None]:
    """Return an entry without its port, and that."""
    bare = given.strip().lower().removesuffix(".")
    if bare.count(":") > 1 and "]:" not in bare:  # IPv6 has colons of its own
        return bare, None
    found = _PORT.match(bare)
    if found is None or not found[2]:
        return bare, None
    if not 0 < int(found[2]) < 65536:
        raise ValueError("a port is a number from 1 to 65535")
    return found[1], int(found[2])


def _address(host: str) -> Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
