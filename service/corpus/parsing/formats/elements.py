"""Read the elements of HTML into blocks, in the order in which a person reads them."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from selectolax.lexbor import LexborNode

from service.blocks import BlockKind
from service.corpus.parsing import note_labels
from service.corpus.parsing.figures.page_pictures import PagePictures
from service.corpus.parsing.formats import page_parts, wrapped_lines
from service.corpus.parsing.loose_blocks import is_question
from service.corpus.parsing.open_blocks import OpenTable, Wholes
from service.corpus.parsing.parsed_documents import BodyBuilder

_FLOW: Final = frozenset(
    "address article aside blockquote body button caption center dd details div dl dt fieldset "
    "figcaption figure header hr html legend li main ol p pre section summary table tbody td tfoot "
    "th thead tr ul h1 h2 h3 h4 h5 h6".split()
)
_HEADINGS: Final = frozenset(f"h{level}" for level in range(1, 7))
_EMPTY: Final = frozenset({"br", "img"})
_BOLD: Final = frozenset({"b", "strong"})
_TERMS: Final = {"dt": BlockKind.TERM, "dd": BlockKind.DEFINITION}
_SPACE: Final = re.compile(r"\s+")
_NUMBER: Final = re.compile(r"\d{1,8}")
_PARAGRAPHS: Final = re.compile(r"\n[^\S\n]*\n\s*")
"""Two line breaks are what the ends of paragraphs were set with."""
_AFTER_COLON: Final = re.compile(r"([:：])[^\S\n]*\n(?=\s*https?://)")
"""An address in a line of its own is what the line before it is about."""
_TYPED_ITEM: Final = re.compile(r"^[^\S\n]*(?:\(?\d{1,2}[.)]|[•·▪◦–*-])\s+(?=\S)", re.M)
"""The mark of an item that was typed, in a line that <br> ends."""


class _Step(NamedTuple):
    """A node as the walk enters or leaves it."""

    node: LexborNode
    tag: str
    leaves: bool


def _walk(root: LexborNode) -> Iterator[_Step]:
    """Enter and leave each visible node below *root* in order, without recursion: pages nest."""
    path = [_Step(root, "", leaves=True)]
    node = root.child
    while path:
        if node is None:
            closed = path.pop()
            if path:
                yield closed
                node = closed.node.next
            continue
        tag = node.tag or ""
        if page_parts.is_hidden(node, tag) or (tag == "sup" and _names_note(node)):
            node = node.next
            continue
        yield _Step(node, tag, leaves=False)
        path.append(_Step(node, tag, leaves=True))
        node = node.child


def _names_note(mark: LexborNode) -> bool:
    """Tell whether a *mark* set above the line only leads to a note of its page: "[1]"."""
    link = mark.css_first("a[href^='#']")
    return link is not None and _NOTE.fullmatch(mark.text(strip=True)) is not None


_NOTE: Final = re.compile(r"[\[(]?(?:\d{1,3}|[a-z*†‡§]|note \d{1,2})[\])]?", re.IGNORECASE)


def _role_level(node: LexborNode) -> int:
    """Return the level of what is a heading by its role alone (WAI-ARIA 1.2), else 0."""
    if node.attributes.get("role") != "heading":
        return 0
    given = _NUMBER.fullmatch(node.attributes.get("aria-level") or "")
    return min(max(int(given[0]), 1), 6) if given else _ROLE_LEVEL


_ROLE_LEVEL: Final = 2
"""The level of such a heading that has none of its own, by the same source."""
_QUESTION_AND_ANSWER: Final = 2
"""Cells of a row that is an entry."""


class PageReader:
    """Gathers inline text until a block begins or ends, then adds it as what it stands in."""

    def __init__(self, body: BodyBuilder) -> None:
        self._body = body
        self._inline: list[str] = []
        self._bold: list[str] = []  # what is set in bold of it, as long as nothing else is before
        self._strong = 0
        self._links = 0
        self._unlinked = False  # whether anything of it is no link
        self._lists: list[int] = []  # the next number of each open list, 0 for bullets
        self._wholes = Wholes(body)
        self._marker = ""
        self._heading = 0
        self._headed = 0  # the level of the last h1 to h6
        self._details = 0
        self._entry = 0  # what is read as a heading by its role, or since it is called a question
        self._code = 0
        self._notes = 0
        self._figures = 0
        self._term = BlockKind.TEXT
        self._definitions: list[BlockKind] = []  # the last term or definition of each open dl
        self._table = OpenTable()
        self._pictures = PagePictures(body)

    def read(self, root: LexborNode) -> None:
        """Add what is below *root*."""
        for node, tag, leaves in _walk(root):
            if tag == "-text":
                if not leaves:
                    self._say(node)
            elif tag in _EMPTY:
                if not leaves:
                    self._take_empty(node, tag)
            elif tag in _BOLD:
                self._strong += -1 if leaves else 1
            elif tag == "a":
                self._links += -1 if leaves else 1
            elif tag in _FLOW or "-" in tag:
                self._flush(tag if leaves else "")
                (self._leave if leaves else self._enter)(node, tag)
        self._flush("")
        self._pictures.place()

    def _take_empty(self, node: LexborNode, tag: str) -> None:
        if tag == "img":
            self._pictures.see(node)
        else:
            self._inline.append("\n")

    def _say(self, node: LexborNode) -> None:
        text = node.text_content or ""
        text = text if self._code else _SPACE.sub(" ", text)
        if (self._strong or not text.strip()) and len(self._bold) == len(self._inline):
            self._bold.append(text)
        self._unlinked |= not self._links and any(map(str.isalnum, text))
        self._inline.append(text)

    def _enter(self, node: LexborNode, tag: str) -> None:
        if not self._heading and tag not in _HEADINGS:
            self._open_heading(node, tag)
        name = node.attributes.get(page_parts.TAB) or ""
        self._add(BlockKind.TEXT, name, bold=name)
        if page_parts.is_note(node, tag):
            self._notes += 1
            self._wholes.enter("note")
        self._figures += page_parts.is_figure(node, tag)
        match tag:
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._heading = self._headed = int(tag[1])
            case "summary" | "button" if not self._heading:
                self._heading = min(self._headed + max(self._details, 1), 6)
            case "details":
                self._details += 1
            case "figure":
                self._pictures.enter(node)
            case "pre":
                self._code += 1
            case "table" | "tr":
                self._enter_table(node, tag)
            case "td" | "th":
                spanned = _NUMBER.fullmatch(node.attributes.get("rowspan") or "")
                self._table.open_cell(int(spanned[0]) if spanned else 1)
            case _:
                self._enter_list(node, tag)

    def _open_heading(self, node: LexborNode, tag: str) -> None:
        """Read as a heading what is one by its role or by what it is called, if *node* is."""
        if level := _role_level(node):
            self._heading, self._headed, self._entry = level, level, node.mem_id
        elif page_parts.heads_entry(node, tag):
            self._heading, self._entry = min(self._headed + 1, 6), node.mem_id

    def _enter_table(self, node: LexborNode, tag: str) -> None:
        if tag == "table":
            is_box = self._notes > 0 and page_parts.boxes(node)
            self._table.enter(is_layout=is_box or page_parts.lays_out(node))
        if self._table.layout:
            return
        if tag == "table":
            self._wholes.enter("table")
        else:
            self._table.open_row()

    def _enter_list(self, node: LexborNode, tag: str) -> None:
        match tag:
            case "ul" | "ol":
                start = _NUMBER.fullmatch(node.attributes.get("start") or "1")
                self._lists.append((int(start[0]) if start else 1) if tag == "ol" else 0)
                self._wholes.enter("list")
            case "li":
                self._open_item(node)
            case "dl":
                self._definitions.append(BlockKind.TEXT)
                self._wholes.enter("term")
            case "dt" | "dd" if not page_parts.is_blank(node):
                self._term = _TERMS[tag]
                if tag == "dt" and self._definitions[-1:] == [BlockKind.DEFINITION]:
                    self._wholes.leave("term")
                    self._wholes.enter("term")
                self._definitions[-1:] = [self._term] if self._definitions else []
            case _:
                pass

    def _leave(self, node: LexborNode, tag: str) -> None:
        if node.mem_id == self._entry:
            self._heading = self._entry = 0
        match tag:
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "summary" | "button":
                self._heading = 0
            case "details":
                self._details -= 1
            case "pre":
                self._code -= 1
            case "table" | "tr":
                self._leave_table(node, tag)
            case _:
                self._leave_list(tag)
        self._figures -= page_parts.is_figure(node, tag)
        if page_parts.is_note(node, tag):
            self._notes -= 1
            self._wholes.leave("note")

    def _leave_table(self, node: LexborNode, tag: str) -> None:
        if tag == "table":
            if not self._table.layout:
                self._wholes.leave("table")
            self._table.leave()
        elif self._table.cells is not None:
            in_head = node.parent is not None and node.parent.tag == "thead"
            cells = self._table.cells
            if text := self._table.close_row(in_head=in_head):
                self._add_row(cells, text)
            self._pictures.place()

    def _add_row(self, cells: list[str], text: str) -> None:
        """Add a row of a table; one that asks and answers is an entry."""
        # A row of signs, "$?", asks nothing.
        asks = is_question(cells[0]) and any(map(str.isalpha, cells[0]))
        if len(cells) == _QUESTION_AND_ANSWER and asks and cells[1].strip():
            self._body.add(BlockKind.HEADING, cells[0].replace("\n", " "))
            self._body.add(BlockKind.TEXT, cells[1])
        else:
            self._add(BlockKind.ROW, text)

    def _leave_list(self, tag: str) -> None:
        match tag:
            case "ul" | "ol" if self._lists:
                self._lists.pop()
                self._wholes.leave("list")
            case "li":
                self._marker = ""
            case "dl" if self._definitions:
                self._definitions.pop()
                self._wholes.leave("term")
                # What comes behind a list within a definition goes on with that.
                self._term = (self._definitions or [BlockKind.TEXT])[-1]
            case "dt" | "dd":
                self._term = BlockKind.TEXT
            case _:
                pass

    def _open_item(self, node: LexborNode) -> None:
        number = self._lists[-1] if self._lists else 0
        if number:
            given = _NUMBER.fullmatch(node.attributes.get("value") or "")
            number = int(given[0]) if given else number
            self._lists[-1] = number + 1
        self._marker = f"{number}. " if number else "- "

    def _flush(self, leaving: str) -> None:
        """Add the text gathered so far; *leaving* is the tag that ends with it, if one does."""
        text, bold = "".join(self._inline), "".join(self._bold)
        self._inline.clear()
        self._bold.clear()
        linked, self._unlinked = not self._unlinked, False
        if self._table.cells is not None:
            self._table.gather(text, leaving)
            return
        if text.strip() and not self._pictures.tells(leaving):
            self._add_text(text, bold, linked=linked)
        self._pictures.place()

    def _add_text(self, text: str, bold: str, *, linked: bool) -> None:
        """Add *text* as what it stands in."""
        if self._figures:
            self._add(BlockKind.FIGURE, text)
        elif self._heading and not (self._notes and note_labels.is_label(text.strip())):
            heading = text.replace("\n", " ")
            self._body.add(BlockKind.HEADING, heading, level=self._heading, linked=linked)
        elif self._code:
            self._add_preformatted(text)
        elif self._marker:
            bold = self._marker + bold.strip() if bold.strip() else ""
            self._add(BlockKind.ITEM, self._marker + text.strip(), bold=bold, linked=linked)
            self._marker = ""
        elif self._term is not BlockKind.TEXT and not self._notes:
            self._add(self._term, text)
        elif not (linked and page_parts.is_link_bar(text)):
            self._add_lines(text, bold, linked=linked)

    def _add_preformatted(self, text: str) -> None:
        """Add code, and the paragraphs of a manual that is set like it."""
        prose = BlockKind.NOTE if self._notes else self._term
        for kind, piece in wrapped_lines.parted(text):
            self._add(prose if kind is BlockKind.TEXT else kind, piece)

    def _add_lines(self, text: str, bold: str, *, linked: bool) -> None:
        """Add paragraphs, and the items of lists, that only line breaks set apart."""
        kind = BlockKind.NOTE if self._notes else BlockKind.TEXT
        for paragraph in _PARAGRAPHS.split(text):
            lines = _AFTER_COLON.sub(r"\1 ", paragraph)
            # What begins in bold may be a heading or a question with its number.
            marks = [] if bold.strip() else [at.start() for at in _TYPED_ITEM.finditer(lines)]
            cuts = [*marks, len(lines)] if len(marks) > 1 or marks == [0] else [len(lines)]
            self._add(kind, lines[: cuts[0]], bold=bold, linked=linked)
            for start, end in itertools.pairwise(cuts):
                self._add(BlockKind.ITEM, lines[start:end])
            bold = ""

    def _add(self, kind: BlockKind, text: str, *, bold: str = "", linked: bool = False) -> None:
        level = len(self._lists) + max(len(self._definitions) - 1, 0)
        whole = self._wholes.open
        self._body.add(kind, text, level=level, whole=whole, bold=bold, linked=linked)
