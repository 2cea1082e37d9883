"""What a start puts off is there when it is used; the rest of a start is in `tests.whole`."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

from service.commands import serve


def test_a_package_is_loaded_with_its_first_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever imports it meanwhile, and whoever does later, has the same."""
    package = tmp_path / "late"
    package.mkdir()
    (package / "__init__.py").write_text("from late.within import NAME\n")
    (package / "within.py").write_text("NAME = []\n")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    serve.defer("late")
    first, second = importlib.import_module("late"), importlib.import_module("late")
    assert "late.within" not in sys.modules
    assert first.NAME is second.NAME is importlib.import_module("late").NAME
    assert importlib.import_module("late.within").NAME is first.NAME
    with pytest.raises(AttributeError):
        _ = first.missing


def test_a_package_that_is_there_stays() -> None:
    before = sys.modules["pytest"]
    serve.defer("pytest")
    assert sys.modules["pytest"] is before
