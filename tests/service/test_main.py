"""The command line imports what a command needs when the command runs, and not before."""

from __future__ import annotations

import argparse
import functools
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import service
from service.__main__ import parser

IMPORTED = "import sys, {module}; print(*sys.modules)"


def leaves(of: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    """Yield the parsers of commands that have none below them."""
    below: list[Any] = [each for each in of._actions if isinstance(each.choices, dict)]
    for action in below:
        for each in action.choices.values():
            yield from leaves(each)
    if not below:
        yield of


def test_each_command_is_a_function_of_a_module() -> None:
    found = [leaf.get_default("command") for leaf in leaves(parser())]
    assert len(found) > 10
    for command in found:
        assert isinstance(command, functools.partial)
        module, function = command.args
        assert callable(getattr(importlib.import_module(f"service.commands.{module}"), function))


def imported(module: str) -> set[str]:
    """Return the packages that a process has imported which imported *module* alone."""
    told = subprocess.run(
        [sys.executable, "-c", IMPORTED.format(module=module)],
        cwd=Path(service.__file__).parents[1],
        stdout=subprocess.PIPE,
        check=True,
    )
    return {name.partition(".")[0] for name in told.stdout.decode().split()}


def test_what_only_serve_needs_is_not_imported_for_the_others() -> None:
    found = imported("service.__main__")
    assert "uvloop" in found
    assert found.isdisjoint({"aiohttp", "litestar", "redis", "tantivy"})


def test_what_only_a_worker_needs_is_not_imported_for_its_supervisor() -> None:
    found = imported("service.commands.serve")
    assert "structlog" in found
    assert found.isdisjoint({"aiohttp", "litestar", "redis", "tantivy", "uvicorn"})


def test_what_few_requests_need_is_not_loaded_by_a_start() -> None:
    found = imported("service.commands.serve as s; s._imported('service.commands.serving')")
    assert {"aiohttp", "litestar", "redis"} <= found
    # What aiohttp stands on, what reads images, and what makes pages of the guide.
    assert found.isdisjoint({"aiosignal", "PIL", "markdown_it"})
