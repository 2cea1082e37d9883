"""Whose pages may use which data store: the origins of the portal file, beside those of all."""

from __future__ import annotations

from service.portal import Portal
from service.security.request_head import RequestHead
from service.security.trusted_origins import Origins
from sessions.errors import PermissionDenied


class StoreOrigins:
    """The pages that may use each data store, engine or corpus.

    A page of this service and a program may use all: what they may do says their credential.
    """

    def __init__(self, shared: Origins, portal: Portal) -> None:
        """Allow the origins of *shared* where *portal* lists none for the data store."""
        self._shared = shared
        self._portal = portal

    def page(self, head: RequestHead) -> str:
        """Return the origin of the page that sent *head*, "" where that is none or our own."""
        if not head.origins or self._shared.is_own(head):
            return ""
        return head.origins[0] if len(set(head.origins)) == 1 else "null"

    def check(self, page: str, name: str) -> None:
        """Refuse the use of what the canonical *name* lies in to a *page* that it is not for.

        Raises:
            PermissionDenied: (ORIGIN_NOT_ALLOWED) whether the data store exists is not looked at.
        """
        if not page:
            return
        policy = self._portal.policy(name)
        listed = policy.origins if policy is not None else ()
        if page not in listed if listed else not self._shared.allow(page):
            raise PermissionDenied(
                "a page of this origin may not use this data store; its origin would have to be "
                "listed in the portal file, or in COLLOQUY_ORIGINS",
                reason="ORIGIN_NOT_ALLOWED",
            )
