"""The tree can be found its way in: each room says what it is, each module leads to its test."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
TESTS: Final = ROOT / "tests"
FLOORS: Final = ("service", "streaming", "sessions")
PACKAGES: Final = sorted(
    path.parent.relative_to(ROOT)
    for floor in FLOORS
    for path in (ROOT / floor).rglob("__init__.py")
)
MODULES: Final = sorted(
    path.relative_to(ROOT)
    for floor in FLOORS
    for path in (ROOT / floor).rglob("*.py")
    if not path.stem.startswith("__")
)
MOST: Final = 16
"""Modules that one folder may hold: what fits a screen, and a story."""
CATALOGUES: Final = frozenset({Path("service/commands"), Path("sessions/resources")})
"""Folders that are looked up by name, not read: one module for each command, or resource."""
COVERED: Final = re.compile(r"^- ([\w, ]+):((?: |\n  )[\w/]+(?:,(?: |\n  )[\w/]+)*)$", re.MULTILINE)
"""A line of a test room's docstring: which modules of the room are tested elsewhere, and where."""
TEXTS: Final = frozenset({".css", ".html", ".js", ".lua", ".md", ".py", ".toml", ".txt", ".yaml"})
SCRIPTS: Final = frozenset({"dev", "run", "Dockerfile"})
"""Texts whose names have no suffix; what coverage writes meanwhile is none of ours."""
OUTSIDE: Final = re.compile(r"\b(?:api|design|streaming|style|layout)\.md\b|\bissue #?\d")
PAGE: Final = re.compile(r"\bguide/([\w/-]+\.md)")


def room_of(package: Path) -> Path:
    """Return the folder of the tests of *package*."""
    if package == Path("service"):
        return TESTS / "service"
    return TESTS / (package.relative_to("service") if package.parts[0] == "service" else package)


def docstring(package: Path) -> str:
    """Return the docstring of a package, "" where it has none."""
    init = package / "__init__.py"
    return (ast.get_docstring(ast.parse(init.read_text("utf-8"))) or "") if init.is_file() else ""


def sentence(package: Path) -> str:
    """Return what the docstring of *package* says first; more may follow below an empty line."""
    return " ".join(docstring(ROOT / package).partition("\n\n")[0].split())


def covered_elsewhere(room: Path) -> dict[str, list[str]]:
    """Return the modules that the docstring of *room* lists, with the tests that cover them."""
    return {
        module.strip(): [test.strip() for test in tests.split(",")]
        for modules, tests in COVERED.findall(docstring(room))
        for module in modules.split(",")
    }


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: ".".join(path.parts))
class TestEveryPackage:
    def test_says_what_it_is_in_one_sentence(self, package: Path) -> None:
        said = sentence(package)
        assert re.fullmatch(r"[A-Z].*[^.]\.", said)
        assert not re.search(r"[.!?] [A-Z]", said)

    def test_names_an_entry_that_it_has(self, package: Path) -> None:
        inside = {path.stem for path in (ROOT / package).iterdir()}
        assert set(re.findall(r"`(\w+)`", docstring(ROOT / package))) <= inside

    def test_holds_no_more_modules_than_tell_one_story(self, package: Path) -> None:
        inside = [module for module in MODULES if module.parent == package]
        assert len(inside) <= MOST or package in CATALOGUES

    def test_leads_from_each_module_to_its_test(self, package: Path) -> None:
        """By its name, or by the docstring of the room of tests."""
        room = room_of(package)
        inside = [module.stem for module in MODULES if module.parent == package]
        named = {module for module in inside if (room / f"test_{module}.py").is_file()}
        listed = set(covered_elsewhere(room))
        assert set(inside) - named - listed == set(), "these modules have no test"
        assert listed <= set(inside) - named, "these lines speak of no module that needs them"

    def test_lists_tests_that_exist(self, package: Path) -> None:
        listed = covered_elsewhere(room_of(package))
        tests = {test for covering in listed.values() for test in covering}
        assert [test for test in tests if not (TESTS / f"{test}.py").is_file()] == []


def test_every_module_can_be_imported() -> None:
    """On this Python: the suite runs whole on one of those that we claim, and this on all."""
    for module in MODULES:
        assert importlib.import_module(".".join(module.with_suffix("").parts))


def test_every_page_that_code_refers_to_is_there() -> None:
    sources = [*(ROOT / module for module in MODULES), *TESTS.rglob("*.py")]
    told = {page for path in sources for page in PAGE.findall(path.read_text("utf-8"))}
    assert {page for page in told if not (ROOT / "service" / "guide" / page).is_file()} == set()
    assert told


def test_no_file_refers_to_a_document_that_is_not_here() -> None:
    """A reader of the repository has nothing else: the guide, an AIP or an RFC says the rule."""
    folders = (*FLOORS, "tests", "docker", ".ci")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*") if path.is_file()]
    files += [path for path in ROOT.iterdir() if path.is_file()]
    told = {
        path.relative_to(ROOT).as_posix(): sorted(set(OUTSIDE.findall(text)))
        for path in files
        if (path.suffix in TEXTS or path.name in SCRIPTS)
        and path != Path(__file__)
        and "node_modules" not in path.parts
        and OUTSIDE.search(text := path.read_text("utf-8"))
    }
    assert told == {}
