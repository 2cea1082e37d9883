"""The blocks of a text: its headings, paragraphs, list items, rows, and what belongs together.

Reading a document finds them, chunks carry them, and answers are made of them.
"""

from __future__ import annotations

import enum
import re
from typing import Final

import msgspec

_MARKS: Final = re.compile(r"(?:#{1,6}|[-*+•·▪◦–])\s+")


class BlockKind(enum.Enum):
    """What a block is. A reader of stored blocks knows all of these."""

    HEADING = "heading"
    """The title of a section; a bold line that stands alone counts as one."""
    TEXT = "text"
    """A paragraph, or the part of one before its LEAD."""
    LEAD = "lead"
    """What introduces the list, table or code after it: a paragraph, or its last sentence."""
    ITEM = "item"
    """A list item with its marker: ``- `` or its number, as in ``3. Save.``"""
    ROW = "row"
    """A row of a table, its cells apart by `` | ``, each with the name of its column if known."""
    CODE = "code"
    TERM = "term"
    """What is defined. Its DEFINITION follows, or begins on the same line."""
    DEFINITION = "definition"
    QUESTION = "question"
    """A question that the text after it answers; with a level it is a heading, too."""
    NOTE = "note"
    """A paragraph that says of itself that it is one: a note, a tip, a warning."""
    FIGURE = "figure"
    """The caption of a picture, or the text that stands for it: found, and never quoted."""


class Block(msgspec.Struct, frozen=True, array_like=True):
    """The characters ``start:end`` of a text, which are of one kind.

    Blocks follow each other, do not overlap, and leave out nothing but white space and, in plain
    text, the lines that only underline a heading.

    *level* is that of a heading or question, 1 the outermost, 0 for a question that heads nothing.
    Of an item it is how deep it is nested, from 0; of what else belongs to an item, such as its
    second paragraph or its code, one more than that item's, and 0 of what belongs to none.
    *page* is 1-based, 0 where the format has no pages.

    Blocks with the same *whole*, a number unique in the document, stand or fall together: a list
    with its lead, its nested items and what belongs to them; the rows of a table with its lead;
    code with its lead; a term with its definition; a box of notes; a question with the paragraphs
    that answer it (a list among them is a whole of its own, unless it is all of the answer); and
    the parts of a paragraph, a list or code that lie in several chunks. Steps that go on behind a
    picture, code or a note are one list. A heading that ends in a colon belongs to the list under
    it; no other whole lies on both sides of a heading.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    page: int = 0
    whole: int = 0


def heading_text(text: str) -> str:
    """Return a heading in one line, without the marks of its format or of the list it stood in."""
    return " ".join(_MARKS.sub("", text.lstrip(), count=1).lstrip("# ").split())
