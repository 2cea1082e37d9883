"""Read an operator's own list of questions: a table (CSV) or JSON lines, with the same fields.

People write these lists by hand and in spreadsheets, so every fault is told by line and field.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec

FIELDS: Final = ("question", "document", "text", "refuse", "conversation", "kind")
_UNKNOWN: Final = f"is not known; the fields are {', '.join(FIELDS)}"
_LONGEST: Final = 10_000
"""Characters that the service takes as a query (``guide/limits.md``)."""
_LARGEST: Final = 20_000_000
"""Bytes of a list; one of so many questions would be asked for days."""
_YES: Final = frozenset({"yes", "y", "true", "1", "x"})
_NO: Final = frozenset({"no", "n", "false", "0", ""})
_SEVERAL: Final = "|"
"""Between the documents or texts of one cell."""


class BadQuestionList(Exception):
    """The list cannot be used; the message names file, line, field and remedy."""


class _Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A line of the list as it is written."""

    question: str = ""
    document: str | list[str] = ""
    text: str | list[str] = ""
    refuse: str | bool = ""
    conversation: str = ""
    kind: str = ""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """A question, and what is expected of its answer.

    *documents* are titles, links or ids, one of which is to be cited; all of *texts* are to be
    said. The questions of one *conversation* are asked in one session, in their order.
    """

    ask: str
    line: int
    documents: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    refuse: bool = False
    conversation: str = ""
    kind: str = ""


def read(file: Path) -> list[Question]:
    """Return the questions in *file*: JSON lines by its ending ``.jsonl``, else a table.

    Raises:
        BadQuestionList: the file cannot be read, or a line of it.
    """
    try:
        data = file.read_bytes() if file.stat().st_size <= _LARGEST else None
        text = None if data is None else data.decode("utf-8-sig")
    except OSError as exc:
        raise BadQuestionList(f"{file}: {exc.strerror or 'it cannot be read'}") from exc
    except UnicodeDecodeError as exc:
        raise BadQuestionList(f"{file}: is not UTF-8; save it as CSV in UTF-8") from exc
    if text is None:
        raise BadQuestionList(f"{file}: is larger than {_LARGEST // 1_000_000} MB; split it")
    is_json = file.suffix.lower() in (".jsonl", ".ndjson", ".json")
    rows = _json_lines(text, file) if is_json else _table(text, file)
    questions = [_question(row, line, file) for line, row in rows]
    if not questions:
        raise BadQuestionList(f"{file}: holds no question")
    return questions


def _question(row: _Row, line: int, file: Path) -> Question:
    ask = row.question.strip()
    if not ask:
        raise _bad(file, line, "question", "is empty")
    if len(ask) > _LONGEST:
        raise _bad(file, line, "question", f"has more than {_LONGEST} characters")
    made = Question(
        ask=ask,
        line=line,
        documents=_several(row.document),
        texts=_several(row.text),
        refuse=_is_yes(row.refuse, line, file),
        conversation=row.conversation.strip(),
        kind=row.kind.strip(),
    )
    if made.refuse and (made.documents or made.texts):
        raise _bad(file, line, "refuse", "what is to be refused expects no document and no text")
    return made


def _several(value: str | list[str]) -> tuple[str, ...]:
    parts = value.split(_SEVERAL) if isinstance(value, str) else value
    return tuple(one.strip() for one in parts if one.strip())


def _is_yes(value: str | bool, line: int, file: Path) -> bool:
    said = value.strip().lower() if isinstance(value, str) else ("no", "yes")[value]
    if said not in _YES | _NO:
        raise _bad(file, line, "refuse", "give yes or no")
    return said in _YES


def _table(text: str, file: Path) -> Iterator[tuple[int, _Row]]:
    """Yield the rows of a table with the line at which each begins."""
    head = text.partition("\n")[0]
    # Spreadsheets of many countries write semicolons, and what is copied from one has tabs.
    separator = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    header: list[str] = []
    begins = 1
    try:
        for cells in reader:
            if not header:
                header = [cell.strip().lower() for cell in cells]
                _check_header(header, file)
            elif len(cells) > len(header):
                extra = f"has {len(cells)} cells, and the header {len(header)}"
                raise BadQuestionList(f"{file}, line {begins}: {extra}; put texts in quotes")
            elif any(cell.strip() for cell in cells):
                yield begins, msgspec.convert(dict(zip(header, cells, strict=False)), _Row)
            begins = reader.line_num + 1
    except csv.Error as exc:
        raise BadQuestionList(f"{file}, line {begins}: {exc}") from exc


def _check_header(header: list[str], file: Path) -> None:
    for field in header:
        if field not in FIELDS:
            raise _bad(file, 1, field, _UNKNOWN)
        if header.count(field) > 1:
            raise _bad(file, 1, field, "comes twice")
    if "question" not in header:
        raise BadQuestionList(
            f"{file}, line 1: lacks the field 'question'; the first line names the fields: "
            f"{', '.join(FIELDS)}"
        )


def _json_lines(text: str, file: Path) -> Iterator[tuple[int, _Row]]:
    """Yield the objects of JSON lines with their lines."""
    decoder = msgspec.json.Decoder(_Row)
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield number, decoder.decode(line)
        except (msgspec.MsgspecError, RecursionError) as exc:
            what, _, where = str(exc).partition(" - at `$")
            if field := where.strip("`.").partition("[")[0]:
                raise _bad(file, number, field, what) from exc
            if unknown := re.search(r"unknown field `(.*)`", what):
                raise _bad(file, number, unknown[1], _UNKNOWN) from exc
            raise BadQuestionList(f"{file}, line {number}: {what}") from exc


def _bad(file: Path, line: int, field: str, what: str) -> BadQuestionList:
    return BadQuestionList(f"{file}, line {line}, field '{field}': {what}")
