from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.supply_chain import locks


@pytest.mark.parametrize("lock", locks.LOCKS, ids=lambda lock: lock.name)
def test_every_package_of_every_lock_is_read(lock: Path) -> None:
    """Each line that pins one, with whom it is for."""
    packages = locks.read(lock)
    assert len(packages) == lock.read_text("utf-8").count("==") - lock.read_text("utf-8").count(
        " == "
    )
    assert all(package.wanted_by for package in packages)


def pinned(lock: Path) -> set[tuple[str, str]]:
    return {(package.name, package.version) for package in locks.read(lock)}


def test_what_runs_in_production_is_tested_in_the_same_version() -> None:
    assert pinned(locks.SERVED) < pinned(locks.TRACING) < pinned(locks.LOCKS[1])


def test_a_lock_lacks_nothing_that_its_packages_need() -> None:
    """It is installed as it stands, without asking what else they need."""
    check = [sys.executable, "-m", "pip", "check", "--disable-pip-version-check"]
    ended = subprocess.run(check, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a==1\nb==2 \\\n    --hash=sha256:" + 64 * "0", "a has no hash"),
        ("a @ https://example.org/a.whl", "no pinned package"),
        ("a>=1", "no pinned package"),
    ],
)
def test_what_is_not_pinned_by_a_hash_is_refused(tmp_path: Path, text: str, said: str) -> None:
    lock = tmp_path / "requirements.txt"
    lock.write_text(text)
    with pytest.raises(ValueError, match=said):
        locks.read(lock)
