"""Where the service of this machine answers, as its settings say."""

from __future__ import annotations

from service.settings import Settings


def address(settings: Settings) -> str:
    """Return host and port as a URL has them: one that listens everywhere answers at loopback."""
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104
    return f"{f'[{host}]' if ':' in host else host}:{settings.port}"
