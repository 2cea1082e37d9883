"""The unit for systemd is one, confines the service, and fits its settings."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Final

from service import settings
from tests import programs
from tests.deployment import drain_time

FOLDER: Final = Path(__file__).parents[2] / "docker" / "systemd"
UNIT: Final = FOLDER / "colloquy.service"
SECRETS: Final = FOLDER / "colloquy.service.d" / "secrets.conf"
EXPOSURE: Final = 15
"""Tenths of ten, the most that `systemd-analyze security` may find; the guide tells the number."""


def values(path: Path, name: str) -> list[str]:
    """Return what each assignment to *name* in the unit at *path* says."""
    return re.findall(rf"^{name}=(.*)$", path.read_text(), re.MULTILINE)


def given(path: Path) -> dict[str, str]:
    """Return the environment that the unit at *path* sets."""
    pairs = [value.partition("=") for value in values(path, "Environment")]
    return {name: value for name, _, value in pairs}


def analysed(*args: str) -> str:
    """Run systemd-analyze; what it found is returned, or in the failure."""
    return programs.run(programs.path("systemd-analyze", "Debian's package systemd"), *args)


def test_systemd_takes_the_unit_and_the_drop_in(tmp_path: Path) -> None:
    """With a program that is here in place of the one that is installed."""
    text, count = re.subn(
        r"^ExecStart=\S+", f"ExecStart={sys.executable}", UNIT.read_text(), flags=re.M
    )
    assert count == 1
    unit = tmp_path / UNIT.name
    unit.write_text(text)
    shutil.copytree(SECRETS.parent, tmp_path / SECRETS.parent.name)
    assert analysed("verify", str(unit)) == ""


def test_the_service_is_confined() -> None:
    told = analysed("security", "--offline=true", f"--threshold={EXPOSURE}", str(UNIT))
    (exposure,) = re.findall(r"Overall exposure level for colloquy.service: ([\d.]+)", told)
    page = (FOLDER.parents[1] / "service" / "guide" / "deployment.md").read_text("utf-8")
    assert f"The unit has the exposure {exposure} of 10" in page


def test_every_variable_is_a_setting() -> None:
    assert set(given(UNIT)) <= {settings.variable(field) for field in settings.FIELDS}


def test_every_secret_is_read_from_its_credential() -> None:
    credentials = dict(value.split(":") for value in values(SECRETS, "LoadCredential"))
    # The service itself does not read the key that `colloquy chat` shows.
    fields = [field for field in settings.SECRETS if field != "api_key"]
    assert list(credentials) == fields
    assert given(SECRETS) == {settings.file_variable(field): f"%d/{field}" for field in fields}
    assert all(path == f"/etc/colloquy/{name}" for name, path in credentials.items())


def test_the_data_folder_is_the_one_that_may_be_written() -> None:
    (folder,) = values(UNIT, "StateDirectory")
    assert given(UNIT)["COLLOQUY_DATA_DIR"] == f"%S/{folder}"
    assert values(UNIT, "ProtectSystem") == ["strict"]


def test_the_service_gets_the_time_that_it_needs_to_drain_and_keeps_its_redis() -> None:
    (text,) = values(UNIT, "TimeoutStopSec")
    assert int(text) >= drain_time.seconds(given(UNIT))
    # Each process of the group would be told at once, the bundled Redis among them.
    assert values(UNIT, "KillMode") == ["mixed"]
