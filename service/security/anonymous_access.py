"""Whether the service may be open to everybody who reaches it, as it is without an API key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from service.security.client_address import is_loopback
from service.settings import Settings, SettingsError


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


def demo_origins(settings: Settings) -> Sequence[str]:
    """Return the origins that this machine has for its own service, () where others may reach it.

    The demo portal stands at the one and asks the other. Nobody gains by it: only a process of this
    machine serves a page at these, and that may ask by itself as long as there is no API key.
    """
    if settings.anonymous or settings.proxies or _beyond(settings, ()):
        return ()
    port = "" if settings.port == 80 else f":{settings.port}"
    literal = f"[{settings.host}]" if ":" in settings.host else "127.0.0.1"
    return (f"http://{literal}{port}", f"http://localhost{port}")


def told(settings: Settings, *, any_key: bool) -> str:
    """Return what whoever brings no credential may do now, for the operator to read.

    *any_key* tells whether an API key was ever made: COLLOQUY_ANONYMOUS means another thing then.
    """
    if not any_key:
        where = "reaches the port" if settings.anonymous else "is on this machine"
        return f"no API key was ever made: whoever {where} may do everything"
    if settings.anonymous:
        return "without a credential one may become a visitor, and do nothing else"
    return "without a credential nobody is let in"


def _beyond(settings: Settings, origins: Iterable[str]) -> str:
    """Return the setting that reaches beyond this machine, "" where none does."""
    if not is_loopback(settings.host):
        return f"COLLOQUY_HOST={settings.host}"
    for host in settings.hosts:
        if not is_loopback(host):
            return f"COLLOQUY_HOSTS={host}"
    for origin in settings.origins:
        if not _is_loopback_page(origin):
            return f"COLLOQUY_ORIGINS={origin}"
    for origin in origins:
        if not _is_loopback_page(origin):
            return f"the origin {origin} of the portal file"
    return ""


def _is_loopback_page(origin: str) -> bool:
    return is_loopback(urlsplit(origin).hostname or "")
