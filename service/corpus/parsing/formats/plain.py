"""Read plain text: the body is the text itself, its headings and lists are recognised in it.

But lines that were broken to fit a width are joined, tables of contents are left out, and what only
a program that makes pages of the text understands is no block: anchors, comments and orders of
reStructuredText.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from service.blocks import Block, BlockKind
from service.corpus.parsing import entries, navigation_lists, structure
from service.corpus.parsing.formats import json_lines, wrapped_lines
from service.corpus.parsing.loose_blocks import ASKED, LooseBlock, is_question
from service.corpus.parsing.parsed_documents import BodyLimits, ParsedDocument, Unreadable, one_line

_LINE: Final = re.compile(r"[^\n]+")
_ITEM: Final = re.compile(r"(?:[-*+•·–◦▪]|\(?(?:\d{1,3}|[A-Za-z#])[.)])\s+\S")
_MARKED: Final = re.compile(r"(#{1,6})\s+\S")
_NUMBERED: Final = re.compile(r"(\d+(?:\.\d+)*)\.?\s+[^\W\d]")
_RULE: Final = re.compile(r"([=~^\"#*+-])\1{2,}(?:[\s+]+[=-]+[\s+]*)*$")
"""What underlines a heading, or parts the rows of a table."""
_PART: Final = re.compile(r"_{3,}$|\+(?:[-=]{2,}\+)+$")
"""What parts sections, or the rows of a table that is drawn with signs, and heads nothing."""
_ORDER: Final = re.compile(r"\.\.(?:$|\s(?!\[)(?!(?:[\w-]+)::\s))")
"""What begins an anchor, a comment, a picture or an order of reStructuredText: none is read."""
_PARTS: Final = re.compile(
    r"(?<!\.\. toctree)(?<!\.\. contents)(?<!\.\. index)::$"
    r"|\.\. (?:code|code-block|sourcecode|parsed-literal|highlight)::"
)
"""What says in reStructuredText that what is indented under it is code."""
_UNSEEN: Final = re.compile(
    r"\.\. (?:include|literalinclude|index|contents|toctree|image|figure|default-role|"
    r"highlight|code|code-block|sourcecode|parsed-literal|only|ifconfig|[\w-]*author|"
    r"version(?:added|changed))::"
)
_BOX: Final = re.compile(
    r"\.\. (?:note|tip|hint|important|warning|caution|danger|attention|seealso)::(?:\s+|$)"
)
"""What begins a note of reStructuredText, and is no part of what it says."""
_TERM_LENGTH: Final = 60
"""Characters of a line that may be defined by the lines that are indented under it."""
_CELLS: Final = re.compile(r"\t|\s\|\s|\S {3,}\S")
_CODE: Final = re.compile(r"[{}<>=;$\\|@]|\(\)|://|^[^\w¿¡]")
_SITED: Final = re.compile(r"[^\W_][^|\t]*(?: \| [^|\t]+){1,3}")
"""The title of a page with the name of its site behind it: one such line is no table."""
_TITLE_LEVEL: Final = 2
_RULED: Final = {"=": 1, "#": 1, "*": 1, "~": 3, "^": 3, "+": 3, '"': 3}
"""Levels of headings by the sign that they are underlined with, 2 for others."""
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
    """Return the document that plain *text* is: its body is that, broken lines joined.

    Raises:
        Unreadable: it is over the limits.
    """
    if len(text) > limits.characters:
        raise Unreadable("TOO_LARGE", "the text of the file is too large; split the file")
    if records := json_lines.records(text):
        return ParsedDocument(title="", body=text, blocks=records, mime="text/plain")
    text = wrapped_lines.unwrapped(text)
    text = _without_contents(_ROLE.sub(_said, _counted(text)))
    found = blocks(text)
    first = next((b for b in found if b.kind in (BlockKind.HEADING, BlockKind.QUESTION)), None)
    title = one_line(text[first.start : first.end].lstrip("# ")) if first else ""
    return ParsedDocument(title=title, body=text, blocks=found, mime="text/plain")


_ROLE: Final = re.compile(
    r"(?<![\w`:]):[a-z][a-z+-]{1,20}(?::[a-z]{1,20})?:`(?P<said>[^`<>\n]{1,200})(?:<[^`<>\n]{1,200}>)?`"
    r"|(?<![\w`])`(?P<link>[^`<>\n]{1,200})\s<[^`<>\n]{1,300}>`__?(?!\w)"
    r"|(?<![\w`])``(?P<literal>[^`\n]{1,200})``(?![\w`])"
    r"|(?<![\w`:])`(?P<named>[^\W_][^`<>\n]{0,200})`__?(?![\w`])"
)
"""What a word of reStructuredText is to a program, around it: ":ref:`the list <fees>`"."""


def _said(role: re.Match[str]) -> str:
    return (role["said"] or role["link"] or role["literal"] or role["named"]).strip()


def _counted(text: str) -> str:
    """Return *text* with numbers for the steps that reStructuredText leaves to be counted."""
    counts = dict[int, int]()  # by indent, of the lists that are open

    def number(step: re.Match[str]) -> str:
        indent = len(step["indent"])
        for ended in [at for at in counts if at > indent or (at == indent and not step["auto"])]:
            del counts[ended]
        if not step["auto"]:
            return step[0]
        counts[indent] = counts.get(indent, 0) + 1
        return f"{step['indent']}{counts[indent]}. "

    return _AUTO.sub(number, text)


_AUTO: Final = re.compile(r"^(?P<indent> {0,12})(?:(?P<auto>#\. )|(?=[^\s#]))", re.M)
"""Such a step, or the beginning of a line of something else, which ends lists that are as deep."""


def _without_contents(text: str) -> str:
    """Return *text* without the lines of its tables of contents: a chunk holds no text unread."""
    read = list(_loose(text))
    kept = {id(one) for one in navigation_lists.without_navigation([one for _, one in read])}
    gone = [(start, start + len(one.text)) for start, one in read if id(one) not in kept]
    ends = [0, *(end for _, end in gone)]
    starts = [*(start for start, _ in gone), len(text)]
    return "".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def blocks(text: str) -> tuple[Block, ...]:
    """Return the blocks that *text* shows by its lines."""
    read = list(_loose(text))
    loose = entries.apart([one for _, one in read])
    starts = _starts([start for start, _ in read], loose)
    structure.recognise(loose)
    return tuple(
        block
        for start, one in zip(starts, loose, strict=True)
        for block in structure.placed(one, start)
    )


def _starts(read: Sequence[int], loose: Sequence[LooseBlock]) -> list[int]:
    """Return where each of *loose* begins, of which some were cut from those before them."""
    starts: list[int] = []
    given = iter(read)
    end = 0
    for one in loose:
        starts.append(end + len(one.gap) if one.gap else next(given))
        end = starts[-1] + len(one.text)
    return starts


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
    items, kinds = _Items(), _Kinds(lines)
    open_: LooseBlock | None = None
    start = end = 0
    for number, line in enumerate(lines):
        after = lines[number + 1] if number + 1 < len(lines) else None
        own, heading = kinds.read(number, line, after)
        if own is None:
            continue
        kind = open_.kind if open_ is not None else None
        goes_on = kind is own is BlockKind.CODE or (
            own in _FLOWING
            and not line.opens
            and (
                kind is own
                or (kind is BlockKind.ITEM and items.goes_on(line))
                or (kind is BlockKind.NOTE and line.indent > 0)
            )
        )
        if goes_on:
            end = line.end
            continue
        if open_ is not None:
            open_.text = text[start:end]
            yield start, open_
        box = _BOX.match(line.text)
        start, end = line.start + (box.end() if box else 0), line.end
        level = heading or items.level(line, own)
        open_ = LooseBlock(kind=own, text="", level=level, whole=kinds.whole(own))
    if open_ is not None:
        open_.text = text[start:end]
        yield start, open_


_FLOWING: Final = frozenset({BlockKind.TEXT, BlockKind.DEFINITION})


_READ: Final = BlockKind.TEXT
"""What a line is that says of itself what it is."""


class _Kinds:
    """Tells what each line is, by itself and by the lines that it stands under."""

    def __init__(self, lines: Sequence[_Line]) -> None:
        self._listed = _listed(lines)
        self._has_cuts = wrapped_lines.cut_lines(line.text for line in lines)
        self._cut = False
        self._fenced = False
        self._is_rule = False  # the line only underlines the heading before it
        self._code = -1  # what is indented more than this is code, -1 for none
        self._unseen = -1  # and this, what nobody reads
        self._box = -1  # and this, a note
        self._term = -1  # and this, what a term means
        self._terms = 0

    def whole(self, kind: BlockKind) -> int:
        """Return the number of what belongs to the last term, 0 for what does not."""
        return self._terms if kind in {BlockKind.TERM, BlockKind.DEFINITION} else 0

    def read(self, number: int, line: _Line, after: _Line | None) -> tuple[BlockKind | None, int]:
        """Return what *line* is, None where it is nothing to read, and its level as a heading."""
        if self._has_cuts and wrapped_lines.is_cut(line.text):
            self._cut = not self._cut
            return None, 0
        if self._is_rule and not self._cut:
            self._is_rule = False
            return None, 0
        if self._is_fenced(line):
            return BlockKind.CODE, 0
        if (ordered := self._ordered(line)) is not _READ:
            return ordered, 0
        if number in self._listed:
            return BlockKind.ITEM, 0
        is_code = _is_led(line, after) and _IDENTIFIER.fullmatch(line.text)
        if number == 0 and line.closes and _SITED.fullmatch(line.text):
            return BlockKind.HEADING, _TITLE_LEVEL
        heading, self._is_rule = (0, False) if is_code else _heading(line, after)
        return (BlockKind.HEADING, heading) if heading else (self._term_or(line, after), 0)

    def _is_fenced(self, line: _Line) -> bool:
        """Tell whether *line* stands between fences or scissors, or is a fence."""
        is_fence = not self._cut and line.text.startswith(_FENCES)
        self._fenced ^= is_fence
        return self._cut or self._fenced or is_fence

    def _ordered(self, line: _Line) -> BlockKind | None:
        """Return what *line* is by what stands above it or by its own marks, TEXT for neither."""
        if 0 <= self._unseen < line.indent:
            return None
        if 0 <= self._code < line.indent:
            return BlockKind.CODE
        self._unseen = line.indent if self._is_unseen(line) else -1
        self._code = line.indent if _PARTS.search(line.text) else -1
        if self._code >= 0:
            self._unseen = -1
        if line.text == "::" or _UNSEEN.match(line.text) or self._unseen >= 0:
            return None
        if box := _BOX.match(line.text):
            self._code, self._box = -1, line.indent
            return BlockKind.NOTE if box.end() < len(line.text) else None
        self._box = self._box if line.indent > self._box else -1
        if self._box >= 0 and _kind(line) is BlockKind.TEXT:
            return BlockKind.NOTE
        return None if _RULE.match(line.text) or _PART.match(line.text) else _READ

    def _is_unseen(self, line: _Line) -> bool:
        return bool(_ORDER.match(line.text) or _UNSEEN.match(line.text))

    def _term_or(self, line: _Line, after: _Line | None) -> BlockKind:
        """Return whether *line*, which is no heading, is a term or says what one means."""
        kind = _kind(line)
        if line.indent <= self._term:
            self._term = -1
        if kind is not BlockKind.TEXT:
            return kind
        if (
            _is_led(line, after)
            and len(line.text) <= _TERM_LENGTH
            and not line.text.endswith(_STOPS)
        ):
            self._term = line.indent
            self._terms += 1
            return BlockKind.TERM
        return BlockKind.DEFINITION if 0 <= self._term < line.indent else kind


def _listed(lines: Sequence[_Line]) -> set[int]:
    """Return the numbers of the numbered lines that follow each other: sections have more to say.

    Such a list has a blank line between its items, as tables of contents have.
    """
    found: set[int] = set()
    begin = 0
    for number in range(len(lines) + 1):
        if number < len(lines) and _NUMBERED.match(lines[number].text):
            continue
        if number - begin >= _LIST:
            found.update(range(begin, number))
        begin = number + 1
    return found


_LIST: Final = 3
"""Numbered lines that make a list at least: a chapter, its section and a part are less."""


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


def _is_led(line: _Line, after: _Line | None) -> bool:
    """Tell whether what is right under *line* is indented under it."""
    return after is not None and not after.opens and after.indent > line.indent


_IDENTIFIER: Final = re.compile(r"[^\s\d_.:-]*[\d_.:-]\S*")
"""A code, an option, a name: a heading has words."""


def _kind(line: _Line) -> BlockKind:
    if _ITEM.match(line.text):
        return BlockKind.ITEM
    if _CELLS.search(line.text) or line.text.count("|") > 1:
        return BlockKind.ROW
    return BlockKind.TEXT


def _heading(line: _Line, after: _Line | None) -> tuple[int, bool]:
    """Return the level of the heading that *line* is, 0 if none, and whether a rule follows."""
    if marked := _MARKED.match(line.text):
        return len(marked[1]), False
    if after is None or not line.opens or len(line.text) > _HEADING_LENGTH:
        return 0, False
    if not line.closes and (rule := _RULE.match(after.text)):
        return _RULED.get(rule[1], 2), True
    text = line.text
    if text.endswith(_STOPS) or _CODE.search(text) or len(text.split()) > _HEADING_WORDS:
        return 0, False
    if numbered := _NUMBERED.match(text):
        return (1 + numbered[1].count(".") if not after.opens or line.closes else 0), False
    if _ITEM.match(text) or text[0].islower() or not re.search(r"[^\W\d_]", text):
        return 0, False
    if ASKED.match(text):
        return 0, False  # its level is that of a question in any format
    is_answered = is_question(text) and not is_question(after.text)
    if not line.closes and len(after.text) < len(text) and not is_answered:
        return 0, False  # a wrapped paragraph, an address, a verse
    return (1 if text.isupper() and len(text) > 3 else 2), False
