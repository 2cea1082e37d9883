"""Carry what each log line of the current task shows beside what it says: whose work it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final

Field = str | Callable[[], str]
"""A value, or what makes one when a line is written: most work writes none."""

FIELDS: Final[ContextVar[Mapping[str, Field]]] = ContextVar(
    "log_fields", default=MappingProxyType({})
)


def bind(**fields: Field) -> None:
    """Show *fields* in the lines of this task, and of those it starts, from here on."""
    FIELDS.set({**FIELDS.get(), **fields})


def replace(**fields: Field) -> None:
    """Show *fields* alone: the work is not that of who happened to start this task."""
    FIELDS.set(fields)
