"""Read plain text: the body is the text itself, its headings and lists are recognised in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from service.blocks import Block, BlockKind
from service.corpus.parsing import wholes
from service.corpus.parsing.parsed_documents import BodyLimits, ParsedDocument, Unreadable, one_line

_LINE: Final = re.compile(r"[^\n]+")
_ITEM: Final = re.compile(r"(?:[-*+•·–◦▪]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+\S")
_MARKED: Final = re.compile(r"(#{1,6})\s+\S")
_NUMBERED: Final = re.compile(r"(\d+(?:\.\d+)*)\.?\s+[^\W\d]")
_RULE: Final = re.compile(r"(={3,}|-{3,}|~{3,})\s*$")
_CODE: Final = re.compile(r"[{}<>=;$\\|@]|\(\)|://|^\W")
_HEADING_LENGTH: Final = 110
_HEADING_WORDS: Final = 16
_STOPS: Final = tuple(".,;:。，；：…")


class _Line(msgspec.Struct, frozen=True):
    """A line that is not blank, without the white space around it."""

    text: str
    start: int
    end: int
    opens: bool  # a blank line, or nothing, stands before it
    closes: bool  # a blank line, or nothing, stands after it


def read(text: str, limits: BodyLimits) -> ParsedDocument:
    """Return the document that plain *text* is; its body is *text*, character by character.

    Raises:
        Unreadable: it is over the limits.
    """
    if len(text) > limits.characters:
        raise Unreadable("TOO_LARGE", "the text of the file is too large; split the file")
    found = blocks(text)
    first = next((b for b in found if b.kind is BlockKind.HEADING), None)
    title = one_line(text[first.start : first.end].lstrip("# ")) if first else ""
    return ParsedDocument(title=title, body=text, blocks=found, mime="text/plain")


def blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks that *text* shows by its lines."""
    return tuple(wholes.number(_blocks(text), text))


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    blank, last = True, 0
    for found in _LINE.finditer(text):
        stripped = found[0].strip()
        blank = blank or text.count("\n", last, found.start()) > 1
        last = found.end()
        if not stripped:
            blank = True
            continue
        if blank and lines:
            lines[-1] = msgspec.structs.replace(lines[-1], closes=True)
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        lines.append(_Line(stripped, start, start + len(stripped), opens=blank, closes=False))
        blank = False
    if lines:
        lines[-1] = msgspec.structs.replace(lines[-1], closes=True)
    return lines


def _blocks(text: str) -> Iterator[Block]:
    """Yield headings, list items and table rows line by line, other lines by paragraph."""
    lines = _lines(text)
    start = end = -1
    skip = False
    for at, line in enumerate(lines):
        after = lines[at + 1] if at + 1 < len(lines) else None
        if skip:  # the rule under a heading
            skip = False
            continue
        level, skip = _heading(line, after)
        kind = BlockKind.HEADING if level else _kind(line)
        if start >= 0 and (line.opens or kind is not BlockKind.TEXT):
            yield Block(BlockKind.TEXT, start, end)
            start = -1
        if kind is BlockKind.TEXT:
            start, end = (line.start if start < 0 else start), line.end
        else:
            yield Block(kind, line.start, line.end, level)
    if start >= 0:
        yield Block(BlockKind.TEXT, start, end)


def _kind(line: _Line) -> BlockKind:
    if _ITEM.match(line.text):
        return BlockKind.ITEM
    if "\t" in line.text or line.text.count("|") > 1:
        return BlockKind.ROW
    return BlockKind.TEXT


def _heading(line: _Line, after: _Line | None) -> tuple[int, bool]:
    """Return the level of the heading that *line* is, 0 if none, and whether a rule follows."""
    if marked := _MARKED.match(line.text):
        return len(marked[1]), False
    if after is None or not line.opens or len(line.text) > _HEADING_LENGTH:
        return 0, False
    if not line.closes and (rule := _RULE.match(after.text)):
        return (1 if rule[1][0] == "=" else 2), True
    text = line.text
    if text.endswith(_STOPS) or _CODE.search(text) or len(text.split()) > _HEADING_WORDS:
        return 0, False
    if numbered := _NUMBERED.match(text):
        return (1 + numbered[1].count(".") if not after.opens or line.closes else 0), False
    if _ITEM.match(text) or text[0].islower() or not re.search(r"[^\W\d_]", text):
        return 0, False
    if not line.closes and len(after.text) < len(text):
        return 0, False  # a wrapped paragraph, an address, a verse
    return (1 if text.isupper() and len(text) > 3 else 2), False
