"""Whether the service may be open to everybody who reaches it, as it is without an API key."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlsplit

from service.settings import Settings, SettingsError

_OURS: Final = "localhost"
"""The only name that browsers and resolvers keep to this machine (RFC 6761, 6.3)."""


def check(settings: Settings, origins: Iterable[str] = ()) -> None:
    """Permit to serve everybody: because only this machine can ask, or the operator says so.

    *origins* are pages that may write beside those of the settings.

    Raises:
        SettingsError: neither; it names what lets others in, and the two commands that help.
    """
    if not settings.anonymous and (found := _beyond(settings, origins)):
        raise SettingsError(
            f"{found} lets others than this machine in, and without an API key they could read "
            "and delete everything. Make a key: colloquy keys create --scope admin. Or serve "
            "everybody: COLLOQUY_ANONYMOUS=on colloquy serve"
        )


def _beyond(settings: Settings, origins: Iterable[str]) -> str:
    """Return the setting that reaches beyond this machine, "" where none does."""
    if not _is_loopback(settings.host):
        return f"COLLOQUY_HOST={settings.host}"
    for host in settings.hosts:
        if not _is_loopback(host):
            return f"COLLOQUY_HOSTS={host}"
    for origin in settings.origins:
        if not _is_loopback_page(origin):
            return f"COLLOQUY_ORIGINS={origin}"
    for origin in origins:
        if not _is_loopback_page(origin):
            return f"the origin {origin} of the portal file"
    return ""


def _is_loopback(host: str) -> bool:
    """Whether *host*, a name or an address, is this machine and no other; "" is every address."""
    if host.lower().removesuffix(".") == _OURS:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_loopback_page(origin: str) -> bool:
    return _is_loopback(urlsplit(origin).hostname or "")
