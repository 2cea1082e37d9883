"""The chat that is served is what its sources make."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

WIDGET: Final = Path(__file__).parents[2] / "service" / "widget"
ASSET: Final = WIDGET / "colloquy-chat.js"
# What a page pays for the chat, in bytes on the wire.
MOST_BYTES: Final = 45 * 1024


@pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm to build it with")
def test_the_asset_is_built_from_the_sources(tmp_path: Path) -> None:
    copy = tmp_path / "widget"
    shutil.copytree(WIDGET, copy, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
    (copy / ASSET.name).unlink()
    for command in (["ci", "--no-audit", "--no-fund"], ["run", "check"], ["run", "build"]):
        ran = subprocess.run(
            ["npm", "--silent", *command], cwd=copy, check=False, capture_output=True, text=True
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
    for name in (ASSET.name, "integrity.txt"):
        assert (copy / name).read_bytes() == (WIDGET / name).read_bytes(), "run ./dev widget"


def test_the_asset_stays_small() -> None:
    assert len(gzip.compress(ASSET.read_bytes(), 9)) <= MOST_BYTES


def test_the_lock_of_its_packages_names_no_address() -> None:
    assert "://" not in (WIDGET / "package-lock.json").read_text()
