"""Write the tables of AsciiDoc as HTML: rows of cells, which may hold lists and code."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

_CELL: Final = re.compile(
    r"(?:(?:(?<=\s)|^)(?:(?P<times>\d{1,2})\*|(?P<columns>\d{1,2})?(?:\.(?P<rows>\d{1,3}))?\+)?"
    r"[<^>]?(?:\.[<^>])?(?P<style>[adehlmsv])?)?(?<!\\)\|",
    re.M,
)
_MULTIPLIED: Final = re.compile(r"(\d{1,2})\*")
_COLUMNS: Final = 40


class _Cell(msgspec.Struct):
    text: str
    columns: int = 1
    rows: int = 1
    style: str = ""


def written(
    lines: Sequence[str],
    *,
    columns: str,
    form: str,
    headed: bool | None,
    write: Callable[[str, bool], str],
) -> str:
    """Return the HTML of the table that *lines* hold between its delimiters.

    *columns* is what its author says of them, *form* "csv", "dsv" or "", and *headed* whether the
    first row names the columns, None for what its lines tell; *write* is called with the text of a
    cell and whether it holds blocks.
    """
    if form in _SEPARATORS:
        sign = _SEPARATORS[form]
        rows = [[_Cell(cell) for cell in row] for row in separated(lines, sign)]
    else:
        cells = _cells("\n".join(lines))
        rows = _rows(cells, _count(columns) or _first_row(lines) or 1)
    if headed is None:
        headed = _has_blank_second(lines) and len(rows) > 1
    parts = ["<table>"]
    for number, row in enumerate(rows):
        tag = "th" if headed and number == 0 else "td"
        parts.append("<thead><tr>" if tag == "th" else "<tr>")
        parts += (_html(cell, tag, write) for cell in row)
        parts.append("</tr></thead>" if tag == "th" else "</tr>")
    return "".join([*parts, "</table>"])


def separated(lines: Sequence[str], sign: str) -> list[list[str]]:
    """Return the cells of rows that *sign* parts, and that may be quoted; none if they are none."""
    try:
        return [row for row in csv.reader(lines, delimiter=sign, skipinitialspace=True) if row]
    except csv.Error:  # a quote that nothing ends makes a cell of all that follows
        return []


_SEPARATORS: Final = {"csv": ",", "dsv": ":", "tsv": "\t"}


def _html(cell: _Cell, tag: str, write: Callable[[str, bool], str]) -> str:
    span = f' rowspan="{cell.rows}"' if cell.rows > 1 else ""
    span += f' colspan="{cell.columns}"' if cell.columns > 1 else ""
    return f"<{tag}{span}>{write(cell.text, cell.style == 'a')}</{tag}>"


def _cells(text: str) -> list[_Cell]:
    cells: list[_Cell] = []
    found = list(_CELL.finditer(text))
    ends = [*(one.start() for one in found[1:]), len(text)]
    for mark, end in zip(found, ends, strict=True):
        said = text[mark.end() : end].replace("\\|", "|").strip()
        cell = _Cell(said, int(mark["columns"] or 1), int(mark["rows"] or 1), mark["style"] or "")
        cells += [cell] * min(int(mark["times"] or 1), _COLUMNS)
    return cells


def _count(columns: str) -> int:
    """Return how many columns there are by what the author says of them, 0 for nothing."""
    if not columns.strip():
        return 0
    count = 0
    for one in re.split(r"[,;]", columns):
        times = _MULTIPLIED.match(one.strip())
        count += int(times[1]) if times else 1
    return min(count, _COLUMNS)


def _first_row(lines: Sequence[str]) -> int:
    """Return the number of cells in the first line that has any."""
    first = next((line for line in lines if line.strip()), "")
    return min(sum(cell.columns for cell in _cells(first)), _COLUMNS)


def _has_blank_second(lines: Sequence[str]) -> bool:
    """Tell whether a blank line follows the first one: so AsciiDoc sets a row of names apart."""
    return len(lines) > 1 and bool(lines[0].strip()) and not lines[1].strip()


def _rows(cells: Sequence[_Cell], count: int) -> list[list[_Cell]]:
    """Return *cells* in rows of *count* columns, of which some reach down from rows before."""
    rows: list[list[_Cell]] = []
    reach: list[int] = [0] * count  # rows, from the next one on, that a cell above fills
    row: list[_Cell] = []
    at = 0
    for cell in cells:
        while at < count and reach[at]:
            reach[at] -= 1
            at += 1
        if at >= count:
            rows.append(row)
            row, at = [], 0
            while at < count and reach[at]:
                reach[at] -= 1
                at += 1
        row.append(cell)
        for column in range(at, min(at + cell.columns, count)):
            reach[column] = cell.rows - 1
        at += cell.columns
        if at >= count:
            rows.append(row)
            row, at = [], 0
    return [*rows, row] if row else rows
