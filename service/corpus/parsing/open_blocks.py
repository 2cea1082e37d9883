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

    def enter(self, *, is_layout: bool) -> None:
        """Begin a table; what is in one that lays out the page lays out as well."""
        self._header = []
        self.layout += self.layout > 0 or is_layout

    def leave(self) -> None:
        """End a table."""
        self.layout -= self.layout > 0

    def open_row(self) -> None:
        """Begin a row."""
        self.cells, self._heads = [], 0

    def gather(self, text: str, leaving: str) -> None:
        """Take what a cell of the open row says."""
        if self.cells is None:
            raise AssertionError("only called inside a row")
        if leaving in _CELLS:
            self.cells.append(" ".join([*self._open_cell, text]).strip())
            self._open_cell.clear()
            self._heads += leaving == "th"
        elif text.strip():
            self._open_cell.append(text.strip())

    def close_row(self, *, in_head: bool) -> str:
        """End the open row; return its text, "" where it is the header of the table."""
        cells, self.cells = self.cells or [], None
        if not self._header and len(cells) > 1 and (in_head or self._heads == len(cells)):
            self._header = cells
            return ""
        return row(self._header, cells)
