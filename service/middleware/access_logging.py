"""Tell the access log how each request over HTTP ended, and each that a frame calls."""

from __future__ import annotations

from typing import Any, Final

from service.access_log import AccessLog
from service.middleware.request_metrics import method_of

REQUEST_ID: Final = b"x-request-id"


class AccessLogging:
    """Has a line written about an exchange, if there is to be one."""

    def __init__(self, log: AccessLog) -> None:
        self._log = log

    def ended(self, scope: Any, *, status: int, sent: int, seconds: float, framed: bool) -> None:
        """Tell of the request of *scope*, which a frame called where that is *framed*."""
        if self._log.wants(status):
            self._log.write(
                over="websocket" if framed else "http",
                method=method_of(scope),
                status=status,
                seconds=seconds,
                request_id=dict(scope["headers"]).get(REQUEST_ID, b"").decode("latin-1"),
                sent=sent,
            )
