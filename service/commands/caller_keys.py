"""The API key that a command shows to the service that it speaks to."""

from __future__ import annotations

import argparse

from service import secret_files
from service.settings import Settings, SettingsError


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
