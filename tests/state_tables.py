"""Read the tables of states and events that docstrings draw, for the tests that walk them."""

from __future__ import annotations

import re


def read(docstring: str | None) -> dict[tuple[str, str], str]:
    """Return the cells of the one table in *docstring*, each by its event and its state."""
    lines = [line.strip() for line in (docstring or "").splitlines()]
    first, second, last = (at for at, line in enumerate(lines) if line.startswith("=="))
    states = _cells(lines[first + 1])[1:]
    return {
        (event, state): cell
        for event, *cells in map(_cells, lines[second + 1 : last])
        for state, cell in zip(states, cells, strict=True)
    }


def _cells(line: str) -> list[str]:
    return re.split(r" {2,}", line)
