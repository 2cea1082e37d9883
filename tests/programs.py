"""Programs of the system that a few tests ask: what they say of our files, or carry for us."""

from __future__ import annotations

import shutil
import subprocess

import pytest


def path(program: str, package: str) -> str:
    """Return where *program* is; where it is not, the test is skipped and names its *package*.

    `.ci/run` installs the packages, and fails where it cannot.
    """
    # Debian keeps servers where only root looks for programs.
    found = shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/sbin")
    if found is None:
        pytest.skip(f"{program} is not here: it is in {package}")
    return found


def run(*command: str, given: str = "") -> str:
    """Run a program that must find nothing wrong; what it said is returned, or in the failure.

    It reads what it is *given*.
    """
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
