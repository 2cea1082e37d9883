from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from service.version import VERSION

ROOT = Path(__file__).parent.parent
PACKAGES = ("service", "sessions", "streaming")
UNTRACKED = {"__pycache__", "node_modules", "dist"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build the wheel as the image does."""
    # From a copy: what git ignores may lie about in a checkout.
    source = tmp_path_factory.mktemp("source")
    for package in PACKAGES:
        ignored = shutil.ignore_patterns(*UNTRACKED)
        shutil.copytree(ROOT / package, source / package, ignore=ignored)
    for file in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / file, source)
    (source / "docker").mkdir()
    shutil.copy(ROOT / "docker" / "sbom.cdx.json", source / "docker")
    built = next(WheelBuilder(str(source)).build(directory=str(source / "dist")))
    return zipfile.ZipFile(built)


def test_the_wheel_holds_whatever_the_packages_hold(wheel: zipfile.ZipFile) -> None:
    """Lua files, word lists, the widget and the guide are read at run time."""
    present = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and UNTRACKED.isdisjoint(path.parts)
    }
    assert present - set(wheel.namelist()) == set()


def test_the_wheel_holds_nothing_else(wheel: zipfile.ZipFile) -> None:
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)


def test_the_wheel_says_that_its_packages_are_typed(wheel: zipfile.ZipFile) -> None:
    """Else a type checker takes whatever is imported from them for anything (PEP 561)."""
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(wheel.namelist())


def test_the_wheel_has_the_version_of_the_service(wheel: zipfile.ZipFile) -> None:
    metadata = next(name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    assert f"\nVersion: {VERSION}\n" in wheel.read(metadata).decode()


def test_the_wheel_brings_the_command(wheel: zipfile.ZipFile) -> None:
    scripts = next(name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert "colloquy = service.__main__:main" in wheel.read(scripts).decode()


def test_the_wheel_brings_its_bill_of_materials(wheel: zipfile.ZipFile) -> None:
    """Where scanners of images and environments look for it (PEP 770)."""
    (bill,) = [name for name in wheel.namelist() if ".dist-info/sboms/" in name]
    assert bill.endswith("/sbom.cdx.json")
    assert wheel.read(bill) == (ROOT / "docker" / "sbom.cdx.json").read_bytes()
