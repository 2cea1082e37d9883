"""What is on disk is of this version and whole, whenever its writer was killed."""

from __future__ import annotations

import ast
import random
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

from service.corpus.index import SearchScope
from service.corpus.ranking import scoped_search
from service.corpus.tantivy import index_writer, snapshot_manifest, snapshots
from service.corpus.tantivy.index_folder import IndexFolder
from service.language import index_terms, stemming, words
from tests.corpus.tantivy.snapshot_child import DOCUMENTS
from tests.corpus.texts import STORE

KILLS = 3


def imported(module: ModuleType, room: str) -> set[ModuleType]:
    """Return the modules of *room* that *module* stands on, near or far."""
    source = ast.parse(Path(str(module.__file__)).read_text())
    names = {
        name
        for node in ast.walk(source)
        if isinstance(node, ast.ImportFrom) and node.module
        for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        if name.startswith(f"{room}.")
    }
    near = {sys.modules[name] for name in names if name in sys.modules}
    return near.union(*(imported(one, room) for one in near))


def test_a_snapshot_is_of_another_version_once_its_terms_are_made_otherwise() -> None:
    """Terms that were made by other code meet no query: every module that makes them counts."""
    makers = imported(index_terms, "service.language")
    assert {stemming, words} < makers
    assert makers | {index_terms, index_writer} <= set(snapshot_manifest.DECIDING)


def killed(root: Path, after: float) -> int:
    """Let a child write snapshots, kill it at some moment; return the last that it told of."""
    command = [sys.executable, "-m", "tests.corpus.tantivy.snapshot_child", str(root)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as child:
        if child.stdout is None:
            raise AssertionError("it was given a pipe")
        told = child.stdout.readline()
        time.sleep(after)  # any moment will do: of a write, between two, while segments merge
        child.kill()
        return int((told + child.stdout.read()).split(b"\n")[-2])


def test_a_killed_writer_leaves_what_it_wrote_last(tmp_path: Path) -> None:
    chance = random.Random(11)
    for _ in range(KILLS):
        told = killed(tmp_path, chance.uniform(0, 0.2))
        folder = IndexFolder(tmp_path, "0" * 32)
        snapshot = folder.snapshot(STORE)
        writer, manifest = snapshots.open_snapshot(snapshot, folder.new_live())
        assert told <= manifest.position <= told + 1
        plan = scoped_search.plan(SearchScope(data_stores=(STORE,)))
        found = scoped_search.search(
            [(STORE, writer.reader)], f"round{manifest.position}", plan, 100
        )
        assert len(found) == 2 * DOCUMENTS == writer.reader.chunks
        assert len(list((tmp_path / ("0" * 32) / "live").iterdir())) == 2  # own folder, own lock
        folder.close()
