"""Decide which pages may use what; HTTP, pre-flights and frames all ask here.

A browser sends a simple request for any page, and only hides the reply from it. What it says of
the page cannot be forged by the page: ``Sec-Fetch-Site`` to addresses that it trusts (TLS and this
machine), and ``Origin`` with everything that is neither GET nor HEAD. Programs say neither: what
they may do says their credential.

Origins are compared as browsers write them (RFC 6454, 6.2): in lower case, names in ASCII, without
the usual port. Whatever is written otherwise is another origin.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any, Final

import msgspec

from service.portal.portal import Portal
from service.security import message_fields
from service.security.hosts import Hosts
from service.security.request_head import RequestHead
from sessions import names
from sessions.errors import NotFound, PermissionDenied, Unavailable

SCOPE_KEY: Final = "colloquy_page"
"""Where the scope of a request has the page of another site that sent it, if one did."""
_OPAQUE: Final = "null"
"""The origin that is anybody's: a sandboxed frame, a file, a redirect; or told in two ways."""
_OWN_SITES: Final = frozenset({"same-origin", "none"})
"""``none`` is a person, not a page: an address that was typed, or a bookmark."""
_PORTS: Final = {"http": ":80", "https": ":443"}

StoresBehind = Callable[[str], Awaitable[Sequence[str]]]
"""Returns the names of the data stores behind an engine, or raises `NotFound`, `Unavailable`."""


async def _none_behind(_: str) -> Sequence[str]:
    return ()


class OriginPolicy:
    """The pages that may use each data store, engine or corpus, and everything else.

    Our own pages may use all, and the *shared* origins (``*`` is every one) what lists no origins
    in the *portal* file. Where some are listed there, these alone may use it, be it by its own
    name or through an engine that it is *behind*. The pages of the *demo* portal may use what lists
    none, too, but are not among those that may read replies.
    """

    def __init__(
        self,
        hosts: Hosts,
        shared: Collection[str] = (),
        portal: Callable[[], Portal] = Portal,
        behind: StoresBehind = _none_behind,
        demo: Callable[[], Collection[str]] = tuple,
    ) -> None:
        self._hosts = hosts
        self._shared = frozenset(shared)
        self._portal = portal
        self._behind = behind
        self._demo = demo

    def page(self, head: RequestHead) -> str:
        """Return the origin of the page of another site that sent *head*, "" where none did."""
        if not (head.fetch_sites or head.origins) or self._is_own(head):
            return ""
        return (len(set(head.origins)) == 1 and head.origins[0]) or _OPAQUE

    def readers(self, name: str) -> Collection[str]:
        """Return the origins that may read what is told of the canonical *name*; ``*`` is all."""
        return self._listed(name) or self._shared

    def refusal(self, head: RequestHead, name: str, *, writes: bool) -> PermissionDenied | None:
        """Return why *head* may not use the canonical *name*, by this name alone; None if it may.

        Who reads what is not listed for any page will not be shown it (`readers`).
        """
        page = self.page(head)
        if not page or self._allows(page, name):
            return None
        # Reads as well: whoever lists pages wants no other to use what was fetched by one.
        return _FOREIGN if writes or (head.origins and self._listed(name)) else None

    def may_connect(self, head: RequestHead) -> bool:
        """Whether a socket may be opened: a browser opens one for any page.

        One that may use anything is let in; what it may use is asked at each of its frames.
        """
        page = self.page(head)
        return not page or self._is_shared(page) or page in self._portal().origins

    async def check(self, page: str, name: str) -> None:
        """Refuse the use of what the canonical *name* lies in to a *page* that it is not for.

        Raises:
            PermissionDenied: (ORIGIN_NOT_ALLOWED) whether the data store exists is not looked at.
            Unavailable: as `check_behind`.
        """
        if page and not self._allows(page, name):
            raise _FOREIGN
        await self.check_behind(page, name)

    async def check_behind(self, page: str, name: str) -> None:
        """Refuse an engine to a *page* that may not use each data store behind it.

        Raises:
            PermissionDenied: (ORIGIN_NOT_ALLOWED) it may not.
            Unavailable: Redis is away, and only it knows what is behind an engine.
        """
        if not page or not self._portal().origins:
            return
        engine = names.store_of(name)
        if "/engines/" not in engine:
            return
        try:
            stores = await self._behind(engine)
        except NotFound:
            return
        for listed in map(self._listed, stores):
            if listed and page not in listed:
                raise _FOREIGN

    async def check_message(self, page: str, message: msgspec.Struct, name: str) -> None:
        """Refuse a *message* about the canonical *name* that names what is not for the *page*.

        Raises:
            PermissionDenied, Unavailable: as `check`.
        """
        if not page:
            return
        for _, given in message_fields.names_in(message, name.partition("/engines")[0]):
            if names.store_of(named := names.canonical(given)):
                await self.check(page, named)

    async def framers(self, name: str) -> Sequence[str]:
        """Return the origins that may show a page of ours that asks the canonical *name*, in order.

        They are those that may use it themselves: a page in a frame is its parent's to steer. None
        where only Redis knows what is behind an engine, and is away.
        """
        found: list[str] = []
        for each in sorted({*self.readers(name), *self._portal().origins}):
            with contextlib.suppress(PermissionDenied, Unavailable):
                await self.check(each, name)
                found.append(each)
        return ["*"] if "*" in found else found

    def _allows(self, page: str, name: str) -> bool:
        listed = self._listed(name)
        return page in listed if listed else self._is_shared(page)

    def _listed(self, name: str) -> Collection[str]:
        """Return the origins that alone may use what *name* lies in, () where none are listed."""
        policy = self._portal().policy(name)
        return policy.origins if policy is not None else ()

    def _is_shared(self, page: str) -> bool:
        return page in self._shared or "*" in self._shared or page in self._demo()

    def _is_own(self, head: RequestHead) -> bool:
        """Whether *head* is from a program, or from our own page."""
        if head.fetch_sites:
            return all(site in _OWN_SITES for site in head.fetch_sites)
        return all(self._is_ours(origin, head) for origin in head.origins)

    def _is_ours(self, origin: str, head: RequestHead) -> bool:
        """Whether *origin* is where *head* goes. A proxy may have taken the TLS, or the port."""
        scheme, separator, host = origin.lower().partition("://")
        if not separator or scheme not in _PORTS:
            return False
        port = _PORTS[scheme]
        if scheme == head.scheme and any(
            host.removesuffix(port) == own.lower().removesuffix(port) for own in head.hosts
        ):
            return True
        return scheme == "https" and self._hosts.are_named(host)


def page_of(scope: Any) -> str:
    """Return the page of another site that sent the request of *scope*, "" where none did."""
    page: str = scope.get(SCOPE_KEY, "")
    return page


_FOREIGN: Final = PermissionDenied(
    "a page of this origin may not use this; its origin would have to be listed in "
    "COLLOQUY_ORIGINS, or for the data store in the portal file",
    reason="ORIGIN_NOT_ALLOWED",
)
