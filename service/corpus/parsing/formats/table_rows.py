"""Find the tables and forms of a PDF: areas of text that stand beside each other, row by row."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from service.corpus.parsing.formats.page_lines import Area

_CELL_LINES: Final = 10
"""Areas of more lines that stand beside each other are columns of text."""
_FIELD_LINES: Final = 2
"""The same in a row that stands alone, as in a form."""
_STACKED: Final = 1.9
"""Areas under each other at most so many sizes apart may be one cell."""
_FEW: Final = 2
"""Rows of so few cells, if they are so few, may as well be columns of text."""
_EMPTY: Final = re.compile(r"(?:blank|empty)(?: cell)?(?: (?:blank|empty) cell)*", re.I)
"""What readers of the screen are told of an empty cell."""
_LETTERS: Final = re.compile(r"[^\W\d_]{2}")
_NUMBERS: Final = re.compile(r"[\d.,%]+(?: [\d.,%]+)+")

Row = list[Area]


def read(areas: Sequence[Area], at: int) -> tuple[list[Row], int]:
    """Return the rows of the table that begins with the area *at*, and how many areas they are.

    In text of several columns the first areas stand beside each other as well, but they are not
    drawn one after the other.
    """
    rows: list[Row] = []
    first = at
    while at < len(areas):
        cells, taken = _row(areas, at)
        is_below = not rows or (cells[0].page == rows[-1][0].page and _top(cells) < _top(rows[-1]))
        if len(cells) < 2 or not is_below or any(len(c.lines) > _CELL_LINES for c in cells):
            break
        rows.append(cells)
        at += taken
    if len(rows) == 1 and any(len(cell.lines) > _FIELD_LINES for cell in rows[0]):
        rows = []
    if len(rows) == _FEW and all(len(cells) == _FEW for cells in rows) and _is_long(rows):
        rows = []
    return rows, at - first if rows else 0


def _row(areas: Sequence[Area], at: int) -> tuple[Row, int]:
    """Return the cells that stand beside the area *at*, it included, and how many areas they are.

    A cell may be several areas under each other, such as a name and, in other type, what it means.
    """
    cells = [areas[at]]
    taken = 1
    while at + taken < len(areas):
        after = areas[at + taken]
        last = cells[-1]
        if after.page != last.page or after.lines[0].mark_x >= 0:
            break
        if _is_right_of(after, last) and _is_beside(after, cells):
            cells.append(after)
        elif _is_under(after, last) and (len(cells) > 1 or _leads_right(areas, at + taken)):
            cells[-1] = Area([*last.lines, *after.lines], last.page)
        else:
            break
        taken += 1
    return cells, taken


def _is_right_of(after: Area, last: Area) -> bool:
    return after.x > last.x + last.lines[0].style.size and after.x >= last.end - _half(last)


def _is_beside(after: Area, cells: Row) -> bool:
    half = _half(after)
    return after.lines[0].y > _bottom(cells) - half and after.lines[-1].y < _top(cells) + half


def _is_under(after: Area, last: Area) -> bool:
    size = max(after.lines[0].style.size, last.lines[-1].style.size)
    apart = last.lines[-1].y - after.lines[0].y
    return abs(after.x - last.x) < size / 2 and 0 < apart < _STACKED * size


def _leads_right(areas: Sequence[Area], at: int) -> bool:
    """Tell whether something stands beside the area *at*, or beside the one under it."""
    for number in range(at, min(at + 2, len(areas) - 1)):
        this, after = areas[number], areas[number + 1]
        if this.page != after.page:
            return False
        if _is_right_of(after, this):
            climbs = after.lines[0].y - this.lines[0].y
            return climbs < _CELL_LINES * this.lines[0].style.size
        if not _is_under(after, this):
            return False
    return False


def _half(area: Area) -> float:
    return area.lines[0].style.size / 2


def _top(cells: Row) -> float:
    return max(cell.lines[0].y for cell in cells)


def _bottom(cells: Row) -> float:
    return min(cell.lines[-1].y for cell in cells)


def _is_long(rows: Sequence[Row]) -> bool:
    return any(len(cell.lines) > _FIELD_LINES for cells in rows for cell in cells)


def is_header(rows: Sequence[Row], texts: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first row names the columns: words, set apart from all that follows."""
    if len(rows) < 2 or len(rows[0]) != len(rows[1]):
        return False
    if any(not _LETTERS.search(said) or re.search(r"\d", said) for said in texts[0]):
        return False
    styles = {cell.style for cell in rows[0]}
    others = {cell.style for cells in rows[1:] for cell in cells}
    has_numbers = any(said and not _LETTERS.search(said) for said in texts[1])
    return styles.isdisjoint(others) or has_numbers


def said(text: str) -> str:
    """Return what a cell says: nothing, if that it is empty; numbers apart, if they are several."""
    text = re.sub(r"(?i)^(?:blank cell\s*)+|(?:\s*blank cell)+$", "", text)
    if _EMPTY.fullmatch(text):
        return ""
    return text.replace(" ", " | ") if _NUMBERS.fullmatch(text) else text
