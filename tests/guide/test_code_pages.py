"""What the guide tells whoever changes the code is so."""

from __future__ import annotations

import ast
import collections
import functools
import importlib
import re
import tomllib
from pathlib import Path
from typing import Final

import pytest

from service.corpus.documents import folders, sample_import
from service.corpus.parsing.prepared_documents import DocumentSource
from tests.corpus import test_index
from tests.generation import test_generator
from tests.guide import test_guide
from tests.guide.test_tree import MODULES, PACKAGES, ROOT, TESTS, sentence

GUIDE: Final = ROOT / "service" / "guide" / "code"
PAGES: Final = sorted(GUIDE.glob("*.md"))
PATH: Final = re.compile(r"`((?:service|streaming|sessions|tests|docker|\.ci)/[\w/.-]+)`")
NAME: Final = re.compile(r"`((?:service|streaming|sessions)(?:\.\w+)+)`")
RESOURCES: Final = Path("sessions/resources")
RETIRED: Final = frozenset(
    "asked ask begun craft desk door doors draft find finder finds front fronts house known"
    " lane outlet patience peer peers shard showing teller telling utils helpers common"
    " manager".split()
)
"""Words of names that meant several things, or nothing that a newcomer would search for."""
PUBLISHED: Final = frozenset({"Ask"})
"""Names that the AsyncAPI document shows."""


def page(name: str) -> str:
    return (GUIDE / f"{name}.md").read_text("utf-8")


def table(name: str, heading: str) -> list[list[str]]:
    """Return the rows of the table under a heading of a page, without its head."""
    section = page(name).partition(f"## {heading}\n")[2].partition("\n## ")[0]
    lines = re.findall(r"^\| (.+) \|$", section, re.MULTILINE)
    return [[cell.strip("`") for cell in line.split(" | ")] for line in lines[2:]]


def words(name: str) -> list[str]:
    """Return the words of the name of a module or class, in lower case."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", name)]


@functools.cache
def classes() -> dict[str, list[Path]]:
    """Return the modules of each public class."""
    found: dict[str, list[Path]] = collections.defaultdict(list)
    for module in MODULES:
        for node in ast.parse((ROOT / module).read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(module)
    return found


def resolved(dotted: str) -> object:
    """Return the module, or what of a module, *dotted* names."""
    module, _, attribute = dotted.rpartition(".")
    try:
        return importlib.import_module(dotted)
    except ModuleNotFoundError:
        return getattr(importlib.import_module(module), attribute)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_is_written_as_the_others_of_the_guide(path: Path) -> None:
    checks = test_guide.TestEveryPage()
    checks.test_has_one_title_and_unique_headings(path)
    checks.test_has_no_broken_links(path)
    checks.test_names_the_language_of_its_code(path)
    checks.test_speaks_in_sentences_that_stand_alone(path)


def test_every_page_can_be_reached_from_the_first() -> None:
    linked = set(test_guide.LINK.findall(test_guide.page("index")))
    assert {f"code/{path.name}" for path in PAGES} <= linked


def test_who_asks_the_sample_is_not_answered_from_these_pages() -> None:
    """They use the words of the users' pages for other things."""
    items = [*folders.items(sample_import.GUIDE, "", nested=False)]
    imported = {item.id for item in items if isinstance(item, DocumentSource)}
    assert imported == {path.name for path in test_guide.PAGES}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_what_a_page_names_is_there(path: Path) -> None:
    text = path.read_text("utf-8")
    assert [name for name in PATH.findall(text) if not (ROOT / name).exists()] == []
    if path.stem != "query-way":  # a test of its own calls those
        assert all(resolved(name) for name in NAME.findall(text))


def test_the_map_has_each_folder_with_its_docstring() -> None:
    """They are one sentence: who changes one changes the other."""
    rows = table("map", "Which folders does the code have?")
    assert len(rows) == len(PACKAGES)
    assert dict(rows) == {str(package): sentence(package) for package in PACKAGES}


@pytest.mark.parametrize(
    ("word", "where"),
    [(row[0], row[2]) for row in table("glossary", "What do the words of the code mean?")],
)
def test_a_word_of_the_glossary_is_in_use_where_it_is_at_home(word: str, where: str) -> None:
    assert resolved(where)
    assert word.replace(" ", "").lower() in re.sub("[_.]", "", where).lower()


def test_a_name_of_a_class_stands_for_one_thing() -> None:
    """Documented messages keep their names, and the glossary argues for each other double."""
    argued = {row[0] for row in table("glossary", "Which names of classes are there twice?")}
    doubles = {
        name
        for name, modules in classes().items()
        if len(modules) > 1 and any(module.parent != RESOURCES for module in modules)
    }
    assert doubles == argued


def test_no_name_has_a_word_that_meant_several_things() -> None:
    own = [
        name for name, modules in classes().items() if {m.parent for m in modules} != {RESOURCES}
    ]
    names = [*own, *(module.stem for module in MODULES), *(path.name for path in PACKAGES)]
    told = {name for name in names if not RETIRED.isdisjoint(words(name))}
    assert told - PUBLISHED == set()


def test_the_table_of_suites_has_each_folder_of_tests() -> None:
    told = {row[0] for row in table("testing", "What does each suite prove?")}
    rooms = {path.parent for path in TESTS.rglob("test_*.py")} - {TESTS}
    folders = {(TESTS / room.relative_to(TESTS).parts[0]).relative_to(ROOT) for room in rooms}
    others = {"tests/chaos", "tests/fuzz"}  # programs, whose tables stand below
    assert told == {str(folder) for folder in folders} - others


def test_the_contract_suites_are_parametrised_where_the_page_says() -> None:
    text = page("adding")
    assert "`INDEXES` in `tests/corpus/test_index.py`" in text
    assert len(test_index.INDEXES) > 1
    assert "`GENERATORS` in `tests/generation/test_generator.py`" in text
    assert len(test_generator.GENERATORS) > 1


def test_the_floor_of_coverage_is_the_one_told() -> None:
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    floor = configured["tool"]["coverage"]["report"]["fail_under"]
    assert f"less than {floor} % of lines" in page("testing")


def test_the_pythons_that_are_tested_are_those_that_are_claimed() -> None:
    configured = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    claimed = re.findall(r"Python :: (3\.\d+)", "\n".join(configured["project"]["classifiers"]))
    run = (ROOT / ".ci" / "run").read_text("utf-8")
    assert f"for version in {' '.join(claimed)}; do" in run
    assert f"{', '.join(claimed[:-1])} and {claimed[-1]}" in page("testing")
