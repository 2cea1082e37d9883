"""Read plain text: the body is the text itself, its headings and lists are recognised in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from service.blocks import Block, BlockKind
from service.corpus.parsing import structure
from service.corpus.parsing.parsed_documents import BodyLimits, ParsedDocument, Unreadable, one_line
from service.corpus.parsing.structure import LooseBlock

_LINE: Final = re.compile(r"[^\n]+")
_ITEM: Final = re.compile(r"(?:[-*+•·–◦▪]|\(?(?:\d{1,3}|[A-Za-z])[.)])\s+\S")
_MARKED: Final = re.compile(r"(#{1,6})\s+\S")
_NUMBERED: Final = re.compile(r"(\d+(?:\.\d+)*)\.?\s+[^\W\d]")
_RULE: Final = re.compile(r"(={3,}|-{3,}|~{3,})\s*$")
_CODE: Final = re.compile(r"[{}<>=;$\\|@]|\(\)|://|^\W")
_FENCES: Final = ("```", "~~~")
_HEADING_LENGTH: Final = 110
_HEADING_WORDS: Final = 16
_STOPS: Final = tuple(".,;:。，；：…")


class _Line(msgspec.Struct, frozen=True):
    """A line that is not blank, without the white space around it."""

    text: str
    start: int
    end: int
    indent: int  # characters of white space before it
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
    first = next((b for b in found if b.kind in (BlockKind.HEADING, BlockKind.QUESTION)), None)
    title = one_line(text[first.start : first.end].lstrip("# ")) if first else ""
    return ParsedDocument(title=title, body=text, blocks=found, mime="text/plain")


def blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks that *text* shows by its lines."""
    found = list(_loose(text))
    structure.recognise([one for _, one in found])
    return tuple(block for start, one in found for block in structure.placed(one, start))


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
        indent = len(found[0]) - len(found[0].lstrip())
        start = found.start() + indent
        end = start + len(stripped)
        lines.append(_Line(stripped, start, end, indent, opens=blank, closes=False))
        blank = False
    if lines:
        lines[-1] = msgspec.structs.replace(lines[-1], closes=True)
    return lines


def _loose(text: str) -> Iterator[tuple[int, LooseBlock]]:
    """Yield headings, list items and table rows line by line, other lines by paragraph.

    With each comes where it begins. What goes on in an item is indented, or follows on its line.
    """
    lines = _lines(text)
    items = _Items()
    kind, start, end, level = BlockKind.TEXT, -1, -1, 0
    skip = fenced = False
    for at, line in enumerate(lines):
        after = lines[at + 1] if at + 1 < len(lines) else None
        if skip:  # the rule under a heading
            skip = False
            continue
        heading, skip = (0, False) if fenced else _heading(line, after)
        fence = line.text.startswith(_FENCES)
        own = BlockKind.HEADING if heading else BlockKind.CODE if fenced or fence else _kind(line)
        fenced ^= fence
        goes_on = kind is own is BlockKind.CODE or (
            own is BlockKind.TEXT
            and not line.opens
            and (kind is own or (kind is BlockKind.ITEM and items.goes_on(line)))
        )
        if goes_on and start >= 0:
            end = line.end
            continue
        if start >= 0:
            yield start, LooseBlock(kind=kind, text=text[start:end], level=level)
        kind, start, end = own, line.start, line.end
        level = heading or items.level(line, own)
    if start >= 0:
        yield start, LooseBlock(kind=kind, text=text[start:end], level=level)


class _Items:
    """How deep the open list items are indented, from the outermost."""

    def __init__(self) -> None:
        self._indents: list[int] = []

    def goes_on(self, line: _Line) -> bool:
        """Tell whether *line*, right under an item, goes on with it."""
        return line.indent > self._indents[-1] or line.text[0].islower()

    def level(self, line: _Line, kind: BlockKind) -> int:
        """Return how many items are open, the one included that *line* begins."""
        while self._indents and (
            line.indent < self._indents[-1]
            or (line.indent == self._indents[-1] and kind is not BlockKind.ITEM)
            or kind is BlockKind.HEADING
        ):
            self._indents.pop()
        if kind is BlockKind.ITEM and (not self._indents or line.indent > self._indents[-1]):
            self._indents.append(line.indent)
        return len(self._indents)


def _kind(line: _Line) -> BlockKind:
    if _ITEM.match(line.text):
        return BlockKind.ITEM
    if "\t" in line.text or " | " in line.text or line.text.count("|") > 1:
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
