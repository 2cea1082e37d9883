"""Compare the locked packages with known advisories, offline.

    python -m tests.supply_chain.advisories FILE

FILE is the export of the OSV database for PyPI, a zip of JSON records that whoever runs the check
fetches: ``https://storage.googleapis.com/osv-vulnerabilities/PyPI/all.zip``. The status is 0 where
nothing is known and the file is fresh, else 1, and 2 where the file cannot be used.
"""

from __future__ import annotations

import datetime as dt
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from packaging.version import InvalidVersion, Version

from tests.supply_chain import locks

FRESH: Final = 7
"""Days after which a file is too old to say that nothing is known; records change every day."""


class Finding(NamedTuple):
    """What is known against a package that is locked."""

    package: str
    version: str
    advisory: str
    summary: str
    fixed: tuple[str, ...]
    """The versions that mend it, in the order of the record."""


class Checked(NamedTuple):
    """What a file says of the packages."""

    findings: list[Finding]
    newest: dt.datetime
    """When the latest of its records was changed: how old it is, wherever it was copied since."""
    records: int


def check(packages: dict[str, set[str]], file: Path) -> Checked:
    """Compare *packages*, versions by name, with the records in *file*.

    Raises:
        ValueError: it is no export, or has no record of PyPI.
    """
    newest, count = dt.datetime.min.replace(tzinfo=dt.UTC), 0
    findings: list[Finding] = []
    for record in _records(file):
        count += 1
        newest = max(newest, dt.datetime.fromisoformat(record["modified"]))
        if "withdrawn" not in record:
            findings += _of_record(record, packages)
    if not count:
        raise ValueError(f"{file} has no advisories of PyPI")
    return Checked(sorted(set(findings)), newest, count)


def _records(file: Path) -> Iterator[dict[str, Any]]:
    try:
        with zipfile.ZipFile(file) as archive:
            for name in archive.namelist():
                if name.endswith(".json"):
                    record = json.loads(archive.read(name))
                    if any(_is_pypi(affected) for affected in record.get("affected", ())):
                        yield record
    except (OSError, zipfile.BadZipFile, json.JSONDecodeError, KeyError) as exc:
        raise ValueError(f"{file} is no export of OSV: {exc}") from exc


def _is_pypi(affected: dict[str, Any]) -> bool:
    return affected.get("package", {}).get("ecosystem") == "PyPI"


def _of_record(record: dict[str, Any], packages: dict[str, set[str]]) -> Iterator[Finding]:
    for affected in filter(_is_pypi, record["affected"]):
        # PEP 503: a name is the same in any case, with any of three marks.
        name = re.sub(r"[-_.]+", "-", affected["package"]["name"]).lower()
        for version in packages.get(name, ()):
            if _is_affected(version, affected):
                aliases = [alias for alias in record.get("aliases", ()) if alias.startswith("CVE-")]
                said = ", ".join([record["id"], *aliases])
                summary = record.get("summary") or record.get("details", "").partition("\n")[0]
                yield Finding(name, version, said, summary, tuple(_fixes(affected)))


def _is_affected(version: str, affected: dict[str, Any]) -> bool:
    if version in affected.get("versions", ()):
        return True
    return any(
        _is_within(Version(version), within["events"])
        for within in affected.get("ranges", ())
        if within["type"] == "ECOSYSTEM"
    )


def _is_within(version: Version, events: list[dict[str, str]]) -> bool:
    """Walk *events* up to *version*, as the OSV schema evaluates a range."""
    affected = False
    for event in sorted(events, key=_place):
        ((kind, bound),) = event.items()
        if kind == "introduced" and (bound == "0" or version >= _version(bound)):
            affected = True
        elif (kind == "fixed" and version >= _version(bound)) or (
            kind == "last_affected" and version > _version(bound)
        ):
            affected = False
    return affected


def _place(event: dict[str, str]) -> Version:
    (bound,) = event.values()
    return _version(bound)


def _version(text: str) -> Version:
    """Read a version; one of before PEP 440 is older than all others."""
    try:
        return Version(text)
    except InvalidVersion:
        return Version("0.dev0")


def _fixes(affected: dict[str, Any]) -> Iterator[str]:
    for within in affected.get("ranges", ()):
        if within["type"] == "ECOSYSTEM":
            yield from (event["fixed"] for event in within["events"] if "fixed" in event)


def locked() -> dict[str, set[str]]:
    """Return the versions of all packages in all locks, by name."""
    found: dict[str, set[str]] = {}
    for lock in locks.LOCKS:
        for package in locks.read(lock):
            found.setdefault(package.name, set()).add(package.version)
    return found


def report(checked: Checked, now: dt.datetime) -> tuple[int, str]:
    """Return the status and what there is to say."""
    served = {package.name for package in locks.read(locks.SERVED)}
    lines: list[str] = []
    for finding in checked.findings:
        where = "in production" if finding.package in served else "in development"
        remedy = f"mended in {', '.join(finding.fixed)}" if finding.fixed else "not mended yet"
        what = f"{finding.package} {finding.version} ({where}): {finding.advisory}"
        lines.append(f"{what}: {finding.summary}; {remedy}")
    age = (now - checked.newest).days
    lines.append(
        f"{len(checked.findings)} findings in {checked.records} advisories, "
        f"the latest of {checked.newest:%Y-%m-%d}, {age} days old"
    )
    if age > FRESH:
        lines.append(f"the file is older than {FRESH} days: fetch it anew, see {__name__}")
    return int(bool(checked.findings) or age > FRESH), "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Check the locks against the file that is named."""
    if len(arguments) != 1:
        sys.stderr.write("name the file: ./dev advisories all.zip\n")
        return 2
    try:
        checked = check(locked(), Path(arguments[0]))
    except ValueError as exc:
        sys.stderr.write(f"{exc}\n")
        return 2
    status, said = report(checked, dt.datetime.now(dt.UTC))
    sys.stdout.write(said + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
