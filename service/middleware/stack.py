"""The order in which a request passes the middleware."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection

from litestar.types import ASGIApp

from service.access_log import AccessLog
from service.middleware.access_logging import AccessLogging
from service.middleware.auditing import Auditing, Recorders
from service.middleware.authentication import Authenticating
from service.middleware.client_address import ClientAddress
from service.middleware.content_coding import ContentCoding
from service.middleware.exchange import Exchanges
from service.middleware.head_and_options import HeadAndOptions
from service.middleware.rate_limits import HasRateLimiter, RateLimiting
from service.middleware.request_checks import RequestChecks
from service.middleware.request_limit import RequestLimit, RequestsInFlight
from service.middleware.request_tracing import RequestTracing
from service.middleware.response_headers import ResponseHeaders
from service.security.client_address import Proxies
from service.security.credentials import Credentials
from service.security.hosts import Hosts
from service.security.origin_policy import OriginPolicy
from service.security.principals import Principal
from service.security.request_policy import RequestPolicy
from sessions.spans import UNTRACED, Tracer


def stacked(
    app: ASGIApp,
    *,
    hosts: Hosts,
    origins: OriginPolicy,
    proxies: Collection[str],
    requests: RequestsInFlight,
    observe: Callable[[str, int, float], None],
    access_log: AccessLog,
    authenticate: Callable[[Credentials], Awaitable[Principal]],
    recorders: Recorders,
    limits: HasRateLimiter,
    tracer: Tracer,
) -> ASGIApp:
    """Return *app* behind everything that a request passes before it is routed.

    *hosts* are the names of this service, *origins* say which pages may use it, *proxies* are
    believed who a client is, *requests* bounds how many are in flight, *observe* is told of each
    its API method, status and seconds, *access_log* writes lines of some, *authenticate* names who
    sends one, *recorders* keep what administrators do, *limits* bound how much one caller asks, and
    *tracer* traces, if anything does.
    """
    # From the router outwards. A HEAD has become a GET when its body would be decoded, which nobody
    # does for a GET.
    app = HeadAndOptions(ContentCoding(app))
    # Known by name, and not routed yet: a flood costs neither a look-up nor a body.
    app = RateLimiting(app, limits)
    app = Auditing(Authenticating(app, authenticate), recorders)
    # Nothing is read, decoded or looked up for what the policy refuses.
    app = RequestChecks(app, RequestPolicy(hosts, origins))
    app = RequestLimit(app, requests)
    # Around all that refuses: refusals, too, are counted, must not be cached, and are read by the
    # pages of allowed sites.
    app = Exchanges(app, ResponseHeaders(origins), observe, AccessLogging(access_log))
    # Around what logs, which tells the trace.
    if tracer is not UNTRACED:
        app = RequestTracing(app, tracer)
    # Before anything is judged by address, scheme or host.
    return ClientAddress(app, Proxies(proxies)) if proxies else app
