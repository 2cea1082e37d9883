"""Packages that take a second or more to import, such as the vendors' official clients."""

from __future__ import annotations

import functools
import importlib
import warnings
from typing import Any


class Package:
    """One that is imported when something of it is first asked for.

    Every worker of a run collects all tests and runs some of them: it imports what these use.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __str__(self) -> str:
        """Return its name."""
        return self._name

    def __getattr__(self, name: str) -> Any:
        """Return what the package has by this *name*."""
        if name.startswith("_"):  # pytest looks whether each name in a module is a fixture
            raise AttributeError(name)
        return getattr(_imported(self._name), name)


@functools.cache
def _imported(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return importlib.import_module(name)
