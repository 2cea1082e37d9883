"""Read the tables that docstrings draw, so that a test can walk them."""

from __future__ import annotations

import re
from types import ModuleType

Table = dict[str, dict[str, str]]


def table(module: ModuleType, heading: str) -> Table:
    """Return the cells of the table whose first heading that is, by row and column."""
    lines = (module.__doc__ or "").splitlines()
    (at,) = (n for n in range(len(lines)) if re.match(rf"=.*\n{heading} ", _two(lines, n)))
    columns = [match.span() for match in re.finditer("=+", lines[at])]
    columns[-1] = (columns[-1][0], 1000)
    rows = [[line[start:end].strip() for start, end in columns] for line in lines[at + 1 :]]
    end = next(n for n, row in enumerate(rows) if n > 1 and row[0].startswith("=="))
    names = rows[0]
    return {row[0]: dict(zip(names[1:], row[1:], strict=True)) for row in rows[2:end]}


def _two(lines: list[str], n: int) -> str:
    return "\n".join(lines[n : n + 2])
