"""The order in which a request passes the middleware."""

from __future__ import annotations

from collections.abc import Collection

from litestar.types import ASGIApp

from service.middleware.content_coding import ContentCoding
from service.middleware.head_and_options import HeadAndOptions
from service.middleware.request_checks import RequestChecks
from service.middleware.request_limit import RequestLimit, RequestsInFlight
from service.middleware.response_headers import ResponseHeaders
from service.security.cross_origin import CrossOrigin
from service.security.hosts import Hosts
from service.security.origins import Origins
from service.security.request_policy import RequestPolicy


def stacked(
    app: ASGIApp,
    *,
    hosts: Collection[str],
    origins: Collection[str],
    requests: RequestsInFlight,
) -> ASGIApp:
    """Return *app* behind everything that a request passes before it is routed.

    The headers come outermost, so that refusals have them; the checks before all that costs.
    *hosts* are the names of this service, *origins* the pages of other sites that may write;
    *requests* bounds how many are in flight.
    """
    known = Hosts(hosts)
    allowed = Origins(known, origins)
    shared = CrossOrigin(allowed, everybody="*" in origins) if origins else None
    checked = RequestChecks(HeadAndOptions(ContentCoding(app)), RequestPolicy(known, allowed))
    return ResponseHeaders(RequestLimit(checked, requests), shared)
