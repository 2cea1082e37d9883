"""Who is at the other end of a connection, where proxies that the operator lists stand between.

A proxy says for whom it asks in ``Forwarded`` (RFC 7239) or in ``X-Forwarded-For``, ``-Proto`` and
``-Host``. Anybody may send these, so they are read from listed proxies only, and from the right:
each proxy appends the address that it saw, and what stands left of the first address that is no
listed proxy may be made up. Whoever comes by way of a proxy is never taken for this machine.
"""

from __future__ import annotations

import functools
import ipaddress
import itertools
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec

HOPS: Final = 16
"""Entries that are read, from the right: no request passes so many proxies of one operator."""
_LONGEST: Final = 4_096
"""Characters that are read, from the right: a list of so many hops is shorter."""
_LONGEST_ADDRESS: Final = 64
"""Characters of an address with its port; one of IPv6 has 47."""
_SITE: Final = 64
"""Bits of an IPv6 address that are one client: a network of a home has at least so many (RFC 6177),
and may take another address for each request (RFC 8981)."""
_TRANSLATED: Final = ipaddress.IPv6Network("64:ff9b::/96")
"""Where translators show clients of IPv4 (RFC 6052, 2.1): all of them, and each by its address."""

UNKNOWN: Final = "unknown"
"""The address of a client that no listed proxy tells, where that proxy is on this machine (the word
is that of RFC 7239, 6.2)."""

_OURS: Final = "localhost"
"""The only name that browsers and resolvers keep to this machine (RFC 6761, 6.3)."""
_SCHEMES: Final = frozenset({"http", "https"})
_PAIR: Final = re.compile(r'\s*([\w!#$%&\'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^";,\s]*)\s*', re.ASCII)
_HOST: Final = re.compile(r"[A-Za-z0-9._-]{1,253}(?::\d{1,5})?|\[[0-9A-Fa-f:.]+\](?::\d{1,5})?")

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class ForwardedClient(msgspec.Struct, frozen=True):
    """Who asks, and how: *scheme* and *host* are "" where no proxy told them.

    *address* is `UNKNOWN` for who comes by way of a proxy and would else be this machine.
    """

    address: str
    scheme: str = ""
    host: str = ""


