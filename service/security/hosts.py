"""By which names this service may be addressed.

A page whose own name is made to resolve to this machine (DNS rebinding) speaks to it as to its own
origin, and only the name in ``Host`` gives it away. IP literals and ``localhost`` are resolved by
nobody, so no page can come by them; all other names are for the operator to list.
"""

from __future__ import annotations

import functools
import ipaddress
import re
from collections.abc import Iterable
from typing import Final

_HOST: Final = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[^\[\]:@/\\?#%\s,]+)(?::[0-9]{0,5})?")
"""A name or a literal, and any port. A zone (``%eth0``) is no browser's, and could hide a name."""


class Hosts:
    """The names of this service beside its addresses and ``localhost``."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Take *names* in lower case, without port or trailing dot."""
        self._names = frozenset(names)

    def answers_to(self, host: str) -> bool:
        """Whether *host*, the value of a ``Host`` header, may stand for this service."""
        name = _name(host)
        plain = name.removesuffix(".")  # the root of DNS, which browsers keep
        return plain == "localhost" or plain in self._names or _is_literal(name)

    def are_named(self, host: str) -> bool:
        """Whether the operator listed the name in *host*, whatever its port."""
        return _name(host).removesuffix(".") in self._names


@functools.lru_cache(maxsize=256)  # requests of a client name the same one again and again
def _name(host: str) -> str:
    """Return the name in *host*, "" where there is none."""
    match = _HOST.fullmatch(host)
    return match[1].lower() if match else ""


@functools.lru_cache(maxsize=256)
def _is_literal(name: str) -> bool:
    """Whether *name* is an address as browsers write it: they send 127.0.0.1 for 127.1."""
    try:
        if name.startswith("["):
            ipaddress.IPv6Address(name[1:-1])
        else:
            ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True
