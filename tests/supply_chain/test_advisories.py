from __future__ import annotations

import datetime as dt
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.supply_chain import advisories, locks

NOW = dt.datetime(2026, 11, 22, tzinfo=dt.UTC)


def record(name: str = "Some_Package", **more: Any) -> dict[str, Any]:
    """Return an advisory as OSV writes it: versions 2 to before 2.5 are affected."""
    events = [{"introduced": "2"}, {"fixed": "2.5"}]
    affected: dict[str, Any] = {
        "package": {"ecosystem": "PyPI", "name": name},
        "ranges": [{"type": "ECOSYSTEM", "events": events}, {"type": "GIT", "events": []}],
    }
    written: dict[str, Any] = {
        "id": "GHSA-1",
        "aliases": ["CVE-2026-1", "PYSEC-1"],
        "summary": "reads too much",
    }
    return written | {"modified": "2026-11-20T10:00:00.5Z", "affected": [affected]} | more


def export(folder: Path, *records: dict[str, Any]) -> Path:
    file = folder / "all.zip"
    with zipfile.ZipFile(file, "w") as archive:
        for number, written in enumerate(records):
            archive.writestr(f"{number}.json", json.dumps(written))
    return file


def affected(folder: Path, version: str, *records: dict[str, Any]) -> bool:
    return bool(advisories.check({"some-package": {version}}, export(folder, *records)).findings)


@pytest.mark.parametrize(
    ("version", "is_affected"),
    [
        ("1.9", False),
        ("2.0", True),
        ("2.4.9", True),
        ("2.5rc1", True),
        ("2.5", False),
        ("10", False),
    ],
)
def test_a_version_within_a_range_is_affected(
    tmp_path: Path, version: str, *, is_affected: bool
) -> None:
    """By the order of PEP 440, and the name in any spelling."""
    assert affected(tmp_path, version, record()) is is_affected


@pytest.mark.parametrize(
    ("events", "is_affected"),
    [
        ([{"introduced": "0"}], True),
        ([{"introduced": "0"}, {"last_affected": "2.1"}], True),
        ([{"introduced": "0"}, {"last_affected": "2.0"}], False),
        ([{"introduced": "2.2"}, {"introduced": "0"}, {"fixed": "1"}], False),
        ([{"introduced": "0"}, {"fixed": "1"}, {"introduced": "2.1"}], True),
    ],
)
def test_events_of_a_range_are_walked_in_order(
    tmp_path: Path, events: list[dict[str, str]], *, is_affected: bool
) -> None:
    written = record()
    written["affected"][0]["ranges"] = [{"type": "ECOSYSTEM", "events": events}]
    assert affected(tmp_path, "2.1", written) is is_affected


def test_a_version_that_is_listed_is_affected(tmp_path: Path) -> None:
    written = record()
    written["affected"][0] |= {"ranges": [], "versions": ["7.0"]}
    assert affected(tmp_path, "7.0", written)


def test_a_withdrawn_advisory_and_other_ecosystems_count_for_nothing(tmp_path: Path) -> None:
    other = record()
    other["affected"][0]["package"]["ecosystem"] = "npm"
    assert not affected(tmp_path, "2.1", record(withdrawn="2026-11-21T00:00:00Z"), other)


def test_a_finding_says_where_the_package_runs_and_what_mends_it(tmp_path: Path) -> None:
    name, version = next(
        (package.name, package.version)
        for package in locks.read(locks.SERVED)
        if package.name == "aiohttp"
    )
    written = record(name)
    written["affected"][0]["ranges"][0]["events"] = [{"introduced": "0"}, {"fixed": "999"}]
    checked = advisories.check(advisories.locked(), export(tmp_path, written))
    status, said = advisories.report(checked, NOW)
    assert status == 1
    assert said == (
        f"aiohttp {version} (in production): GHSA-1, CVE-2026-1: reads too much; mended in 999\n"
        "1 findings in 1 advisories, the latest of 2026-11-20, 1 days old"
    )


@pytest.mark.parametrize(("days", "status"), [(0, 0), (7, 0), (9, 1)])
def test_a_file_that_is_too_old_fails(tmp_path: Path, days: int, status: int) -> None:
    """It tells its age by its records, however late it was copied."""
    checked = advisories.check({}, export(tmp_path, record()))
    told, said = advisories.report(checked, NOW + dt.timedelta(days=days - 1))
    assert told == status
    assert ("fetch it anew" in said) is bool(status)


@pytest.mark.parametrize("content", [b"", b"no zip", None])
def test_a_file_that_is_no_export_is_refused(
    tmp_path: Path, content: bytes | None, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "all.zip"
    if content is not None:
        file.write_bytes(content)
    assert advisories.main([str(file)]) == 2
    assert str(file) in capsys.readouterr().err


def test_an_export_without_a_record_of_pypi_is_refused(tmp_path: Path) -> None:
    """Nothing is known to be wrong by a file that knows nothing."""
    with pytest.raises(ValueError, match="no advisories of PyPI"):
        advisories.check({}, export(tmp_path))
