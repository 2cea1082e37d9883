"""Decide from its head alone whether a request is taken: host, then origin, then content type.

The host comes first: behind a rebound name every page is its own origin. Nothing here reads a body,
so what is refused costs nothing.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from service.security.hosts import Hosts
from service.security.origin_policy import OriginPolicy
from service.security.request_head import RequestHead
from sessions.errors import InvalidArgument, ServiceError

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

    def __init__(self, hosts: Hosts, origins: OriginPolicy) -> None:
        self._hosts = hosts
        self.origins = origins

    def refusal(self, head: RequestHead, name: str = "") -> Refusal | None:
        """Return why the request of *head* for *name* is not taken; None where it is."""
        if (refusal := self.host_refusal(head)) is not None:
            return refusal
        writes = head.method in _WRITES
        changes = writes or head.path.endswith(_COLLECT)
        if (error := self.origins.refusal(head, name, writes=changes)) is not None:
            return Refusal(error, error.http)
        return _UNSUPPORTED if writes and head.has_body and not _is_typed(head) else None

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
_UNSUPPORTED: Final = Refusal(
    InvalidArgument(
        "send the body as Content-Type: application/json; files under /upload/ as multipart or "
        "with X-Goog-Upload-Command",
        reason="CONTENT_TYPE_NOT_SUPPORTED",
    ),
    415,
)