class Proxies:
    """The proxies that are believed."""

    def __init__(self, listed: Collection[str] = ()) -> None:
        """Believe *listed*: addresses, and networks such as 10.0.0.0/8.

        Raises:
            ValueError: one is neither.
        """
        self._networks: Sequence[_Network] = tuple(
            ipaddress.ip_network(each, strict=False) for each in listed
        )

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._networks)

    def are_at(self, address: str) -> bool:
        """Whether a listed proxy has the *address*."""
        given = _read(address)
        return given is not None and any(given in each for each in self._networks)

    def client(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> ForwardedClient:
        """Return for whom *peer* asks with *headers*, whose names are in lower case.

        It is *peer* itself where that is no listed proxy, where it says nothing that can be read,
        and where it passes on two accounts that differ: one of them is the client's own.
        """
        if not self.are_at(peer):
            return ForwardedClient(peer)
        client = self._client(peer, headers)
        if is_loopback(client.address):
            # This machine has no limits, and what makes a proxy's word unreadable comes from
            # clients: by a header that contradicts it, or that names it as one to be dropped.
            return msgspec.structs.replace(client, address=UNKNOWN)
        return client

    def _client(self, peer: str, headers: Iterable[tuple[bytes, bytes]]) -> ForwardedClient:
        values: dict[bytes, list[str]] = {}
        for name, value in headers:
            if name in _TOLD:
                values.setdefault(name, []).append(value.decode("latin-1"))
        forwarded = self._of_forwarded(peer, values.get(b"forwarded", ()))
        x_forwarded = self._of_x_forwarded(peer, values)
        if forwarded is None or x_forwarded is None:
            return forwarded or x_forwarded or ForwardedClient(peer)
        if forwarded.address != x_forwarded.address:
            return ForwardedClient(peer)
        # A client knows its own address, and may tell the truth about it for the sake of the rest.
        return ForwardedClient(
            forwarded.address,
            forwarded.scheme if forwarded.scheme == x_forwarded.scheme else "",
            forwarded.host if forwarded.host == x_forwarded.host else "",
        )

    def _of_forwarded(self, peer: str, values: Sequence[str]) -> ForwardedClient | None:
        """Read ``Forwarded``: scheme and host are those that the outermost listed proxy heard."""
        client: ForwardedClient | None = None
        for element in _elements(values):
            if (address := _read(element.get("for", ""))) is None:
                break  # "unknown" or "_hidden" (RFC 7239, 6.2 and 6.3): it is behind that proxy
            client = _client(str(address), element.get("proto", ""), element.get("host", ""))
            if not self.are_at(client.address):
                break
        return client or (ForwardedClient(peer) if values else None)

    def _of_x_forwarded(
        self, peer: str, values: Mapping[bytes, Sequence[str]]
    ) -> ForwardedClient | None:
        """Read the ``X-Forwarded-*`` headers; of scheme and host, the nearest proxy's word."""
        if not any(name in values for name in _X_FORWARDED):
            return None
        found = peer
        for entry in _from_right(",".join(values.get(b"x-forwarded-for", ()))):
            if (address := _read(entry)) is None:
                break
            found = str(address)
            if not self.are_at(found):
                break
        scheme, host = (
            next(_from_right(",".join(values.get(name, ()))), "") for name in _X_FORWARDED[1:]
        )
        return _client(found, scheme, host)


@functools.lru_cache(maxsize=4096)
def site(address: str) -> str:
    """Return what counts as one client: an IPv4 address, or the /64 of an IPv6 address.

    What is no address is returned as it is.
    """
    given = _read(address.partition("%")[0])  # a zone is of one machine: its network is the same
    if isinstance(given, ipaddress.IPv6Address):
        if given in _TRANSLATED:
            return str(ipaddress.IPv4Address(int(given) & 0xFFFF_FFFF))
        return str(ipaddress.ip_network((given, _SITE), strict=False))
    return address if given is None else str(given)


@functools.lru_cache(maxsize=4_096)
def is_loopback(host: str) -> bool:
    """Whether *host*, an address or a name, is this machine and no other; "" is every address."""
    if host.lower().removesuffix(".") == _OURS:
        return True
    given = _read(host)
    return given is not None and given.is_loopback


_X_FORWARDED: Final = (b"x-forwarded-for", b"x-forwarded-proto", b"x-forwarded-host")
_TOLD: Final = frozenset({b"forwarded", *_X_FORWARDED})


def _client(address: str, scheme: str, host: str) -> ForwardedClient:
    scheme = scheme.lower()
    return ForwardedClient(
        address,
        scheme if scheme in _SCHEMES else "",
        host if _HOST.fullmatch(host) else "",
    )


def _read(text: str) -> _Address | None:
    """Return the address in *text*, which may have a port; an IPv4 one within IPv6 as itself."""
    return _parsed(text) if len(text) <= _LONGEST_ADDRESS else None


@functools.lru_cache(maxsize=4_096)  # a request has the same few some five times
def _parsed(text: str) -> _Address | None:
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    if "%" in text:
        return None  # a zone is of one machine, and would make one address many
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return mapped or address


def _from_right(value: str) -> Iterator[str]:
    """Yield the entries of a list, the last first, within the bounds."""
    entries = value[-_LONGEST:].rsplit(",", HOPS)[-HOPS:]
    return (entry.strip() for entry in reversed(entries) if entry.strip())


def _elements(values: Sequence[str]) -> Iterator[Mapping[str, str]]:
    """Yield the elements of ``Forwarded``, the last first; nothing left of what cannot be read."""
    # Line by line: a quote that a client leaves open would swallow what a proxy writes below it.
    lines = (
        reversed(_read_elements(value[-_LONGEST:], cut=len(value) > _LONGEST))
        for value in reversed(values)
    )
    return itertools.islice(itertools.chain.from_iterable(lines), HOPS)


def _read_elements(value: str, *, cut: bool) -> list[Mapping[str, str]]:
    """Read the elements in *value*; one that is broken has no parameters, and stops its reader."""
    elements: list[Mapping[str, str]] = []
    current: dict[str, str] = {}
    position, good = 0, not cut
    while position < len(value):
        if good and (pair := _PAIR.match(value, position)):
            name, given = pair[1].lower(), pair[2]
            good = name not in current  # RFC 7239, 4: each once
            current[name] = re.sub(r"\\(.)", r"\1", given[1:-1]) if given[:1] == '"' else given
            position = pair.end()
        separator = value[position : position + 1]
        position += 1
        if separator == ",":
            elements.append(current if good else {})
            current, good = {}, True
        elif separator != ";":
            good = good and not separator.strip()
    return [*elements, current if good else {}] if current or not good else elements
