"""Make a certificate that a test's server shows."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest


class Certificate(NamedTuple):
    """A certificate for localhost that is its own authority."""

    certificate: Path
    key: Path


def localhost(folder: Path) -> Certificate:
    """Make a certificate in *folder*; skip the test where there is no openssl to make it."""
    if (openssl := shutil.which("openssl")) is None:
        pytest.skip("no openssl command to make a certificate with")
    made = Certificate(folder / "cert.pem", folder / "key.pem")
    wanted = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    files = ["-keyout", str(made.key), "-out", str(made.certificate)]
    subprocess.run([openssl, *wanted.split(), *names, *files], check=True, capture_output=True)
    return made
