"""What the image and the composition are built of and may do, as their files say: none is built."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

import pytest
import yaml

from service import settings

ROOT: Final = Path(__file__).parent.parent
INSTRUCTIONS: Final = re.sub(
    r"\\\n", " ", re.sub(r"^#.*\n", "", (ROOT / "docker" / "Dockerfile").read_text(), flags=re.M)
).splitlines()
COMPOSED: Final[dict[str, Any]] = yaml.safe_load((ROOT / "docker" / "compose.yaml").read_text())
FORWARDED: Final = {"127.0.0.1"}


def arguments(instruction: str) -> list[str]:
    """Return what follows each *instruction* of the Dockerfile."""
    return [
        line.removeprefix(instruction).strip()
        for line in INSTRUCTIONS
        if line.startswith(f"{instruction} ")
    ]


def last_stage() -> list[str]:
    """Return the instructions of the stage that is run."""
    (begin,) = [i for i, line in enumerate(INSTRUCTIONS) if line.startswith("FROM")][-1:]
    return INSTRUCTIONS[begin:]


def test_every_stage_stands_on_the_base_that_a_digest_may_pin() -> None:
    assert arguments("ARG")[0].startswith("BASE=python:3.")
    assert {stage.split()[0] for stage in arguments("FROM")} == {"${BASE}"}
    assert COMPOSED["x-replica"]["build"]["args"]["BASE"] == "${BASE:-python:3.12-slim}"


def test_packages_come_with_their_hashes_and_nothing_else_is_fetched() -> None:
    installed = [line for line in arguments("RUN") if "pip install" in line]
    for command in re.findall(r"pip install [^&]*", " ".join(installed)):
        assert "--require-hashes" in command or "--no-index" in command, command
    assert not any(re.search(r"\b(curl|wget|git|apt-get)\b", line) for line in INSTRUCTIONS)
    assert arguments("ADD") == []


def test_all_that_is_copied_reaches_the_engine() -> None:
    """What .dockerignore keeps back fails the build."""
    passed = {
        line[1:]
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    copied = [
        source
        for line in arguments("COPY")
        if not line.startswith("--from")
        for source in line.split()[:-1]
    ]
    assert len(copied) >= 8
    assert set(copied) - passed == set()
    assert [source for source in copied if not (ROOT / source).exists()] == []


def test_what_tools_leave_in_a_checkout_stays_behind() -> None:
    """npm may link its folder to another: what reaches the engine is a link to nothing."""
    kept_back = (ROOT / ".dockerignore").read_text().splitlines()
    assert {"**/__pycache__", "**/node_modules"} <= set(kept_back)


def test_no_secret_is_in_a_layer() -> None:
    said = " ".join(arguments("ENV") + arguments("ARG"))
    assert not re.search(r"KEY|SECRET|PASSWORD|TOKEN|REDIS_URL", said)
    assert not any("*" in line or line.split()[0] == "." for line in arguments("COPY"))


def test_the_image_runs_as_a_user_without_rights() -> None:
    """By number, as Kubernetes asks where it lets nobody run as root."""
    stage = last_stage()
    (user,) = [line.split()[1] for line in stage if line.startswith("USER")]
    assert user == "10001:10001"
    after = stage[stage.index(f"USER {user}") :]
    assert not any(line.startswith(("RUN", "COPY", "USER 0", "USER root")) for line in after[1:])


def test_the_image_says_whether_it_is_healthy() -> None:
    stage = last_stage()
    (check,) = [line for line in stage if line.startswith("HEALTHCHECK")]
    assert 'CMD ["python", "-I", "-S", "/opt/colloquy/health.py"]' in check
    assert "COPY docker/health.py /opt/colloquy/" in stage
    assert any(line.startswith('ENTRYPOINT ["colloquy"]') for line in stage)


def test_the_composition_passes_every_setting_on() -> None:
    """But those that say where the image listens and keeps its data."""
    of_the_image = {
        line.split("=")[0] for line in " ".join(arguments("ENV")).split() if "COLLOQUY_" in line
    }
    known = {settings.variable(field) for field in settings.FIELDS} | {
        settings.file_variable(field) for field in settings.SECRETS
    }
    assert len(of_the_image) == 3
    assert set(COMPOSED["x-replica"]["environment"]) == known - of_the_image


def test_the_composition_leaves_settings_that_nobody_made_to_their_defaults() -> None:
    """Without a value a variable is passed on where it is set, and absent where it is not."""
    given = {name for name, value in COMPOSED["x-replica"]["environment"].items() if value}
    assert given == {"COLLOQUY_REDIS_URL", "COLLOQUY_ANONYMOUS"}


@pytest.mark.parametrize("name", list(COMPOSED["services"]))
class TestEveryContainer:
    def test_writes_to_its_volume_and_to_memory_alone(self, name: str) -> None:
        container = COMPOSED["services"][name]
        assert container["read_only"] is True
        assert container["tmpfs"] == ["/tmp"]
        mounted = [volume.split(":") for volume in container["volumes"]]
        assert all(parts[1] == "/data" or parts[-1] == "ro" for parts in mounted)

    def test_has_no_capabilities_and_gains_none(self, name: str) -> None:
        container = COMPOSED["services"][name]
        assert container["cap_drop"] == ["ALL"]
        assert container["security_opt"] == ["no-new-privileges:true"]
        assert not {"privileged", "cap_add", "network_mode", "pid", "ipc"} & container.keys()

    def test_is_reached_from_this_machine_alone(self, name: str) -> None:
        for port in COMPOSED["services"][name].get("ports", []):
            assert port.split(":")[0] in FORWARDED
