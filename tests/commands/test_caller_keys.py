from __future__ import annotations

from pathlib import Path

import pytest

from service.__main__ import parser
from service.commands import caller_keys
from service.settings import Settings, SettingsError
from sessions.errors import NotFound, PermissionDenied, Unavailable

SETTINGS = Settings(api_key="of the settings")


@pytest.mark.parametrize("command", [["chat"], ["evaluate"]])
def test_a_key_comes_from_the_file_or_else_from_the_settings(
    command: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "key"
    file.write_text("of the file\n")
    given = parser().parse_args([*command, "--key-file", str(file)])
    assert caller_keys.key(given, SETTINGS) == "of the file"
    assert caller_keys.key(parser().parse_args(command), SETTINGS) == "of the settings"
    assert caller_keys.key(parser().parse_args(command), Settings()) == ""


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    given = parser().parse_args(["chat", "--key-file", str(tmp_path / "none")])
    with pytest.raises(SettingsError, match=r"--key-file is '.*none': the file cannot be read"):
        caller_keys.key(given, SETTINGS)


def test_what_a_command_says_of_a_key_names_what_helps() -> None:
    missing = PermissionDenied("who?", reason="CREDENTIALS_MISSING")
    assert "colloquy keys create" in caller_keys.told(missing)
    assert caller_keys.told(missing).endswith("(CREDENTIALS_MISSING)")
    refused = caller_keys.told(PermissionDenied("no", reason="API_KEY_INVALID"))
    assert "mistyped, revoked or has ended" in refused
    away = caller_keys.told(Unavailable("it is away", reason="NO_CONNECTION"))
    assert away.startswith("it is away; is it running")
    assert caller_keys.told(NotFound("no such session")).startswith("no such session (")
