"""The table of threats and controls names what there is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from service import settings

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "service" / "guide" / "code" / "security-review.md"
ROWS: Final[list[list[str]]] = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.read_text("utf-8").replace("| |", "|  |").splitlines()
    if line.startswith("| ") and not line.startswith(("| Threat", "| ---"))
]


def names_in(file: Path) -> set[str]:
    """Return the tests of *file* as pytest names them."""
    named: set[str] = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            named |= {f"{node.name}::{name}" for name in functions(node.body)}
    return named | set(functions(ast.parse(file.read_text("utf-8")).body))


def functions(body: list[ast.stmt]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name


def test_the_table_is_read() -> None:
    assert len(ROWS) >= 35


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
class TestEveryThreat:
    def test_names_tests_that_there_are(self, row: list[str]) -> None:
        named: list[str] = re.findall(r"`([^`]+)`", row[4])
        assert named
        for test in named:
            file, _, name = test.partition("::")
            assert name.rpartition("::")[2].startswith("test_")
            assert name in names_in(ROOT / file), test

    def test_names_reasons_and_settings_that_there_are(self, row: list[str]) -> None:
        known = {settings.variable(field) for field in settings.FIELDS}
        known |= {settings.file_variable(field) for field in settings.SECRETS}
        for named in re.findall(r"`([A-Z_]+)`", row[2]):
            assert named in known or named in REASONS, named

    def test_is_known_to_others_by_an_identifier(self, row: list[str]) -> None:
        identifiers = row[3].split(", ")
        assert all(
            re.fullmatch(r"ASVS (1[0-7]|[1-9])\.\d+\.\d+|LLM(0[1-9]|10)", each)
            for each in identifiers
        ), identifiers


def _reasons() -> frozenset[str]:
    """Return what stands in quotes and capitals in the code, reasons of errors among it."""
    code = [
        module.read_text("utf-8")
        for package in ("service", "sessions", "streaming")
        for module in (ROOT / package).rglob("*.py")
    ]
    return frozenset(re.findall(r'"([A-Z]+(?:_[A-Z]+)+)"', "\n".join(code)))


REASONS: Final = _reasons()


def test_each_risk_of_models_is_met() -> None:
    """All ten of the list of 2025."""
    met = {each for row in ROWS for each in row[3].split(", ") if each.startswith("LLM")}
    assert met == {f"LLM{number:02}" for number in range(1, 11)}
