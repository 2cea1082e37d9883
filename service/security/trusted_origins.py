"""Whose pages may write.

A browser sends a simple request for any page, and only hides the reply from it. What it says of
the page cannot be forged by the page: ``Sec-Fetch-Site`` to addresses that it trusts (TLS and this
machine), and ``Origin`` with everything that is neither GET nor HEAD. Programs say neither.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from service.security.hosts import Hosts
from service.security.request_head import RequestHead

_OWN_SITES: Final = frozenset({"same-origin", "none"})
"""``none`` is a person, not a page: an address that was typed, or a bookmark."""
_PORTS: Final = {"http": ":80", "https": ":443"}


class Origins:
    """The pages that are trusted: our own, and those that the operator allows."""

    def __init__(self, hosts: Hosts, allowed: Collection[str] = ()) -> None:
        """Allow the origins in *allowed*, as browsers write them; ``*`` is every one."""
        self._hosts = hosts
        self._allowed = frozenset(allowed)

    def allow(self, origin: str) -> bool:
        """Whether the operator allows *origin*."""
        return origin in self._allowed or "*" in self._allowed

    def may_write(self, head: RequestHead) -> bool:
        """Whether *head* is from a program, from our own page, or from an allowed one."""
        if "*" in self._allowed or (head.origins and all(map(self.allow, head.origins))):
            return True
        return self.is_own(head)

    def is_own(self, head: RequestHead) -> bool:
        """Whether *head* is from a program, or from our own page."""
        if head.fetch_sites:
            return all(site in _OWN_SITES for site in head.fetch_sites)
        return all(self._is_own(origin, head) for origin in head.origins)

    def _is_own(self, origin: str, head: RequestHead) -> bool:
        """Whether *origin* is where *head* goes. A proxy may have taken the TLS, or the port."""
        scheme, separator, host = origin.lower().partition("://")
        if not separator or scheme not in _PORTS:
            return False  # `null` is anybody's: a sandboxed frame, a file, a redirect
        port = _PORTS[scheme]
        if scheme == head.scheme and any(
            host.removesuffix(port) == own.lower().removesuffix(port) for own in head.hosts
        ):
            return True
        return scheme == "https" and self._hosts.are_named(host)
