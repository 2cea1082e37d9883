"""The API key that a command shows to the service that it speaks to."""

from __future__ import annotations

import argparse
from typing import Final

from service import secret_files
from service.settings import Settings, SettingsError
from sessions.errors import ServiceError

_MISSING: Final = (
    "this service asks who is calling: make an API key with `colloquy keys create --scope server` "
    "and put it into COLLOQUY_API_KEY, or into a file for --key-file"
)
_REFUSED: Final = (
    "the service refuses the API key in COLLOQUY_API_KEY or --key-file: it is mistyped, revoked or "
    "has ended; `colloquy keys list` shows those that hold"
)
_SAID: Final = {
    "CREDENTIALS_MISSING": _MISSING,
    "API_KEY_INVALID": _REFUSED,
    "TOKEN_INVALID": _REFUSED,
    "TOKEN_EXPIRED": _REFUSED,
    "TOKEN_REVOKED": _REFUSED,
}


def key(arguments: argparse.Namespace, settings: Settings) -> str:
    """Return the key of ``--key-file`` or else of the settings, "" where there is none.

    There is no option for the key itself: every user of a machine may read command lines.

    Raises:
        SettingsError: the file cannot be used.
    """
    if arguments.key_file is None:
        return settings.api_key
    try:
        return secret_files.read(arguments.key_file)
    except ValueError as exc:
        raise SettingsError(f"--key-file is '{arguments.key_file}': {exc}") from exc


def told(error: ServiceError) -> str:
    """Return what a command says of *error*, with what helps at a terminal."""
    said = _SAID.get(error.reason, error.message)
    if error.reason == "NO_CONNECTION":
        said += "; is it running, and does --url name it, with wss:// where it speaks TLS?"
    return f"{said} ({error.reason})"
