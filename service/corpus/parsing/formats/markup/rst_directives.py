"""Write the tables and tabs of reStructuredText as lines that plain text may hold.

``list-table`` and ``csv-table`` become rows, each with the names of its columns; a tab becomes what
stands under its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from service.corpus.parsing.formats.markup import asciidoc_tables
from service.corpus.parsing.parsed_documents import row

ROW: Final = "|\u2063 "
"""What begins such a row until lines are joined: no line of a paragraph begins so."""
_MARKED: Final = re.compile(
    r"^[ \t]*\.\. (?:list-table|csv-table|tabs?|tab-\w+|[\w-]+-tab)::", re.M
)
_TABLE: Final = re.compile(
    r"(?P<indent>[ ]*)\.\. (?P<kind>list-table|csv-table)::[ ]*(?P<title>.*)$"
)
_TABS: Final = re.compile(r"[ ]*\.\. (?:tabs|tab-set|tab-set-code)::[ ]*$")
_TAB: Final = re.compile(
    r"(?P<indent>[ ]*)\.\. (?P<kind>tab|tab-item|group-tab|code-tab)::"
    r"[ ]*(?P<name>\S.{0,100}?)[ ]*$"
)
_FIELD: Final = re.compile(r"[ ]*:(?P<name>[\w-]+):[ ]*(?P<value>.*)$")
_ROW: Final = re.compile(r"[ ]*\*[ ]+-(?:[ ]+(?P<cell>.*))?$")
_CELL: Final = re.compile(r"[ ]*-(?:[ ]+(?P<cell>.*))?$")


def as_lines(text: str) -> str:
    """Return *text* with its tables in rows, and with its tabs under their names."""
    return "\n".join(_lines(text.split("\n"))) if _MARKED.search(text) else text


def _lines(lines: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if table := _TABLE.match(line):
            end = _end(lines, at, len(table["indent"]))
            yield from _table(table["kind"], table["title"].strip(), lines[at:end])
            at = end
        elif tab := _TAB.match(line):
            named = (
                tab["name"].partition(" ") if tab["kind"] == "code-tab" else ("", "", tab["name"])
            )
            yield from ("", f"{tab['indent']}{named[2] or named[0]}:", "")
            # The code of such a tab is read as any other.
            yield from [f"{tab['indent']}.. code::"] * (tab["kind"] == "code-tab")
        elif not _TABS.match(line):
            yield line


def _end(lines: Sequence[str], at: int, indent: int) -> int:
    """Return where what is indented more than *indent* ends."""
    while at < len(lines):
        line = lines[at]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        at += 1
    return at


def _table(kind: str, title: str, lines: Sequence[str]) -> Iterator[str]:
    fields = dict[str, str]()
    begin = 0
    while begin < len(lines) and (field := _FIELD.match(lines[begin])):
        fields[field["name"]] = field["value"]
        begin += 1
    said = [line.strip() for line in lines[begin:]]
    rows = _listed(lines[begin:]) if kind == "list-table" else asciidoc_tables.separated(said, ",")
    headers = asciidoc_tables.separated([fields.get("header", "")], ",")
    names = headers[0] if headers else []
    if not names and rows and fields.get("header-rows", "0") != "0":
        names = rows.pop(0)
    yield from ("", f"{title.rstrip(':')}:" if title else "", "")
    for cells in rows:
        if told := row([name.strip() for name in names], [cell.strip() for cell in cells]):
            yield ROW + " ".join(told.split())
    yield ""


def _listed(lines: Sequence[str]) -> list[list[str]]:
    """Return the rows of a table whose cells are the items of a list of lists."""
    rows: list[list[str]] = []
    depth = -1  # where the cells of the row begin
    for line in lines:
        if found := _ROW.match(line):
            rows.append([found["cell"] or ""])
            depth = line.index("-")
        elif (found := _CELL.match(line)) and rows and line.index("-") <= depth:
            rows[-1].append(found["cell"] or "")
        elif rows and line.strip():
            rows[-1][-1] = f"{rows[-1][-1]} {line.strip()}"
    return rows
