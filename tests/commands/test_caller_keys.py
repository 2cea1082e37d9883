from __future__ import annotations

from pathlib import Path

import pytest

from service.__main__ import parser
from service.commands import caller_keys
from service.settings import Settings, SettingsError

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
