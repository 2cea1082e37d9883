"""The chat that is served is what its sources make."""

from __future__ import annotations

import fcntl
import gzip
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

WIDGET: Final = Path(__file__).parents[2] / "service" / "widget"
ASSET: Final = WIDGET / "colloquy-chat.js"
# What a page pays for the chat, in bytes on the wire.
MOST_BYTES: Final = 45 * 1024


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The packages that build the chat, installed once for all workers of a run."""
    if shutil.which("npm") is None:
        pytest.skip("there is no npm to build the chat with")
    base = tmp_path_factory.getbasetemp()
    made = (base if worker_id == "master" else base.parent) / "widget-packages"
    made.mkdir(exist_ok=True)
    with (made / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (made / "installed").exists():
            for name in ("package.json", "package-lock.json"):
                shutil.copy(WIDGET / name, made)
            npm(made, "ci", "--no-audit", "--no-fund")
            (made / "installed").touch()
    return made / "node_modules"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory, packages: Path) -> Path:
    """The sources alone, with the packages that build them."""
    made = tmp_path_factory.mktemp("sources") / "widget"
    built = ("node_modules", "dist", "__pycache__", ASSET.name, "integrity.txt", "reader.js")
    shutil.copytree(WIDGET, made, ignore=shutil.ignore_patterns(*built))
    (made / "node_modules").symlink_to(packages)
    return made


def npm(folder: Path, *command: str) -> None:
    ran = subprocess.run(
        ["npm", "--silent", *command], cwd=folder, check=False, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_the_asset_is_built_from_the_sources(copy: Path) -> None:
    npm(copy, "run", "build")
    for name in (ASSET.name, "integrity.txt", "reader.js"):
        assert (copy / name).read_bytes() == (WIDGET / name).read_bytes(), "run ./dev widget"


def test_the_package_describes_the_element(copy: Path) -> None:
    """Types for whoever imports it, and a custom-elements manifest for their editors.

    To write the types the compiler checks all sources: what is wrong with one is an error here.
    """
    npm(copy, "run", "package")
    described = json.loads((copy / "package.json").read_text())["exports"]
    for entry in (*described["."].values(), *described["./react"].values()):
        assert (copy / entry).is_file(), entry
    manifest = json.loads((copy / "dist" / "custom-elements.json").read_text())
    (element,) = (
        each
        for module in manifest["modules"]
        for each in module["declarations"]
        if each.get("tagName") == "colloquy-chat"
    )
    source = (copy / "source" / "element.ts").read_text()
    observed = re.search(r"observedAttributes = \[(.*?)\]", source, re.DOTALL)
    assert observed is not None
    names = {each["name"] for each in element["attributes"]}
    assert set(re.findall(r'"([\w-]+)"', observed[1])) <= names
    events = re.findall(r'^  "?([a-z-]+)"?: ', (copy / "source" / "events.ts").read_text(), re.M)
    assert {each["name"] for each in element["events"]} == set(events)


def test_the_asset_stays_small() -> None:
    assert len(gzip.compress(ASSET.read_bytes(), 9)) <= MOST_BYTES


def test_the_lock_of_its_packages_names_no_address() -> None:
    """Neither of a registry, nor of who asks for funding."""
    lock = (WIDGET / "package-lock.json").read_text()
    assert "://" not in lock, "run npm run lock in service/widget"
