"""Say a row of a table as a person reads it out: what it is about, and then what is said of that.

"Error: 550 | Meaning: the mailbox is full" is said as "Error 550: the mailbox is full", and of a
row with many cells those are told whose columns are asked for. Every cell stays verbatim; what is
said before it are the names of columns and what joins cells.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from service.blocks import BlockKind
from service.generation.extraction.queries.weighted_query import WeightedQuery
from service.generation.extraction.wholes import Whole
from service.language import content_terms
from service.language.question_kinds import QuestionKind as Q

_BETWEEN: Final = " | "
_COLUMN: Final = re.compile(r"([^:|]{1,60}): (?=\S)")
_WORD: Final = re.compile(r"[^\W\d_]{2,}|[^\x00-\x7f]")
_CHOICE: Final = re.compile(
    r"(?: \| \W*(?:yes|no|n/a|true|false|male|female)\W*){2,}$", re.IGNORECASE
)
_ENDS: Final = (".", "!", "?", "。", "！", "？", ";", ":", "：")
_BRIEF: Final = 24
"""Characters of cells that are read out one after another, with commas between."""


_NAMED: Final = 0.6
"""Share of its cells that begin with the name of a column; others are empty, or wrongly read."""
_PHRASE: Final = 4
"""Spaces of a cell that is a sentence, and ends as one."""
_SENTENCE: Final = 8
"""Spaces of a row that is read as a sentence, and ends as one."""


class Cell(NamedTuple):
    """A cell, verbatim, and what is said before and behind it."""

    said: str
    text: str
    after: str = ""


def says_something(row: str) -> bool:
    """Tell whether *row* is no field of a form to tick, and no line of numbers alone."""
    return _WORD.search(row) is not None and _CHOICE.search(row) is None


def columns(table: Whole) -> tuple[str, ...]:
    """Return the names of the columns of *table*, "" for those that have none."""
    rows = [block.text.split(_BETWEEN) for block in table.blocks if block.kind is BlockKind.ROW]
    names = list[str]()
    for at in range(max(map(len, rows), default=0)):
        cells = [row[at] for row in rows if at < len(row)]
        found = Counter(match[1] for match in map(_COLUMN.match, cells) if match)
        name, having = found.most_common(1)[0] if found else ("", 0)
        names.append(name if having >= _NAMED * len(cells) else "")
    return tuple(names)


def say(row: str, names: Sequence[str], query: WeightedQuery) -> list[Cell]:
    """Return the cells of *row* that are told, *names* being those of its columns."""
    cells = [
        (name, cell.removeprefix(f"{name}: ").strip() if name else cell.strip())
        for name, cell in zip(names, row.split(_BETWEEN), strict=False)
    ]
    cells = [(name, cell) for name, cell in cells if cell]
    if not cells:
        return []
    (name, subject), values = cells[0], cells[1:]
    told = _said(name, subject, values, query)
    last = told[-1].text
    spaces = sum(one.said.count(" ") + one.text.count(" ") for one in told)
    stops = last[-1].isalnum() and (last.count(" ") >= _PHRASE or spaces >= _SENTENCE)
    return [*told[:-1], told[-1]._replace(after="." if stops else "")]


def _said(
    name: str, subject: str, values: Sequence[tuple[str, str]], query: WeightedQuery
) -> list[Cell]:
    told = [Cell(f"{name} " if name and subject[0].isdigit() else "", subject)]
    chosen = _asked(values, query)
    means = len(chosen) == 1 and (query.kind is Q.IDENTIFIER or _is_described(chosen, query))
    if len(values) == 1 or means:
        return [*told, Cell(" " if subject.endswith(_ENDS) else ": ", chosen[0][1])]
    brief = all(len(cell) <= _BRIEF for _, cell in chosen)
    for at, (column, cell) in enumerate(chosen):
        if column:
            joint = " – " if not at else ", " if brief else _stop(told[-1].text)
            told.append(Cell(f"{joint}{column}: ", cell))
        else:
            told.append(Cell(": " if not at else ", " if brief else _stop(told[-1].text), cell))
    return told


def _stop(cell: str) -> str:
    """Return what is between *cell*, a sentence perhaps, and another."""
    return " " if cell.endswith(_ENDS) else "; "


def _asked(values: Sequence[tuple[str, str]], query: WeightedQuery) -> Sequence[tuple[str, str]]:
    """Return the cells whose columns are asked for most, all of them where none is.

    That is the column of what is counted, where one is called by it. What the query says itself is
    no answer to it.
    """
    asked = [
        0.0 if _is_known(cell, query) else query.share(named) + bool(named & query.counted)
        for named, cell in ((query.asked(_terms(name, query)), cell) for name, cell in values)
    ]
    most = max(asked, default=0.0)
    if not most and query.kind is Q.LIST and any(_DESCRIBES.search(cell) for _, cell in values):
        # What there is was asked, not how often or how large.
        return [one for one in values if not _FIGURE.fullmatch(one[1])]
    return [one for one, share in zip(values, asked, strict=True) if share == most]


def _is_described(chosen: Sequence[tuple[str, str]], query: WeightedQuery) -> bool:
    """Tell whether what is *chosen* says what a thing is that is listed, whatever it is called."""
    return query.kind is Q.LIST and all(_DESCRIBES.search(cell) for _, cell in chosen)


_DESCRIBES: Final = re.compile(r"[^\W\d_]{2,}\W+[^\W\d_]{2,}")
_FIGURE: Final = re.compile(r"(?:[A-Z]:)?[\d.,]+(?:, [A-Z]:[\d.,]+)*")
"""A bare number, or several that a letter names: nobody says of what."""


def _is_known(cell: str, query: WeightedQuery) -> bool:
    terms = _terms(cell, query)
    return bool(terms) and len(query.asked(terms)) == len(terms)


def _terms(text: str, query: WeightedQuery) -> frozenset[str]:
    return frozenset(content_terms.of(text, query.language))
