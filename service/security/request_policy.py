"""Decide from its head alone whether a request is taken: host, then origin, then content type.

The host comes first: behind a rebound name every page is its own origin. Nothing here reads a body,
so what is refused costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, NamedTuple

from service.security.hosts import Hosts
from service.security.request_head import RequestHead
from service.security.trusted_origins import Origins
from sessions.errors import InvalidArgument, PermissionDenied, ServiceError

_WRITES: Final = frozenset({"POST", "PATCH", "PUT", "DELETE"})
_PROBES: Final = frozenset({"/livez", "/readyz"})
"""They tell nothing, and probes address a replica by whatever name it has in their network."""
_COLLECT: Final = "/userEvents/:collect"
"""A write by GET, for pages that can only read addresses."""
_UPLOAD: Final = "/upload/"


class Refusal(NamedTuple):
    """Why a request is not taken, and its HTTP status."""

    error: ServiceError
    http: int


class RequestPolicy:
    """What this service takes, from whom."""

    def __init__(
        self,
        hosts: Hosts,
        origins: Origins,
        pages: Callable[[], Collection[str]] = frozenset[str],
        listed: Callable[[str], Collection[str]] = lambda _: (),
    ) -> None:
        """*pages* returns the origins that may use single data stores (`store_origins`).

        *listed* returns those that alone may use what a name lies in, () where none are listed.
        """
        self._hosts = hosts
        self._origins = origins
        self._pages = pages
        self._listed = listed

    def refusal(self, head: RequestHead, name: str = "") -> Refusal | None:
        """Return why the request of *head* for *name* is not taken; None where it is."""
        if (refusal := self.host_refusal(head)) is not None:
            return refusal
        writes = head.method in _WRITES
        if head.origins and (listed := self._listed(name)):
            # Reads as well: whoever lists pages wants no other to use what was fetched by one.
            if not self._origins.is_own(head) and not all(page in listed for page in head.origins):
                return _FOREIGN
        elif (writes or head.path.endswith(_COLLECT)) and not self._origins.may_write(head):
            return _FOREIGN
        return _UNSUPPORTED if writes and head.has_body and not _is_typed(head) else None

    def may_connect(self, head: RequestHead) -> bool:
        """Whether a socket may be opened: a browser opens one for any page.

        One that may use anything is let in; what it may use is asked at each of its frames.
        """
        if self._origins.may_write(head):
            return True
        return bool(head.origins) and all(page in self._pages() for page in head.origins)

    def host_refusal(self, head: RequestHead) -> Refusal | None:
        """Return why nobody is served under the host of *head*.

        HTTP/1.0 knows no host; no browser speaks it.
        """
        if head.path in _PROBES or all(map(self._hosts.answers_to, head.hosts)):
            return None
        return _MISDIRECTED


def _is_typed(head: RequestHead) -> bool:
    """Whether a body is of a type that a page of another site must ask before sending.

    Only forms and text go without asking, so JSON is a second barrier where ``Origin`` is missing.
    Bytes of files come as forms, or under a header that is asked for, too.
    """
    types = {given.partition(";")[0].strip().lower() for given in head.content_types}
    if head.path.startswith(_UPLOAD):
        return head.upload_command or (
            bool(types) and all(each.startswith("multipart/") for each in types)
        )
    return types == {"application/json"}


_MISDIRECTED: Final = Refusal(
    InvalidArgument(
        "this service does not answer to that Host; use its IP address, or let its operator list "
        "the name in COLLOQUY_HOSTS",
        reason="HOST_NOT_ALLOWED",
    ),
    421,
)
_FOREIGN: Final = Refusal(
    PermissionDenied(
        "a page of another site may not write here; its origin would have to be listed in "
        "COLLOQUY_ORIGINS",
        reason="ORIGIN_NOT_ALLOWED",
    ),
    403,
)
_UNSUPPORTED: Final = Refusal(
    InvalidArgument(
        "send the body as Content-Type: application/json; files under /upload/ as multipart or "
        "with X-Goog-Upload-Command",
        reason="CONTENT_TYPE_NOT_SUPPORTED",
    ),
    415,
)
