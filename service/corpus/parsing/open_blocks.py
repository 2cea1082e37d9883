"""What of a page is open while it is read: its table, and what stands or falls as one."""

from __future__ import annotations

from typing import Final

from service.corpus.parsing.parsed_documents import BodyBuilder, row

_CELLS: Final = frozenset({"td", "th"})


class Wholes:
    """The outermost list, table, note or term that is open: what stands or falls as one."""

    def __init__(self, body: BodyBuilder) -> None:
        self._body = body
        self._path: list[str] = []
        self.open = 0

    def enter(self, kind: str) -> None:
        """Begin a *kind* of whole; within another it is a part of that."""
        if not self._path:
            self.open = self._body.new_whole()
        self._path.append(kind)

    def leave(self, kind: str) -> None:
        """End the innermost whole, if it is of this *kind*; pages close what they never opened."""
        if self._path and self._path[-1] == kind:
            self._path.pop()
            self.open = self.open if self._path else 0


class OpenTable:
    """The table that is open, unless it only lays out the page."""

    def __init__(self) -> None:
        self.layout = 0  # open tables that only lay out the page
        self.cells: list[str] | None = None
        self._header: list[str] = []
        self._open_cell: list[str] = []  # what the blocks inside the open cell said
        self._heads = 0  # cells of the open row that are th
        self._rows: list[int] = []  # over how many rows each cell of the open row goes
        self._rows_open = 1
        self._held: dict[int, tuple[str, int]] = {}  # what cells above say, and for how many rows

    def enter(self, *, is_layout: bool) -> None:
        """Begin a table; what is in one that lays out the page lays out as well."""
        self._header = []
        self._held = {}
        self.layout += self.layout > 0 or is_layout

    def leave(self) -> None:
        """End a table."""
        self.layout -= self.layout > 0

    def open_row(self) -> None:
        """Begin a row."""
        self.cells, self._heads, self._rows = [], 0, []

    def open_cell(self, rows: int) -> None:
        """Begin a cell that goes over so many *rows*."""
        self._rows_open = rows

    def gather(self, text: str, leaving: str) -> None:
        """Take what a cell of the open row says."""
        if self.cells is None:
            raise AssertionError("only called inside a row")
        if leaving in _CELLS:
            self.cells.append(" ".join([*self._open_cell, text]).strip())
            self._open_cell.clear()
            self._rows.append(self._rows_open)
            self._heads += leaving == "th"
        elif text.strip():
            self._open_cell.append(text.strip())

    def close_row(self, *, in_head: bool) -> str:
        """End the open row; return its text, "" where it is the header of the table."""
        cells, self.cells = self._with_held(self.cells or []), None
        is_head = in_head or self._heads == len(cells)
        if not self._header and len(cells) > 1 and is_head:
            self._header = cells
            return ""
        return row(self._header, cells)

    def _with_held(self, cells: list[str]) -> list[str]:
        """Return the *cells* of a row with those between them that go on from the rows above.

        A short one names the row and is told in each; of a long one only its place is kept.
        """
        made: list[str] = []
        given = zip(cells, self._rows, strict=False)
        held, self._held = self._held, {}
        while True:
            column = len(made)
            text, rows = held.get(column) or next(given, ("", 0))
            if not rows:
                return made
            made.append(text)
            if rows > 1:
                self._held[column] = (text if len(text) <= _NAME else "", min(rows, _ROWS) - 1)


_NAME: Final = 100
_ROWS: Final = 1_000
