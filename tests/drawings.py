"""Read the tables that docstrings draw, so that a test can walk them."""

from __future__ import annotations

import inspect
import re
from types import ModuleType

Table = dict[str, dict[str, str]]


def table(drawn_in: ModuleType | type, heading: str) -> Table:
    """Return the cells of the table whose first heading that is, by row and column."""
    lines = inspect.cleandoc(drawn_in.__doc__ or "").splitlines()
    first = re.compile(rf"=.*\n{re.escape(heading)} ")
    (at,) = (n for n in range(len(lines)) if first.match(_two(lines, n)))
    columns = [match.span() for match in re.finditer("=+", lines[at])]
    columns[-1] = (columns[-1][0], 1000)
    rows = [[line[start:end].strip() for start, end in columns] for line in lines[at + 1 :]]
    end = next(n for n, row in enumerate(rows) if n > 1 and row[0].startswith("=="))
    names = rows[0]
    return {row[0]: dict(zip(names[1:], row[1:], strict=True)) for row in rows[2:end]}


def cells(drawn_in: ModuleType | type, heading: str) -> dict[tuple[str, str], str]:
    """Return the same, each cell by its row and its column."""
    rows = table(drawn_in, heading)
    return {(row, column): cell for row in rows for column, cell in rows[row].items()}


def _two(lines: list[str], n: int) -> str:
    return "\n".join(lines[n : n + 2])
